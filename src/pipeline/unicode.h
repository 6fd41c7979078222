#ifndef XSP_PIPELINE_UNICODE_H_
#define XSP_PIPELINE_UNICODE_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace xsp::pipeline {

/// Code points of UTF-8 text; each byte that is part of no valid sequence becomes U+FFFD.
std::u32string FromUtf8(std::string_view text);
std::string ToUtf8(std::u32string_view text);

/// White space by Unicode's general categories: Zs, Zl, Zp, and tab, line feed, carriage return.
bool IsSpace(char32_t code);
/// Cc, Cf, Cs and Co except those that are white space.
bool IsControl(char32_t code);
/// P*, and the ASCII signs that are not letters, digits or space ($, +, <, =, >, ^, `, |, ~).
bool IsPunctuation(char32_t code);
/// Han characters, as BERT counts them: not Hangul, Hiragana or Katakana.
bool IsHan(char32_t code);

/// Simple lower case, character by character (full for U+0130).
std::u32string Lower(std::u32string_view text);
/// Canonical decomposition (NFD) with the non-spacing marks (Mn) left out.
std::u32string WithoutAccents(std::u32string_view text);

/// The generated tables (unicode_tables.py), sorted by `first`.
struct CodeRange {
  std::uint32_t first, last;
};
/// Code points first, first + step, ... last become themselves plus delta.
struct CodeShift {
  std::uint32_t first, last, step;
  std::int32_t delta;
};
/// `from` becomes one code point, or none (0).
struct CodePair {
  std::uint32_t from, to;
};
/// `from` becomes two or three code points; 0 for no third one.
struct CodeFold {
  std::uint32_t from;
  std::uint32_t first, second, third;
};
std::span<const CodeRange> ControlRanges();
std::span<const CodeRange> PunctuationRanges();
std::span<const CodeRange> MarkRanges();
std::span<const CodeShift> LowerShifts();
std::span<const CodePair> SingleFolds();
std::span<const CodeFold> SeveralFolds();

}  // namespace xsp::pipeline

#endif  // XSP_PIPELINE_UNICODE_H_
