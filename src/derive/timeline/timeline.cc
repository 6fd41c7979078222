#include "derive/timeline/timeline.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "derive/timeline/replay_launches.h"
#include "trace/kind_time.h"

namespace xsp::timeline {
namespace {

using trace::Level;
using trace::SpanId;
using trace::TrackKind;

/// The N of "ProfilerStep#N"; -1: the name ends in no number.
std::int64_t NumberIn(std::string_view name) {
  const std::size_t at = name.rfind('#');
  std::int64_t number = -1;
  if (at == std::string_view::npos) return number;
  const auto read = std::from_chars(name.data() + at + 1, name.data() + name.size(), number);
  return read.ec == std::errc() && read.ptr == name.data() + name.size() ? number : -1;
}

/// The iterations that our own recordings write on model calls.
std::map<SpanId, std::int64_t> Iterations(const trace::Trace& trace) {
  std::map<SpanId, std::int64_t> iterations;
  for (std::size_t i = 0; i < trace.metrics.size(); ++i)
    if (trace.Text(trace.metrics.name[i]) == trace::metric::kIteration)
      iterations[trace.metrics.span[i]] = static_cast<std::int64_t>(trace.metrics.value[i]);
  return iterations;
}

/// Sorts by rank and time, leaves out steps inside steps, and numbers those that have no number.
void Arrange(std::vector<Step>& steps) {
  std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) {
    return std::tuple(a.rank, a.start_ns, -a.end_ns, a.span) <
           std::tuple(b.rank, b.start_ns, -b.end_ns, b.span);
  });
  std::size_t kept = 0;
  std::int64_t position = 0;
  for (const Step& step : steps) {
    const bool same_rank = kept > 0 && steps[kept - 1].rank == step.rank;
    if (same_rank && step.end_ns <= steps[kept - 1].end_ns) continue;
    position = same_rank ? position + 1 : 0;
    steps[kept] = step;
    if (steps[kept].number < 0) steps[kept].number = position;
    ++kept;
  }
  steps.resize(kept);
}

/// Model calls of several kinds (type and name), such as training steps and evaluations: those that
/// took most time (trace::KindTime) are the steps. As match::FindCalls has it.
void KeepKindWithMostTime(const trace::Trace& trace, std::vector<Step>& calls) {
  using Kind = std::pair<trace::StringId, trace::StringId>;
  const auto kind_of = [&](const Step& call) {
    return Kind{trace.spans.type[call.span - 1], trace.spans.name[call.span - 1]};
  };
  std::map<Kind, trace::KindTime> times;
  for (const Step& call : calls) times[kind_of(call)].Add(call.end_ns - call.start_ns);
  const auto most = std::max_element(times.begin(), times.end(), [](const auto& a, const auto& b) {
    return a.second.total_ns() < b.second.total_ns();
  });
  std::erase_if(calls, [&](const Step& call) { return kind_of(call) != most->first; });
}

}  // namespace

bool OnThread(const trace::Track& track) {
  return track.kind == TrackKind::kThread || track.kind == TrackKind::kProcess;
}

bool OnDevice(const trace::Track& track) {
  return track.kind == TrackKind::kStream || track.kind == TrackKind::kDevice ||
         track.kind == TrackKind::kEngine;
}

Timeline::Timeline(const trace::Trace& trace) : trace_(trace) {
  FindSteps();
  FindDevices();
}

void Timeline::FindSteps() {
  const trace::SpanTable& spans = trace_.spans;
  std::vector<Step> calls;
  std::vector<SpanId> call_ids;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const bool can_be = spans.level[i] == Level::kApplication || spans.level[i] == Level::kModel;
    if (!can_be || spans.duration_ns[i] < 0) continue;
    const trace::Track& track = trace_.tracks[spans.track[i] - 1];
    if (!OnThread(track) || track.is_reference) continue;
    const Step step = {static_cast<SpanId>(i + 1), track.rank, -1, spans.start_ns[i],
                       spans.start_ns[i] + spans.duration_ns[i]};
    if (spans.level[i] == Level::kModel) {
      calls.push_back(step);
    } else if (trace_.Text(spans.type[i]) == trace::type::kStep) {
      steps_.push_back(step);
      steps_.back().number = NumberIn(trace_.Text(spans.name[i]));
    }
  }
  if (steps_.empty() && !calls.empty()) {
    // Of our own calls those that count: warm-up has a negative iteration, comparison none.
    const std::map<SpanId, std::int64_t> iterations = Iterations(trace_);
    has_counted_calls_ = !iterations.empty();
    if (iterations.empty()) KeepKindWithMostTime(trace_, calls);
    for (Step& call : calls) {
      const auto it = iterations.find(call.span);
      if (!iterations.empty() && (it == iterations.end() || it->second < 0)) {
        uncounted_calls_.push_back(call.span);
        continue;
      }
      if (it != iterations.end()) call.number = it->second;
      steps_.push_back(call);
    }
  }
  Arrange(steps_);
}

std::span<const Step> Timeline::StepsOf(std::int64_t rank) const {
  const auto [first, last] =
      std::equal_range(steps_.begin(), steps_.end(), Step{0, rank, 0, 0, 0},
                       [](const Step& a, const Step& b) { return a.rank < b.rank; });
  return {first, last};
}

SpanId Timeline::LaunchOf(SpanId span) const {
  const trace::SpanTable& spans = trace_.spans;
  // Parents have no circles after correlation; a damaged run that was read back may.
  int most = 1000;
  for (SpanId at = spans.parent[span - 1]; at != 0 && most > 0; at = spans.parent[at - 1], --most)
    if (OnThread(TrackOf(at))) return at;
  return 0;
}

