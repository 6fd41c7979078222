// Writes a run as Chrome trace events
// (https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU).

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "answer/trace_formats/exported_run.h"
#include "answer/trace_formats/json_text.h"
#include "answer/trace_formats/output_file.h"
#include "answer/trace_formats/trace_format.h"
#include "answer/trace_formats/track_lanes.h"
#include "core/result.h"

namespace xsp::trace_formats::chrome {
namespace {

constexpr auto kIgnoreEnd = [](std::size_t, const TrackLanes::OpenSpan&) {};

class Writer {
 public:
  Writer(const ExportedRun& run, OutputFile& out) : run_(run), out_(out) {}

  Status Write() {
    // `writer` comes first: importers read it before the first event.
    std::string head = R"({"writer": "xsp", "displayTimeUnit": "ns", )";
    if (run_.is_since_1970())
      head += fmt::format(R"("baseTimeNanoseconds": {}, )", run_.first_ns());
    head += fmt::format(R"("traceName": {}, "traceEvents": [)", JsonQuoted(run_.name()));
    XSP_RETURN_IF_ERROR(out_.Append(head));
    for (const ExportedProcess& process : run_.tracks().processes)
      XSP_RETURN_IF_ERROR(
          AddName("process_name", fmt::format(R"("pid": {})", process.number), process.name));
    for (const ExportedTrack& track : run_.tracks().tracks)
      XSP_RETURN_IF_ERROR(AddName("thread_name", Place(track, track.thread), track.label));
    XSP_RETURN_IF_ERROR(run_.EachSpan(ExportedRun::Extras::kAll,
                                      [&](const ExportedSpan& span) { return AddSpan(span); }));
    XSP_RETURN_IF_ERROR(
        run_.EachCounter([&](const ExportedCounter& counter) { return AddCounter(counter); }));
    return out_.Append("\n]}\n");
  }

 private:
  static std::string Place(const ExportedTrack& track, std::int32_t thread) {
    return fmt::format(R"("pid": {}, "tid": {})", track.process, thread);
  }

  Status Add(std::string_view members) {
    const std::string_view separator = std::exchange(is_first_, false) ? "\n{" : ",\n{";
    return out_.Append(fmt::format("{}{}}}", separator, members));
  }

  Status AddName(std::string_view kind, std::string_view place, std::string_view name) {
    return Add(fmt::format(R"("ph": "M", "name": "{}", {}, "args": {{"name": {}}})", kind, place,
                           JsonQuoted(name)));
  }

  /// The thread of a lane: viewers draw one stack per thread.
  Result<std::int32_t> ThreadOf(const ExportedTrack& track, std::size_t lane) {
    if (lane == 0) return track.thread;
    const auto [found, is_new] = more_threads_.try_emplace({track.id, lane}, next_thread_);
    if (is_new) {
      ++next_thread_;
      XSP_RETURN_IF_ERROR(AddName("thread_name", Place(track, found->second),
                                  fmt::format("{} ({})", track.label, lane + 1)));
    }
    return found->second;
  }

  Status AddSpan(const ExportedSpan& span) {
    if (span.track_id != track_id_) lanes_.Finish(kIgnoreEnd);
    track_id_ = span.track_id;
    const std::size_t lane = lanes_.Find(span.start_ns, span.EndNs(), kIgnoreEnd);
    lanes_.Push(lane, span.EndNs(), 0);
    const ExportedTrack& track = run_.tracks().Get(span.track_id);
    XSP_TRY(const std::int32_t thread, ThreadOf(track, lane));
    const std::string where = fmt::format(R"({}, "ts": {})", Place(track, thread),
                                          Microseconds(run_.SinceFirst(span.start_ns)));
    // One that never ended is a begin event without an end.
    const std::string phase =
        span.HasEnded() ? fmt::format(R"("ph": "X", "dur": {})", Microseconds(span.duration_ns))
                        : R"("ph": "B")";
    XSP_RETURN_IF_ERROR(
        Add(fmt::format(R"({}, "cat": {}, "name": {}, {}, "args": {{{}}})", phase,
                        JsonQuoted(span.level), JsonQuoted(span.name), where, Arguments(span))));
    return span.extras == nullptr ? Status(Ok{}) : AddFlows(span, where);
  }

  static std::string Arguments(const ExportedSpan& span) {
    std::string text = fmt::format(R"("type": {}, "span": {}, "parent": {})", JsonQuoted(span.type),
                                   span.id, span.parent_id);
    if (span.correlation_id != 0)
      text += fmt::format(R"(, "correlation": {})", span.correlation_id);
    if (span.extras == nullptr) return text;
    std::string_view before;
    for (const SpanDetail& detail : span.extras->details) {
      // Of equal keys a reader would take one.
      if (detail.key != before)
        text += fmt::format(", {}: {}", JsonQuoted("xsp." + detail.key),
                            detail.is_number ? JsonNumber(detail.number) : JsonQuoted(detail.text));
      before = detail.key;
    }
    return text;
  }

  Status AddFlows(const ExportedSpan& span, std::string_view where) {
    for (const SpanFlow& flow : span.extras->flows_out)
      XSP_RETURN_IF_ERROR(
          Add(fmt::format(R"("ph": "s", "id": "{}-{}", "cat": "flow", "name": "{}", {})", span.id,
                          flow.other_id, NameOf(flow), where)));
    for (const SpanFlow& flow : span.extras->flows_in)
      XSP_RETURN_IF_ERROR(
          Add(fmt::format(R"("ph": "f", "bp": "e", "id": "{}-{}", "cat": "flow", "name": "{}", {})",
                          flow.other_id, span.id, NameOf(flow), where)));
    return Ok{};
  }

  static std::string_view NameOf(const SpanFlow& flow) {
    return flow.is_launch ? "launch" : "link";
  }

  Status AddCounter(const ExportedCounter& counter) {
    const ExportedTrack& track = run_.tracks().Get(counter.track_id);
    // Viewers tell the counters of a process apart by name alone.
    const std::string name = fmt::format("{}: {}", track.label, counter.name);
    const std::string key = counter.unit.empty() ? "value" : std::string(counter.unit);
    return Add(fmt::format(R"("ph": "C", "name": {}, {}, "ts": {}, "args": {{{}: {}}})",
                           JsonQuoted(name), Place(track, track.thread),
                           Microseconds(run_.SinceFirst(counter.time_ns)), JsonQuoted(key),
                           JsonNumber(counter.value)));
  }

  const ExportedRun& run_;
  OutputFile& out_;
  bool is_first_ = true;
  std::int64_t track_id_ = 0;
  TrackLanes lanes_;
  std::map<std::pair<std::int64_t, std::size_t>, std::int32_t> more_threads_;
  std::int32_t next_thread_ = 1'500'000'000;  // Above those of tracks.
};

Status Write(const ExportedRun& run, OutputFile& out) { return Writer(run, out).Write(); }

}  // namespace

extern const TraceFormatSpec kSpec;
constinit const TraceFormatSpec kSpec = {
    .name = "chrome",
    .summary = "Chrome trace events (JSON), for Perfetto, chrome://tracing and scripts",
    .extension = ".trace.json",
    .write = Write,
};

}  // namespace xsp::trace_formats::chrome
