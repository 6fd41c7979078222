#include "derive/timeline/critical_path/critical_path.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "derive/timeline/critical_path/host_pieces.h"
#include "store/rows/critical_path_row.h"
#include "trace/vocabulary.h"

namespace xsp::timeline::critical_path {
namespace {

using trace::Level;
using trace::SpanId;

/// What a piece is called: a string of the trace, or one of two names of our own behind them.
using Name = std::size_t;
Name BetweenOperators(const trace::Trace& trace) { return trace.strings.size(); }
Name NothingRecorded(const trace::Trace& trace) { return trace.strings.size() + 1; }

struct Ends {
  std::int64_t origin_ns = 0;
  Point end;
};

/// Takes the later of `at` and the end of the last work that was launched before `before_ns`.
void ReachForWork(const Dependencies& dependencies, std::int64_t before_ns, Point& at) {
  const trace::Column<Work>& works = dependencies.works();
  for (std::size_t i = 0; i < works.size(); ++i) {
    const std::int64_t end_ns = dependencies.EndOf(works[i]);
    if (dependencies.LaunchOf(works[i]) < before_ns && end_ns > at.time_ns)
      at = {end_ns, kNoThread, static_cast<WorkId>(i)};
  }
}

Ends EndsOf(const Timeline& timeline, const Dependencies& dependencies,
            std::span<const Step> steps) {
  constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
  Ends ends = {kNever, {std::numeric_limits<std::int64_t>::min(), kNoThread, kNoWork}};
  if (!steps.empty()) {
    ends.origin_ns = steps.front().start_ns;
    const Step& last = steps.back();
    ends.end = {last.end_ns, dependencies.ThreadOf(timeline.trace().spans.track[last.span - 1]),
                kNoWork};
    ReachForWork(dependencies, last.end_ns, ends.end);
    return ends;
  }
  for (std::size_t i = 0; i < dependencies.threads().size(); ++i) {
    const trace::Column<Block>& blocks = dependencies.threads()[i].blocks;
    if (blocks.empty()) continue;
    ends.origin_ns = std::min(ends.origin_ns, blocks.front().start_ns);
    if (blocks.back().end_ns > ends.end.time_ns)
      ends.end = {blocks.back().end_ns, static_cast<ThreadId>(i), kNoWork};
  }
  for (const Work& work : dependencies.works())
    ends.origin_ns = std::min(ends.origin_ns, dependencies.StartOf(work));
  ReachForWork(dependencies, kNever, ends.end);
  return ends;
}

/// Adds up pieces of the path by step, kind and name.
class Sum {
 public:
  Sum(const Timeline& timeline, std::span<const Step> steps)
      : timeline_(timeline),
        steps_(steps),
        latest_((timeline.trace().strings.size() + 2) * kKindCount, kNone) {}

  void Add(std::int64_t from_ns, std::int64_t to_ns, Kind kind, Name name) {
    if (steps_.empty()) return AddTo(-1, kind, name, to_ns - from_ns);
    // Steps that overlap have each what lies in both.
    auto step = std::upper_bound(
        steps_.begin(), steps_.end(), from_ns,
        [](std::int64_t time, const Step& candidate) { return time < candidate.end_ns; });
    for (; step != steps_.end() && step->start_ns < to_ns; ++step) {
      const std::int64_t within = std::min(to_ns, step->end_ns) - std::max(from_ns, step->start_ns);
      if (within > 0)
        AddTo(static_cast<std::int32_t>(&*step - timeline_.steps().data()), kind, name, within);
    }
  }

  std::vector<Part> Parts() const {
    std::vector<Part> parts;
    for (const Total& total : totals_) {
      const auto kind = static_cast<Kind>(total.what % kKindCount);
      parts.push_back(
          {total.step, kind, NameOf(total.what / kKindCount), total.segments, total.ns});
    }
    std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
      return std::tuple(a.step, -a.duration_ns, a.kind, std::string_view(a.name)) <
             std::tuple(b.step, -b.duration_ns, b.kind, std::string_view(b.name));
    });
    return parts;
  }

