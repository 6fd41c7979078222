#include "trace/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace xsp::trace {
namespace {

constexpr std::size_t kAnchorRows = 128;

// Where a number stood in a layout. Control characters have no place in JSON; text that holds these
// nevertheless is kept as it is, after a mark that says so.
constexpr char kInteger = '\x01';
constexpr char kDecimal = '\x02';
constexpr char kAsItIs = '\x03';

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsSpace(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

void PutUnsigned(std::uint64_t value, std::vector<std::uint8_t>& out) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<std::uint8_t>(value | 0x80));
  out.push_back(static_cast<std::uint8_t>(value));
}

std::uint64_t TakeUnsigned(const std::vector<std::uint8_t>& bytes, std::size_t& at) {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const std::uint8_t byte = bytes[at++];
    value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return value;
}

/// Small magnitudes of either sign become small numbers.
std::uint64_t ZigZag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
std::int64_t UnZigZag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

struct Number {
  std::int64_t digits = 0;  ///< All digits, without the point.
  int decimals = -1;        ///< After the point; -1: there is none.
  std::size_t length = 0;   ///< Characters.
};

/// The number at the start of `text`, if its digits and point are all that is needed to write the
/// same characters again: no exponent, no needless zero in front, at most 18 digits, no "-0".
std::optional<Number> ReadNumber(std::string_view text) {
  constexpr int kMostDigits = 18;
  std::size_t at = text.front() == '-' ? 1 : 0;
  const bool negative = at == 1;
  const std::size_t first = at;
  Number number;
  int digits = 0;
  for (; at < text.size() && IsDigit(text[at]); ++at, ++digits) {
    if (digits == kMostDigits) return std::nullopt;
    number.digits = number.digits * 10 + (text[at] - '0');
  }
  if (digits == 0 || (digits > 1 && text[first] == '0')) return std::nullopt;
  if (at < text.size() && text[at] == '.') {
    number.decimals = 0;
    for (++at; at < text.size() && IsDigit(text[at]); ++at, ++digits, ++number.decimals) {
      if (digits == kMostDigits) return std::nullopt;
      number.digits = number.digits * 10 + (text[at] - '0');
    }
    if (number.decimals == 0) return std::nullopt;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E' || text[at] == '.'))
    return std::nullopt;
  if (negative && number.digits == 0) return std::nullopt;
  if (negative) number.digits = -number.digits;
  number.length = at;
  return number;
}

void AppendDecimal(std::int64_t digits, int decimals, std::string& out) {
  std::string text = fmt::format("{}", digits < 0 ? -digits : digits);
  const auto places = static_cast<std::size_t>(decimals);
  if (text.size() <= places) text.insert(0, places + 1 - text.size(), '0');
  text.insert(text.size() - places, ".");
  if (digits < 0) out += '-';
  out += text;
}

/// Characters that Split() does not pass over: outside strings numbers, white space and quotes;
/// inside strings quotes and backslashes; marks everywhere.
struct Stops {
  bool outside[256] = {};
  bool inside[256] = {};
};
constexpr Stops MakeStops() {
  Stops stops;
  for (const char c : {'-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', ' ', '\n', '\t', '\r',
                       '"', kInteger, kDecimal, kAsItIs})
    stops.outside[static_cast<unsigned char>(c)] = true;
  for (const char c : {'"', '\\', kInteger, kDecimal, kAsItIs})
    stops.inside[static_cast<unsigned char>(c)] = true;
  return stops;
}
constexpr Stops kStops = MakeStops();

const char* FindStop(const bool (&stops)[256], const char* at, const char* end) {
  while (at < end && !stops[static_cast<unsigned char>(*at)]) ++at;
  return at;
}

bool IsMark(char c) { return c >= kInteger && c <= kAsItIs; }

/// The end of the string that begins at the quote `at`: behind its closing quote, or `end`. A mark
/// in it ends it, too.
const char* PassString(const char* at, const char* end) {
  for (++at;;) {
    at = FindStop(kStops.inside, at, end);
    if (at == end || IsMark(*at)) return at;
    if (*at == '"') return at + 1;
    // What a backslash makes of the next character does not matter, unless that is a mark.
    at += at + 1 < end && !IsMark(at[1]) ? 2 : 1;
  }
}

/// Behind what looks like a number but cannot be written again from its digits.
const char* PassOddNumber(const char* at, const char* end) {
  const auto belongs = [](char c) {
    return IsDigit(c) || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
  };
  return std::find_if_not(at, end, belongs);
}

/// Takes the numbers out of `json`. False when it holds a mark.
bool Split(std::string_view json, std::string& layout, std::vector<std::uint8_t>& numbers) {
  const char* at = json.data();
  const char* const end = at + json.size();
  const char* copied = at;  // What lies before is in the layout, or left out of it.
  const auto copy = [&] { layout.append(copied, at); };
  for (;;) {
    at = FindStop(kStops.outside, at, end);
    if (at == end) break;
    if (IsMark(*at)) return false;
    if (*at == '"') {
      at = PassString(at, end);
      continue;
    }
    if (IsSpace(*at)) {
      copy();
      while (at < end && IsSpace(*at)) ++at;
      copied = at;
      continue;
    }
    const auto number = ReadNumber({at, end});
    if (!number) {
      at = PassOddNumber(at, end);
      continue;
    }
    copy();
    layout += number->decimals < 0 ? kInteger : kDecimal;
    if (number->decimals >= 0) PutUnsigned(static_cast<std::uint64_t>(number->decimals), numbers);
    PutUnsigned(ZigZag(number->digits), numbers);
    at += number->length;
    copied = at;
  }
  copy();
  return true;
}

}  // namespace

