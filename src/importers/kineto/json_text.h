#ifndef XSP_IMPORTERS_KINETO_JSON_TEXT_H_
#define XSP_IMPORTERS_KINETO_JSON_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "importers/byte_stream.h"

namespace xsp::importers::kineto {

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

/// Skips white space; false at the end of the text.
bool SkipSpace(Cursor& cursor);

/// Reads any value. Literals and numbers are taken as far as their characters go.
Scan ReadValue(Cursor& cursor, Value& value);

/// Reads `"key" :`; `at` then stands before the value.
Scan ReadKey(Cursor& cursor, Value& key);

/// After a value in an object or array: skips commas, however many. True when the bracket `close`
/// follows (and is taken). kBad when neither comes.
Scan ReadSeparator(Cursor& cursor, char close, bool& closed);

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

}  // namespace xsp::importers::kineto

#endif  // XSP_IMPORTERS_KINETO_JSON_TEXT_H_
