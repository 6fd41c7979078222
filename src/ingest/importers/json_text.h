#ifndef XSP_INGEST_IMPORTERS_JSON_TEXT_H_
#define XSP_INGEST_IMPORTERS_JSON_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/importers/byte_stream.h"
#include "ingest/importers/json_scan.h"

namespace xsp::importers {

// JSON as traces hold it: read in one pass over text that arrives in pieces, forgiving what other
// programs get wrong. Nothing here copies a value or recurses.

enum class Scan {
  kDone,
  kMore,  ///< The text ends inside; nothing was taken.
  kBad,   ///< Not JSON, at `at`.
};

/// A value where it stands in the text.
struct Value {
  enum class Kind : std::uint8_t { kNone, kString, kNumber, kObject, kArray, kLiteral };
  Kind kind = Kind::kNone;
  bool escaped = false;   ///< A string with backslashes in it.
  std::string_view text;  ///< Without the quotes of a string.

  explicit operator bool() const { return kind != Kind::kNone; }
};

/// Text [at, end); functions move `at` past what they read, and leave it alone for kMore.
struct Cursor {
  const char* at;
  const char* end;
};

// The next four run for every few characters of a trace, so they are inlined.

/// Skips white space; false at the end of the text.
inline bool SkipSpace(Cursor& cursor) {
  const char*& at = cursor.at;
  if (at >= cursor.end) return false;
  // Mostly there is none, or one.
  if (!scan::IsSpace(*at)) return true;
  if (cursor.end - at > 1 && !scan::IsSpace(at[1])) {
    ++at;
    return true;
  }
  at = scan::PassSpace(at, cursor.end);
  return at < cursor.end;
}

/// Reads any value. Literals and numbers are taken as far as their characters go.
inline Scan ReadValue(Cursor& cursor, Value& value) {
  Cursor here = cursor;
  value = {};
  if (!SkipSpace(here)) return Scan::kMore;
  const char first = *here.at;
  const char* after = nullptr;
  if (first == '"') {
    after = scan::PassString(here.at + 1, here.end, value.escaped);
    if (after == nullptr) return Scan::kMore;
    value.kind = Value::Kind::kString;
    value.text = {here.at + 1, after - 1};
  } else if (first == '{' || first == '[') {
    after = scan::PassNested(here.at, here.end);
    if (after == nullptr) return Scan::kMore;
    value.kind = first == '{' ? Value::Kind::kObject : Value::Kind::kArray;
    value.text = {here.at, after};
  } else {
    after = scan::PassBareValue(here.at, here.end);
    if (after == here.end) return Scan::kMore;
    if (after == here.at) {
      cursor = here;
      return Scan::kBad;
    }
    const bool number = scan::IsDigit(first) || first == '-' || first == '+';
    value.kind = number ? Value::Kind::kNumber : Value::Kind::kLiteral;
    value.text = {here.at, after};
  }
  cursor.at = after;
  return Scan::kDone;
}

/// Reads `"key" :`; `at` then stands before the value.
inline Scan ReadKey(Cursor& cursor, Value& key) {
  Cursor here = cursor;
  key = {};
  if (!SkipSpace(here)) return Scan::kMore;
  if (*here.at != '"') {
    cursor = here;
    return Scan::kBad;
  }
  const char* after = scan::PassString(here.at + 1, here.end, key.escaped);
  if (after == nullptr) return Scan::kMore;
  key.kind = Value::Kind::kString;
  key.text = {here.at + 1, after - 1};
  here.at = after;
  if (!SkipSpace(here)) return Scan::kMore;
  if (*here.at != ':') {
    cursor = here;
    return Scan::kBad;
  }
  cursor.at = here.at + 1;
  return Scan::kDone;
}

/// After a value in an object or array: skips commas, however many. True when the bracket `close`
/// follows (and is taken). kBad when neither comes.
inline Scan ReadSeparator(Cursor& cursor, char close, bool& closed) {
  Cursor here = cursor;
  bool comma = false;
  closed = false;
  for (;;) {
    if (!SkipSpace(here)) return Scan::kMore;
    if (*here.at == ',') {
      comma = true;
      ++here.at;
    } else if (*here.at == close) {
      cursor.at = here.at + 1;
      closed = true;
      return Scan::kDone;
    } else {
      cursor = here;
      return comma ? Scan::kDone : Scan::kBad;
    }
  }
}

/// The characters a string stands for; `scratch` holds them where it has escapes.
std::string_view Unescape(const Value& value, std::string& scratch);

/// A whole number, also one in quotes; nothing for anything else or out of range.
std::optional<std::int64_t> ToInteger(const Value& value);

/// Decimal microseconds, also in quotes or with an exponent, as whole nanoseconds; never by way of
/// floating point. Digits below a nanosecond are rounded, half away from zero.
std::optional<std::int64_t> MicrosecondsToNs(const Value& value);

/// A number as double (counters, metrics); also in quotes.
std::optional<double> ToDouble(const Value& value);

/// A part of a stream's text that moves on. `cursor` covers what is there.
class TextWindow {
 public:
  /// `stream` is borrowed. Reads about `chunk_bytes` at a time.
  TextWindow(ByteStream& stream, std::size_t chunk_bytes);

  Cursor cursor{nullptr, nullptr};

  /// Makes room and reads more, keeping what lies from cursor.at on. False when the stream is at
  /// its end, or when more than `kMostKept` bytes would have to be kept.
  bool More();

  /// Bytes of the stream before cursor.at.
  std::uint64_t offset() const {
    return bytes_read_ - static_cast<std::uint64_t>(cursor.end - cursor.at);
  }

  /// The stream gave all it has.
  bool at_end() const { return at_end_; }

  /// Bytes of one event or value that are kept together at most.
  static constexpr std::size_t kMostKept = std::size_t{64} << 20;

 private:
  ByteStream& stream_;
  std::size_t chunk_bytes_;
  std::vector<char> text_;
  std::uint64_t bytes_read_ = 0;
  bool at_end_ = false;
};

}  // namespace xsp::importers

#endif  // XSP_INGEST_IMPORTERS_JSON_TEXT_H_
