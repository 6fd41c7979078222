#include "derive/timeline/launches/launches.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "store/rows/launch_row.h"

namespace xsp::timeline::launches {
namespace {

using trace::SpanId;

/// When one stream ran anything, built up in order of start.
class BusyTime {
 public:
  /// Of the time from `from` to `to`, how much ran work that was added. `to`: not before the start
  /// of the last that was added.
  std::int64_t Between(std::int64_t from, std::int64_t to) const {
    return from < to ? Until(to) - Until(from) : 0;
  }

  bool empty() const { return segments_.empty(); }
  std::int64_t end_ns() const { return segments_.back().end_ns; }

  void Add(std::int64_t start_ns, std::int64_t end_ns) {
    if (!empty() && start_ns <= segments_.back().end_ns) {
      segments_.back().end_ns = std::max(segments_.back().end_ns, end_ns);
    } else {
      const std::int64_t before = empty() ? 0 : segments_.back().BusyAt(this->end_ns());
      segments_.push_back({start_ns, end_ns, before});
    }
  }

 private:
  struct Segment {
    std::int64_t start_ns, end_ns;
    std::int64_t before_ns;  ///< Busy time of all segments before.
    std::int64_t BusyAt(std::int64_t time_ns) const {
      return before_ns + std::clamp<std::int64_t>(time_ns - start_ns, 0, end_ns - start_ns);
    }
  };

  /// Asked for times near the end mostly: looks back in doubling steps.
  std::int64_t Until(std::int64_t time_ns) const {
    std::size_t back = 1;
    while (back < segments_.size() && segments_[segments_.size() - back].start_ns > time_ns)
      back *= 2;
    const auto first = back < segments_.size() ? segments_.end() - static_cast<std::ptrdiff_t>(back)
                                               : segments_.begin();
    const auto after =
        std::upper_bound(first, segments_.end(), time_ns,
                         [](std::int64_t time, const Segment& s) { return time < s.start_ns; });
    return after == segments_.begin() ? 0 : (after - 1)->BusyAt(time_ns);
  }

  std::vector<Segment> segments_;
};

/// The executions of one name and type, as they are found.
struct Group {
  Launches sums;
  double call_ns = 0, latency_ns = 0;  ///< Sums.
  std::vector<std::int64_t> latencies;
};

/// Where the smallest value stands that at least `share` of `number` do not exceed (nearest rank).
std::ptrdiff_t RankOf(double share, std::size_t number) {
  const auto rank =
      static_cast<std::ptrdiff_t>(std::ceil(share * static_cast<double>(number) - 1e-9));
  return std::max<std::ptrdiff_t>(rank - 1, 0);
}

class Search {
 public:
  Search(const Timeline& timeline, const Device& device)
      : timeline_(timeline),
        device_(device),
        spans_(timeline.trace().spans),
        streams_(timeline.trace().tracks.size()),
        launched_by_(spans_.size()),
        group_of_name_(timeline.trace().strings.size()),
        busy_until_ns_(device.start_ns) {}

  std::vector<Launches> Run() {
    for (const DeviceSpan& span : device_.spans)
      if (const SpanId call = timeline_.CallOf(span); call != 0) ++launched_by_[call - 1];
    for (const DeviceSpan& span : device_.spans) {
      BusyTime& stream = streams_[spans_.track[span.span - 1] - 1];
      Take(span, stream, GroupOf(span.span));
      stream.Add(span.start_ns, span.end_ns);
      busy_until_ns_ = std::max(busy_until_ns_, span.end_ns);
    }
    std::vector<Launches> found;
    found.reserve(groups_.size());
    for (Group& group : groups_) found.push_back(Finish(group));
    return found;
  }

 private:
  Group& GroupOf(SpanId span) {
    const trace::StringId type = spans_.type[span - 1], name = spans_.name[span - 1];
    // A name has one type nearly always: the last one's group is found without a search.
    std::uint32_t& last = group_of_name_[name];
    if (last != 0 && spans_.type[groups_[last - 1].sums.example - 1] == type)
      return groups_[last - 1];
    const auto [it, is_new] = index_.try_emplace({name, type}, groups_.size());
    if (is_new) groups_.emplace_back().sums.example = span;
    last = static_cast<std::uint32_t>(it->second + 1);
    return groups_[it->second];
  }

