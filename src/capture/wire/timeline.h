#ifndef XSP_CAPTURE_WIRE_TIMELINE_H_
#define XSP_CAPTURE_WIRE_TIMELINE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "capture/wire/format.h"

namespace xsp::wire {

/// Turns ticks into CLOCK_MONOTONIC ns: linear between the two clock pairs around them, and at the
/// rate of the nearest few pairs beyond the first and the last. Never decreasing in the ticks, so
/// what nested in ticks nests in ns.
class Timeline {
 public:
  Timeline() = default;

  /// From pairs in any order. Those that do not grow on both clocks (damage) are left out.
  Timeline(ClockKind kind, std::vector<ClockPair> pairs);

  /// Saturates at the ends of int64. One thread at a time: it remembers where it was last.
  std::int64_t ToMonotonicNs(std::uint64_t ticks) const;

  /// Pairs that were left out.
  std::size_t rejected() const { return rejected_; }

  /// What to add to a monotonic time to get ns since 1970, as it was when recording started: one
  /// offset for all times, so that a stepped wall clock moves nothing.
  std::int64_t realtime_offset_ns() const;

  /// How much the wall clock was moved against the monotonic one from the first to the last pair.
  std::int64_t realtime_step_ns() const;

 private:
  bool is_identity_ = true;
  std::vector<ClockPair> pairs_;
  std::size_t rejected_ = 0;
  mutable std::size_t segment_ = 0;
};

}  // namespace xsp::wire

#endif  // XSP_CAPTURE_WIRE_TIMELINE_H_
