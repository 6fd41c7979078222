#ifndef XSP_DERIVE_TIMELINE_DEVICE_TIME_DEVICE_TIME_H_
#define XSP_DERIVE_TIMELINE_DEVICE_TIME_DEVICE_TIME_H_

#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "derive/timeline/timeline.h"

namespace xsp::timeline::device_time {

/// Time of one window of a device, by what ran in it at once. Unions: what runs twice at once
/// counts once.
struct Breakdown {
  std::int32_t step = -1;  ///< Index into Timeline::steps(); -1: all of the device's time.
  std::int64_t start_ns = 0, end_ns = 0;
  std::int64_t spans = 0;  ///< That start in it.
  /// By the set of activities that run: bit a is Activity a; entry 0 is idle time.
  std::array<std::int64_t, 1 << kActivityCount> ns = {};

  std::int64_t total_ns() const { return std::accumulate(ns.begin(), ns.end(), std::int64_t{0}); }
  std::int64_t idle_ns() const { return ns[0]; }
  std::int64_t busy_ns() const { return total_ns() - idle_ns(); }
  /// In which at least one span of `activity` runs.
  std::int64_t Of(Activity activity) const;
  /// In which both run.
  std::int64_t Both(Activity a, Activity b) const;
  /// In which communication runs and nothing computes.
  std::int64_t exposed_communication_ns() const;
  /// In which a copy runs and nothing else.
  std::int64_t exposed_copy_ns() const;
};

/// All of the device's time first (where calls are counted, that of the windows), then each of its
/// windows. O(n log n).
std::vector<Breakdown> BreakDown(const Device& device);

}  // namespace xsp::timeline::device_time

#endif  // XSP_DERIVE_TIMELINE_DEVICE_TIME_DEVICE_TIME_H_
