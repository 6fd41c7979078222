#include "measure/live/live_stream.h"

#include <gtest/gtest.h>
#include <httplib.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "capture/wire/collected_records.h"
#include "capture/wire/recorder.h"
#include "core/hang_limit_testing.h"
#include "core/proto_message.h"
#include "measure/live/otlp_sink.h"

namespace xsp::live {
namespace {

using namespace std::chrono_literals;
using wire::ScratchFolder;

constexpr RetryPolicy kQuick{5ms, 20ms};

/// A server that answers as a test wants it.
class TestServer {
 public:
  using Answer = std::function<void(int number, const httplib::Request&, httplib::Response&)>;

  explicit TestServer(Answer answer) {
    server_.Post("/v1/traces", [this, answer = std::move(answer)](const httplib::Request& request,
                                                                  httplib::Response& response) {
      const int number = ++requests_;
      {
        const std::lock_guard lock(mutex_);
        bodies_.push_back(request.body);
      }
      answer(number, request, response);
    });
    server_.set_tcp_nodelay(true);
    port_ = server_.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::yield();
  }
  ~TestServer() { Stop(); }
  void Stop() {
    server_.stop();
    if (thread_.joinable()) thread_.join();
  }

  OtlpEndpoint endpoint() const {
    OtlpEndpoint endpoint;
    endpoint.server = "http://127.0.0.1:" + std::to_string(port_);
    endpoint.host = "127.0.0.1";
    endpoint.port = port_;
    endpoint.path = "/v1/traces";
    return endpoint;
  }
  int requests() const { return requests_; }
  std::vector<std::string> bodies() {
    const std::lock_guard lock(mutex_);
    return bodies_;
  }

