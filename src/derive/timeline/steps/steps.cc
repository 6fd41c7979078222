#include "derive/timeline/steps/steps.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "core/statistics.h"
#include "derive/timeline/key_index.h"
#include "derive/timeline/parents_first.h"
#include "store/nullable.h"
#include "store/rows/step_row.h"

namespace xsp::timeline::steps {
namespace {

using trace::Level;
using trace::SpanId;

bool Waits(std::string_view call) {
  // cudaDeviceSynchronize, hipStreamSynchronize, cuCtxSynchronize, cudaEventSynchronize_ptsz, ...
  return call.find("Synchronize") != std::string_view::npos;
}

/// Which step a moment on the host lies in. Neighbouring spans mostly lie in the same one.
class StepFinder {
 public:
  explicit StepFinder(const Timeline& timeline) : timeline_(timeline) {}

  /// Index into Timeline::steps(); -1: between steps.
  std::int32_t At(std::int64_t rank, std::int64_t time_ns) {
    if (last_ >= 0) {
      const Step& step = timeline_.steps()[static_cast<std::size_t>(last_)];
      if (step.rank == rank && step.start_ns <= time_ns && time_ns < step.end_ns) return last_;
    }
    const std::span<const Step> steps = timeline_.StepsOf(rank);
    const auto after =
        std::upper_bound(steps.begin(), steps.end(), time_ns,
                         [](std::int64_t time, const Step& step) { return time < step.start_ns; });
    if (after == steps.begin() || time_ns >= (after - 1)->end_ns) return -1;
    last_ = static_cast<std::int32_t>(&*(after - 1) - timeline_.steps().data());
    return last_;
  }

 private:
  const Timeline& timeline_;
  std::int32_t last_ = -1;
};

/// Sums of time by step and name.
class TimeByName {
 public:
  enum Kind : std::uint32_t { kHost, kDevice, kWait, kStep };

  void Add(std::int32_t step, Kind kind, trace::StringId name, std::int64_t ns) {
    const std::uint32_t number = names_.Of((std::uint64_t{kind} << 32) | name);
    const std::uint32_t at =
        pairs_.Of((std::uint64_t{number} << 32) | static_cast<std::uint32_t>(step));
    if (at == ns_.size()) ns_.push_back(0);
    ns_[at] += ns;
  }

  struct Entry {
    std::uint32_t name;  ///< Number for the functions below.
    std::int32_t step;
    std::int64_t ns;
  };
  /// By name, then step.
  std::vector<Entry> Sorted() const {
    std::vector<Entry> entries;
    for (std::uint32_t i = 0; i < ns_.size(); ++i)
      entries.push_back({static_cast<std::uint32_t>(pairs_.key(i) >> 32),
                         static_cast<std::int32_t>(pairs_.key(i)), ns_[i]});
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
      return std::tie(a.name, a.step) < std::tie(b.name, b.step);
    });
    return entries;
  }
  Kind KindOf(std::uint32_t name) const { return static_cast<Kind>(names_.key(name) >> 32); }
  trace::StringId StringOf(std::uint32_t name) const {
    return static_cast<trace::StringId>(names_.key(name));
  }

 private:
  KeyIndex names_, pairs_;
  std::vector<std::int64_t> ns_;
};

double MedianWithZeros(std::vector<double> values, std::size_t count) {
  values.resize(count, 0.0);
  return core::Median(values);
}

class Counting {
 public:
  explicit Counting(const Timeline& timeline)
      : timeline_(timeline), trace_(timeline.trace()), work_(timeline.steps().size()) {}

  std::vector<StepWork> Count() {
    if (work_.empty()) return {};
    FindSlow();
    CountHost();
    for (const Device& device : timeline_.devices()) CountDevice(device);
    CountBusy();
    if (any_slow_) FindChanges();
    return std::move(work_);
  }

 private:
  StepWork& WorkOf(std::int32_t step) { return work_[static_cast<std::size_t>(step)]; }

  template <typename Visit>  // (first index, steps of the rank)
  void ForEachRank(Visit visit) {
    const std::span<const Step> steps = timeline_.steps();
    for (std::size_t i = 0; i < steps.size();) {
      const std::span<const Step> of_rank = timeline_.StepsOf(steps[i].rank);
      visit(i, of_rank);
      i += of_rank.size();
    }
  }

  void FindSlow() {
    ForEachRank([&](std::size_t first, std::span<const Step> steps) {
      std::vector<double> durations, deviations;
      for (const Step& step : steps)
        durations.push_back(static_cast<double>(step.end_ns - step.start_ns));
      const double median = core::Median(durations);
      for (const double duration : durations) deviations.push_back(std::abs(duration - median));
      const double limit = std::max(1.1 * median, median + 3 * core::Median(deviations));
      for (std::size_t i = 0; i < steps.size(); ++i) {
        work_[first + i].is_slow = durations[i] > limit;
        any_slow_ = any_slow_ || work_[first + i].is_slow;
      }
    });
  }