  void Take(const DeviceSpan& span, const BusyTime& stream, Group& group) const {
    Launches& sums = group.sums;
    const std::int64_t duration = span.end_ns - span.start_ns;
    sums.device_ns += duration;
    if (duration < kBriefBelowNs) {
      ++sums.brief;
      sums.brief_ns += duration;
    }
    const SpanId call = timeline_.CallOf(span);
    if (call == 0) {
      ++sums.unlaunched;
      return;
    }
    ++sums.launched;
    const std::int64_t call_start = spans_.start_ns[call - 1];
    const std::int64_t call_duration = std::max<std::int64_t>(spans_.duration_ns[call - 1], 0);
    const std::int64_t number = launched_by_[call - 1];
    group.call_ns += static_cast<double>(call_duration) / static_cast<double>(number);
    if (duration * number < call_duration) ++sums.shorter;

    const std::int64_t latency = span.start_ns - call_start;
    if (latency < 0) ++sums.negative;
    group.latencies.push_back(latency);
    group.latency_ns += static_cast<double>(latency);

    if (span.start_ns > busy_until_ns_ && call_start > busy_until_ns_) {
      ++sums.late;
      sums.late_ns += span.start_ns - busy_until_ns_;
    }
    const std::int64_t returned = call_start + call_duration;
    if (returned >= span.start_ns) return;
    const std::int64_t queued = stream.Between(returned, span.start_ns);
    sums.queued_ns += queued;
    sums.waited_ns += span.start_ns - returned - queued;
  }

  static Launches Finish(Group& group) {
    Launches& sums = group.sums;
    sums.call_ns = std::llround(group.call_ns);
    if (sums.launched == 0) return sums;
    sums.latency_mean_ns = group.latency_ns / static_cast<double>(sums.launched);
    const auto first = group.latencies.begin(), last = group.latencies.end();
    const auto median = first + RankOf(0.5, group.latencies.size());
    const auto percentile = first + RankOf(0.95, group.latencies.size());
    std::nth_element(first, median, last);
    sums.latency_p50_ns = *median;
    sums.latency_min_ns = *std::min_element(first, median + 1);
    std::nth_element(median, percentile, last);
    sums.latency_p95_ns = *percentile;
    sums.latency_max_ns = *std::max_element(percentile, last);
    return sums;
  }

  const Timeline& timeline_;
  const Device& device_;
  const trace::SpanTable& spans_;
  std::vector<BusyTime> streams_;             ///< By track.
  std::vector<std::uint32_t> launched_by_;    ///< By span: executions on this device.
  std::vector<std::uint32_t> group_of_name_;  ///< 1-based; 0: none yet.
  std::map<std::pair<trace::StringId, trace::StringId>, std::size_t> index_;
  std::vector<Group> groups_;
  std::int64_t busy_until_ns_;  ///< The last end of all work so far.
};

void AddRows(const Timeline& timeline, ExperimentRows& rows) {
  for (const Device& device : timeline.devices()) {
    for (const Launches& found : FindLaunches(timeline, device)) {
      const auto if_launched = [&](auto value) {
        return found.launched > 0 ? std::optional(value) : std::nullopt;
      };
      const trace::Trace& trace = timeline.trace();
      rows.Add(
          store::LaunchRow{.run_id = rows.run_id(),
                           .rank = ApplicableOrNull(device.rank),
                           .device = ApplicableOrNull(device.device),
                           .name = std::string(timeline.NameOf(found.example)),
                           .type = std::string(trace.Text(trace.spans.type[found.example - 1])),
                           .launches = found.launched,
                           .unlaunched = found.unlaunched,
                           .short_ = found.shorter,
                           .negative = found.negative,
                           .late = found.late,
                           .late_ns = found.late_ns,
                           .brief = found.brief,
                           .brief_ns = found.brief_ns,
                           .call_ns = found.call_ns,
                           .device_ns = found.device_ns,
                           .latency_mean_ns = if_launched(found.latency_mean_ns),
                           .latency_min_ns = if_launched(found.latency_min_ns),
                           .latency_p50_ns = if_launched(found.latency_p50_ns),
                           .latency_p95_ns = if_launched(found.latency_p95_ns),
                           .latency_max_ns = if_launched(found.latency_max_ns),
                           .queued_ns = found.queued_ns,
                           .waited_ns = found.waited_ns});
    }
  }
}

}  // namespace

std::vector<Launches> FindLaunches(const Timeline& timeline, const Device& device) {
  return Search(timeline, device).Run();
}

extern const TimelineSpec kSpec;
constinit const TimelineSpec kSpec = {
    .name = "launches",
    .summary = "From launch to execution, by kernel name",
    .add_rows = AddRows,
};

}  // namespace xsp::timeline::launches
