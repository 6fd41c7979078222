#ifndef XSP_CORE_UTF8_H_
#define XSP_CORE_UTF8_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace xsp::core {

// Text and its bytes. All pure; any thread; any bytes are safe.

/// Whether `text` is well-formed UTF-8 (Unicode 15, table 3-7) without NUL bytes.
bool IsCleanUtf8(std::string_view text);

/// `text` with every byte that is not part of well-formed UTF-8, and every NUL, as U+FFFD.
std::string ToCleanUtf8(std::string_view text);

/// The code point that starts at `at` < text.size(), and moves `at` behind it. A byte that starts
/// no well-formed sequence counts as U+FFFD.
char32_t NextCharacter(std::string_view text, std::size_t& at);

/// Code points of `text`, each as NextCharacter() returns it.
std::u32string FromUtf8(std::string_view text);

/// Appends the bytes of `code`, at most U+10FFFF.
void AppendUtf8(char32_t code, std::string& text);
std::string ToUtf8(std::u32string_view codes);

}  // namespace xsp::core

#endif  // XSP_CORE_UTF8_H_
