#include "derive/timeline/replay_launches.h"

#include <algorithm>
#include <cstddef>
#include <tuple>

namespace xsp::timeline {

using trace::SpanId;

namespace {

/// Whether work was taken from its launch to the layer that its replay stands for.
bool IsReplayed(trace::PlacedBy placed_by) {
  return placed_by == trace::PlacedBy::kSequence || placed_by == trace::PlacedBy::kGraphNode;
}

}  // namespace

ReplayLaunches::ReplayLaunches(const trace::Trace& trace) : trace_(trace) {
  const trace::SpanTable& spans = trace.spans;
  const bool any = std::any_of(spans.placed_by.begin(), spans.placed_by.end(), IsReplayed);
  if (!any) return;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (spans.level[i] != trace::Level::kLibrary || spans.correlation_id[i] == 0) continue;
    const trace::Track& track = trace.tracks[spans.track[i] - 1];
    if (!track.is_reference)
      calls_.push_back(
          {track.rank, spans.correlation_id[i], spans.start_ns[i], static_cast<SpanId>(i + 1)});
  }
  std::sort(calls_.begin(), calls_.end(), [](const Call& a, const Call& b) {
    return std::tie(a.rank, a.correlation_id, a.start_ns, a.span) <
           std::tie(b.rank, b.correlation_id, b.start_ns, b.span);
  });
}

SpanId ReplayLaunches::Of(SpanId kernel) const {
  const trace::SpanTable& spans = trace_.spans;
  const std::int64_t id = spans.correlation_id[kernel - 1];
  if (id == 0 || !IsReplayed(spans.placed_by[kernel - 1])) return 0;
  const trace::Track& stream = trace_.tracks[spans.track[kernel - 1] - 1];
  const auto [first, last] = std::equal_range(
      calls_.begin(), calls_.end(), Call{stream.rank, id, 0, 0}, [](const Call& a, const Call& b) {
        return std::tie(a.rank, a.correlation_id) < std::tie(b.rank, b.correlation_id);
      });
  for (auto call = last; call != first;) {
    --call;
    const std::int64_t process = trace_.tracks[spans.track[call->span - 1] - 1].process_id;
    if (process == stream.process_id || process == trace::kNotApplicable ||
        stream.process_id == trace::kNotApplicable)
      return call->span;
  }
  return 0;
}

}  // namespace xsp::timeline
