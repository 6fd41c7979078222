#include "app/serve/listen_address.h"

#include <fmt/format.h>

#include <charconv>

namespace xsp::serve {

bool ListenAddress::is_loopback() const {
  const bool is_ipv4 = host.find_first_not_of("0123456789.") == std::string::npos;
  return host == "localhost" || host == "::1" || (is_ipv4 && host.starts_with("127."));
}

std::string ListenAddress::Text(int bound_port) const {
  const bool is_ipv6 = host.find(':') != std::string::npos;
  return fmt::format(fmt::runtime(is_ipv6 ? "[{}]:{}" : "{}:{}"), host, bound_port);
}

Result<ListenAddress> ParseListenAddress(std::string_view text) {
  ListenAddress address;
  std::string_view port;
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos)
      return Error{ErrorKind::kUsage, fmt::format("not an address: {}", text),
                   "Write an IPv6 address like [::1]:7077."};
    address.host = text.substr(1, end - 1);
    port = text.substr(end + 1);
  } else {
    const std::size_t colon = text.find(':');
    address.host = text.substr(0, colon);
    if (colon != std::string_view::npos) port = text.substr(colon);
  }
  if (address.host.empty()) address.host = "127.0.0.1";
  if (port.empty()) return address;
  const std::string_view digits = port.substr(1);
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), address.port);
  if (port.front() != ':' || read.ec != std::errc() || read.ptr != digits.data() + digits.size() ||
      address.port < 0 || address.port > 65535)
    return Error{ErrorKind::kUsage, fmt::format("not a port: {}", text),
                 "Write HOST:PORT, such as 127.0.0.1:7077."};
  return address;
}

}  // namespace xsp::serve