std::int32_t Timeline::StepAt(std::int64_t rank, std::int64_t time_ns) const {
  const std::span<const Step> steps = StepsOf(rank);
  const auto after =
      std::upper_bound(steps.begin(), steps.end(), time_ns,
                       [](std::int64_t time, const Step& step) { return time < step.start_ns; });
  if (after == steps.begin()) return -1;
  return static_cast<std::int32_t>(&*(after - 1) - steps_.data());
}

void Timeline::FindDevices() {
  const trace::SpanTable& spans = trace_.spans;
  std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> index;
  std::vector<std::size_t> device_of_track(trace_.tracks.size(),
                                           std::numeric_limits<std::size_t>::max());
  std::vector<std::uint8_t> activity_of(trace_.strings.size(), kActivityCount);
  const ReplayLaunches replay_launches(trace_);
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (spans.level[i] != Level::kKernel || spans.duration_ns[i] < 0) continue;
    const std::size_t track_row = spans.track[i] - 1;
    const trace::Track& track = trace_.tracks[track_row];
    if (!OnDevice(track) || track.is_reference) continue;
    std::size_t& device = device_of_track[track_row];
    if (device == std::numeric_limits<std::size_t>::max()) {
      const auto [it, is_new] = index.try_emplace({track.rank, track.device}, devices_.size());
      if (is_new) devices_.push_back({track.rank, track.device, {}, {}, 0, 0});
      device = it->second;
    }
    const std::string_view type = trace_.Text(spans.type[i]);
    const bool copies = type == trace::type::kMemcpy || type == trace::type::kMemset;
    std::uint8_t& by_name = activity_of[spans.name[i]];
    if (!copies && by_name == kActivityCount)
      by_name = static_cast<std::uint8_t>(ActivityOf(type, trace_.Text(spans.name[i])));
    const auto span = static_cast<SpanId>(i + 1);
    const SpanId replayed_by = replay_launches.Of(span);
    devices_[device].spans.push_back({spans.start_ns[i], spans.start_ns[i] + spans.duration_ns[i],
                                      span, replayed_by != 0 ? replayed_by : LaunchOf(span), -1,
                                      copies ? Activity::kCopy : static_cast<Activity>(by_name)});
  }
  std::sort(devices_.begin(), devices_.end(), [](const Device& a, const Device& b) {
    return std::tie(a.rank, a.device) < std::tie(b.rank, b.device);
  });
  for (Device& device : devices_) {
    std::sort(
        device.spans.begin(), device.spans.end(), [](const DeviceSpan& a, const DeviceSpan& b) {
          return std::tie(a.start_ns, a.end_ns, a.span) < std::tie(b.start_ns, b.end_ns, b.span);
        });
    if (has_counted_calls_) {
      KeepCountedCalls(device);
      continue;
    }
    device.start_ns = device.spans.front().start_ns;
    device.end_ns = device.start_ns;
    for (DeviceSpan& span : device.spans) {
      device.end_ns = std::max(device.end_ns, span.end_ns);
      if (span.launch != 0) span.step = StepAt(device.rank, trace_.spans.start_ns[span.launch - 1]);
    }
    FindWindows(device);
  }
  std::erase_if(devices_, [](const Device& device) { return device.spans.empty(); });
}

void Timeline::KeepCountedCalls(Device& device) {
  device.has_counted_calls = true;
  std::vector<std::int64_t> ends(steps_.size(), std::numeric_limits<std::int64_t>::min());
  std::size_t kept = 0;
  for (DeviceSpan span : device.spans) {
    const std::int64_t at =
        span.launch != 0 ? trace_.spans.start_ns[span.launch - 1] : span.start_ns;
    span.step = StepAt(device.rank, at);
    if (span.step < 0) continue;
    const auto step = static_cast<std::size_t>(span.step);
    if (at > steps_[step].end_ns) continue;
    ends[step] = std::max(ends[step], span.end_ns);
    device.spans[kept++] = span;
  }
  device.spans.resize(kept);
  std::int64_t last_end_ns = std::numeric_limits<std::int64_t>::min();
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const std::int64_t start_ns = std::max(steps_[i].start_ns, last_end_ns);
    if (ends[i] < start_ns) continue;  // Nothing was launched in it.
    device.windows.push_back({static_cast<std::int32_t>(i), start_ns, ends[i]});
    last_end_ns = ends[i];
  }
  if (device.windows.empty()) {
    device.spans.clear();
    return;
  }
  device.start_ns = device.windows.front().start_ns;
  device.end_ns = last_end_ns;
}

void Timeline::FindWindows(Device& device) {
  const std::span<const Step> steps = StepsOf(device.rank);
  if (steps.empty()) return;
  const auto first_step = static_cast<std::int32_t>(steps.data() - steps_.data());
  constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
  std::vector<std::int64_t> starts(steps.size(), kNever);
  for (const DeviceSpan& span : device.spans) {
    if (span.step < 0) continue;
    std::int64_t& start = starts[static_cast<std::size_t>(span.step - first_step)];
    start = std::min(start, span.start_ns);
  }
  std::int64_t next = device.end_ns;
  for (std::size_t i = steps.size(); i-- > 0;) {
    const std::int64_t start = std::min(starts[i], next);
    // A step that launched nothing here has no window.
    if (start < next)
      device.windows.push_back({first_step + static_cast<std::int32_t>(i), start, next});
    next = start;
  }
  std::reverse(device.windows.begin(), device.windows.end());
  for (DeviceSpan& span : device.spans) {
    if (span.launch != 0) continue;
    const auto after = std::upper_bound(
        device.windows.begin(), device.windows.end(), span.start_ns,
        [](std::int64_t time, const StepWindow& window) { return time < window.start_ns; });
    if (after != device.windows.begin()) span.step = (after - 1)->step;
  }
}

}  // namespace xsp::timeline
