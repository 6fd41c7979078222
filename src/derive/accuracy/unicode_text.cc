#include "derive/accuracy/unicode_text.h"

#include <algorithm>

#include "derive/accuracy/unicode_tables.h"

namespace xsp::accuracy {
namespace {

constexpr std::uint32_t kReplacement = 0xfffd;

// The entry whose range holds `character`, or null.
template <typename Entry>
const Entry* FindRange(std::span<const Entry> entries, std::uint32_t character) {
  const auto after =
      std::upper_bound(entries.begin(), entries.end(), character,
                       [](std::uint32_t value, const Entry& entry) { return value < entry.first; });
  if (after == entries.begin()) return nullptr;
  const Entry& entry = *std::prev(after);
  return character <= entry.last ? &entry : nullptr;
}

bool IsSpace(std::uint32_t character) {
  if (character < 0x80)
    return character == ' ' || (character >= 0x09 && character <= 0x0d) ||
           (character >= 0x1c && character <= 0x1f);
  return character == 0x85 || character == 0xa0 || character == 0x1680 ||
         (character >= 0x2000 && character <= 0x200a) || character == 0x2028 ||
         character == 0x2029 || character == 0x202f || character == 0x205f || character == 0x3000;
}

void AppendCharacter(std::string& text, std::uint32_t character) {
  const auto byte = [&](std::uint32_t value) { text.push_back(static_cast<char>(value)); };
  const auto tail = [&](int shift) { byte(0x80 | ((character >> shift) & 0x3f)); };
  if (character < 0x80) return byte(character);
  if (character < 0x800) {
    byte(0xc0 | (character >> 6));
  } else if (character < 0x10000) {
    byte(0xe0 | (character >> 12));
    tail(6);
  } else {
    byte(0xf0 | (character >> 18));
    tail(12);
    tail(6);
  }
  tail(0);
}

}  // namespace

std::uint32_t NextCharacter(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::uint32_t lead = byte(at++);
  if (lead < 0x80) return lead;
  const int tails = lead >= 0xf0 && lead <= 0xf4   ? 3
                    : lead >= 0xe0 && lead <= 0xef ? 2
                    : lead >= 0xc2 && lead <= 0xdf ? 1
                                                   : 0;
  if (tails == 0) return kReplacement;
  std::uint32_t character = lead & (0x3f >> tails);
  std::size_t end = at;
  for (int i = 0; i < tails; ++i, ++end) {
    if (end == text.size() || (byte(end) & 0xc0) != 0x80) return kReplacement;
    character = character << 6 | (byte(end) & 0x3f);
  }
  const bool overlong = (tails == 2 && character < 0x800) || (tails == 3 && character < 0x10000);
  if (overlong || character > 0x10ffff || (character >= 0xd800 && character <= 0xdfff))
    return kReplacement;
  at = end;
  return character;
}

bool IsWordCharacter(std::uint32_t character) {
  if (character < 0x80) {
    const std::uint32_t lower = character | 0x20;
    return (lower >= 'a' && lower <= 'z') || (character >= '0' && character <= '9') ||
           character == '_';
  }
  return FindRange(WordRanges(), character) != nullptr;
}

std::string Lowercase(std::string_view text) {
  std::string lower;
  lower.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::uint32_t character = NextCharacter(text, at);
    const CaseRun* run = FindRange(LowerRuns(), character);
    if (run != nullptr && (character - run->first) % run->step == 0) {
      AppendCharacter(lower, character + static_cast<std::uint32_t>(run->delta));
    } else if (character == 0x130) {  // Capital I with a dot: the only one that becomes two.
      lower += "i\u0307";
    } else {
      AppendCharacter(lower, character);
    }
  }
  return lower;
}

std::vector<std::string_view> SplitWords(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t start = 0, at = 0;
  while (at < text.size()) {
    const std::size_t here = at;
    if (!IsSpace(NextCharacter(text, at))) continue;
    if (here > start) words.push_back(text.substr(start, here - start));
    start = at;
  }
  if (at > start) words.push_back(text.substr(start));
  return words;
}

}  // namespace xsp::accuracy
