#ifndef XSP_CORE_UTF8_H_
#define XSP_CORE_UTF8_H_

#include <string>
#include <string_view>

namespace xsp::core {

/// Whether `text` is well-formed UTF-8 (Unicode 15, table 3-7) without NUL bytes.
bool IsCleanUtf8(std::string_view text);

/// `text` with every byte that is not part of well-formed UTF-8, and every NUL, as U+FFFD.
std::string ToCleanUtf8(std::string_view text);

}  // namespace xsp::core

#endif  // XSP_CORE_UTF8_H_
