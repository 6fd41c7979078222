#ifndef XSP_APP_SERVE_LISTEN_ADDRESS_H_
#define XSP_APP_SERVE_LISTEN_ADDRESS_H_

#include <string>
#include <string_view>

#include "core/result.h"

namespace xsp::serve {

/// Where a server listens.
struct ListenAddress {
  std::string host;  ///< Name or address, without brackets.
  int port = 7077;

  /// Only this machine reaches it.
  bool is_loopback() const;
  /// For an address that people open: "127.0.0.1:7077", "[::1]:7077".
  std::string Text(int bound_port) const;
};

/// Reads "HOST:PORT", "HOST", ":PORT", "[::1]:PORT"; without a host it is 127.0.0.1, without a port
/// 7077. Errors: kUsage.
Result<ListenAddress> ParseListenAddress(std::string_view text);

}  // namespace xsp::serve

#endif  // XSP_APP_SERVE_LISTEN_ADDRESS_H_
