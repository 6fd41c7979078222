#include "pipeline/unicode.h"

#include <algorithm>

namespace xsp::pipeline {
namespace {

bool Contains(std::span<const CodeRange> ranges, char32_t code) {
  const auto after = std::upper_bound(
      ranges.begin(), ranges.end(), code,
      [](std::uint32_t value, const CodeRange& range) { return value < range.first; });
  return after != ranges.begin() && code <= std::prev(after)->last;
}

/// Bytes of the valid sequence at the start of `text` (not empty), and its code point; 0: none.
int SequenceAt(std::string_view text, char32_t& code) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<std::uint8_t>(text[i]) : std::uint8_t{0};
  };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) {
    code = lead;
    return 1;
  }
  const int length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (length == 0 || lead > 0xf4) return 0;
  code = lead & (0x7f >> length);
  for (int i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3f);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return overlong || surrogate || code > 0x10ffff ? 0 : length;
}

/// The entry of `table` for `code`, or null.
template <typename Entry>
const Entry* Find(std::span<const Entry> table, char32_t code) {
  const auto found =
      std::lower_bound(table.begin(), table.end(), code,
                       [](const Entry& entry, std::uint32_t value) { return entry.from < value; });
  return found != table.end() && found->from == code ? &*found : nullptr;
}

/// Conjoining jamo of a Hangul syllable (The Unicode Standard, section 3.12).
void AppendHangul(char32_t code, std::u32string& out) {
  const std::uint32_t index = code - 0xac00;
  out += static_cast<char32_t>(0x1100 + index / (21 * 28));
  out += static_cast<char32_t>(0x1161 + index % (21 * 28) / 28);
  if (index % 28 != 0) out += static_cast<char32_t>(0x11a7 + index % 28);
}

}  // namespace

std::u32string FromUtf8(std::string_view text) {
  std::u32string codes;
  codes.reserve(text.size());
  while (!text.empty()) {
    char32_t code = 0;
    const int length = SequenceAt(text, code);
    codes += length > 0 ? code : U'\xfffd';
    text.remove_prefix(static_cast<std::size_t>(std::max(length, 1)));
  }
  return codes;
}

std::string ToUtf8(std::u32string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  const auto add = [&](std::uint32_t byte) { bytes += static_cast<char>(byte); };
  for (const char32_t code : text) {
    if (code < 0x80) {
      add(code);
    } else if (code < 0x800) {
      add(0xc0 | code >> 6);
      add(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
      add(0xe0 | code >> 12);
      add(0x80 | (code >> 6 & 0x3f));
      add(0x80 | (code & 0x3f));
    } else {
      add(0xf0 | code >> 18);
      add(0x80 | (code >> 12 & 0x3f));
      add(0x80 | (code >> 6 & 0x3f));
      add(0x80 | (code & 0x3f));
    }
  }
  return bytes;
}

bool IsSpace(char32_t code) {
  return code == ' ' || code == '\t' || code == '\n' || code == '\r' || code == 0xa0 ||
         code == 0x1680 || (code >= 0x2000 && code <= 0x200a) || code == 0x2028 || code == 0x2029 ||
         code == 0x202f || code == 0x205f || code == 0x3000;
}

bool IsControl(char32_t code) {
  return code != '\t' && code != '\n' && code != '\r' && Contains(ControlRanges(), code);
}

bool IsPunctuation(char32_t code) { return Contains(PunctuationRanges(), code); }

bool IsHan(char32_t code) {
  // BERT's list (tokenization.py, _is_chinese_char).
  static constexpr CodeRange kHan[] = {{0x3400, 0x4dbf},   {0x4e00, 0x9fff},   {0xf900, 0xfaff},
                                       {0x20000, 0x2a6df}, {0x2a700, 0x2b73f}, {0x2b740, 0x2b81f},
                                       {0x2b820, 0x2ceaf}, {0x2f800, 0x2fa1f}};
  return Contains(kHan, code);
}

std::u32string Lower(std::u32string_view text) {
  const std::span<const CodeShift> shifts = LowerShifts();
  std::u32string lower;
  lower.reserve(text.size());
  for (const char32_t code : text) {
    if (code == 0x130) {
      lower += U"i\u0307";
      continue;
    }
    const auto after = std::upper_bound(
        shifts.begin(), shifts.end(), code,
        [](std::uint32_t value, const CodeShift& shift) { return value < shift.first; });
    char32_t result = code;
    if (after != shifts.begin()) {
      const CodeShift& shift = *std::prev(after);
      if (code <= shift.last && (code - shift.first) % shift.step == 0) {
        result = static_cast<char32_t>(static_cast<std::int32_t>(code) + shift.delta);
      }
    }
    lower += result;
  }
  return lower;
}

std::u32string WithoutAccents(std::u32string_view text) {
  std::u32string plain;
  plain.reserve(text.size());
  for (const char32_t code : text) {
    if (code < 0x80) {
      plain += code;
    } else if (code >= 0xac00 && code < 0xd7a4) {
      AppendHangul(code, plain);
    } else if (Contains(MarkRanges(), code)) {
      continue;
    } else if (const CodePair* pair = Find(SingleFolds(), code)) {
      if (pair->to != 0) plain += static_cast<char32_t>(pair->to);
    } else if (const CodeFold* fold = Find(SeveralFolds(), code)) {
      for (const std::uint32_t part : {fold->first, fold->second, fold->third}) {
        if (part != 0) plain += static_cast<char32_t>(part);
      }
    } else {
      plain += code;
    }
  }
  return plain;
}

}  // namespace xsp::pipeline