  /// A host span whose own time counts under its name.
  bool Counts(std::size_t row) const {
    const trace::SpanTable& spans = trace_.spans;
    if (spans.level[row] == Level::kApplication)
      return trace_.Text(spans.type[row]) != trace::type::kPython;
    if (spans.level[row] != Level::kLayer) return true;
    const std::string_view type = trace_.Text(spans.type[row]);
    return type != trace::type::kModule && type != trace::type::kFunction;
  }

  void CountHost() {
    const trace::SpanTable& spans = trace_.spans;
    std::vector<bool> on_host;
    for (const trace::Track& track : trace_.tracks)
      on_host.push_back(OnThread(track) && !track.is_reference);
    // The nearest span around that counts, on the same thread; a call that waits around.
    std::vector<SpanId> around(spans.size() + 1, 0);
    std::vector<bool> waits(spans.size() + 1, false);
    StepFinder finder(timeline_);
    VisitParentsFirst(trace_, [&](SpanId span) {
      const std::size_t row = span - 1;
      if (!on_host[spans.track[row] - 1]) return;
      const SpanId parent = spans.parent[row];
      const bool same_thread = parent != 0 && spans.track[parent - 1] == spans.track[row];
      const SpanId above = same_thread ? around[parent] : 0;
      const bool counts = Counts(row) && spans.duration_ns[row] >= 0;
      around[span] = counts ? span : above;
      if (same_thread && waits[parent]) waits[span] = true;
      if (!counts) return;
      AddHostSpan(span, above, waits, finder);
    });
  }

  void AddHostSpan(SpanId span, SpanId above, std::vector<bool>& waits, StepFinder& finder) {
    const trace::SpanTable& spans = trace_.spans;
    const std::size_t row = span - 1;
    const std::int64_t rank = timeline_.TrackOf(span).rank;
    const std::int32_t step = finder.At(rank, spans.start_ns[row]);
    const std::int64_t duration_ns = spans.duration_ns[row];
    const bool is_wait = spans.level[row] == Level::kLibrary && Waits(timeline_.NameOf(span));
    if (step >= 0) {
      StepWork& work = WorkOf(step);
      work.operators += spans.level[row] == Level::kLayer;
      work.kernels += spans.level[row] == Level::kKernel;
      if (spans.level[row] == Level::kKernel) work.kernel_ns += duration_ns;
      if (is_wait && !waits[span]) work.synchronisation_ns += duration_ns;
      if (any_slow_) times_.Add(step, KindOf(span, step, is_wait), NameIn(span, step), duration_ns);
    }
    if (is_wait) waits[span] = true;
    if (!any_slow_ || above == 0) return;
    const std::int32_t step_above = finder.At(rank, spans.start_ns[above - 1]);
    if (step_above < 0) return;
    const bool wait_above =
        spans.level[above - 1] == Level::kLibrary && Waits(timeline_.NameOf(above));
    times_.Add(step_above, KindOf(above, step_above, wait_above), NameIn(above, step_above),
               -duration_ns);
  }

  bool IsStep(SpanId span, std::int32_t step) const {
    return timeline_.steps()[static_cast<std::size_t>(step)].span == span;
  }
  TimeByName::Kind KindOf(SpanId span, std::int32_t step, bool is_wait) const {
    if (IsStep(span, step)) return TimeByName::kStep;
    return is_wait ? TimeByName::kWait : TimeByName::kHost;
  }
  trace::StringId NameIn(SpanId span, std::int32_t step) const {
    return IsStep(span, step) ? 0 : trace_.spans.name[span - 1];
  }

  void CountDevice(const Device& device) {
    std::vector<std::pair<std::int32_t, SpanId>> launches;
    for (const DeviceSpan& span : device.spans) {
      if (span.step < 0) continue;
      StepWork& work = WorkOf(span.step);
      const std::int64_t duration_ns = span.end_ns - span.start_ns;
      busy_.push_back({span.step, span.start_ns, span.end_ns});
      if (any_slow_)
        times_.Add(span.step, TimeByName::kDevice, trace_.spans.name[span.span - 1], duration_ns);
      if (span.activity == Activity::kCopy) {
        ++work.copies;
        continue;
      }
      ++work.kernels;
      work.kernel_ns += duration_ns;
      if (span.launch != 0) launches.emplace_back(span.step, span.launch);
    }
    // The kernels of a replayed graph have one.
    std::sort(launches.begin(), launches.end());
    launches.erase(std::unique(launches.begin(), launches.end()), launches.end());
    for (const auto& [step, launch] : launches) ++WorkOf(step).launches;
    for (const Step& step : timeline_.StepsOf(device.rank)) {
      StepWork& work = work_[static_cast<std::size_t>(&step - timeline_.steps().data())];
      work.busy_ns = std::max<std::int64_t>(work.busy_ns, 0);
    }
  }

