#ifndef XSP_PIPELINE_TEXT_BERT_CHARACTERS_H_
#define XSP_PIPELINE_TEXT_BERT_CHARACTERS_H_

#include <string>
#include <string_view>

namespace xsp::pipeline {

// Characters by the rules of BERT's tokenization.py (google-research/bert). Pure; any thread.

/// Space, tab, line feed, carriage return, and Unicode's other separators (Z*).
bool IsSpace(char32_t code);
/// Cc, Cf, Cs and Co except those that are white space.
bool IsControl(char32_t code);
/// P*, and the ASCII signs that are not letters, digits or space ($, +, <, =, >, ^, `, |, ~).
bool IsPunctuation(char32_t code);
/// Han characters, as BERT counts them: not Hangul, Hiragana or Katakana.
bool IsHan(char32_t code);

/// Canonical decomposition (NFD) with the non-spacing marks (Mn) left out.
std::u32string WithoutAccents(std::u32string_view text);

}  // namespace xsp::pipeline

#endif  // XSP_PIPELINE_TEXT_BERT_CHARACTERS_H_
