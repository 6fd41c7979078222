#ifndef XSP_APP_SERVE_SAME_ORIGIN_H_
#define XSP_APP_SERVE_SAME_ORIGIN_H_

#include <string>
#include <string_view>
#include <vector>

#include "app/serve/message.h"
#include "core/result.h"

namespace xsp::serve {

/// Whether the request's Host header is one of `hosts` (names or addresses without a port): a page
/// of another name that resolves to this address (DNS rebinding) has its own name there. `hosts`
/// are in lower case.
bool IsKnownHost(const Request& request, const std::vector<std::string>& hosts);

/// Whether a browser sent the request for a page of this server, or no browser sent it: by
/// Sec-Fetch-Site where there is one, else by Origin, which must name the Host. A request that has
/// neither is of a program, or of a browser that sends Origin with everything but GET.
bool IsSameOrigin(const Request& request);

/// The host of "name:80", "[::1]:80" or "name", in lower case, without brackets.
std::string HostWithoutPort(std::string_view host);

}  // namespace xsp::serve

#endif  // XSP_APP_SERVE_SAME_ORIGIN_H_
