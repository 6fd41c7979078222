#include "app/serve/same_origin.h"

#include <algorithm>
#include <cctype>

namespace xsp::serve {
namespace {

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

}  // namespace

std::string HostWithoutPort(std::string_view host) {
  if (host.starts_with('[')) {
    const std::size_t end = host.find(']');
    if (end == std::string_view::npos) return {};
    return LowerCase(host.substr(1, end - 1));
  }
  return LowerCase(host.substr(0, host.find(':')));
}

bool IsKnownHost(const Request& request, const std::vector<std::string>& hosts) {
  const std::string host = HostWithoutPort(request.Header("host"));
  return !host.empty() && std::ranges::find(hosts, host) != hosts.end();
}

bool IsSameOrigin(const Request& request) {
  const std::string_view site = request.Header("sec-fetch-site");
  if (!site.empty()) return site == "same-origin" || site == "none";
  const std::string_view origin = request.Header("origin");
  if (origin.empty()) return true;
  const std::size_t end = origin.find("://");
  if (end == std::string_view::npos) return false;  // "null": a sandboxed page.
  return LowerCase(origin.substr(end + 3)) == LowerCase(request.Header("host"));
}

}  // namespace xsp::serve
