#include "app/serve/http_server.h"

#include <fmt/format.h>
#include <httplib.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/utf8.h"

namespace xsp::serve {
namespace {

constexpr int kBacklog = 511;

/// cpp-httplib lets two servers share a port (SO_REUSEPORT), and lets five connections wait.
template <typename Base>
class Listener final : public Base {
 public:
  using Base::Base;

  bool Bind(const std::string& address, int port, int* bound) {
    this->set_socket_options([](socket_t socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    *bound = port;
    if (port == 0) {
      *bound = this->bind_to_any_port(address);
      if (*bound < 0) return false;
    } else if (!this->bind_to_port(address, port)) {
      return false;
    }
    return listen(this->svr_sock_, kBacklog) == 0;
  }
};

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
  if (service->ReadsBodyItself(request)) {
    request.read_body = [&reader](const std::function<bool(std::string_view)>& take) {
      return reader([&](const char* data, std::size_t size) { return take({data, size}); });
    };
    return Send(service->Handle(std::move(request)), response);
  }
  bool is_too_large = false;
  const bool is_whole = reader([&](const char* data, std::size_t size) {
    // Counted after decompression.
    is_too_large = request.body.size() + size > settings.largest_body;
    if (!is_too_large) request.body.append(data, size);
    return !is_too_large;
  });
  if (is_too_large)
    return Send(ErrorReply(413, "too_large",
                           fmt::format("the body is longer than {} bytes", settings.largest_body),
                           "Send files to /api/v1/uploads."),
                response);
  if (!is_whole)
    return Send(ErrorReply(400, "bad_input", "the body did not arrive whole", ""), response);
  Send(service->Handle(std::move(request)), response);
}

void HttpServer::State::SetUp() {
  server->new_task_queue = [this] { return new httplib::ThreadPool(settings.connections); };
  server->set_read_timeout(settings.read_timeout_s);
  server->set_write_timeout(settings.read_timeout_s);
  server->set_keep_alive_timeout(settings.keep_alive_s);
  server->set_keep_alive_max_count(settings.requests_per_connection);
  server->set_tcp_nodelay(true);
  server->set_pre_routing_handler(
      [this](const httplib::Request& request, httplib::Response& response) {
        const bool has_body = request.method == "POST" || request.method == "DELETE";
        if (has_body) return httplib::Server::HandlerResponse::Unhandled;
        AnswerWithoutBody(request, &response);
        return httplib::Server::HandlerResponse::Handled;
      });
  const auto with_body = [this](const httplib::Request& request, httplib::Response& response,
                                const httplib::ContentReader& reader) {
    AnswerWithBody(request, &response, reader);
  };
  server->Post(R"([\s\S]*)", with_body);
  server->Delete(R"([\s\S]*)", with_body);
  // What never becomes a request: a line or header that is too long or malformed.
  server->set_error_handler([](const httplib::Request&, httplib::Response& response) {
    if (!response.body.empty() || response.content_length_ > 0 || response.status == 304) return;
    const Reply reply = ErrorReply(response.status, "bad_input", "not a request that can be read",
                                   "See /api/v1/openapi.json.");
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
  errno = 0;
  bool is_bound = false;
  if (settings.certificate.empty()) {
    auto server = std::make_unique<Listener<httplib::Server>>();
    is_bound = server->Bind(settings.address, settings.port, &state->port);
    state->server = std::move(server);
  } else {
    auto server = std::make_unique<Listener<httplib::SSLServer>>(settings.certificate.c_str(),
                                                                 settings.key.c_str());
    if (!server->is_valid())
      return Error{ErrorKind::kBadInput,
                   fmt::format("certificate or key cannot be used: {}, {}",
                               settings.certificate.string(), settings.key.string()),
                   "Both are PEM files, and the key belongs to the certificate."};
    is_bound = server->Bind(settings.address, settings.port, &state->port);
    state->server = std::move(server);
  }
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
