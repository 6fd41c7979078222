#include "derive/timeline/idle/idle.h"

#include <algorithm>
#include <map>

#include "store/nullable.h"
#include "store/rows/idle_row.h"

namespace xsp::timeline::idle {
namespace {

/// A gap's cause, and how much of it is after the launch of the work that ends it.
struct Reason {
  Cause cause;
  std::int64_t launched_ns;
};

Reason ReasonOf(const Timeline& timeline, const DeviceSpan& next, std::int64_t gap_start_ns) {
  const trace::SpanId call = timeline.CallOf(next);
  if (call == 0) return {Cause::kUnknown, 0};
  const std::int64_t call_start_ns = timeline.trace().spans.start_ns[call - 1];
  // Where clocks disagree work starts before its launch.
  if (call_start_ns > gap_start_ns)
    return {Cause::kHost, std::max<std::int64_t>(next.start_ns - call_start_ns, 0)};
  const std::int64_t gap_ns = next.start_ns - gap_start_ns;
  if (gap_ns < kKernelBelowNs) return {Cause::kKernel, gap_ns};
  return {gap_ns < kLaunchBelowNs ? Cause::kLaunch : Cause::kOther, gap_ns};
}

/// Takes the work of one stream, or of all of a device, in order of start.
class Watch {
 public:
  /// The work that follows belongs to a window that starts now: before it nothing is counted.
  void Enter(const StepWindow& window) {
    if (window.start_ns <= end_ns_ && has_start_) return;
    end_ns_ = window.start_ns;
    has_start_ = true;
    last_ = 0;
  }

  void Next(const Timeline& timeline, const DeviceSpan& span) {
    if (has_start_ && span.start_ns > end_ns_) {
      const Reason reason = ReasonOf(timeline, span, end_ns_);
      const auto cause = static_cast<std::size_t>(reason.cause);
      Count(all_[cause], span, reason.launched_ns);
      if (span.step >= 0) Count(OfStep(span.step)[cause], span, reason.launched_ns);
    }
    if (!has_start_ || span.end_ns >= end_ns_) {
      end_ns_ = span.end_ns;
      last_ = span.span;
    }
    has_start_ = has_work_ = true;
  }

  void AddTo(trace::TrackId track, std::vector<Idle>& found) const {
    if (!has_work_) return;
    found.push_back({track, -1, all_});
    for (const auto& [step, gaps] : by_step_) found.push_back({track, step, gaps});
  }

 private:
  using ByCause = std::array<Gaps, kCauseCount>;

  void Count(Gaps& gaps, const DeviceSpan& next, std::int64_t launched_ns) const {
    const std::int64_t ns = next.start_ns - end_ns_;
    ++gaps.count;
    gaps.sum_ns += ns;
    gaps.launched_ns += launched_ns;
    if (ns <= gaps.longest_ns) return;
    gaps.longest_ns = ns;
    gaps.after = last_;
    gaps.before = next.span;
  }

  /// Work of one step mostly follows work of the same, so that the map is rarely asked.
  ByCause& OfStep(std::int32_t step) {
    if (step != step_) {
      step_ = step;
      gaps_of_step_ = &by_step_[step];
    }
    return *gaps_of_step_;
  }

  std::int64_t end_ns_ = 0;  ///< Of the last work, or the start of the window.
  bool has_start_ = false, has_work_ = false;
  trace::SpanId last_ = 0;  ///< The work that ended last; 0: none yet in this window.
  ByCause all_ = {};
  std::map<std::int32_t, ByCause> by_step_;
  std::int32_t step_ = -1;
  ByCause* gaps_of_step_ = nullptr;
};

void AddRows(const Timeline& timeline, ExperimentRows& rows) {
  const trace::Trace& trace = timeline.trace();
  for (const Device& device : timeline.devices()) {
    for (const Idle& idle : FindIdle(timeline, device)) {
      std::int64_t stream = trace::kNotApplicable;
      if (idle.track != 0) {
        stream = trace.tracks[idle.track - 1].stream;
        // NULL says "the device as a whole": a track without a number has no rows of its own.
        if (stream == trace::kNotApplicable) continue;
      }
      for (int cause = 0; cause < kCauseCount; ++cause) {
        const Gaps& gaps = idle.by_cause[static_cast<std::size_t>(cause)];
        if (gaps.count == 0) continue;
        rows.Add(store::IdleRow{.run_id = rows.run_id(),
                                .rank = ApplicableOrNull(device.rank),
                                .device = ApplicableOrNull(device.device),
                                .stream = ApplicableOrNull(stream),
                                .step = ApplicableOrNull(timeline.NumberOf(idle.step)),
                                .cause = std::string(ToString(static_cast<Cause>(cause))),
                                .gaps = gaps.count,
                                .idle_ns = gaps.sum_ns,
                                .launched_ns = gaps.launched_ns,
                                .longest_ns = gaps.longest_ns,
                                .after = gaps.after == 0
                                             ? std::nullopt
                                             : store::TextOrNull(timeline.NameOf(gaps.after)),
                                .before = store::TextOrNull(timeline.NameOf(gaps.before))});
      }
    }
  }
}

}  // namespace

std::string_view ToString(Cause cause) {
  constexpr std::array<std::string_view, kCauseCount> kNames = {"host", "kernel", "launch", "other",
                                                                "unknown"};
  return kNames[static_cast<std::size_t>(cause)];
}

std::vector<Idle> FindIdle(const Timeline& timeline, const Device& device) {
  Watch whole;
  std::vector<Watch> of_track(timeline.trace().tracks.size());
  std::size_t window = 0;
  for (const DeviceSpan& span : device.spans) {
    Watch& of_stream = of_track[timeline.trace().spans.track[span.span - 1] - 1];
    if (device.has_counted_calls) {
      while (window + 1 < device.windows.size() && device.windows[window].step < span.step)
        ++window;
      whole.Enter(device.windows[window]);
      of_stream.Enter(device.windows[window]);
    }
    whole.Next(timeline, span);
    of_stream.Next(timeline, span);
  }
  std::vector<Idle> found;
  whole.AddTo(0, found);
  for (std::size_t i = 0; i < of_track.size(); ++i)
    of_track[i].AddTo(static_cast<trace::TrackId>(i + 1), found);
  return found;
}

extern const TimelineSpec kSpec;
constinit const TimelineSpec kSpec = {
    .name = "idle",
    .summary = "Why devices and their streams did nothing between two pieces of work",
    .add_rows = AddRows,
};

}  // namespace xsp::timeline::idle
