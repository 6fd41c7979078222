#include "core/utf8.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace xsp::core {
namespace {

// Bytes of the well-formed character at the start of `text`, 0 if there is none.
std::size_t CharacterLength(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead >= 0x01 && lead <= 0x7f) return 1;
  std::size_t length = 0;
  unsigned char low = 0x80, high = 0xbf;  // Of the second byte.
  if (lead >= 0xc2 && lead <= 0xdf) {
    length = 2;
  } else if (lead >= 0xe0 && lead <= 0xef) {
    length = 3;
    if (lead == 0xe0) low = 0xa0;   // Overlong.
    if (lead == 0xed) high = 0x9f;  // Surrogates.
  } else if (lead >= 0xf0 && lead <= 0xf4) {
    length = 4;
    if (lead == 0xf0) low = 0x90;
    if (lead == 0xf4) high = 0x8f;  // Beyond U+10FFFF.
  }
  if (length == 0 || text.size() < length || byte(1) < low || byte(1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if (byte(i) < 0x80 || byte(i) > 0xbf) return 0;
  }
  return length;
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
    const std::size_t length = CharacterLength(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
}

std::string ToCleanUtf8(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = CharacterLength(text);
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

}  // namespace xsp::core