 private:
  httplib::Server server_;
  int port_ = 0;
  std::atomic<int> requests_{0};
  std::mutex mutex_;
  std::vector<std::string> bodies_;
  std::thread thread_;
};

LiveBatch BatchOf(std::size_t spans) {
  LiveBatch batch;
  for (std::size_t i = 0; i < spans; ++i) {
    LiveSpan span;
    span.id = static_cast<std::int64_t>(i + 1);
    span.run = "recorded";
    span.level = "layer";
    span.name = "conv1";
    span.duration_ns = 5;
    batch.spans.push_back(span);
  }
  return batch;
}

OtlpEncoder Encoder() { return {"experiment", "session"}; }

TEST(OtlpSink, SendsRequestsOfBoundedSize) {
  TestServer server([](int, const httplib::Request& request, httplib::Response& response) {
    response.status =
        request.get_header_value("Content-Type") == "application/x-protobuf" ? 200 : 415;
  });
  OtlpSink sink(server.endpoint(), Encoder(), kQuick);
  LiveBatch batch = BatchOf(2 * OtlpSink::kRequestSpans + 1);
  sink.Write(batch);
  EXPECT_EQ(server.requests(), 3);
  EXPECT_EQ(sink.counts().delivered, static_cast<std::int64_t>(batch.spans.size()));
  EXPECT_EQ(sink.counts().dropped_in_all(), 0);
  LiveBatch large = BatchOf(3);
  for (LiveSpan& span : large.spans)
    span.attributes = {{"raw", std::string(OtlpSink::kRequestBytes, 'x')}};
  sink.Write(large);
  EXPECT_EQ(server.requests(), 6);
}

TEST(OtlpSink, TriesAgainWhereTheSpecificationSaysSo) {
  for (const int status : {429, 502, 503, 504}) {
    TestServer server([status](int number, const httplib::Request&, httplib::Response& response) {
      response.status = number < 4 ? status : 200;
    });
    OtlpSink sink(server.endpoint(), Encoder(), kQuick);
    LiveBatch batch = BatchOf(1);
    sink.Write(batch);
    EXPECT_EQ(server.requests(), 4) << status;
    EXPECT_EQ(sink.counts().delivered, 1) << status;
    const auto bodies = server.bodies();
    for (const std::string& body : bodies) EXPECT_EQ(body, bodies.front());
  }
}

TEST(OtlpSink, DropsWhatTheServerRefuses) {
  for (const int status : {400, 401, 404, 413, 500, 302}) {
    TestServer server([status](int, const httplib::Request&, httplib::Response& response) {
      response.status = status;
    });
    OtlpSink sink(server.endpoint(), Encoder(), kQuick);
    LiveBatch batch = BatchOf(7);
    sink.Write(batch);
    EXPECT_EQ(server.requests(), 1) << status;
    EXPECT_EQ(sink.counts().dropped_in_all(), 7) << status;
    EXPECT_NE(sink.counts().problem.find(std::to_string(status)), std::string::npos);
  }
}

TEST(OtlpSink, WaitsAsLongAsTheServerAsks) {
  using Clock = std::chrono::steady_clock;
  std::atomic<Clock::rep> first{0}, second{0};
  TestServer server([&](int number, const httplib::Request&, httplib::Response& response) {
    (number == 1 ? first : second) = Clock::now().time_since_epoch().count();
    response.status = number == 1 ? 503 : 200;
    response.set_header("Retry-After", "1");
  });
  OtlpSink sink(server.endpoint(), Encoder(), kQuick);
  LiveBatch batch = BatchOf(1);
  sink.Write(batch);
  EXPECT_EQ(sink.counts().delivered, 1);
  EXPECT_GE(Clock::duration(second - first), 1s);
}

TEST(OtlpSink, CountsWhatTheServerRejectsOfARequest) {
  TestServer server([](int, const httplib::Request&, httplib::Response& response) {
    core::ProtoMessage partial, reply;
    partial.AddInteger(1, 3);
    partial.AddText(2, "too old");
    reply.AddMessage(1, partial);
    response.set_content(reply.bytes(), "application/x-protobuf");
  });
  OtlpSink sink(server.endpoint(), Encoder(), kQuick);
  LiveBatch batch = BatchOf(10);
  sink.Write(batch);
  EXPECT_EQ(sink.counts().delivered, 7);
  EXPECT_EQ(sink.counts().dropped.at("recorded"), 3);
  EXPECT_EQ(sink.counts().problem, "too old");
}

TEST(OtlpSink, ReachesAnAddressOfVersion6) {
  httplib::Server server;
  std::string host;
  server.Post("/v1/traces", [&](const httplib::Request& request, httplib::Response&) {
    host = request.get_header_value("Host");
  });
  const int port = server.bind_to_any_port("::1");
  if (port <= 0) GTEST_SKIP() << "no IPv6 here";
  std::thread thread([&] { server.listen_after_bind(); });
  const std::string authority = "[::1]:" + std::to_string(port);
  const auto endpoint = ReadOtlpEndpoint(
      "http://" + authority, [](const char*) -> std::optional<std::string> { return {}; });
  ASSERT_TRUE(endpoint.ok());
  {  // Its connection ends before the server, which would wait for another request.
    OtlpSink sink(endpoint.value(), Encoder(), kQuick);
    LiveBatch batch = BatchOf(5);
    sink.Write(batch);
    EXPECT_EQ(sink.counts().delivered, 5);
  }
  server.stop();
  thread.join();
  EXPECT_EQ(host, authority);
}

TEST(OtlpSink, PrintsNothingThatATerminalObeys) {
  TestServer server([](int, const httplib::Request&, httplib::Response& response) {
    core::ProtoMessage partial, reply;
    partial.AddInteger(1, 3);
    partial.AddText(2, "\x1b[31mred\xff\x07" + std::string(1000, 'x'));
    reply.AddMessage(1, partial);
    response.set_content(reply.bytes(), "application/x-protobuf");
  });
  OtlpSink sink(server.endpoint(), Encoder(), kQuick);
  LiveBatch batch = BatchOf(10);
  sink.Write(batch);
  EXPECT_EQ(sink.counts().problem, "[31mred\xef\xbf\xbd" + std::string(192, 'x'));
}

TEST(OtlpSink, ReadsTheBeginningOfAnEndlessReply) {
  for (const int status : {200, 400}) {
    TestServer server([status](int, const httplib::Request&, httplib::Response& response) {
      response.status = status;
      response.set_chunked_content_provider("application/x-protobuf",
                                            [](std::size_t, httplib::DataSink& to) {
                                              const std::string part(10'000, 'x');
                                              return to.write(part.data(), part.size());
                                            });
    });
    OtlpSink sink(server.endpoint(), Encoder(), kQuick);
    LiveBatch batch = BatchOf(7);
    sink.Write(batch);
    EXPECT_EQ(server.requests(), 1) << status;
    EXPECT_EQ(sink.counts().delivered, status == 200 ? 7 : 0);
  }
}

TEST(OtlpSink, SendsHeadersAndGzip) {
  TestServer server([](int, const httplib::Request& request, httplib::Response& response) {
    const bool is_good = request.get_header_value("Authorization") == "Bearer x" &&
                         request.get_header_value("Content-Encoding") == "gzip";
    response.status = is_good ? 200 : 400;
  });
  OtlpEndpoint endpoint = server.endpoint();
  endpoint.headers = {{"Authorization", "Bearer x"}};
  endpoint.is_gzip = true;
  OtlpSink sink(endpoint, Encoder(), kQuick);
  LiveBatch batch = BatchOf(100);
  sink.Write(batch);
  EXPECT_EQ(sink.counts().delivered, 100);
}

TEST(ReadPartialSuccess, ReadsAnyBytes) {
  EXPECT_EQ(ReadPartialSuccess("").rejected_spans, 0);
  EXPECT_EQ(ReadPartialSuccess("\x0a\x02\x08\x05").rejected_spans, 5);
  EXPECT_EQ(ReadPartialSuccess("\x0a\x7f\x08").rejected_spans, 0);
  EXPECT_EQ(ReadPartialSuccess(std::string(20, '\xff')).rejected_spans, 0);
}

/// A recording of this process that a stream follows.
class LiveStreamTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(xsp_open((folder_ / "a.xspr").c_str(), nullptr), 0); }
  void TearDown() override { xsp_close(); }

