#ifndef XSP_APP_SERVE_GZIP_H_
#define XSP_APP_SERVE_GZIP_H_

#include <string>
#include <string_view>

namespace xsp::serve {

/// `text` in gzip's format (RFC 1952), at zlib's fastest level: what is compressed once is sent
/// often, but the first user waits for it.
std::string Gzip(std::string_view text);

}  // namespace xsp::serve

#endif  // XSP_APP_SERVE_GZIP_H_
