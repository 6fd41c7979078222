#ifndef XSP_OBJECTS_HTTP_EXCHANGE_H_
#define XSP_OBJECTS_HTTP_EXCHANGE_H_

#include <chrono>
#include <map>
#include <string>
#include <string_view>

#include "core/result.h"

namespace xsp::objects {

/// A small request, and its answer, of at most 1 MiB.
struct HttpAnswer {
  int status = 0;
  std::string body;
};

/// Sends one request to `url` (http or https, with its path and query encoded). Errors:
/// kEnvironment (no answer in `timeout`), kUsage (no such URL).
Result<HttpAnswer> Exchange(std::string_view method, std::string_view url,
                            const std::map<std::string, std::string>& headers,
                            std::chrono::milliseconds timeout);

}  // namespace xsp::objects

#endif  // XSP_OBJECTS_HTTP_EXCHANGE_H_
