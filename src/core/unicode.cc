#include "core/unicode.h"

#include <utf8proc.h>

namespace xsp::core {

std::string_view CategoryOf(char32_t code) {
  return utf8proc_category_string(static_cast<utf8proc_int32_t>(code));
}

std::u32string Lower(std::u32string_view text) {
  std::u32string lower;
  lower.reserve(text.size());
  for (const char32_t code : text) {
    if (code == 0x130) {  // The only one that becomes two (SpecialCasing.txt).
      lower += U"i\u0307";
    } else {
      lower += static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(code)));
    }
  }
  return lower;
}

std::u32string Decompose(std::u32string_view text) {
  constexpr int kMost = 4;  // NFD's largest expansion (UAX 15, section 9).
  std::u32string parts;
  parts.reserve(text.size());
  for (const char32_t code : text) {
    utf8proc_int32_t own[kMost];
    int last_boundclass = 0;
    const auto count = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(code), own, kMost,
                                               UTF8PROC_DECOMPOSE, &last_boundclass);
    if (count < 0 || count > kMost) {
      parts += code;  // No code point of Unicode.
      continue;
    }
    for (int i = 0; i < count; ++i) parts += static_cast<char32_t>(own[i]);
  }
  return parts;
}

}  // namespace xsp::core
