#ifndef XSP_INGEST_IMPORTERS_XSP_RECORDING_TRACE_BUILDER_H_
#define XSP_INGEST_IMPORTERS_XSP_RECORDING_TRACE_BUILDER_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "capture/wire/reader.h"
#include "ingest/importers/importer.h"
#include "ingest/importers/xsp_recording/stack_rows.h"
#include "trace/trace.h"

namespace xsp::importers::xsp_recording {

/// Turns the records of one process into rows of a trace. One recording, one builder.
class TraceBuilder final : public wire::RecordSink {
 public:
  /// Both are borrowed. `offset_ns` turns CLOCK_MONOTONIC into ns since 1970.
  TraceBuilder(const wire::Reader& reader, trace::TraceWriter& writer, std::int64_t offset_ns);

  void OnSpan(const wire::SpanRecord& span) override;
  void OnMetric(const wire::MetricRecord& metric) override;
  void OnAttribute(const wire::AttributeRecord& attribute) override;
  void OnMark(const wire::MarkRecord& mark) override;
  void OnCounter(const wire::CounterRecord& counter) override;
  void OnFrame(const wire::FrameRecord& frame) override;
  void OnStackSample(const wire::StackSampleRecord& sample) override;
  void OnCapture(const wire::CaptureRecord& capture) override;

  /// Adds what was waiting for a later record. To be called last.
  void Finish();

 private:
  // Metrics and attributes that came before their span, from another thread's part of the file.
  struct EarlyAttribute {
    std::uint32_t span;
    std::string key, value;
  };

  trace::TrackId ThreadTrack(std::uint32_t thread);
  trace::TrackId PlacedTrack(std::uint32_t track);
  trace::TrackId NewTrack(const wire::TrackInfo& info);
  void AddPlacement(trace::SpanId row, const wire::SpanRecord& span);
  void NameCaptures();
  trace::TrackId ProcessTrack();
  /// Of ranges that no thread had open: they overlap each other and what threads did.
  trace::TrackId LooseTrack();
  trace::SpanId Row(std::uint32_t span) const;
  trace::SpanId Find(std::uint32_t span);
  void Remember(std::uint32_t span, trace::SpanId row);
  /// On the track of its thread unless another is named.
  trace::SpanId Add(const wire::SpanRecord& span, std::string_view name, trace::TrackId track = 0);
  std::optional<wire::SpanRecord> TakeHeld(std::uint32_t span);
  void AddHeld(std::uint32_t span);
  void AddPrimitive(const wire::SpanRecord& span, std::string_view line);
  void SetFact(std::string_view key, std::string_view value);
  /// What the recorder says is missing (record::ReportProblem): what, a line feed, what to do.
  void CountProblem(std::string_view name, std::string_view text);
  std::int64_t Time(std::int64_t monotonic_ns) const;
  std::string_view Clean(std::string_view text, std::string& buffer);
  void Count(const DiagnosticSpec& diagnostic, std::string_view example, std::int64_t count = 1);

  const wire::Reader& reader_;
  trace::TraceWriter& writer_;
  const std::int64_t offset_ns_;
  trace::TrackId process_track_ = 0;
  std::int64_t rank_ = trace::kNotApplicable;
  trace::TrackId loose_track_ = 0;
  std::vector<trace::TrackId> thread_tracks_;
  std::vector<trace::TrackId> placed_tracks_;  // By the reader's index; 0: not met yet.
  std::map<std::tuple<int, std::uint32_t, std::int64_t, std::string>, trace::TrackId> track_of_;
  // Graph nodes, tied to their layers at the end: both come in any order.
  struct Replayed {
    trace::SpanId row;
    std::uint64_t graph_node;
  };
  std::vector<Replayed> replayed_;
  std::vector<wire::CaptureRecord> captures_;
  // Rows of spans by their id, in pages of kPageSpans: ids are places in the file, so close
  // together where there are any.
  static constexpr std::uint32_t kPageSpans = 2048;
  std::vector<std::vector<trace::SpanId>> rows_;
  // A thread's latest span whose first attribute says what to call it (a primitive), or where it
  // belongs (a range): held back until then.
  std::vector<std::uint32_t> waiting_;  // By thread: the span's id; 0: none.
  std::unordered_map<std::uint32_t, wire::SpanRecord> held_;
  std::vector<wire::MetricRecord> early_metrics_;
  std::vector<EarlyAttribute> early_attributes_;
  std::unordered_map<std::int64_t, std::string> thread_names_;  // That the program gave, by id.
  StackRows stacks_;
  /// Facts that this recording has told, and the name that each is kept under: the last value
  /// holds.
  std::map<std::string, std::string> told_facts_;
  std::string buffers_[3];
};

}  // namespace xsp::importers::xsp_recording

#endif  // XSP_INGEST_IMPORTERS_XSP_RECORDING_TRACE_BUILDER_H_
