#include "derive/timeline/occupancy/resident_blocks.h"

#include <algorithm>

namespace xsp::timeline::occupancy {
namespace {

constexpr std::int64_t kRegisterUnit = 256, kParts = 4;

std::int64_t CeilOf(std::int64_t number, std::int64_t unit) { return (number + unit - 1) / unit; }

}  // namespace

std::string_view ToString(Limiter limiter) {
  switch (limiter) {
    case Limiter::kBlocks:
      return "blocks";
    case Limiter::kThreads:
      return "threads";
    case Limiter::kRegisters:
      return "registers";
    case Limiter::kSharedMemory:
      return "shared memory";
  }
  return {};
}

std::int64_t WarpsOf(const trace::LaunchShape& shape) {
  return CeilOf(shape.threads, kWarpThreads);
}

Residency ResidentBlocks(const MultiprocessorLimits& limits, const trace::LaunchShape& shape) {
  Residency residency{limits.blocks, Limiter::kBlocks};
  const auto limit = [&](std::int64_t blocks, Limiter limiter) {
    if (blocks < residency.blocks) residency = {blocks, limiter};
  };
  const std::int64_t warps = WarpsOf(shape);
  limit(limits.threads / kWarpThreads / warps, Limiter::kThreads);
  if (shape.registers > 0) {
    const std::int64_t stated = std::min(shape.registers, limits.registers);
    const std::int64_t of_warp = CeilOf(stated * kWarpThreads, kRegisterUnit) * kRegisterUnit;
    limit(limits.registers / kParts / of_warp * kParts / warps, Limiter::kRegisters);
  }
  const std::int64_t shared =
      CeilOf(std::min(shape.shared_bytes, limits.shared_bytes) + limits.reserved_shared_bytes,
             limits.shared_unit_bytes) *
      limits.shared_unit_bytes;
  if (shared > 0) limit(limits.shared_bytes / shared, Limiter::kSharedMemory);
  return residency;
}

}  // namespace xsp::timeline::occupancy
