#include "derive/timeline/device_strip/device_strip.h"

#include <algorithm>

#include "derive/timeline/sweep.h"
#include "store/rows/device_strip_row.h"

namespace xsp::timeline::device_strip {
namespace {

void AddRows(const Timeline& timeline, ExperimentRows& rows) {
  const Axis axis = AxisOf(timeline);
  for (const Device& device : timeline.devices()) {
    const std::vector<Shown> strip = StripOf(device, axis);
    for (std::size_t i = 0; i < strip.size(); ++i) {
      const Shown& shown = strip[i];
      const auto stretch = static_cast<std::int64_t>(i);
      if (shown == Shown{}) continue;
      rows.Add(store::DeviceStripRow{.run_id = rows.run_id(),
                                     .rank = ApplicableOrNull(device.rank),
                                     .device = ApplicableOrNull(device.device),
                                     .stretch = stretch,
                                     .start_ns = axis.start_ns + stretch * axis.length_ns,
                                     .length_ns = axis.length_ns,
                                     .compute_ns = shown[0],
                                     .communication_ns = shown[1],
                                     .copy_ns = shown[2]});
    }
  }
}

}  // namespace

Axis AxisOf(const Timeline& timeline) {
  const auto devices = timeline.devices();
  if (devices.empty()) return {};
  Axis axis{devices.front().start_ns, 1, 0};
  std::int64_t end_ns = devices.front().end_ns;
  for (const Device& device : devices) {
    axis.start_ns = std::min(axis.start_ns, device.start_ns);
    end_ns = std::max(end_ns, device.end_ns);
  }
  axis.segments =
      std::clamp<std::int64_t>(12'000 / static_cast<std::int64_t>(devices.size()), 100, 400);
  axis.length_ns = (end_ns - axis.start_ns) / axis.segments + 1;
  return axis;
}

std::vector<Shown> StripOf(const Device& device, const Axis& axis) {
  std::vector<Shown> strip(static_cast<std::size_t>(axis.segments));
  SweepDevice(device, [&](std::int64_t from, std::int64_t to, const Running& running) {
    const auto first =
        std::find_if(running.begin(), running.end(), [](std::int32_t spans) { return spans > 0; });
    if (first == running.end()) return;
    const auto activity = static_cast<std::size_t>(first - running.begin());
    while (from < to) {
      const std::int64_t stretch = (from - axis.start_ns) / axis.length_ns;
      const std::int64_t until = std::min(to, axis.start_ns + (stretch + 1) * axis.length_ns);
      strip[static_cast<std::size_t>(stretch)][activity] += until - from;
      from = until;
    }
  });
  return strip;
}

extern const TimelineSpec kSpec;
constinit const TimelineSpec kSpec = {
    .name = "device_strip",
    .summary = "What each device did over time, in at most 400 segments that all devices share",
    .add_rows = AddRows,
};

}  // namespace xsp::timeline::device_strip
