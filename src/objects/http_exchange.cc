#include "objects/http_exchange.h"

#include <fmt/format.h>
#include <httplib.h>

#include <cstdint>

namespace xsp::objects {
namespace {

constexpr std::size_t kMaxAnswerBytes = 1 << 20;

}  // namespace

Result<HttpAnswer> Exchange(std::string_view method, std::string_view url,
                            const std::map<std::string, std::string>& headers,
                            std::chrono::milliseconds timeout) {
  const std::size_t scheme = url.find("://");
  // What follows may be a secret.
  const std::string_view shown = url.substr(0, url.find('?'));
  if (scheme == std::string_view::npos)
    return Error{ErrorKind::kUsage, fmt::format("not a URL: {}", shown),
                 "It begins with http:// or https://."};
  const std::size_t path = std::min(url.find('/', scheme + 3), url.size());
  httplib::Client client{std::string(url.substr(0, path))};
  if (!client.is_valid())
    return Error{ErrorKind::kUsage, fmt::format("not a URL: {}", shown),
                 "It is like https://host:port/path."};
  client.set_url_encode(false);
  client.set_connection_timeout(timeout);
  client.set_read_timeout(timeout);
  client.set_write_timeout(timeout);
  httplib::Request request;
  request.method = method;
  request.path = path == url.size() ? "/" : std::string(url.substr(path));
  for (const auto& [name, value] : headers) request.headers.emplace(name, value);
  HttpAnswer answer;
  request.content_receiver = [&](const char* bytes, std::size_t size, std::uint64_t,
                                 std::uint64_t) {
    answer.body.append(bytes, size);
    return answer.body.size() <= kMaxAnswerBytes;
  };
  const httplib::Result result = client.send(request);
  if (!result)
    return Error{ErrorKind::kEnvironment,
                 fmt::format("no answer from {}: {}", url.substr(0, path),
                             httplib::to_string(result.error())),
                 ""};
  answer.status = result->status;
  return answer;
}

}  // namespace xsp::objects
