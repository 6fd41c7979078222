#include "pipeline/text/bert_characters.h"

#include <algorithm>
#include <utility>

#include "core/unicode.h"

namespace xsp::pipeline {
namespace {

/// Controls by category that BERT counts as white space.
bool IsSpacingControl(char32_t code) { return code == '\t' || code == '\n' || code == '\r'; }

}  // namespace

bool IsSpace(char32_t code) { return IsSpacingControl(code) || core::CategoryOf(code)[0] == 'Z'; }

bool IsControl(char32_t code) {
  const std::string_view category = core::CategoryOf(code);
  return category[0] == 'C' && category != "Cn" && !IsSpacingControl(code);
}

bool IsPunctuation(char32_t code) {
  const char kind = core::CategoryOf(code)[0];
  return kind == 'P' || (kind == 'S' && code < 0x80);
}

bool IsHan(char32_t code) {
  static constexpr std::pair<char32_t, char32_t> kHan[] = {
      {0x3400, 0x4dbf},   {0x4e00, 0x9fff},   {0xf900, 0xfaff},   {0x20000, 0x2a6df},
      {0x2a700, 0x2b73f}, {0x2b740, 0x2b81f}, {0x2b820, 0x2ceaf}, {0x2f800, 0x2fa1f}};
  return std::any_of(std::begin(kHan), std::end(kHan), [&](const auto& range) {
    return code >= range.first && code <= range.second;
  });
}

std::u32string WithoutAccents(std::u32string_view text) {
  std::u32string plain = core::Decompose(text);
  std::erase_if(plain, [](char32_t code) { return core::CategoryOf(code) == "Mn"; });
  return plain;
}

}  // namespace xsp::pipeline
