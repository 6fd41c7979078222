#ifndef XSP_DERIVE_TIMELINE_IDLE_IDLE_H_
#define XSP_DERIVE_TIMELINE_IDLE_IDLE_H_

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "derive/timeline/timeline.h"

namespace xsp::timeline::idle {

/// Why nothing ran between two pieces of work, told by the call that launched the second.
enum class Cause : std::uint8_t {
  kHost,     ///< It started after the first had ended: the device waited for the host.
  kKernel,   ///< It started before that; the gap is what the device takes to go on to the next.
  kLaunch,   ///< It started before that; the gap is no longer than a launch takes to arrive.
  kOther,    ///< It started before that, and the gap is longer: an event, another stream.
  kUnknown,  ///< It is not in the trace.
};
inline constexpr int kCauseCount = 5;

/// "host", "kernel", "launch", "other" or "unknown".
std::string_view ToString(Cause cause);

/// Gaps of work that was launched in time, ns. Below the first: kernel, below the second: launch.
/// Measured median of such gaps in traces: 1.2 us on an A100 (90 % up to 4.4 us), 1 us on a V100,
/// 1.2 us on an H100; 1 ns on AMD's, whose times touch. The second is the one that separates
/// "kernel wait" from "other" in Holistic Trace Analysis 0.5.
inline constexpr std::int64_t kKernelBelowNs = 5'000;
inline constexpr std::int64_t kLaunchBelowNs = 30'000;

struct Gaps {
  std::int64_t count = 0, sum_ns = 0, longest_ns = 0;
  std::int64_t launched_ns = 0;  ///< Of the sum, after the launch call had begun; unknown: 0.
  /// The work around the longest; of equals the first. `after` 0: the start of a call.
  trace::SpanId after = 0, before = 0;
};

/// The gaps of one stream, or of the device as a whole (track 0), in the work of one step.
struct Idle {
  trace::TrackId track = 0;
  std::int32_t step = -1;  ///< Of the work that ends the gap; -1: all.
  std::array<Gaps, kCauseCount> by_cause = {};
};

/// The device as a whole first, then its streams by track; of each first all gaps, then those of
/// each step that ends one, by step. On the device as a whole a gap is time in which no stream runs
/// anything, and the work before it is the one that ended last. Time before the first work and
/// after the last is no gap, nor are spans that touch or overlap. Where calls are counted, a gap
/// lies in one call and the time from its start to its first work is one, too.
/// O(n) in the device's spans, O(log s) more where work of another step follows.
std::vector<Idle> FindIdle(const Timeline& timeline, const Device& device);

}  // namespace xsp::timeline::idle

#endif  // XSP_DERIVE_TIMELINE_IDLE_IDLE_H_
