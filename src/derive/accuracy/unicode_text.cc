#include "derive/accuracy/unicode_text.h"

#include "core/unicode.h"
#include "core/utf8.h"

namespace xsp::accuracy {
namespace {

bool IsSpace(char32_t character) {
  const bool control = (character >= 0x09 && character <= 0x0d) ||
                       (character >= 0x1c && character <= 0x1f) || character == 0x85;
  return control || core::CategoryOf(character)[0] == 'Z';
}

}  // namespace

bool IsWordCharacter(char32_t character) {
  const char kind = core::CategoryOf(character)[0];
  return kind == 'L' || kind == 'N' || character == '_';
}

std::string Lowercase(std::string_view text) {
  return core::ToUtf8(core::Lower(core::FromUtf8(text)));
}

std::vector<std::string_view> SplitWords(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t start = 0, at = 0;
  while (at < text.size()) {
    const std::size_t here = at;
    if (!IsSpace(core::NextCharacter(text, at))) continue;
    if (here > start) words.push_back(text.substr(start, here - start));
    start = at;
  }
  if (at > start) words.push_back(text.substr(start));
  return words;
}

}  // namespace xsp::accuracy
