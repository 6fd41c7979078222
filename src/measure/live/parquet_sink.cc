#include "measure/live/parquet_sink.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "trace/vocabulary.h"

namespace xsp::live {

void ParquetSink::Write(LiveBatch& batch) {
  for (const LiveTrack& track : batch.tracks)
    tracks_.push_back({.experiment = experiment_,
                       .run = track.run,
                       .id = track.id,
                       .kind = track.kind,
                       .name = track.name,
                       .process_id = track.process_id,
                       .thread_id = track.thread_id,
                       .device = track.device,
                       .stream = track.stream,
                       .rank = {},
                       .is_reference = {}});
  for (LiveSpan& span : batch.spans) {
    const auto placed = span.parent_id == 0 ? trace::PlacedBy::kNone : trace::PlacedBy::kId;
    for (const LiveMetric& metric : span.metrics) Add(span.run, span.id, metric);
    for (const LiveAttribute& attribute : span.attributes) Add(span.run, span.id, attribute);
    spans_.push_back({.experiment = experiment_,
                      .run = std::move(span.run),
                      .id = span.id,
                      .parent_id = span.parent_id,
                      .level = std::move(span.level),
                      .type = std::move(span.type),
                      .name = std::move(span.name),
                      .track_id = span.track_id,
                      .start_ns = span.start_ns,
                      .duration_ns = span.duration_ns,
                      .placed_by = std::string(trace::ToString(placed)),
                      .correlation_id = span.correlation_id == 0
                                            ? std::nullopt
                                            : std::optional(span.correlation_id),
                      .lane = {}});
  }
  for (const LateDetail& late : batch.late) {
    if (late.metric) Add(late.run, late.span_id, *late.metric);
    if (late.attribute) Add(late.run, late.span_id, *late.attribute);
  }
  if (next_ == std::chrono::steady_clock::time_point())
    next_ = std::chrono::steady_clock::now() + kInterval;
  const std::size_t most =
      std::max({spans_.size(), tracks_.size(), metrics_.size(), attributes_.size()});
  if (most >= (has_failed_ ? 2 * kPartRows : kPartRows)) Flush(false);
}

void ParquetSink::Tick() {
  if (next_ != std::chrono::steady_clock::time_point() && std::chrono::steady_clock::now() >= next_)
    Flush(false);
}

void ParquetSink::Close() { Flush(true); }

void ParquetSink::Add(const std::string& run, std::int64_t span_id, const LiveMetric& metric) {
  metrics_.push_back(
      {experiment_, run, span_id, metric.name, metric.value, metric.unit, metric.provenance});
}

void ParquetSink::Add(const std::string& run, std::int64_t span_id,
                      const LiveAttribute& attribute) {
  attributes_.push_back({experiment_, run, span_id, attribute.key, attribute.value});
}

void ParquetSink::Flush(bool is_last) {
  // Tracks first, spans last: who reads a span finds what belongs to it.
  bool has_all = Append(tracks_, is_last);
  has_all = Append(metrics_, is_last) && has_all;
  has_all = Append(attributes_, is_last) && has_all;
  has_all = Append(spans_, is_last) && has_all;
  has_failed_ = !has_all;
  next_ = has_all ? std::chrono::steady_clock::time_point()
                  : std::chrono::steady_clock::now() + kInterval;
}

template <typename Row>
bool ParquetSink::Append(std::vector<Row>& rows, bool is_last) {
  const Status written = tables_.Append(rows);
  constexpr bool kIsSpan = std::is_same_v<Row, store::LiveSpanRow>;
  if (written.ok()) {
    if (kIsSpan) counts_.delivered += static_cast<std::int64_t>(rows.size());
    rows.clear();
    return true;
  }
  counts_.NoteProblem(written.error().what);
  if (!is_last && rows.size() < 2 * kPartRows) return false;
  // Of the other tables the spans that they belong to are not known here: rows count.
  for (const Row& row : rows) ++counts_.dropped[row.run];
  rows.clear();
  return !is_last;
}

}  // namespace xsp::live