 private:
  struct Total {
    std::int32_t step;
    std::size_t what;  ///< Name and kind.
    std::int64_t segments = 0, ns = 0;
  };
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  void AddTo(std::int32_t step, Kind kind, Name name, std::int64_t ns) {
    const std::size_t what = name * kKindCount + static_cast<std::size_t>(kind);
    // Pieces come thread by thread in order of time, so most are of the same step as the last.
    std::uint32_t& latest = latest_[what];
    if (latest == kNone || totals_[latest].step != step) {
      const auto [it, is_new] =
          index_.try_emplace({step, what}, static_cast<std::uint32_t>(totals_.size()));
      if (is_new) totals_.push_back({step, what});
      latest = it->second;
    }
    ++totals_[latest].segments;
    totals_[latest].ns += ns;
  }

  std::string NameOf(Name name) const {
    const trace::Trace& trace = timeline_.trace();
    if (name == BetweenOperators(trace)) return "(between operators)";
    if (name == NothingRecorded(trace)) return "(nothing recorded)";
    return std::string(trace.Text(static_cast<trace::StringId>(name)));
  }

  const Timeline& timeline_;
  const std::span<const Step> steps_;
  std::vector<Total> totals_;
  std::map<std::pair<std::int32_t, std::size_t>, std::uint32_t> index_;  ///< In totals_.
  std::vector<std::uint32_t> latest_;                                    ///< Of totals_, by what.
};

/// The segments of the path on one thread. They come backwards in time and mostly touch, so that
/// only where each starts is kept.
class HostPath {
 public:
  void AddBefore(std::int64_t start_ns, std::int64_t end_ns) {
    if (starts_ns_.empty() || starts_ns_.back() != end_ns)
      runs_.push_back({starts_ns_.size(), end_ns});
    starts_ns_.push_back(start_ns);
  }

  /// Calls `visit(start_ns, end_ns)` for each, in order of time.
  template <typename Visit>
  void ForEach(Visit visit) const {
    std::size_t after = starts_ns_.size();
    for (std::size_t run = runs_.size(); run-- > 0; after = runs_[run].first)
      for (std::size_t i = after; i-- > runs_[run].first;)
        visit(starts_ns_[i], i == runs_[run].first ? runs_[run].end_ns : starts_ns_[i - 1]);
  }

 private:
  /// Segments of which each touches the next.
  struct Run {
    std::size_t first;    ///< The latest one.
    std::int64_t end_ns;  ///< Of that.
  };
  trace::Column<std::int64_t> starts_ns_;
  trace::Column<Run> runs_;
};
using HostPaths = std::map<trace::TrackId, HostPath>;

/// The spans of a thread that ended.
std::vector<SpanId> SpansOf(const trace::Trace& trace, trace::TrackId thread) {
  const auto is_of_thread = [&](std::size_t i) {
    return trace.spans.track[i] == thread && trace.spans.duration_ns[i] >= 0;
  };
  std::size_t count = 0;
  for (std::size_t i = 0; i < trace.spans.size(); ++i) count += is_of_thread(i);
  std::vector<SpanId> spans;
  spans.reserve(count);
  for (std::size_t i = 0; i < trace.spans.size(); ++i)
    if (is_of_thread(i)) spans.push_back(static_cast<SpanId>(i + 1));
  return spans;
}

/// What a thread does while `span` is the innermost: kind and name.
std::pair<Kind, Name> MeaningOf(const trace::Trace& trace, SpanId span, bool in_step) {
  if (span == 0)
    return in_step ? std::pair(Kind::kHost, BetweenOperators(trace))
                   : std::pair(Kind::kGap, NothingRecorded(trace));
  const std::size_t row = span - 1;
  const Level level = trace.spans.level[row];
  const bool is_step =
      level == Level::kModel ||
      (level == Level::kApplication && trace.Text(trace.spans.type[row]) == trace::type::kStep);
  if (is_step) return {Kind::kHost, BetweenOperators(trace)};
  if (level == Level::kLibrary) {
    const Waiting waiting = WaitingOf(trace.Text(trace.spans.name[row]));
    if (waiting == Waiting::kDevice || waiting == Waiting::kStream || waiting == Waiting::kEvent)
      return {Kind::kSynchronisation, trace.spans.name[row]};
  }
  return {Kind::kHost, trace.spans.name[row]};
}

