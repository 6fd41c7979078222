#include "app/serve/http_server.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "app/serve/connection.h"
#include "app/serve/gzip.h"
#include "core/hang_limit_testing.h"
#include "core/json_text.h"
#include "os/scratch_folder.h"

namespace xsp::serve {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using namespace std::string_literals;

constexpr const char* kSecret = "a-token-of-the-network";

/// A server of an empty store on a free port.
class HttpServerTest : public testing::Test {
 protected:
  void SetUp() override {
    Service::Settings settings;
    settings.context.store = scratch_.path() / "store";
    std::filesystem::create_directories(settings.context.store);
    settings.access.token = kSecret;
    settings.hosts = {"127.0.0.1"};
    settings.machine_lock = scratch_.path() / "lock";
    settings.program = "/bin/false";
    service_ = std::make_unique<Service>(std::move(settings));
    Begin({.port = 0,
           .connections = 8,
           .largest_body = 1000,
           .read_timeout_s = 1,
           .head = {.bytes = 32 * 1024, .headers = 100, .time = core::kHangLimit},
           .keep_alive_s = 1});
  }
  void TearDown() override { End(); }

  void Begin(const HttpServer::Settings& settings) {
    auto server = HttpServer::Bind(settings, service_.get());
    ASSERT_TRUE(server.ok()) << server.error().what;
    server_ = std::move(server).value();
    thread_ = std::thread([this] { EXPECT_TRUE(server_->Run().ok()); });
    // Run() cannot be stopped before it has begun.
    while (!Client().Get("/api/v1/session")) usleep(1000);
  }
  void End() {
    if (!thread_.joinable()) return;
    server_->Stop();
    thread_.join();
  }

  httplib::Client Client() const {
    httplib::Client client("127.0.0.1", server_->port());
    client.set_default_headers({{"Authorization", std::string("Bearer ") + kSecret}});
    client.set_read_timeout(core::kHangLimit);
    return client;
  }

  int Connect() const {
    const int connection = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(server_->port()));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(connection, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    return connection;
  }

  /// What comes until the connection is closed, which is then closed here, too.
  static std::string ReadAll(int connection) {
    std::string reply;
    char piece[4096];
    for (ssize_t read = 0; (read = recv(connection, piece, sizeof piece, 0)) > 0;)
      reply.append(piece, static_cast<std::size_t>(read));
    close(connection);
    return reply;
  }

  /// Sends bytes as they are and returns what comes back until the connection is closed.
  std::string Exchange(const std::string& bytes) const {
    const int connection = Connect();
    // A server that refuses the request may close before it has read all.
    for (std::size_t sent = 0; sent < bytes.size();) {
      const ssize_t now = send(connection, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (now <= 0) break;
      sent += static_cast<std::size_t>(now);
    }
    return ReadAll(connection);
  }

  static std::string HeadOf(const std::string& first_line, const std::string& headers) {
    return first_line + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + kSecret +
           "\r\n" + headers + "\r\n";
  }

  os::ScratchFolder scratch_ = os::ScratchFolder::Create().value();
  std::unique_ptr<Service> service_;
  std::unique_ptr<HttpServer> server_;
  std::thread thread_;
};

TEST_F(HttpServerTest, BringsRepliesWithTheirHeaders) {
  const auto reply = Client().Get("/api/v1/session");
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->status, 200);
  EXPECT_EQ(core::ParseJson(reply->body)["role"], "measure");
  EXPECT_EQ(reply->get_header_value("X-Content-Type-Options"), "nosniff");
}

TEST_F(HttpServerTest, CompressesWhatIsWorthIt) {
  httplib::Client client = Client();
  client.set_decompress(false);
  const auto reply =
      client.Get("/api/v1/openapi.json", httplib::Headers{{"Accept-Encoding", "gzip"}});
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->get_header_value("Content-Encoding"), "gzip");
  const auto plain =
      client.Get("/api/v1/openapi.json", httplib::Headers{{"Accept-Encoding", "identity"}});
  EXPECT_EQ(plain->get_header_value("Content-Encoding"), "");
  EXPECT_EQ(reply->body, Gzip(plain->body));
  const auto again = client.Get(
      "/api/v1/openapi.json", httplib::Headers{{"If-None-Match", plain->get_header_value("ETag")}});
  EXPECT_EQ(again->status, 304);
  EXPECT_EQ(again->body, "");
}

