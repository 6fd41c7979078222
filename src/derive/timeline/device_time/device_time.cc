#include "derive/timeline/device_time/device_time.h"

#include <algorithm>

#include "derive/timeline/sweep.h"
#include "store/rows/device_time_row.h"

namespace xsp::timeline::device_time {
namespace {

constexpr unsigned Bit(Activity activity) { return 1U << static_cast<unsigned>(activity); }

unsigned SetOf(const Running& running) {
  unsigned set = 0;
  for (unsigned i = 0; i < running.size(); ++i)
    if (running[i] > 0) set |= 1U << i;
  return set;
}

void CountStarts(const Device& device, std::vector<Breakdown>& parts) {
  parts.front().spans = static_cast<std::int64_t>(device.spans.size());
  auto part = parts.begin() + 1;
  for (const DeviceSpan& span : device.spans) {
    // The last window holds what starts at its end, too: spans of no length.
    while (part != parts.end() && part + 1 != parts.end() && span.start_ns >= part->end_ns) ++part;
    if (part != parts.end() && span.start_ns >= part->start_ns) ++part->spans;
  }
}

void AddRows(const Timeline& timeline, ExperimentRows& rows) {
  for (const Device& device : timeline.devices()) {
    for (const Breakdown& part : BreakDown(device)) {
      rows.Add(store::DeviceTimeRow{
          .run_id = rows.run_id(),
          .rank = ApplicableOrNull(device.rank),
          .device = ApplicableOrNull(device.device),
          .step = ApplicableOrNull(timeline.NumberOf(part.step)),
          .start_ns = part.start_ns,
          .total_ns = part.total_ns(),
          .busy_ns = part.busy_ns(),
          .idle_ns = part.idle_ns(),
          .compute_ns = part.Of(Activity::kCompute),
          .communication_ns = part.Of(Activity::kCommunication),
          .copy_ns = part.Of(Activity::kCopy),
          .compute_communication_ns = part.Both(Activity::kCompute, Activity::kCommunication),
          .exposed_communication_ns = part.exposed_communication_ns(),
          .exposed_copy_ns = part.exposed_copy_ns(),
          .spans = part.spans});
    }
  }
}

}  // namespace

std::int64_t Breakdown::Of(Activity activity) const { return Both(activity, activity); }

std::int64_t Breakdown::Both(Activity a, Activity b) const {
  const unsigned both = Bit(a) | Bit(b);
  std::int64_t sum = 0;
  for (unsigned set = 0; set < ns.size(); ++set)
    if ((set & both) == both) sum += ns[set];
  return sum;
}

std::int64_t Breakdown::exposed_communication_ns() const {
  return Of(Activity::kCommunication) - Both(Activity::kCommunication, Activity::kCompute);
}

std::int64_t Breakdown::exposed_copy_ns() const { return ns[Bit(Activity::kCopy)]; }

std::vector<Breakdown> BreakDown(const Device& device) {
  std::vector<Breakdown> parts;
  parts.push_back({-1, device.start_ns, device.end_ns, 0, {}});
  for (const StepWindow& window : device.windows)
    parts.push_back({window.step, window.start_ns, window.end_ns, 0, {}});
  auto part = parts.begin() + 1;
  SweepDevice(device, [&](std::int64_t from, std::int64_t to, const Running& running) {
    const unsigned set = SetOf(running);
    if (!device.has_counted_calls) parts.front().ns[set] += to - from;
    while (part != parts.end() && part->end_ns <= from) ++part;
    for (auto at = part; at != parts.end() && at->start_ns < to; ++at) {
      const std::int64_t ns = std::min(to, at->end_ns) - std::max(from, at->start_ns);
      at->ns[set] += ns;
      if (device.has_counted_calls) parts.front().ns[set] += ns;
    }
  });
  CountStarts(device, parts);
  return parts;
}

extern const TimelineSpec kSpec;
constinit const TimelineSpec kSpec = {
    .name = "device_time",
    .summary = "What each device does with its time, whole and by step",
    .add_rows = AddRows,
};

}  // namespace xsp::timeline::device_time
