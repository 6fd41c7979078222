#include "derive/timeline/occupancy/occupancy.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "derive/timeline/occupancy/device_limits.h"
#include "derive/timeline/occupancy/launch_shapes.h"
#include "derive/timeline/occupancy/resident_blocks.h"

namespace xsp::timeline::occupancy {
namespace {

/// The launches of one name on devices of one size, as they are found.
struct Group {
  store::OccupancyRow row;
  double unused_ns = 0, sized_ns = 0, tail_ns = 0, occupied_ns = 0;
  double longest_tail_ns = 0;
  std::int64_t longest_ns = -1;

  void Add(const DeviceProperties& device, const trace::LaunchShape& shape, std::int64_t ns) {
    const auto blocks = static_cast<double>(shape.blocks), time_ns = static_cast<double>(ns);
    const auto multiprocessors = static_cast<double>(device.multiprocessors);
    ++row.launches;
    row.duration_ns += ns;
    if (shape.blocks < device.multiprocessors) {
      ++row.small_launches;
      row.small_ns += ns;
      unused_ns += time_ns * (1 - blocks / multiprocessors);
    }
    if (!device.limits || shape.registers == 0) return;
    const Residency residency = ResidentBlocks(*device.limits, shape);
    if (residency.blocks == 0) return;
    const auto resident = static_cast<double>(residency.blocks);
    sized_ns += time_ns;
    occupied_ns += time_ns * resident * static_cast<double>(WarpsOf(shape) * kWarpThreads) /
                   static_cast<double>(device.limits->threads);
    if (ns > longest_ns) {
      longest_ns = ns;
      row.limiter = ToString(residency.limiter);
    }
    const double waves = blocks / (multiprocessors * resident);
    const double of_launch_ns = waves > 1 ? time_ns * (1 - waves / std::ceil(waves)) : 0;
    tail_ns += of_launch_ns;
    if (!row.waves || of_launch_ns > longest_tail_ns) row.waves = waves;
    longest_tail_ns = std::max(longest_tail_ns, of_launch_ns);
  }

  store::OccupancyRow Finish() {
    row.unused_ns = std::llround(unused_ns);
    row.sized_ns = std::llround(sized_ns);
    if (sized_ns > 0) {
      row.tail_ns = std::llround(tail_ns);
      row.occupancy = occupied_ns / sized_ns;
    }
    return std::move(row);
  }
};

void AddRows(const Timeline& timeline, ExperimentRows& rows) {
  for (store::OccupancyRow& row : OccupancyOf(timeline)) {
    row.run_id = rows.run_id();
    rows.Add(std::move(row));
  }
}

}  // namespace

std::vector<store::OccupancyRow> OccupancyOf(const Timeline& timeline) {
  const DeviceIndex devices(timeline.trace());
  const LaunchShapes shapes(timeline.trace());
  if (shapes.empty()) return {};
  std::map<std::pair<trace::StringId, std::int64_t>, Group> groups;
  for (const Device& device : timeline.devices()) {
    const DeviceProperties* properties = devices.Find(device.device);
    if (properties == nullptr) continue;
    for (const DeviceSpan& span : device.spans) {
      if (span.activity != Activity::kCompute || span.end_ns <= span.start_ns) continue;
      const trace::LaunchShape* shape = shapes.Find(span.span);
      if (shape == nullptr) continue;
      groups[{timeline.trace().spans.name[span.span - 1], properties->multiprocessors}].Add(
          *properties, *shape, span.end_ns - span.start_ns);
    }
  }
  std::vector<store::OccupancyRow> rows;
  for (auto& [key, group] : groups) {
    group.row.name = timeline.trace().Text(key.first);
    group.row.multiprocessors = key.second;
    rows.push_back(group.Finish());
  }
  std::ranges::sort(rows, [](const auto& a, const auto& b) {
    return std::pair(-a.duration_ns, a.name) < std::pair(-b.duration_ns, b.name);
  });
  return rows;
}

extern const TimelineSpec kSpec;
constinit const TimelineSpec kSpec = {
    .name = "occupancy",
    .summary = "How far the launches of each kernel fill the multiprocessors of a device",
    .add_rows = AddRows,
};

}  // namespace xsp::timeline::occupancy
