#ifndef XSP_DERIVE_TIMELINE_OCCUPANCY_RESIDENT_BLOCKS_H_
#define XSP_DERIVE_TIMELINE_OCCUPANCY_RESIDENT_BLOCKS_H_

#include <cstdint>
#include <string_view>

#include "derive/timeline/occupancy/device_limits.h"
#include "trace/tables.h"

namespace xsp::timeline::occupancy {

inline constexpr std::int64_t kWarpThreads = 32;  ///< Of NVIDIA.

enum class Limiter : std::uint8_t { kBlocks, kThreads, kRegisters, kSharedMemory };

/// "blocks", "threads", "registers" or "shared memory".
std::string_view ToString(Limiter limiter);

struct Residency {
  std::int64_t blocks = 0;  ///< 0: not even one fits, so something that is stated is wrong.
  Limiter limiter = Limiter::kBlocks;
};

/// Warps of a block; the last one need not be full.
std::int64_t WarpsOf(const trace::LaunchShape& shape);

/// How many blocks of a kernel a multiprocessor holds at once, as NVIDIA's occupancy calculator
/// computes it: registers are given to warps in units of 256, from one of four parts; the largest
/// shared memory that can be configured is assumed. Of equal limits the first of Limiter.
Residency ResidentBlocks(const MultiprocessorLimits& limits, const trace::LaunchShape& shape);

}  // namespace xsp::timeline::occupancy

#endif  // XSP_DERIVE_TIMELINE_OCCUPANCY_RESIDENT_BLOCKS_H_
