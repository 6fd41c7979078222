#include "measure/live/otlp_encoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/proto_message.h"
#include "os/sha256.h"

namespace xsp::live {

using core::ProtoMessage;

namespace {

// Field numbers: opentelemetry-proto, trace/v1/trace.proto, common/v1/common.proto and
// collector/trace/v1/trace_service.proto. Stable releases do not change them.
namespace field {
constexpr std::uint32_t kRequestResourceSpans = 1;
constexpr std::uint32_t kResourceSpansResource = 1, kResourceSpansScopeSpans = 2;
constexpr std::uint32_t kResourceAttributes = 1;
constexpr std::uint32_t kScopeSpansScope = 1, kScopeSpansSpans = 2;
constexpr std::uint32_t kScopeName = 1, kScopeVersion = 2;
constexpr std::uint32_t kSpanTraceId = 1, kSpanId = 2, kSpanParentId = 4, kSpanName = 5,
                        kSpanKind = 6, kSpanStart = 7, kSpanEnd = 8, kSpanAttributes = 9;
constexpr std::uint32_t kKey = 1, kValue = 2;
constexpr std::uint32_t kText = 1, kBool = 2, kInteger = 3, kDouble = 4;
}  // namespace field

constexpr std::uint64_t kInternalSpan = 1;  // SPAN_KIND_INTERNAL

ProtoMessage KeyValue(std::string_view key, const ProtoMessage& value) {
  ProtoMessage pair;
  pair.AddText(field::kKey, key);
  pair.AddMessage(field::kValue, value);
  return pair;
}
ProtoMessage OtlpText(std::string_view key, std::string_view text) {
  ProtoMessage value;
  value.AddText(field::kText, text);
  return KeyValue(key, value);
}
ProtoMessage OtlpInteger(std::string_view key, std::int64_t number) {
  ProtoMessage value;
  value.AddInteger(field::kInteger, static_cast<std::uint64_t>(number));
  return KeyValue(key, value);
}

/// The eight bytes of an id, most significant first.
std::string IdBytes(std::int64_t id) {
  std::string bytes;
  for (int shift = 56; shift >= 0; shift -= 8)
    bytes += static_cast<char>((static_cast<std::uint64_t>(id) >> shift) & 0xff);
  return bytes;
}

std::string FromHex(std::string_view digits) {
  std::string bytes;
  const auto value = [](char digit) { return digit <= '9' ? digit - '0' : digit - 'a' + 10; };
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes += static_cast<char>(value(digits[i]) * 16 + value(digits[i + 1]));
  return bytes;
}

/// OTLP has no times before 1970.
std::uint64_t UnixTime(std::int64_t time_ns) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(time_ns, 0));
}

std::int64_t EndOf(const LiveSpan& span) {
  std::int64_t end_ns = 0;
  // Damaged times: the latest there is.
  if (__builtin_add_overflow(span.start_ns, span.duration_ns.value_or(0), &end_ns))
    return INT64_MAX;
  return end_ns;
}

/// The fields of a message, as far as it can be read.
class ProtoReader {
 public:
  explicit ProtoReader(std::string_view bytes) : rest_(bytes) {}

  /// The next field: its number, and its number or text. False: the end, or no protobuf.
  bool Next(std::uint64_t* number, std::uint64_t* integer, std::string_view* text) {
    std::uint64_t tag = 0;
    if (rest_.empty() || !Varint(&tag)) return false;
    *number = tag >> 3;
    *text = {};
    switch (tag & 7) {
      case 0:
        return Varint(integer);
      case 1:
        return Skip(8);
      case 2: {
        std::uint64_t length = 0;
        if (!Varint(&length) || length > rest_.size()) return false;
        *text = rest_.substr(0, length);
        return Skip(length);
      }
      case 5:
        return Skip(4);
      default:
        return false;
    }
  }

 private:
  bool Skip(std::uint64_t bytes) {
    if (bytes > rest_.size()) return false;
    rest_.remove_prefix(bytes);
    return true;
  }
  bool Varint(std::uint64_t* value) {
    *value = 0;
    for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      *value |= std::uint64_t{byte & 0x7fU} << shift;
      if ((byte & 0x80) == 0) return true;
    }
    return false;
  }

  std::string_view rest_;
};

}  // namespace