  void CountBusy() {
    std::sort(busy_.begin(), busy_.end());
    std::int32_t step = -1;
    std::int64_t until_ns = 0;
    for (const auto& [of, start_ns, end_ns] : busy_) {
      if (of != step) until_ns = start_ns;
      step = of;
      WorkOf(step).busy_ns += std::max<std::int64_t>(0, end_ns - std::max(start_ns, until_ns));
      until_ns = std::max(until_ns, end_ns);
    }
  }

  void FindChanges() {
    struct Growth {
      double ns = 0;
      std::uint32_t name = 0;
    };
    std::vector<Growth> wait(work_.size()), other(work_.size());
    const std::vector<TimeByName::Entry> entries = times_.Sorted();
    const std::span<const Step> steps = timeline_.steps();
    for (auto first = entries.begin(); first != entries.end();) {
      // The steps of one rank are next to each other.
      const std::span<const Step> of_rank =
          timeline_.StepsOf(steps[static_cast<std::size_t>(first->step)].rank);
      const auto end_of_rank =
          static_cast<std::int32_t>(of_rank.data() + of_rank.size() - steps.data());
      const auto last = std::find_if(first, entries.end(), [&](const TimeByName::Entry& entry) {
        return entry.name != first->name || entry.step >= end_of_rank;
      });
      std::vector<double> values;
      for (auto entry = first; entry != last; ++entry)
        values.push_back(static_cast<double>(entry->ns));
      const double median = MedianWithZeros(std::move(values), of_rank.size());
      auto& growths = times_.KindOf(first->name) == TimeByName::kWait ? wait : other;
      for (; first != last; ++first) {
        Growth& growth = growths[static_cast<std::size_t>(first->step)];
        const double grown = static_cast<double>(first->ns) - median;
        if (grown > growth.ns) growth = {grown, first->name};
      }
    }
    for (std::size_t i = 0; i < work_.size(); ++i) {
      if (!work_[i].is_slow) continue;
      const Growth& most = other[i].ns >= wait[i].ns / 2 ? other[i] : wait[i];
      if (most.ns <= 0) continue;
      work_[i].changed = times_.KindOf(most.name) == TimeByName::kStep
                             ? std::string(kOutside)
                             : std::string(trace_.Text(times_.StringOf(most.name)));
      work_[i].changed_ns = std::llround(most.ns);
    }
  }

  const Timeline& timeline_;
  const trace::Trace& trace_;
  std::vector<StepWork> work_;
  std::vector<std::tuple<std::int32_t, std::int64_t, std::int64_t>> busy_;
  TimeByName times_;
  bool any_slow_ = false;
};

void AddRows(const Timeline& timeline, ExperimentRows& rows) {
  const std::vector<StepWork> works = WorkOfSteps(timeline);
  for (std::size_t i = 0; i < works.size(); ++i) {
    const Step& step = timeline.steps()[i];
    const StepWork& work = works[i];
    rows.Add(store::StepRow{
        .run_id = rows.run_id(),
        .rank = ApplicableOrNull(step.rank),
        .step = step.number,
        .name = std::string(timeline.NameOf(step.span)),
        .start_ns = step.start_ns,
        .duration_ns = step.end_ns - step.start_ns,
        .busy_ns = work.busy_ns < 0 ? std::nullopt : std::optional(work.busy_ns),
        .kernel_ns = work.kernel_ns,
        .kernels = work.kernels,
        .launches = work.launches,
        .copies = work.copies,
        .synchronisation_ns = work.synchronisation_ns,
        .operators = work.operators,
        .is_slow = work.is_slow,
        .changed = store::TextOrNull(work.changed),
        .changed_ns = work.changed.empty() ? std::nullopt : std::optional(work.changed_ns)});
  }
}

}  // namespace

std::vector<StepWork> WorkOfSteps(const Timeline& timeline) { return Counting(timeline).Count(); }

extern const TimelineSpec kSpec;
constinit const TimelineSpec kSpec = {
    .name = "steps",
    .summary = "What each step did, and what took longer in the slow ones",
    .add_rows = AddRows,
};

}  // namespace xsp::timeline::steps
