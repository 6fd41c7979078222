#ifndef XSP_WORKERS_HARNESS_WARMUP_H_
#define XSP_WORKERS_HARNESS_WARMUP_H_

#include <cstdint>
#include <span>

#include "harness/job.h"

namespace xsp::worker {

/// Whether calls no longer become faster: the median of the last window is below that of the window
/// before it by no more than the tolerance (a share of the earlier one) or the standard error of
/// the difference, whichever is larger. So what a busy machine does to single calls does not
/// prolong warm-up, and slower calls do not either. A window is `rule.window` calls, of models
/// slower than 1 s / window as many as take a second, at least 2. Asked after every call: the
/// windows slide. Never for fewer than two windows.
bool Settled(std::span<const std::uint64_t> durations_ns, const WarmupRule& rule);

/// Whether warm-up ends although calls have not settled: `max_calls` are made, or they took
/// `max_seconds`. Time alone never ends it before the third call: TorchScript compiles in its first
/// two.
bool LimitReached(std::span<const std::uint64_t> durations_ns, const WarmupRule& rule);

/// The median of the last window; 0: there is no call.
std::uint64_t WarmLatency(std::span<const std::uint64_t> durations_ns, const WarmupRule& rule);

}  // namespace xsp::worker

#endif  // XSP_WORKERS_HARNESS_WARMUP_H_
