#ifndef XSP_DERIVE_TIMELINE_TIMELINE_H_
#define XSP_DERIVE_TIMELINE_TIMELINE_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "derive/timeline/activity.h"
#include "derive/timeline/experiment_rows.h"
#include "trace/trace.h"

namespace xsp::timeline {

/// A step of one rank: a profiler step; where a trace has none, a model call.
struct Step {
  trace::SpanId span = 0;
  std::int64_t rank = trace::kNotApplicable;
  std::int64_t number = 0;  ///< The N of "ProfilerStep#N", a call's iteration, else its position.
  std::int64_t start_ns = 0, end_ns = 0;  ///< On the host.
};

/// A kernel, copy or set on a device.
struct DeviceSpan {
  std::int64_t start_ns = 0, end_ns = 0;
  trace::SpanId span = 0;
  /// The call, else the operator, on a host thread that started it; 0: not in the trace. Of a
  /// replayed graph's kernel: the call that replayed it.
  trace::SpanId launch = 0;
  std::int32_t step = -1;  ///< Index into Timeline::steps(); -1: started before the first step.
  Activity activity = Activity::kCompute;
};

/// The part of a device's time that belongs to one step: from the first start of work that the step
/// launched to the first start of work that a later step launched (the last: to the end of the
/// device's work), without gaps; of counted calls (Device::has_counted_calls) from the start of the
/// call on the host to the end of its work. Windows do not overlap.
struct StepWindow {
  std::int32_t step = -1;  ///< Index into Timeline::steps().
  std::int64_t start_ns = 0, end_ns = 0;
};

struct Device {
  std::int64_t rank = trace::kNotApplicable;
  std::int64_t device = trace::kNotApplicable;
  trace::Column<DeviceSpan> spans;        ///< By start, then end. Not empty.
  std::vector<StepWindow> windows;        ///< In order of time. Empty: the rank has no steps.
  std::int64_t start_ns = 0, end_ns = 0;  ///< From the first start to the last end.
  /// A run of ours, which numbers the calls that count: only their work is here, and the device's
  /// time is that of the windows. Between them other calls ran, whose kernels were not recorded.
  bool has_counted_calls = false;
};

/// Whether spans of a track are work of a host thread, or of a device.
bool OnThread(const trace::Track& track);
bool OnDevice(const trace::Track& track);

/// What several tables need of a correlated trace, found once: devices, their work, steps.
///
/// Reference tracks are left out, and spans that never ended. A piece of work is of the last step
/// that started at or before its launch; without a launch, of the window in which it started. Where
/// calls are counted, it is of the call in which its launch (without one: itself) started, and left
/// out if there is none.
/// Building it is O(n log n) in device spans, O(n) in all others; 40 bytes a device span. Borrows
/// the trace. Threading: read-only once built.
class Timeline {
 public:
  explicit Timeline(const trace::Trace& trace);

  const trace::Trace& trace() const { return trace_; }

  std::span<const Device> devices() const { return devices_; }  ///< By rank, then device.
  std::span<const Step> steps() const { return steps_; }        ///< By rank, then start.
  /// Those of one rank.
  std::span<const Step> StepsOf(std::int64_t rank) const;

  /// Model calls that do not count as steps, by id: of our own recordings warm-up and comparison.
  std::span<const trace::SpanId> uncounted_calls() const { return uncounted_calls_; }

  /// The number of a step by its index; trace::kNotApplicable for -1.
  std::int64_t NumberOf(std::int32_t step) const {
    return step < 0 ? trace::kNotApplicable : steps_[static_cast<std::size_t>(step)].number;
  }

  /// The call that launched it; 0: not in the trace, or an operator is all that is known.
  trace::SpanId CallOf(const DeviceSpan& span) const {
    const bool is_call =
        span.launch != 0 && trace_.spans.level[span.launch - 1] == trace::Level::kLibrary;
    return is_call ? span.launch : 0;
  }
  const trace::Track& TrackOf(trace::SpanId span) const {
    return trace_.tracks[trace_.spans.track[span - 1] - 1];
  }
  std::string_view NameOf(trace::SpanId span) const {
    return trace_.Text(trace_.spans.name[span - 1]);
  }

 private:
  void FindSteps();
  void FindDevices();
  void FindWindows(Device& device);
  void KeepCountedCalls(Device& device);
  trace::SpanId LaunchOf(trace::SpanId span) const;
  std::int32_t StepAt(std::int64_t rank, std::int64_t time_ns) const;

  const trace::Trace& trace_;
  std::vector<Step> steps_;
  bool has_counted_calls_ = false;
  std::vector<trace::SpanId> uncounted_calls_;
  std::vector<Device> devices_;
};

/// Adds rows of one or more experiment tables: what happened when, told by an algorithm rather than
/// by SQL. One folder each under src/derive/timeline/.
struct TimelineSpec {
  std::string_view name;     ///< The folder's name.
  std::string_view summary;  ///< One line, no full stop.
  /// Rows are bounded: by steps, names and devices, never by spans.
  void (*add_rows)(const Timeline& timeline, ExperimentRows& rows);
};

/// Every family of timeline tables of this build, by folder name. Generated
/// (cmake/XspModule.cmake).
std::span<const TimelineSpec* const> AllTimelines();

}  // namespace xsp::timeline

namespace xsp {
using timeline::TimelineSpec;
}  // namespace xsp

#endif  // XSP_DERIVE_TIMELINE_TIMELINE_H_
