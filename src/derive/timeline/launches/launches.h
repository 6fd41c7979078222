#ifndef XSP_DERIVE_TIMELINE_LAUNCHES_LAUNCHES_H_
#define XSP_DERIVE_TIMELINE_LAUNCHES_LAUNCHES_H_

#include <cstdint>
#include <vector>

#include "derive/timeline/timeline.h"

namespace xsp::timeline::launches {

/// TraceLens calls kernels below this short.
inline constexpr std::int64_t kBriefBelowNs = 10'000;

/// From launch to execution: the executions of one name and type on a device.
///
/// A call that launched several (a replayed graph) is divided evenly among what it launched on the
/// device: its *share* is its duration over their number.
struct Launches {
  trace::SpanId example = 0;                  ///< One of them: its name and type are those of all.
  std::int64_t launched = 0, unlaunched = 0;  ///< Whose call is in the trace, and is not.
  std::int64_t shorter = 0;   ///< Launched ones that took less time than their share of the call.
  std::int64_t negative = 0;  ///< Launched ones that start before their call: clocks disagree.
  /// Launched ones that end a gap in which the device ran nothing, and whose call started within
  /// that gap; the sum of these gaps.
  std::int64_t late = 0, late_ns = 0;
  std::int64_t brief = 0, brief_ns = 0;  ///< Below kBriefBelowNs, launched or not, and their sum.
  std::int64_t call_ns = 0, device_ns = 0;  ///< Sums: shares of calls; all executions.
  /// Start of the execution - start of its call, over the launched ones; percentiles by nearest
  /// rank.
  double latency_mean_ns = 0;
  std::int64_t latency_min_ns = 0, latency_p50_ns = 0, latency_p95_ns = 0, latency_max_ns = 0;
  /// Sums over launched ones of the time from the end of the call to the start of the execution:
  /// while work that started before it on its stream ran, and while none did.
  std::int64_t queued_ns = 0, waited_ns = 0;
};

/// By first execution. O(n log q) in the device's spans, with q the length of the streams' queues;
/// 32 bytes a span and 4 a span of the trace while it works.
std::vector<Launches> FindLaunches(const Timeline& timeline, const Device& device);

}  // namespace xsp::timeline::launches

#endif  // XSP_DERIVE_TIMELINE_LAUNCHES_LAUNCHES_H_
