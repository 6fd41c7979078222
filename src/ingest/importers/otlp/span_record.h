#ifndef XSP_INGEST_IMPORTERS_OTLP_SPAN_RECORD_H_
#define XSP_INGEST_IMPORTERS_OTLP_SPAN_RECORD_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xsp::importers::otlp {

/// A value of an attribute (AnyValue). Arrays, maps and bytes are kept as JSON text.
struct AnyValue {
  enum class Kind : std::uint8_t { kNone, kText, kInteger, kNumber, kBool, kJson };
  Kind kind = Kind::kNone;
  std::string text;  ///< UTF-8. kText, kJson.
  std::int64_t integer = 0;
  double number = 0;
  bool boolean = false;
};

/// The value as JSON; what JSON has no number for (NaN) is a text.
std::string ToJson(const AnyValue& value);
/// The value as a reader sees it: texts without quotes.
std::string ToText(const AnyValue& value);
/// `text` as a JSON string with its quotes.
std::string QuotedJson(std::string_view text);

struct Attribute {
  std::string key;
  AnyValue value;
};
using Attributes = std::vector<Attribute>;

/// The attribute `key`, or null.
const AnyValue* Find(const Attributes& attributes, std::string_view key);

/// Identity of a span: 16 bytes of the trace and 8 of its own.
struct SpanKey {
  std::uint64_t trace_high = 0, trace_low = 0, span = 0;
  auto operator<=>(const SpanKey&) const = default;
};
struct SpanKeyHash {
  std::size_t operator()(const SpanKey& key) const {
    constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio.
    const std::uint64_t mixed = ((key.trace_high * kMix) ^ key.trace_low) * kMix ^ key.span;
    return std::hash<std::uint64_t>{}(mixed * kMix);
  }
};

struct EventRecord {
  std::int64_t time_ns = 0;
  std::string name;
};
struct LinkRecord {
  SpanKey from;
  bool is_launch = false;  ///< XSP's export: the correlation id says the same.
};

/// A span as the request states it. Times in ns since 1970.
struct SpanRecord {
  SpanKey key;
  std::uint64_t parent = 0;  ///< Of the same trace; 0: a root.
  std::string name;
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;  ///< 0: not stated.
  bool is_error = false;
  std::string error;  ///< Message of an error.
  Attributes attributes;
  std::vector<EventRecord> events;
  std::vector<LinkRecord> links;
};

/// Why a span cannot be used.
enum class Flaw : std::uint8_t {
  kDamaged,  ///< It is not what the format has at this place, or the file ends within.
  kBadId,    ///< A trace or span id is missing, of another length, or zero.
  kBadTime,  ///< A time is missing or does not fit 63 bits.
};

/// What reads a file or a request calls, in its order. Records live for the call.
class BatchVisitor {
 public:
  virtual ~BatchVisitor() = default;
  /// The spans that follow are of this resource.
  virtual void OnResource(const Attributes& attributes) = 0;
  /// ... and of this instrumentation scope.
  virtual void OnScope(std::string_view name, std::string_view version) = 0;
  virtual void OnSpan(SpanRecord span) = 0;
  /// A span, or all that follows, is left out.
  virtual void OnFlaw(Flaw flaw, std::string_view example) = 0;
};

/// The id in hexadecimal digits, two a byte; nothing: other characters or another length.
std::optional<std::uint64_t> ReadHexId(std::string_view digits);

/// What is wrong with a span whose fields are read; nothing: nothing.
std::optional<Flaw> FlawOf(const SpanRecord& span);

}  // namespace xsp::importers::otlp

#endif  // XSP_INGEST_IMPORTERS_OTLP_SPAN_RECORD_H_
