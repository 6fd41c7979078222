#ifndef XSP_MEASURE_LIVE_OTLP_ENDPOINT_H_
#define XSP_MEASURE_LIVE_OTLP_ENDPOINT_H_

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/result.h"

namespace xsp::live {

/// Where spans are sent and how: https://opentelemetry.io/docs/specs/otel/protocol/exporter/.
struct OtlpEndpoint {
  std::string server;     ///< "http://127.0.0.1:4318".
  bool is_https = false;  ///< As are host and port part of `server`.
  std::string host;       ///< A name or an address, without brackets.
  int port = 0;
  std::string path;  ///< "/v1/traces", with a query if there is one.
  std::vector<std::pair<std::string, std::string>> headers;
  std::chrono::milliseconds timeout{10'000};  ///< Of a request; and of what is left at the end.
  bool is_gzip = false;
  std::string certificate;  ///< File of certificates to trust; empty: the system's.

  /// Without headers and query, for people.
  std::string Name() const { return server + path.substr(0, path.find('?')); }
};

/// The value of an environment variable; none: it is not set.
using Variables = std::function<std::optional<std::string>(const char*)>;

/// The endpoint of `url`, to which `v1/traces` is added unless it ends so already; "default" stands
/// for OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, else OTEL_EXPORTER_OTLP_ENDPOINT, else
/// http://localhost:4318. Headers, time limit, compression and certificate come from
/// OTEL_EXPORTER_OTLP_[TRACES_]HEADERS, TIMEOUT, COMPRESSION and CERTIFICATE.
///
/// Errors: kUsage (not http or https, a password in the URL, which would be stored with the
/// experiment, a variable with a value that is not allowed), kNotPossible (another protocol than
/// http/protobuf is asked for).
Result<OtlpEndpoint> ReadOtlpEndpoint(const std::string& url, const Variables& variables);

}  // namespace xsp::live

#endif  // XSP_MEASURE_LIVE_OTLP_ENDPOINT_H_
