#ifndef XSP_WORKERS_HARNESS_WARMUP_H_
#define XSP_WORKERS_HARNESS_WARMUP_H_

#include <cstdint>
#include <span>

#include "harness/job.h"

namespace xsp::worker {

/// Whether the last two windows of calls have medians within the tolerance of the earlier one
/// (design, section 4). Asked after every call: the windows slide. Never for fewer than two
/// windows.
bool Settled(std::span<const std::uint64_t> durations_ns, const WarmupRule& rule);

/// Whether warm-up ends although calls have not settled: `max_calls` are made, or they took
/// `max_seconds`. Time alone never ends it before the third call: TorchScript compiles in its first
/// two.
bool LimitReached(std::span<const std::uint64_t> durations_ns, const WarmupRule& rule);

}  // namespace xsp::worker

#endif  // XSP_WORKERS_HARNESS_WARMUP_H_
