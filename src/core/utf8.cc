#include "core/utf8.h"

#include <utf8proc.h>

#include <cstdint>
#include <cstring>

namespace xsp::core {
namespace {

struct Character {
  std::size_t length = 0;  ///< In bytes; 0: no well-formed sequence.
  char32_t code = 0;
};

// The character at the start of `text`, which is not empty.
Character FirstCharacter(std::string_view text) {
  // No sequence is longer than 4 bytes.
  const auto size = static_cast<utf8proc_ssize_t>(text.size() < 4 ? text.size() : 4);
  utf8proc_int32_t code = 0;
  const utf8proc_ssize_t length =
      utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()), size, &code);
  if (length <= 0) return {};
  return {static_cast<std::size_t>(length), static_cast<char32_t>(code)};
}

// Bytes of the character at the start of `text`, 0 if there is none or NUL.
std::size_t CleanLength(std::string_view text) {
  const Character first = FirstCharacter(text);
  return first.code == 0 ? 0 : first.length;
}

// Bytes at the start of `text`, eight at a time, that are ASCII and not NUL.
std::size_t AsciiLength(std::string_view text) {
  constexpr std::uint64_t kHigh = 0x8080808080808080, kOnes = 0x0101010101010101;
  std::size_t length = 0;
  for (; length + 8 <= text.size(); length += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + length, sizeof word);
    // A byte of 0 is the only one below 0x80 that borrows.
    if ((word & kHigh) != 0 || ((word - kOnes) & kHigh) != 0) break;
  }
  return length;
}

}  // namespace

bool IsCleanUtf8(std::string_view text) {
  for (;;) {
    text.remove_prefix(AsciiLength(text));
    if (text.empty()) return true;
    const std::size_t length = CleanLength(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
}

std::string ToCleanUtf8(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = CleanLength(text);
    if (length == 0) {
      clean += "\xef\xbf\xbd";
      text.remove_prefix(1);
    } else {
      clean += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return clean;
}

char32_t NextCharacter(std::string_view text, std::size_t& at) {
  const Character next = FirstCharacter(text.substr(at));
  at += next.length > 0 ? next.length : 1;
  return next.length > 0 ? next.code : U'\xfffd';
}

std::u32string FromUtf8(std::string_view text) {
  std::u32string codes;
  codes.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) codes += NextCharacter(text, at);
  return codes;
}

void AppendUtf8(char32_t code, std::string& text) {
  utf8proc_uint8_t bytes[4];
  const auto length = utf8proc_encode_char(static_cast<utf8proc_int32_t>(code), bytes);
  text.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(length));
}

std::string ToUtf8(std::u32string_view codes) {
  std::string text;
  text.reserve(codes.size());
  for (const char32_t code : codes) AppendUtf8(code, text);
  return text;
}

}  // namespace xsp::core