void ArgumentTable::Add(std::uint32_t span, std::string_view json, StringPool& strings) {
  layout_.clear();
  numbers_.clear();
  if (!Split(json, layout_, numbers_)) {
    layout_.assign(1, kAsItIs);
    layout_ += json;
    numbers_.clear();
  }
  if (spans_.size() % kAnchorRows == 0) anchors_.push_back(values_.size());
  spans_.push_back(span);
  layouts_.push_back(strings.Intern(layout_));
  PutUnsigned(numbers_.size(), values_);
  values_.insert(values_.end(), numbers_.begin(), numbers_.end());
}

std::size_t ArgumentTable::MemoryBytes() const {
  return spans_.capacity() * sizeof(spans_[0]) + layouts_.capacity() * sizeof(layouts_[0]) +
         values_.capacity() + anchors_.capacity() * sizeof(anchors_[0]);
}

ArgumentTable::Cursor::Cursor(const ArgumentTable& table, std::size_t row)
    : table_(table), row_(row / kAnchorRows * kAnchorRows), at_(0) {
  if (row >= table.size()) return;
  at_ = table.anchors_[row / kAnchorRows];
  for (; row_ < row; ++row_) {
    const std::uint64_t length = TakeUnsigned(table.values_, at_);
    at_ += length;
  }
}

void ArgumentTable::Cursor::Next(const StringPool& strings, std::string& out) {
  out.clear();
  const std::string_view layout = strings.Get(table_.layouts_[row_++]);
  TakeUnsigned(table_.values_, at_);
  if (!layout.empty() && layout.front() == kAsItIs) {
    out = layout.substr(1);
    return;
  }
  for (const char c : layout) {
    if (c == kInteger) {
      fmt::format_to(std::back_inserter(out), "{}", UnZigZag(TakeUnsigned(table_.values_, at_)));
    } else if (c == kDecimal) {
      const auto decimals = static_cast<int>(TakeUnsigned(table_.values_, at_));
      AppendDecimal(UnZigZag(TakeUnsigned(table_.values_, at_)), decimals, out);
    } else {
      out += c;
    }
  }
}

}  // namespace xsp::trace
