#include "measure/roof_loops/working_set.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>

#include "measure/roof_loops/bandwidth_kernel.h"
#include "os/memory_limit.h"

namespace xsp::roof_loops {

namespace {

constexpr std::int64_t kMebibyte = 1 << 20;
constexpr std::int64_t kMultiple = 3 * kBandwidthStep;  // Three arrays for a triad.

std::int64_t Rounded(std::int64_t bytes) {
  return std::max<std::int64_t>(bytes / kMultiple, 1) * kMultiple;
}

/// The part of `cache` that each of `cores` threads can count on.
std::int64_t Share(const os::Cache& cache, int cores) {
  const auto sharers = static_cast<std::int64_t>(std::max<std::size_t>(cache.shared_by.size(), 1));
  return cache.size_bytes / std::min<std::int64_t>(cores, sharers);
}

WorkingSet PlanDram(std::int64_t last_share, int cores, std::int64_t memory_bytes) {
  const std::int64_t wanted = std::max(4 * last_share, 32 * kMebibyte);
  const std::int64_t given = std::min(wanted, memory_bytes / cores);
  WorkingSet dram{"DRAM", Rounded(given), true, ""};
  if (given < 2 * last_share) {
    dram.remark = fmt::format(
        "only {:.1f} times the reported last cache ({} MiB per core) for lack of memory: partly "
        "from the cache",
        static_cast<double>(given) / static_cast<double>(last_share), last_share / kMebibyte);
  }
  return dram;
}

}  // namespace

std::vector<WorkingSet> PlanWorkingSets(const os::Processor& processor, int cores,
                                        std::int64_t memory_bytes) {
  std::vector<WorkingSet> sets;
  std::int64_t before = 0;  // Share of the level before.
  for (int level = 1; level <= 4; ++level) {
    const os::Cache* cache = processor.DataCache(level);
    if (cache == nullptr) continue;
    const std::int64_t share = Share(*cache, cores);
    WorkingSet set{fmt::format("L{}", level), 0, false, ""};
    if (share > 2 * before) {
      const std::int64_t half = share / 2;
      set.bytes_per_core = Rounded(level == 1 ? half : std::clamp(4 * before, before, half));
    } else {
      // A share no larger than the level before can only be seen on top of it.
      set.bytes_per_core = Rounded(before + share / 2);
      set.remark = fmt::format("together with L{}: the share of a core is not larger", level - 1);
    }
    if (set.bytes_per_core > memory_bytes / cores) continue;
    sets.push_back(set);
    before = std::max(share, before);
  }
  sets.push_back(PlanDram(before, cores, memory_bytes));
  return sets;
}

std::int64_t MemoryForMeasuring() {
  constexpr std::int64_t kWhereUnknown = 256 * kMebibyte;
  constexpr std::int64_t kAtMost = 8192 * kMebibyte;
  return std::min(os::AvailableMemoryBytes().value_or(4 * kWhereUnknown) / 4, kAtMost);
}

Arena::Arena(std::int64_t bytes) {
  void* const memory = mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  data_ = static_cast<char*>(memory);
  bytes_ = bytes;
  // Small pages would measure the page table's misses. Refused: measured with small ones.
  static_cast<void>(madvise(memory, static_cast<std::size_t>(bytes), MADV_HUGEPAGE));
}

Arena::~Arena() {
  if (data_ != nullptr) munmap(data_, static_cast<std::size_t>(bytes_));
}

}  // namespace xsp::roof_loops
