#ifndef XSP_DERIVE_TIMELINE_SWEEP_H_
#define XSP_DERIVE_TIMELINE_SWEEP_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "derive/timeline/timeline.h"

namespace xsp::timeline {

/// How many spans of each activity run at once.
using Running = std::array<std::int32_t, kActivityCount>;

/// Calls `visit(from_ns, to_ns, running)` for every segment of the device's time in which the
/// same number of spans of each activity run, in order, from its first start to its last end;
/// segments in which nothing runs are among them. O(n log n). Spans of no length count for
/// nothing.
template <typename Visit>
void SweepDevice(const Device& device, Visit visit) {
  std::vector<std::pair<std::int64_t, Activity>> ends;
  ends.reserve(device.spans.size());
  for (const DeviceSpan& span : device.spans) ends.emplace_back(span.end_ns, span.activity);
  std::sort(ends.begin(), ends.end());
  Running running = {};
  std::int64_t now = device.start_ns;
  auto start = device.spans.begin();
  for (auto end = ends.begin(); end != ends.end();) {
    const bool starts = start != device.spans.end() && start->start_ns <= end->first;
    const std::int64_t next = starts ? start->start_ns : end->first;
    if (next > now) {
      visit(now, next, std::as_const(running));
      now = next;
    }
    if (starts) {
      ++running[static_cast<std::size_t>(start->activity)];
      ++start;
    } else {
      --running[static_cast<std::size_t>(end->second)];
      ++end;
    }
  }
}

}  // namespace xsp::timeline

#endif  // XSP_DERIVE_TIMELINE_SWEEP_H_