TEST_F(HttpServerTest, RefusesBodiesThatAreTooLong) {
  const auto reply = Client().Post("/api/v1/query", std::string(2000, ' '), "application/json");
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->status, 413);
}

TEST_F(HttpServerTest, CountsABodyAfterItsDecompression) {
  const std::string bomb = Gzip(std::string(std::size_t{64} << 20, ' '));
  const auto reply = Client().Post("/api/v1/query", httplib::Headers{{"Content-Encoding", "gzip"}},
                                   bomb, "application/json");
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->status, 413);
}

TEST_F(HttpServerTest, ClosesConnectionsThatSendHalfARequest) {
  EXPECT_THAT(Exchange("GET /api/v1/list HTT"), testing::Not(HasSubstr("200 OK")));
  EXPECT_THAT(Exchange("POST /api/v1/query HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " +
                       std::string(kSecret) + "\r\nContent-Length: 100\r\n\r\n{"),
              HasSubstr("400 Bad Request"));
}

TEST_F(HttpServerTest, AnswersOthersWhileAClientIsSlow) {
  std::thread slow([&] { Exchange("GET /api/v1/list HTTP/1.1\r\nHost: "); });
  EXPECT_TRUE(Client().Get("/api/v1/session"));
  slow.join();
}

TEST_F(HttpServerTest, RefusesWhatIsNoHttp) {
  EXPECT_THAT(Exchange("\x16\x03\x01\x02 nonsense\r\n\r\n"), HasSubstr("400"));
  EXPECT_THAT(Exchange("GET /" + std::string(20'000, 'a') + " HTTP/1.1\r\n\r\n"),
              HasSubstr("HTTP/1.1 4"));
  EXPECT_EQ(Client().Get("/api/v1/show?run=%FF%FE")->status, 400);
  EXPECT_EQ(Client().Get("/api/v1/show?run=a%00b")->status, 400);
}

TEST_F(HttpServerTest, BoundsTheNumberOfHeaders) {
  const auto with = [](int headers) {
    std::string request = "GET /api/v1/session HTTP/1.1\r\n";
    for (int i = 0; i < headers - 2; ++i) request += fmt::format("X-{}: a\r\n", i);
    return request + "Host: 127.0.0.1\r\nConnection: close\r\n\r\n";
  };
  EXPECT_THAT(Exchange(with(100)), HasSubstr("HTTP/1.1 401"));
  EXPECT_THAT(Exchange(with(101)), HasSubstr("HTTP/1.1 431"));
  EXPECT_THAT(Exchange(with(20'000)), HasSubstr("exceed 100 lines, 32768 bytes"));
  EXPECT_EQ(Client().Get("/api/v1/session")->status, 200);
}

TEST_F(HttpServerTest, BoundsTheBytesOfHeaders) {
  const std::string begin = "GET /api/v1/session HTTP/1.1\r\nHost: 127.0.0.1\r\n";
  std::string headers;
  for (int i = 0; i < 5; ++i) headers += fmt::format("X-{}: {}\r\n", i, std::string(8000, 'a'));
  EXPECT_THAT(Exchange(begin + headers + "\r\n"), HasSubstr("HTTP/1.1 431"));
  // Lines that never end: of a header, of the request, and of a chunk of a body.
  const std::string endless(8 << 20, 'a');
  EXPECT_THAT(Exchange(begin + "X: " + endless), HasSubstr("HTTP/1.1 431"));
  EXPECT_THAT(Exchange("GET /" + endless), HasSubstr("HTTP/1.1 431"));
  EXPECT_THAT(Exchange("POST /api/v1/query HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: "
                       "chunked\r\n\r\n1;" +
                       endless),
              HasSubstr("HTTP/1.1 431"));
}

TEST_F(HttpServerTest, CountsTheHeadersOfEachRequestAnew) {
  httplib::Client client = Client();
  client.set_keep_alive(true);
  httplib::Headers headers;
  for (int i = 0; i < 60; ++i) headers.emplace(fmt::format("X-{}", i), std::string(300, 'a'));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(client.Get("/api/v1/session", headers)->status, 200);
}

TEST_F(HttpServerTest, EndsHeadersThatTrickleIn) {
  // However this thread is delayed, no read times out before the head has to be there.
  End();
  Begin({.port = 0, .read_timeout_s = 60, .head = {.time = std::chrono::seconds(2)}});
  const int connection = Connect();
  const std::string_view begin = "GET /api/v1/session HTTP/1.1\r\n";
  send(connection, begin.data(), begin.size(), MSG_NOSIGNAL);
  // The head never ends.
  pollfd poller{connection, POLLIN, 0};
  constexpr int kOften_ms = 100;
  while (poll(&poller, 1, kOften_ms) == 0) send(connection, "a", 1, MSG_NOSIGNAL);
  EXPECT_THAT(ReadAll(connection), HasSubstr("HTTP/1.1 431"));
}

/// How often `part` is in `text`.
int CountOf(std::string_view part, std::string_view text) {
  int count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; ++at) ++count;
  return count;
}

TEST_F(HttpServerTest, ABodyThatIsNotReadIsNoRequest) {
  std::string requests;
  while (requests.size() < 40'000) requests += HeadOf("GET /api/v1/session", "");
  const std::string length = fmt::format("Content-Length: {}\r\n", requests.size());
  for (const std::string& head :
       {HeadOf("GET /api/v1/session", length), HeadOf("PUT /api/v1/session", length),
        "POST /api/v1/uploads?name=a HTTP/1.1\r\nHost: 127.0.0.1\r\n" + length + "\r\n",
        HeadOf("POST /api/v1/query", length), HeadOf("GET /api/v1/session", ""),
        HeadOf("GET /api/v1/session", "Transfer-Encoding: chunked\r\n"),
        HeadOf("GET /api/v1/session", "Content-Length: 0\r\n" + length), "nonsense\r\n\r\n"s}) {
    const std::string reply = Exchange(head + requests);
    EXPECT_EQ(CountOf("HTTP/1.1 ", reply), 1) << head << reply;
    EXPECT_EQ(CountOf("Connection: close", reply), 1) << head << reply;
    EXPECT_EQ(CountOf("Keep-Alive", reply), 0) << head << reply;
  }
}

TEST_F(HttpServerTest, ARefusalReachesAClientThatStillSends) {
  const std::string body(20'000'000, ' ');
  const std::string length = fmt::format("Content-Length: {}\r\n", body.size());
  const std::string stranger = "POST /api/v1/uploads?name=a HTTP/1.1\r\nHost: 127.0.0.1\r\n";
  for (int i = 0; i < 5; ++i) {
    EXPECT_THAT(Exchange(stranger + length + "\r\n" + body), HasSubstr("HTTP/1.1 401"));
    EXPECT_THAT(Exchange(HeadOf("POST /api/v1/query", length) + body), HasSubstr("HTTP/1.1 413"));
  }
}

TEST_F(HttpServerTest, ARefusedBodyIsTakenForAMoment) {
  const std::string request =
      HeadOf("POST /api/v1/query", "Content-Length: 20000000\r\n") + std::string(20'000'000, ' ');
  // More than the buffers of a socket hold. A thread that is delayed may miss the moment once.
  bool is_taken = false;
  for (int i = 0; i < 5 && !is_taken; ++i) {
    const int connection = Connect();
    is_taken = send(connection, request.data(), request.size(), MSG_NOSIGNAL) ==
               static_cast<ssize_t>(request.size());
    EXPECT_THAT(ReadAll(connection), HasSubstr("HTTP/1.1 413"));
  }
  EXPECT_TRUE(is_taken);
}

TEST_F(HttpServerTest, ABodyThatWasReadIsFollowedByARequest) {
  const int connection = Connect();
  pollfd poller{connection, POLLIN, 0};
  char reply[4096];
  for (int i = 0; i < 5; ++i) {
    const std::string request = HeadOf("POST /api/v1/list", "Content-Length: 2\r\n") + "{}";
    ASSERT_EQ(send(connection, request.data(), request.size(), MSG_NOSIGNAL), request.size());
    ASSERT_EQ(poll(&poller, 1, 60'000), 1);
    ASSERT_GT(recv(connection, reply, sizeof reply, 0), 0) << i;
    usleep(50'000);
    while (recv(connection, reply, sizeof reply, MSG_DONTWAIT) > 0) {
    }
  }
  close(connection);
}

TEST_F(HttpServerTest, EndsBodiesThatTrickleIn) {
  End();
  Begin({.port = 0, .read_timeout_s = 60, .body = {.time = std::chrono::seconds(1)}});
  const int connection = Connect();
  const std::string head = HeadOf("POST /api/v1/query", "Content-Length: 1000000\r\n");
  send(connection, head.data(), head.size(), MSG_NOSIGNAL);
  pollfd poller{connection, POLLIN, 0};
  constexpr int kOften_ms = 100;
  while (poll(&poller, 1, kOften_ms) == 0) send(connection, " ", 1, MSG_NOSIGNAL);
  EXPECT_THAT(ReadAll(connection), HasSubstr("the body did not arrive whole"));
}

TEST_F(HttpServerTest, StopsWhileABodyTricklesIn) {
  End();
  Begin({.port = 0, .read_timeout_s = 3600, .body = {.time = std::chrono::hours(1)}});
  const int connection = Connect();
  const std::string head = HeadOf("POST /api/v1/query", "Content-Length: 1000000\r\n");
  send(connection, head.data(), head.size(), MSG_NOSIGNAL);
  std::atomic<int> sent = 0;
  std::thread client([&] {
    pollfd poller{connection, POLLIN, 0};
    constexpr int kOften_ms = 10;
    for (; poll(&poller, 1, kOften_ms) == 0; ++sent) send(connection, " ", 1, MSG_NOSIGNAL);
  });
  while (sent < 10) usleep(1000);
  const auto begun = std::chrono::steady_clock::now();
  End();
  EXPECT_LT(std::chrono::steady_clock::now() - begun, core::kHangLimit);
  client.join();
  close(connection);
}

TEST_F(HttpServerTest, HasNoOtherMethods) {
  EXPECT_EQ(Client().Put("/api/v1/list", "", "text/plain")->status, 405);
  EXPECT_EQ(Client().Options("/api/v1/list")->status, 405);
  EXPECT_EQ(Client().Head("/api/v1/session")->status, 200);
}

TEST_F(HttpServerTest, StreamsAnUploadToDisk) {
  const std::string content(100'000, 'x');
  const auto reply =
      Client().Post("/api/v1/uploads?name=trace.json", content, "application/octet-stream");
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->status, 201);
  EXPECT_EQ(core::ParseJson(reply->body)["bytes"], content.size());
}

TEST_F(HttpServerTest, EndsItsStreamsWhenItStops) {
  std::atomic<bool> has_begun = false;
  std::thread reader([&] {
    Client().Get(
        "/api/v1/jobs/events",
        [&](const httplib::Response&) {
          has_begun = true;
          return true;
        },
        [](const char*, std::size_t) { return true; });
  });
  while (!has_begun) usleep(1000);
  server_->Stop();
  reader.join();
}

TEST_F(HttpServerTest, AnswersAClientThatHasEndedItsSide) {
  const std::string request = HeadOf("GET /api/v1/jobs", "");
  const int connection = Connect();
  send(connection, request.data(), request.size(), MSG_NOSIGNAL);
  shutdown(connection, SHUT_WR);
  EXPECT_THAT(ReadAll(connection), HasSubstr("\"jobs\""));
}

TEST_F(HttpServerTest, NoticesAClientThatHasGone) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  const Connection connection(ends[0], nullptr, {{}, {}, std::chrono::seconds(1)},
                              [] { return false; });
  EXPECT_TRUE(connection.is_writable());
  // What it sent before and nobody has read, does not hide it.
  ASSERT_EQ(send(ends[1], "x", 1, MSG_NOSIGNAL), 1);
  shutdown(ends[1], SHUT_WR);
  EXPECT_FALSE(connection.is_writable());
  close(ends[0]);
  close(ends[1]);
}

TEST_F(HttpServerTest, DoesNotShareItsPort) {
  const auto second = HttpServer::Bind({.port = server_->port()}, service_.get());
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().kind, ErrorKind::kEnvironment);
  EXPECT_THAT(second.error().what, HasSubstr("in use"));
}

TEST(HttpServer, RefusesACertificateThatItCannotRead) {
  const auto server =
      HttpServer::Bind({.port = 0, .certificate = "/no/such/file", .key = "/none"}, nullptr);
  ASSERT_FALSE(server.ok());
  EXPECT_EQ(server.error().kind, ErrorKind::kBadInput);
}

}  // namespace
}  // namespace xsp::serve
