#ifndef XSP_APP_SERVE_HTTP_SERVER_H_
#define XSP_APP_SERVE_HTTP_SERVER_H_

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

#include "app/serve/connection.h"
#include "app/serve/service.h"
#include "core/result.h"

namespace xsp::serve {

/// Brings requests over HTTP (cpp-httplib) to a service. A thread for each connection, up to a
/// limit; connections that are slow or silent are closed.
class HttpServer {
 public:
  struct Settings {
    std::string address = "127.0.0.1";
    int port = 7077;                         ///< 0: any that is free.
    std::filesystem::path certificate = {};  ///< PEM; empty: HTTP without TLS.
    std::filesystem::path key = {};
    std::size_t connections = 64;        ///< At once; more wait.
    std::size_t streams = 24;            ///< Of these, that follow events.
    std::size_t largest_body = 1 << 20;  ///< Bytes of a request, uploads apart.
    int read_timeout_s = 10;             ///< Of each read from a connection.
    HeadLimits head = {};                ///< Of the first line and the headers of a request.
    BodyLimits body = {};                ///< Of the time that a body may take.
    int keep_alive_s = 5;                ///< A silent connection is closed then.
    /// 1 behind a proxy, which sends requests of several users over one connection: a request with
    /// a body that its method has not must not be read as two.
    std::size_t requests_per_connection = 10'000;
  };

  /// Binds the port. Errors: kEnvironment (the port is in use or may not be used), kBadInput (the
  /// certificate or key cannot be read). `service` outlives this.
  static Result<std::unique_ptr<HttpServer>> Bind(const Settings& settings, Service* service);
  ~HttpServer();

  /// The port that was bound.
  int port() const;

  /// Serves until Stop(). Errors: kEnvironment.
  Status Run();
  /// Ends Run(), and requests whose bytes are still awaited. Threading: any thread.
  void Stop();

 private:
  struct State;
  explicit HttpServer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace xsp::serve

#endif  // XSP_APP_SERVE_HTTP_SERVER_H_
