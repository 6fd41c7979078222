#include "ingest/correlate/pool_threads.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ingest/correlate/layers.h"
#include "ingest/primitives/operators.h"

namespace xsp::correlate {
namespace {

using trace::SpanId;

/// From one start or end of an outermost operator to the next.
struct Segment {
  std::int64_t start, end;
  int open;       ///< Outermost operators that are open all the time.
  SpanId single;  ///< The one that is, where it is one.
};

/// An outermost operator's start (+1) or end (-1).
struct Border {
  std::int64_t time;
  int change;
  SpanId span;
};

std::vector<Segment> SegmentsOf(std::vector<Border> borders) {
  std::sort(borders.begin(), borders.end(),
            [](const Border& a, const Border& b) { return a.time < b.time; });
  std::vector<Segment> segments;
  int open = 0;
  // The sum of the ids of open operators is the id of the one that is open alone.
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < borders.size(); ++i) {
    open += borders[i].change;
    sum += borders[i].change > 0 ? borders[i].span : -std::uint64_t{borders[i].span};
    if (i + 1 == borders.size() || borders[i + 1].time == borders[i].time) continue;
    segments.push_back({borders[i].time, borders[i + 1].time, open,
                        open == 1 ? static_cast<SpanId>(sum) : SpanId{0}});
  }
  return segments;
}

class PoolThreads {
 public:
  explicit PoolThreads(trace::Trace& trace) : trace_(trace), spans_(trace.spans) {}

  void Place() {
    FindComputingThreads();
    const std::vector<SpanId> loose = FindLoose();
    if (loose.empty()) return;
    FindOperators();
    std::unordered_map<std::int64_t, std::vector<Segment>> segments;
    for (auto& [process, borders] : borders_) segments[process] = SegmentsOf(std::move(borders));
    for (const SpanId span : loose) {
      const auto of_process = segments.find(ProcessOf(span));
      if (of_process == segments.end()) continue;
      const SpanId owner = OwnerOf(span, of_process->second);
      if (owner == 0) continue;
      spans_.parent[span - 1] = owner;
      spans_.placed_by[span - 1] = trace::PlacedBy::kConcurrent;
    }
  }

 private:
  std::int64_t End(SpanId span) const {
    return spans_.start_ns[span - 1] + spans_.duration_ns[span - 1];
  }
  bool Ended(SpanId span) const { return spans_.duration_ns[span - 1] != trace::kNeverEnded; }
  std::int64_t ProcessOf(SpanId span) const {
    return trace_.tracks[spans_.track[span - 1] - 1].process_id;
  }
  bool OnThread(SpanId span) const {
    return trace_.tracks[spans_.track[span - 1] - 1].kind == trace::TrackKind::kThread &&
           ProcessOf(span) != trace::kNotApplicable;
  }

  bool IsPrimitive(SpanId span) const {
    return spans_.level[span - 1] == trace::Level::kKernel &&
           trace_.Text(spans_.type[span - 1]) == trace::type::kPrimitive;
  }

  /// The threads that run operators which compute. One of a pool may allocate its scratch memory.
  void FindComputingThreads() {
    std::unordered_map<trace::StringId, bool> computes;  // By type.
    for (SpanId span = 1; span <= spans_.size(); ++span) {
      const SpanId parent = spans_.parent[span - 1];
      if (IsPrimitive(span) && parent != 0 && IsOperator(trace_, parent))
        computing_.insert(spans_.track[parent - 1]);
      if (!IsOperator(trace_, span)) continue;
      const trace::StringId type = spans_.type[span - 1];
      const auto [it, fresh] = computes.try_emplace(type, false);
      if (fresh)
        it->second =
            primitives::RoleOf(trace_.Text(type)) != primitives::OperatorRole::kNeverComputes;
      if (it->second) computing_.insert(spans_.track[span - 1]);
    }
  }

  /// Primitives and outermost operators of pool threads, if any of these ran a primitive.
  std::vector<SpanId> FindLoose() const {
    std::vector<SpanId> loose;
    bool any = false;
    for (SpanId span = 1; span <= spans_.size(); ++span) {
      const bool primitive = IsPrimitive(span);
      if ((!primitive && !IsOperator(trace_, span)) || spans_.parent[span - 1] != 0) continue;
      if (!Ended(span) || !OnThread(span) || computing_.contains(spans_.track[span - 1])) continue;
      any = any || primitive;
      loose.push_back(span);
    }
    return any ? loose : std::vector<SpanId>();
  }

  void FindOperators() {
    std::vector<std::uint8_t> in_operator(spans_.size() + 1, 0);
    for (const SpanId span : ParentsFirst(trace_)) {
      const bool is_operator =
          IsOperator(trace_, span) && OnThread(span) && computing_.contains(spans_.track[span - 1]);
      const bool outermost = is_operator && in_operator[spans_.parent[span - 1]] == 0;
      in_operator[span] = is_operator || in_operator[spans_.parent[span - 1]] != 0 ? 1 : 0;
      if (!is_operator) continue;
      operators_[spans_.track[span - 1]].push_back(span);
      if (!outermost) continue;
      std::vector<Border>& borders = borders_[ProcessOf(span)];
      borders.push_back({spans_.start_ns[span - 1], 1, span});
      // One that never ended may have gone on until the end.
      if (Ended(span)) borders.push_back({End(span), -1, span});
    }
    for (auto& [track, of_track] : operators_)
      std::sort(of_track.begin(), of_track.end(), [&](SpanId a, SpanId b) {
        const std::int64_t start_a = spans_.start_ns[a - 1], start_b = spans_.start_ns[b - 1];
        return start_a != start_b ? start_a < start_b : End(a) > End(b);
      });
  }

  bool Contains(SpanId outer, SpanId inner) const {
    return Ended(outer) && spans_.start_ns[outer - 1] <= spans_.start_ns[inner - 1] &&
           End(outer) >= End(inner);
  }

  /// The innermost operator that contains `span`, if one alone is open meanwhile; else 0.
  SpanId OwnerOf(SpanId span, const std::vector<Segment>& segments) const {
    const std::int64_t start = spans_.start_ns[span - 1];
    const auto after = std::upper_bound(
        segments.begin(), segments.end(), start,
        [](std::int64_t time, const Segment& segment) { return time < segment.start; });
    if (after == segments.begin()) return 0;
    const Segment& segment = *(after - 1);
    if (segment.single == 0 || End(span) > segment.end || !Contains(segment.single, span)) return 0;
    // The last one that started before it lies in every operator that contains it.
    const std::vector<SpanId>& candidates = operators_.at(spans_.track[segment.single - 1]);
    const auto next = std::upper_bound(
        candidates.begin(), candidates.end(), start,
        [&](std::int64_t time, SpanId candidate) { return time < spans_.start_ns[candidate - 1]; });
    for (SpanId at = *(next - 1); at != 0 && at != segment.single; at = spans_.parent[at - 1])
      if (IsOperator(trace_, at) && Contains(at, span)) return at;
    return segment.single;
  }

  trace::Trace& trace_;
  trace::SpanTable& spans_;
  std::unordered_set<trace::TrackId> computing_;
  std::unordered_map<trace::TrackId, std::vector<SpanId>> operators_;  ///< By start.
  std::unordered_map<std::int64_t, std::vector<Border>> borders_;      ///< By process.
};

}  // namespace

void PlaceOnPoolThreads(trace::Trace& trace) { PoolThreads(trace).Place(); }

}  // namespace xsp::correlate
