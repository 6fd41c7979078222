#include "ingest/importers/json_text.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>

#include "core/utf8.h"

namespace xsp::importers {
namespace {

using Kind = Value::Kind;

std::optional<std::uint32_t> ReadHex4(std::string_view text) {
  std::uint32_t code = 0;
  if (text.size() < 4) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + 4, code, 16);
  if (error != std::errc() || end != text.data() + 4) return std::nullopt;
  return code;
}

/// `text` after "\u"; appends the character and returns how many bytes of `text` it took.
std::size_t UnescapeUnicode(std::string_view text, std::string& out) {
  constexpr std::uint32_t kReplacement = 0xFFFD;
  const auto high = ReadHex4(text);
  if (!high) {
    core::AppendUtf8(kReplacement, out);
    return 0;
  }
  const bool leads = *high >= 0xD800 && *high < 0xDC00;
  if (leads && text.size() >= 10 && text.substr(4, 2) == "\\u") {
    const auto low = ReadHex4(text.substr(6));
    if (low && *low >= 0xDC00 && *low < 0xE000) {
      core::AppendUtf8(0x10000 + ((*high - 0xD800) << 10) + (*low - 0xDC00), out);
      return 10;
    }
  }
  const bool surrogate = *high >= 0xD800 && *high < 0xE000;
  core::AppendUtf8(surrogate ? kReplacement : *high, out);
  return 4;
}

/// A decimal number taken apart: digits * 10^exponent.
struct Decimal {
  bool negative = false;
  std::uint64_t digits = 0;
  int exponent = 0;
};

std::optional<Decimal> ReadDecimal(std::string_view text) {
  Decimal decimal;
  std::size_t at = 0;
  if (at < text.size() && (text[at] == '-' || text[at] == '+'))
    decimal.negative = text[at++] == '-';
  bool any = false, point = false;
  const bool long_text = text.size() > 19;  // Fewer digits always fit.
  for (; at < text.size() && (scan::IsDigit(text[at]) || (text[at] == '.' && !point)); ++at) {
    if (text[at] == '.') {
      point = true;
      continue;
    }
    any = true;
    const auto digit = static_cast<std::uint64_t>(text[at] - '0');
    if (long_text && decimal.digits > (std::numeric_limits<std::uint64_t>::max() - digit) / 10) {
      // Past 19 digits: those after the point no longer matter, those before do not fit.
      if (!point) return std::nullopt;
      continue;
    }
    decimal.digits = decimal.digits * 10 + digit;
    if (point) --decimal.exponent;
  }
  if (!any) return std::nullopt;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && text[at] == '+') ++at;
    int exponent = 0;
    const auto [end, error] =
        std::from_chars(text.data() + at, text.data() + text.size(), exponent);
    if (error != std::errc() || exponent < -1000 || exponent > 1000) return std::nullopt;
    at = static_cast<std::size_t>(end - text.data());
    decimal.exponent += exponent;
  }
  if (at != text.size()) return std::nullopt;
  return decimal;
}

bool HoldsNumber(const Value& value) {
  return value.kind == Kind::kNumber || (value.kind == Kind::kString && !value.escaped);
}

}  // namespace

std::string_view Unescape(const Value& value, std::string& scratch) {
  if (!value.escaped) return value.text;
  scratch.clear();
  const std::string_view text = value.text;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '\\' || at + 1 == text.size()) {
      scratch += text[at++];
      continue;
    }
    const char c = text[at + 1];
    at += 2;
    switch (c) {
      case 'n':
        scratch += '\n';
        break;
      case 't':
        scratch += '\t';
        break;
      case 'r':
        scratch += '\r';
        break;
      case 'b':
        scratch += '\b';
        break;
      case 'f':
        scratch += '\f';
        break;
      case 'u':
        at += UnescapeUnicode(text.substr(at), scratch);
        break;
      default:
        scratch += c;
    }
  }
  return scratch;
}

std::optional<std::int64_t> ToInteger(const Value& value) {
  if (!HoldsNumber(value)) return std::nullopt;
  std::int64_t number = 0;
  constexpr std::size_t kAlwaysFit = 18;
  if (value.text.size() - 1 < kAlwaysFit) {
    std::size_t at = 0;
    for (; at < value.text.size() && scan::IsDigit(value.text[at]); ++at)
      number = number * 10 + (value.text[at] - '0');
    if (at == value.text.size()) return number;
    number = 0;
  }
  const char* end = value.text.data() + value.text.size();
  const auto [at, error] = std::from_chars(value.text.data(), end, number);
  if (error == std::errc() && at == end && at != value.text.data()) return number;
  return std::nullopt;
}

std::optional<std::int64_t> MicrosecondsToNs(const Value& value) {
  if (!HoldsNumber(value)) return std::nullopt;
  const auto decimal = ReadDecimal(value.text);
  if (!decimal) return std::nullopt;
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  std::uint64_t ns = decimal->digits;
  int exponent = decimal->exponent + 3;
  for (; exponent > 0 && ns != 0; --exponent) {
    if (ns > kMost / 10) return std::nullopt;
    ns *= 10;
  }
  std::uint64_t last = 0;
  for (; exponent < 0 && (ns != 0 || last != 0); ++exponent) {
    last = ns % 10;
    ns /= 10;
  }
  ns += last >= 5 ? 1 : 0;
  if (ns > kMost) return std::nullopt;
  const auto whole = static_cast<std::int64_t>(ns);
  return decimal->negative ? -whole : whole;
}

std::optional<double> ToDouble(const Value& value) {
  if (!HoldsNumber(value)) return std::nullopt;
  double number = 0;
  const char* end = value.text.data() + value.text.size();
  const auto [at, error] = std::from_chars(value.text.data(), end, number);
  if (error == std::errc() && at == end && at != value.text.data()) return number;
  return std::nullopt;
}

TextWindow::TextWindow(ByteStream& stream, std::size_t chunk_bytes)
    : stream_(stream), chunk_bytes_(std::max<std::size_t>(chunk_bytes, 1)) {}

bool TextWindow::More() {
  const auto kept = static_cast<std::size_t>(cursor.end - cursor.at);
  if (at_end_ || kept > kMostKept) return false;
  if (text_.size() < kept + chunk_bytes_) {
    // Doubled, so that one value as long as many chunks is not moved for each of them.
    std::vector<char> larger(std::max(2 * text_.size(), kept + chunk_bytes_));
    if (kept > 0) std::memcpy(larger.data(), cursor.at, kept);
    text_.swap(larger);
  } else if (kept > 0) {
    std::memmove(text_.data(), cursor.at, kept);
  }
  const std::size_t got = stream_.Read(text_.data() + kept, text_.size() - kept);
  bytes_read_ += got;
  at_end_ = got == 0;
  cursor = {text_.data(), text_.data() + kept + got};
  return got > 0;
}

}  // namespace xsp::importers