void OtlpEncoder::AddTracks(const std::vector<LiveTrack>& tracks) {
  for (const LiveTrack& track : tracks) tracks_.emplace(track.id, track);
}

std::string OtlpEncoder::TraceId(std::string_view run) const {
  return os::Sha256(fmt::format("{} {}", session_, run)).substr(0, 32);
}

std::string OtlpEncoder::Encode(std::span<const LiveSpan> spans) const {
  std::map<std::string_view, std::vector<const LiveSpan*>> by_run;
  for (const LiveSpan& span : spans) by_run[span.run].push_back(&span);
  ProtoMessage request;
  for (const auto& [run, of_run] : by_run) {
    ProtoMessage resource, scope, of_scope, of_resource;
    resource.AddMessage(field::kResourceAttributes,
                        OtlpText("service.name", fmt::format("{}/{}", experiment_, run)));
    resource.AddMessage(field::kResourceAttributes, OtlpText("xsp.clock_origin", "epoch"));
    scope.AddText(field::kScopeName, "xsp");
    scope.AddText(field::kScopeVersion, XSP_VERSION);
    of_scope.AddMessage(field::kScopeSpansScope, scope);
    const std::string trace_id = FromHex(TraceId(run));
    for (const LiveSpan* span : of_run)
      of_scope.AddText(field::kScopeSpansSpans, EncodeSpan(*span, trace_id));
    of_resource.AddMessage(field::kResourceSpansResource, resource);
    of_resource.AddMessage(field::kResourceSpansScopeSpans, of_scope);
    request.AddMessage(field::kRequestResourceSpans, of_resource);
  }
  return request.bytes();
}

std::string OtlpEncoder::EncodeSpan(const LiveSpan& span, std::string_view trace_id) const {
  ProtoMessage message;
  message.AddText(field::kSpanTraceId, trace_id);
  message.AddText(field::kSpanId, IdBytes(span.id));
  if (span.parent_id != 0) message.AddText(field::kSpanParentId, IdBytes(span.parent_id));
  message.AddText(field::kSpanName, span.name);
  message.AddInteger(field::kSpanKind, kInternalSpan);
  message.AddFixed64(field::kSpanStart, UnixTime(span.start_ns));
  message.AddFixed64(field::kSpanEnd, UnixTime(EndOf(span)));
  const auto add = [&](const ProtoMessage& attribute) {
    message.AddMessage(field::kSpanAttributes, attribute);
  };
  add(OtlpText("xsp.level", span.level));
  add(OtlpText("xsp.type", span.type));
  if (const auto it = tracks_.find(span.track_id); it != tracks_.end()) {
    const LiveTrack& track = it->second;
    add(OtlpText("xsp.track", track.name));
    add(OtlpInteger("process.pid", track.process_id));
    if (track.thread_id) add(OtlpInteger("thread.id", *track.thread_id));
    if (track.device) add(OtlpInteger("xsp.device", *track.device));
  }
  if (span.correlation_id != 0) add(OtlpInteger("xsp.correlation_id", span.correlation_id));
  if (!span.duration_ns) {
    ProtoMessage value;
    value.AddInteger(field::kBool, 1);
    add(KeyValue("xsp.never_ended", value));
  }
  std::set<std::string_view> keys;  // Those of a span are unique in OTLP.
  for (const LiveMetric& metric : span.metrics) {
    if (!keys.insert(metric.name).second) continue;
    ProtoMessage value;
    value.AddDouble(field::kDouble, metric.value);
    add(KeyValue("xsp." + metric.name, value));
  }
  for (const LiveAttribute& attribute : span.attributes)
    if (keys.insert(attribute.key).second) add(OtlpText("xsp." + attribute.key, attribute.value));
  return message.bytes();
}

OtlpPartialSuccess ReadPartialSuccess(std::string_view response) {
  OtlpPartialSuccess partial;
  std::uint64_t number = 0, integer = 0;
  std::string_view text;
  for (ProtoReader reader(response); reader.Next(&number, &integer, &text);) {
    if (number != 1) continue;
    for (ProtoReader inner(text); inner.Next(&number, &integer, &text);) {
      if (number == 1) partial.rejected_spans = static_cast<std::int64_t>(integer);
      if (number == 2) partial.message = text;
    }
  }
  return partial;
}

}  // namespace xsp::live
