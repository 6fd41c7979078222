#include "app/serve/http_server.h"

#include <fmt/format.h>
#include <httplib.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

#include "core/utf8.h"

namespace xsp::serve {
namespace {

constexpr int kBacklog = 511;

using TlsContext = std::shared_ptr<SSL_CTX>;

/// What a request is answered whose head exceeds its limits; the connection then ends.
std::string HeadRefusal(const HeadLimits& limits) {
  const Reply reply =
      ErrorReply(431, "too_large",
                 fmt::format("the headers of the request exceed {} lines, {} bytes or {} s",
                             limits.headers, limits.bytes, limits.time.count()),
                 "Send fewer or shorter headers.");
  return fmt::format(
      "HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Type: {}\r\nContent-Length: {}\r\n"
      "Connection: close\r\n\r\n{}",
      reply.content_type, reply.body.size(), reply.body);
}

/// The methods whose bodies are read.
bool HasBody(const httplib::Request& request) {
  return request.method == "POST" || request.method == "DELETE";
}

/// Where the body of a request ends. Nullopt: that only its bytes say (chunks, the end of the
/// connection), or several headers do.
std::optional<std::size_t> LengthOfBody(const httplib::Request& request) {
  if (request.has_header("Transfer-Encoding")) return std::nullopt;
  const std::size_t stated = request.get_header_value_count("Content-Length");
  if (stated == 0) return 0;  // RFC 9112, section 6.3.
  if (stated != 1) return std::nullopt;
  const std::string text = request.get_header_value("Content-Length");
  std::size_t length = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), length);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return length;
}

/// Its head was read. cpp-httplib answers a request that says so with "Connection: close", too.
void BeginBody(httplib::Request* request, Connection& connection) {
  const std::optional<std::size_t> length = LengthOfBody(*request);
  const bool is_followed = length && !connection.BeginBody(*length);
  if (length && !is_followed && (*length == 0 || HasBody(*request))) return;
  request->headers.erase("Connection");
  request->headers.emplace("Connection", "close");
}

/// cpp-httplib's server, but for three things of it: two of it can share a port (SO_REUSEPORT),
/// five connections may wait, and the head of a request has no bounds.
class Listener final : public httplib::Server {
 public:
  Listener(const HttpServer::Settings& settings, TlsContext tls)
      : settings_(settings), tls_(std::move(tls)) {}

