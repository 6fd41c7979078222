#ifndef XSP_CORE_UNICODE_H_
#define XSP_CORE_UNICODE_H_

#include <string>
#include <string_view>

namespace xsp::core {

// What the Unicode Character Database says, by utf8proc: its version decides the version of Unicode
// (2.8, Debian 12's: Unicode 15). Code points beyond U+10FFFF count as unassigned. Pure; any
// thread.

/// The general category: "Lu", "Mn", ... ("Cn": unassigned). Its first letter is the class: L
/// letters, M marks, N numbers, P punctuation, S symbols, Z separators, C others.
std::string_view CategoryOf(char32_t code);

/// Lower case, one character at a time: U+0130 becomes two, and a capital sigma becomes a small
/// sigma at a word's end, too.
std::u32string Lower(std::u32string_view text);

/// Canonical decomposition (NFD) of each character, without the reordering of marks.
std::u32string Decompose(std::u32string_view text);

}  // namespace xsp::core

#endif  // XSP_CORE_UNICODE_H_