  std::unique_ptr<LiveStream> Follow(const OtlpEndpoint& endpoint) {
    return std::make_unique<LiveStream>(
        std::make_unique<LiveReader>(folder_.path(), std::set<std::string>()),
        std::make_unique<OtlpSink>(endpoint, Encoder(), kQuick));
  }
  static void Record(int spans) {
    for (int i = 0; i < spans; ++i)
      wire::SpanScope(XSP_LEVEL_LAYER, XSP_TEXT("Conv"), XSP_TEXT("conv1"));
  }

  ScratchFolder folder_;
};

TEST_F(LiveStreamTest, SendsWhileTheProgramRuns) {
  std::atomic<int> requests{0};
  TestServer server([&](int, const httplib::Request&, httplib::Response&) {
    ++requests;
    requests.notify_all();
  });
  const auto stream = Follow(server.endpoint());
  Record(10);
  requests.wait(0);  // Before it is stopped.
  Record(90);
  xsp_close();
  EXPECT_EQ(stream->Stop(core::kHangLimit).delivered, 100);
  EXPECT_EQ(stream->lost(), 0u);
}

TEST_F(LiveStreamTest, CountsWhatAServerThatIsAwayDoesNotGet) {
  // Bound and not listened to: nobody else gets the port meanwhile.
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(bind(socket, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size), 0);
  OtlpEndpoint endpoint;
  endpoint.host = "127.0.0.1";
  endpoint.port = ntohs(address.sin_port);
  endpoint.server = "http://127.0.0.1:" + std::to_string(endpoint.port);
  endpoint.path = "/v1/traces";
  const auto stream = Follow(endpoint);
  Record(1000);
  xsp_close();
  const LiveCounts& counts = stream->Stop(50ms);
  EXPECT_EQ(counts.delivered, 0);
  EXPECT_EQ(counts.dropped.at("recorded"), 1000);
  EXPECT_FALSE(counts.problem.empty());
  close(socket);
}

TEST_F(LiveStreamTest, KeepsWhatAServerMissesForWhenItIsBack) {
  std::atomic<bool> is_away{true};
  std::atomic<int> refused{0};
  TestServer server([&](int, const httplib::Request&, httplib::Response& response) {
    if (!is_away) return;
    response.status = 503;
    ++refused;
    refused.notify_all();
  });
  const auto stream = Follow(server.endpoint());
  Record(20'000);
  refused.wait(0);
  is_away = false;
  xsp_close();
  EXPECT_EQ(stream->Stop(core::kHangLimit).delivered, 20'000);
}

TEST_F(LiveStreamTest, DoesNotWaitForAServerThatHangs) {
  std::atomic<bool> is_over{false};
  TestServer server([&](int, const httplib::Request&, httplib::Response&) { is_over.wait(false); });
  auto stream = Follow(server.endpoint());
  Record(1000);
  xsp_close();
  while (server.requests() == 0) std::this_thread::yield();
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(stream->Stop(100ms).dropped_in_all(), 1000);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 9s);  // Shorter than the time limit: 10 s.
  is_over = true;
  is_over.notify_all();
}

class ThrowingSink final : public LiveSink {
 public:
  void Write(LiveBatch&) override { throw std::runtime_error("no memory"); }
  void EndAt(std::chrono::steady_clock::time_point) override {}
};

TEST_F(LiveStreamTest, EndsWithAReasonWhereItsWorkThrows) {
  LiveStream stream(std::make_unique<LiveReader>(folder_.path(), std::set<std::string>()),
                    std::make_unique<ThrowingSink>());
  Record(10);
  xsp_close();
  EXPECT_EQ(stream.Stop(core::kHangLimit).delivered, 0);
  EXPECT_NE(stream.failure().find("no memory"), std::string::npos) << stream.failure();
}

}  // namespace
}  // namespace xsp::live
