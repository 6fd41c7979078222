#ifndef XSP_DERIVE_TIMELINE_STEPS_STEPS_H_
#define XSP_DERIVE_TIMELINE_STEPS_STEPS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "derive/timeline/timeline.h"

namespace xsp::timeline::steps {

/// Name in `changed` of a step's own time: in no operator, call or range.
inline constexpr std::string_view kOutside = "(outside of operators)";

/// What one step did. Host work belongs to the step in which it starts, work of a device to the
/// step that launched it (Timeline).
struct StepWork {
  std::int64_t busy_ns = -1;  ///< Union over the rank's devices; -1: the rank has no device.
  std::int64_t kernel_ns = 0;
  std::int64_t kernels = 0;  ///< Copies and sets left out; on a CPU primitives and native kernels.
  std::int64_t launches = 0;
  std::int64_t copies = 0;
  std::int64_t synchronisation_ns = 0;  ///< Calls that wait for a device; calls in calls once.
  std::int64_t operators = 0;
  /// Longer than the rank's median by more than 10 % and more than three median absolute
  /// deviations.
  bool is_slow = false;
  /// Of a slow step: the name whose time grew most over its median of the rank's steps, and by how
  /// much. Of host spans (operators, calls, ranges, kernels on a CPU) the time outside of others of
  /// these on the same thread counts; Python functions and modules count as what surrounds them. Of
  /// device work its duration counts. A call that waits for a device is named only if nothing else
  /// grew by half as much: it tells that something took longer, not what. Empty: nothing grew.
  std::string changed;
  std::int64_t changed_ns = 0;
};

/// One entry a step of the timeline, in its order. O(n) in spans, O(m log m) in device work and in
/// (step, name) pairs.
std::vector<StepWork> WorkOfSteps(const Timeline& timeline);

}  // namespace xsp::timeline::steps

#endif  // XSP_DERIVE_TIMELINE_STEPS_STEPS_H_
