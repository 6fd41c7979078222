#ifndef XSP_DERIVE_TIMELINE_DEVICE_STRIP_DEVICE_STRIP_H_
#define XSP_DERIVE_TIMELINE_DEVICE_STRIP_DEVICE_STRIP_H_

#include <array>
#include <cstdint>
#include <vector>

#include "derive/timeline/timeline.h"

namespace xsp::timeline::device_strip {

/// The time that all devices of a run share, in equal segments; the last may end later than they.
struct Axis {
  std::int64_t start_ns = 0;   ///< First start of work on any device.
  std::int64_t length_ns = 1;  ///< Of one segment.
  std::int64_t segments = 0;
};

/// 100 to 400 segments: fewer where there are many devices, so that all strips together have about
/// as many numbers. No segments without devices.
Axis AxisOf(const Timeline& timeline);

/// Time of one segment by Activity: compute; communication while nothing computes; copies while
/// neither runs. They add up to busy time.
using Shown = std::array<std::int64_t, kActivityCount>;

/// One for each segment. O(n log n).
std::vector<Shown> StripOf(const Device& device, const Axis& axis);

}  // namespace xsp::timeline::device_strip

#endif  // XSP_DERIVE_TIMELINE_DEVICE_STRIP_DEVICE_STRIP_H_