void AddHost(const Timeline& timeline, const HostPaths& paths, bool in_steps, Sum& sum) {
  const trace::Trace& trace = timeline.trace();
  for (const auto& [thread, path] : paths) {
    HostPieces pieces(trace, SpansOf(trace, thread));
    path.ForEach([&](std::int64_t start_ns, std::int64_t end_ns) {
      pieces.ForEach(start_ns, end_ns, [&](std::int64_t from, std::int64_t to, SpanId span) {
        const auto [kind, name] = MeaningOf(trace, span, in_steps);
        sum.Add(from, to, kind, name);
      });
    });
  }
}

/// Keeps the longest 100 of each step, which `parts` has together and sorted.
std::vector<Part> Bounded(std::vector<Part> parts) {
  constexpr std::size_t kMost = 100;
  std::vector<Part> bounded;
  for (auto first = parts.begin(); first != parts.end();) {
    const auto last = std::find_if(first, parts.end(),
                                   [&](const Part& part) { return part.step != first->step; });
    const std::int32_t step = first->step;
    std::array<Part, kKindCount> others;
    for (std::size_t at = 0; first != last; ++first, ++at) {
      if (at < kMost) {
        bounded.push_back(std::move(*first));
        continue;
      }
      Part& other = others[static_cast<std::size_t>(first->kind)];
      other.step = step;
      other.kind = first->kind;
      other.name = "(other names)";
      other.segments += first->segments;
      other.duration_ns += first->duration_ns;
    }
    std::copy_if(others.begin(), others.end(), std::back_inserter(bounded),
                 [](const Part& other) { return other.segments > 0; });
  }
  return bounded;
}

void AddRows(const Timeline& timeline, ExperimentRows& rows) {
  std::set<std::int64_t> ranks;
  for (const Device& device : timeline.devices()) ranks.insert(device.rank);
  for (const std::int64_t rank : ranks) {
    for (const Part& part : PartsOf(timeline, rank)) {
      rows.Add(store::CriticalPathRow{.run_id = rows.run_id(),
                                      .rank = ApplicableOrNull(rank),
                                      .step = ApplicableOrNull(timeline.NumberOf(part.step)),
                                      .kind = std::string(ToString(part.kind)),
                                      .name = part.name,
                                      .segments = part.segments,
                                      .duration_ns = part.duration_ns});
    }
  }
}

}  // namespace

std::vector<Part> PartsOf(const Timeline& timeline, std::int64_t rank) {
  const std::span<const Step> steps = timeline.StepsOf(rank);
  Sum sum(timeline, steps);
  HostPaths paths;
  {
    const Dependencies dependencies(timeline, rank);
    if (dependencies.works().empty()) return {};
    const Ends ends = EndsOf(timeline, dependencies, steps);
    WalkLongestPath(dependencies, ends.origin_ns, ends.end, [&](const Segment& segment) {
      if (segment.thread != kNoThread) {
        const auto thread = static_cast<std::size_t>(segment.thread);
        paths[dependencies.threads()[thread].track].AddBefore(segment.start_ns, segment.end_ns);
        return;
      }
      const Name name = segment.span == 0 ? NothingRecorded(timeline.trace())
                                          : timeline.trace().spans.name[segment.span - 1];
      sum.Add(segment.start_ns, segment.end_ns, segment.kind, name);
    });
  }
  AddHost(timeline, paths, !steps.empty(), sum);
  return Bounded(sum.Parts());
}

extern const TimelineSpec kSpec;
constinit const TimelineSpec kSpec = {
    .name = "critical_path",
    .summary = "The longest chain of dependent work of each step",
    .add_rows = AddRows,
};

}  // namespace xsp::timeline::critical_path