  bool Bind(int* bound) {
    set_socket_options([](socket_t socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    *bound = settings_.port;
    if (*bound == 0) {
      *bound = bind_to_any_port(settings_.address);
      if (*bound < 0) return false;
    } else if (!bind_to_port(settings_.address, *bound)) {
      return false;
    }
    return ::listen(svr_sock_, kBacklog) == 0;
  }

 private:
  bool process_and_close_socket(socket_t socket) override {
    bool is_answered = false;
    {
      Connection connection(
          socket, tls_.get(),
          {settings_.head, settings_.body, std::chrono::seconds(settings_.read_timeout_s)},
          [this] { return svr_sock_ == INVALID_SOCKET; });
      if (connection.Accept()) is_answered = AnswerAll(connection);
    }
    shutdown(socket, SHUT_RDWR);
    close(socket);
    return is_answered;
  }

  /// The requests of a connection, one after the other.
  bool AnswerAll(Connection& connection) {
    bool is_answered = false;
    for (std::size_t left = settings_.requests_per_connection;
         left > 0 && svr_sock_ != INVALID_SOCKET &&
         connection.WaitForRequest(std::chrono::seconds(settings_.keep_alive_s));
         --left) {
      bool is_closed = false;
      is_answered =
          process_request(connection, left == 1, is_closed,
                          [&](httplib::Request& request) { BeginBody(&request, connection); });
      if (connection.exceeds_limits()) {
        connection.Refuse(HeadRefusal(settings_.head));
        return false;
      }
      // What is left of this request must not be read as the next one.
      if (is_answered && !connection.is_at_end()) {
        connection.Linger();
        break;
      }
      if (!is_answered || is_closed) break;
    }
    return is_answered;
  }

  const HttpServer::Settings settings_;
  const TlsContext tls_;
};

/// Null: the server speaks HTTP without TLS. Errors: kBadInput.
Result<TlsContext> OpenTls(const HttpServer::Settings& settings) {
  if (settings.certificate.empty()) return TlsContext();
  TlsContext context(SSL_CTX_new(TLS_server_method()), &SSL_CTX_free);
  if (context == nullptr ||
      SSL_CTX_use_certificate_chain_file(context.get(), settings.certificate.c_str()) != 1 ||
      SSL_CTX_use_PrivateKey_file(context.get(), settings.key.c_str(), SSL_FILETYPE_PEM) != 1 ||
      SSL_CTX_check_private_key(context.get()) != 1)
    return Error{ErrorKind::kBadInput,
                 fmt::format("certificate or key cannot be used: {}, {}",
                             settings.certificate.string(), settings.key.string()),
                 "Both are PEM files, and the key belongs to the certificate."};
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  SSL_CTX_set_options(context.get(), SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_mode(context.get(),
                   SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  return context;
}

/// Ours of one of cpp-httplib's. A header that is there twice holds both, as HTTP reads them.
Request Converted(const httplib::Request& from) {
  Request request;
  request.method = from.method;
  request.path = from.path;
  request.query.insert(from.params.begin(), from.params.end());
  for (const auto& [name, value] : from.headers) {
    std::string lower = name;
    std::ranges::transform(lower, lower.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::string& text = request.headers[lower];
    if (!text.empty()) text += lower == "cookie" ? "; " : ", ";
    text += value;
  }
  return request;
}

bool IsText(const Request& request) {
  return core::IsCleanUtf8(request.path) &&
         std::ranges::all_of(request.query, [](const auto& field) {
           return core::IsCleanUtf8(field.first) && core::IsCleanUtf8(field.second);
         });
}

/// Sends a body as it is: what cpp-httplib compresses, it would compress each time.
void SendBody(Reply reply, httplib::Response* response) {
  if (reply.is_compressed) response->set_header("Content-Encoding", "gzip");
  if (reply.body.empty()) {
    if (!reply.content_type.empty()) response->set_header("Content-Type", reply.content_type);
    return;
  }
  const auto body = std::make_shared<const std::string>(std::move(reply.body));
  response->set_content_provider(
      body->size(), reply.content_type,
      [body](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
        return sink.write(body->data() + offset, length);
      });
}

}  // namespace

struct HttpServer::State {
  Settings settings;
  Service* service = nullptr;
  std::unique_ptr<httplib::Server> server;
  int port = 0;
  std::atomic<bool> is_stopping = false;
  std::atomic<std::size_t> streams = 0;

  void SendStream(Reply reply, httplib::Response* response);
  void Send(Reply reply, httplib::Response* response);
  void AnswerWithoutBody(const httplib::Request& from, httplib::Response* response);
  void AnswerWithBody(const httplib::Request& from, httplib::Response* response,
                      const httplib::ContentReader& reader);
  void SetUp();
};

void HttpServer::State::SendStream(Reply reply, httplib::Response* response) {
  auto piece = std::make_shared<std::string>();
  response->set_chunked_content_provider(
      reply.content_type,
      [this, piece, stream = std::move(reply.stream)](std::size_t, httplib::DataSink& sink) {
        if (!sink.is_writable()) return false;
        piece->clear();
        const bool goes_on = !is_stopping && stream(piece.get());
        if (!piece->empty() && !sink.write(piece->data(), piece->size())) return false;
        if (!goes_on) sink.done();
        return true;
      },
      [this](bool) { --streams; });
}

void HttpServer::State::Send(Reply reply, httplib::Response* response) {
  if (reply.stream && ++streams > settings.streams) {
    --streams;
    reply = ErrorReply(503, "environment", "too many follow events", "Ask for the job instead.");
  }
  response->status = reply.status;
  for (const auto& [name, value] : reply.headers) response->set_header(name, value);
  if (reply.stream) {
    SendStream(std::move(reply), response);
  } else {
    SendBody(std::move(reply), response);
  }
}

void HttpServer::State::AnswerWithoutBody(const httplib::Request& from,
                                          httplib::Response* response) {
  Request request = Converted(from);
  if (!IsText(request))
    return Send(ErrorReply(400, "bad_input", "the address is not UTF-8", ""), response);
  Send(service->Handle(std::move(request)), response);
}

void HttpServer::State::AnswerWithBody(const httplib::Request& from, httplib::Response* response,
                                       const httplib::ContentReader& reader) {
  Request request = Converted(from);
  if (!IsText(request))
    return Send(ErrorReply(400, "bad_input", "the address is not UTF-8", ""), response);
  bool is_whole = false;
  if (service->ReadsBodyItself(request)) {
    request.read_body = [&](const std::function<bool(std::string_view)>& take) {
      is_whole = reader([&](const char* data, std::size_t size) { return take({data, size}); });
      return is_whole;
    };
    Reply reply = service->Handle(std::move(request));
    if (!is_whole) response->set_header("Connection", "close");
    return Send(std::move(reply), response);
  }
  bool is_too_large = false;
  is_whole = reader([&](const char* data, std::size_t size) {
    // Counted after decompression.
    is_too_large = request.body.size() + size > settings.largest_body;
    if (!is_too_large) request.body.append(data, size);
    return !is_too_large;
  });
  if (!is_whole) response->set_header("Connection", "close");
  if (is_too_large)
    return Send(ErrorReply(413, "too_large",
                           fmt::format("the body is longer than {} bytes", settings.largest_body),
                           "Send files to /api/v1/uploads."),
                response);
  if (!is_whole)
    return Send(ErrorReply(400, "bad_input", "the body did not arrive whole",
                           "Send it again, with its length in the header Content-Length."),
                response);
  Send(service->Handle(std::move(request)), response);
}

void HttpServer::State::SetUp() {
  server->new_task_queue = [this] { return new httplib::ThreadPool(settings.connections); };
  server->set_read_timeout(settings.read_timeout_s);
  server->set_write_timeout(settings.read_timeout_s);
  server->set_keep_alive_timeout(settings.keep_alive_s);  // What replies say of it.
  server->set_keep_alive_max_count(settings.requests_per_connection);
  server->set_tcp_nodelay(true);
  server->set_pre_routing_handler(
      [this](const httplib::Request& request, httplib::Response& response) {
        if (HasBody(request)) return httplib::Server::HandlerResponse::Unhandled;
        AnswerWithoutBody(request, &response);
        return httplib::Server::HandlerResponse::Handled;
      });
  const auto with_body = [this](const httplib::Request& request, httplib::Response& response,
                                const httplib::ContentReader& reader) {
    AnswerWithBody(request, &response, reader);
  };
  server->Post(R"([\s\S]*)", with_body);
  server->Delete(R"([\s\S]*)", with_body);
  // Of a reply after which the connection ends, cpp-httplib may have said otherwise before.
  server->set_post_routing_handler([](const httplib::Request&, httplib::Response& response) {
    if (response.headers.erase("Connection") == 0) return;
    response.headers.erase("Keep-Alive");
    response.set_header("Connection", "close");
  });
  // What never becomes a request: a line or header that is too long or malformed.
  server->set_error_handler([](const httplib::Request&, httplib::Response& response) {
    if (!response.body.empty() || response.content_length_ > 0 || response.status == 304) return;
    const Reply reply = ErrorReply(response.status, "bad_input", "not a request that can be read",
                                   "See /api/v1/openapi.json.");
    response.set_header("Connection", "close");
    response.set_content(reply.body, reply.content_type);
  });
}

HttpServer::HttpServer(std::unique_ptr<State> state) : state_(std::move(state)) {}
HttpServer::~HttpServer() = default;

int HttpServer::port() const { return state_->port; }

Result<std::unique_ptr<HttpServer>> HttpServer::Bind(const Settings& settings, Service* service) {
  auto state = std::make_unique<State>();
  state->settings = settings;
  state->service = service;
  XSP_TRY(TlsContext tls, OpenTls(settings));
  auto server = std::make_unique<Listener>(settings, std::move(tls));
  errno = 0;
  const bool is_bound = server->Bind(&state->port);
  state->server = std::move(server);
  if (!is_bound)
    return Error{ErrorKind::kEnvironment,
                 fmt::format("cannot listen on {}:{}: {}", settings.address, settings.port,
                             errno == 0 ? "no such address" : std::strerror(errno)),
                 "Choose another address or port with --listen; port 0 takes a free one."};
  state->SetUp();
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(state)));
}

Status HttpServer::Run() {
  if (state_->server->listen_after_bind() || state_->is_stopping) return Ok{};
  return Error{ErrorKind::kEnvironment, "the server stopped listening", "Start it again."};
}

void HttpServer::Stop() {
  state_->is_stopping = true;
  state_->server->stop();
}

}  // namespace xsp::serve
