// Writes a run as one ExportTraceServiceRequest of OpenTelemetry in JSON
// (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding).

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "answer/trace_formats/exported_run.h"
#include "answer/trace_formats/json_text.h"
#include "answer/trace_formats/output_file.h"
#include "answer/trace_formats/trace_format.h"
#include "core/result.h"
#include "os/sha256.h"

namespace xsp::trace_formats::otlp {
namespace {

/// An attribute of OTLP; `value`: JSON.
std::string Attribute(std::string_view key, std::string_view type, std::string_view value) {
  return fmt::format(R"({{"key": {}, "value": {{"{}": {}}}}})", JsonQuoted(key), type, value);
}
std::string TextAttribute(std::string_view key, std::string_view text) {
  return Attribute(key, "stringValue", JsonQuoted(text));
}
/// 64-bit integers are strings in the JSON of protobuf.
std::string IntegerAttribute(std::string_view key, std::int64_t value) {
  return Attribute(key, "intValue", fmt::format("\"{}\"", value));
}
std::string NumberAttribute(std::string_view key, double value) {
  if (std::isnan(value)) return Attribute(key, "doubleValue", R"("NaN")");
  if (std::isinf(value))
    return Attribute(key, "doubleValue", value > 0 ? R"("Infinity")" : R"("-Infinity")");
  return Attribute(key, "doubleValue", JsonNumber(value));
}

class Writer {
 public:
  Writer(const ExportedRun& run, OutputFile& out)
      : run_(run),
        out_(out),
        trace_id_(os::Sha256(fmt::format("{} {} {}", run.name(), run.span_count(), run.first_ns()))
                      .substr(0, 32)) {}

  Status Write() {
    XSP_RETURN_IF_ERROR(out_.Append(fmt::format(
        R"({{"resourceSpans": [{{"resource": {{"attributes": [{}, {}]}},
"scopeSpans": [{{"scope": {{"name": "xsp"}}, "spans": [)",
        TextAttribute("service.name", run_.name()),
        TextAttribute("xsp.clock_origin", run_.is_since_1970() ? "epoch" : "source"))));
    XSP_RETURN_IF_ERROR(run_.EachSpan(ExportedRun::Extras::kAll,
                                      [&](const ExportedSpan& span) { return AddSpan(span); }));
    return out_.Append("]}]}]}\n");
  }

 private:
  Status AddSpan(const ExportedSpan& span) {
    constexpr int kInternal = 1;  // SPAN_KIND_INTERNAL
    const std::string parent =
        span.parent_id == 0 ? "" : fmt::format(R"("parentSpanId": "{:016x}", )", span.parent_id);
    return out_.Append(fmt::format(
        R"({}{{"traceId": "{}", "spanId": "{:016x}", {}"name": {}, "kind": {}, )"
        R"("startTimeUnixNano": "{}", "endTimeUnixNano": "{}", "attributes": [{}]{}}})",
        std::exchange(is_first_, false) ? "\n" : ",\n", trace_id_, span.id, parent,
        JsonQuoted(span.name), kInternal, Time(span.start_ns),
        Time(span.HasEnded() ? span.EndNs() : span.start_ns), Attributes(span), Links(span)));
  }

  /// OTLP has no times before 1970.
  std::int64_t Time(std::int64_t time_ns) const {
    return std::max<std::int64_t>(run_.SinceEpoch(time_ns), 0);
  }

  std::string Attributes(const ExportedSpan& span) const {
    const ExportedTrack& track = run_.tracks().Get(span.track_id);
    std::string text =
        fmt::format("{}, {}, {}", TextAttribute("xsp.level", span.level),
                    TextAttribute("xsp.type", span.type), TextAttribute("xsp.track", track.label));
    const auto add = [&](const std::string& attribute) { text += ", " + attribute; };
    if (track.process_id) add(IntegerAttribute("process.pid", *track.process_id));
    if (track.thread_id) add(IntegerAttribute("thread.id", *track.thread_id));
    if (track.device) add(IntegerAttribute("xsp.device", *track.device));
    if (track.rank) add(IntegerAttribute("xsp.rank", *track.rank));
    if (span.correlation_id != 0) add(IntegerAttribute("xsp.correlation_id", span.correlation_id));
    if (!span.HasEnded()) add(Attribute("xsp.never_ended", "boolValue", "true"));
    if (span.extras == nullptr) return text;
    std::string_view before;
    for (const SpanDetail& detail : span.extras->details) {
      // Keys of a span are unique in OTLP.
      if (detail.key != before) {
        const std::string key = "xsp." + detail.key;
        add(detail.is_number ? NumberAttribute(key, detail.number)
                             : TextAttribute(key, detail.text));
      }
      before = detail.key;
    }
    return text;
  }

  /// From work to the call that launched it, and to the spans that others name as their source.
  std::string Links(const ExportedSpan& span) const {
    if (span.extras == nullptr || span.extras->flows_in.empty()) return "";
    std::string text;
    for (const SpanFlow& flow : span.extras->flows_in)
      text += fmt::format(R"({}{{"traceId": "{}", "spanId": "{:016x}", "attributes": [{}]}})",
                          text.empty() ? "" : ", ", trace_id_, flow.other_id,
                          TextAttribute("xsp.kind", flow.is_launch ? "launch" : "link"));
    return fmt::format(R"(, "links": [{}])", text);
  }

  const ExportedRun& run_;
  OutputFile& out_;
  std::string trace_id_;
  bool is_first_ = true;
};

Status Write(const ExportedRun& run, OutputFile& out) { return Writer(run, out).Write(); }

}  // namespace

extern const TraceFormatSpec kSpec;
constinit const TraceFormatSpec kSpec = {
    .name = "otlp",
    .summary = "OpenTelemetry (OTLP/JSON): one trace whose spans keep their parents",
    .extension = ".otlp.json",
    .write = Write,
};

}  // namespace xsp::trace_formats::otlp
