#ifndef XSP_MEASURE_ROOF_LOOPS_WORKING_SET_H_
#define XSP_MEASURE_ROOF_LOOPS_WORKING_SET_H_

#include <cstdint>
#include <string>
#include <vector>

#include "os/processor.h"

namespace xsp::roof_loops {

/// How much memory a thread walks to find the bandwidth of one level.
struct WorkingSet {
  std::string level;                ///< "L1", "L2", "L3" or "DRAM"
  std::int64_t bytes_per_core = 0;  ///< All arrays of one thread; a multiple of 3 KiB.
  bool streaming = false;           ///< Write past the caches: DRAM only.
  std::string remark;               ///< What limits the figure; empty: nothing.
};

/// Working sets for `cores` threads at once, nearest level first:
/// - a cache: half of the thread's share, and more than the level before holds (4 times its share,
///   where this level has as much), so that neither the level before nor the next one serves it;
/// - DRAM: 4 times the last cache of all threads, in all at most `memory_bytes`.
/// A cache that CPU 0 does not state is left out. Pure.
std::vector<WorkingSet> PlanWorkingSets(const os::Processor& processor, int cores,
                                        std::int64_t memory_bytes);

/// What a measurement may take without harm: a quarter of what this process may still take, and at
/// most 8 GiB.
std::int64_t MemoryForMeasuring();

/// Memory in huge pages where the kernel gives them; not touched yet. Owns it.
class Arena {
 public:
  explicit Arena(std::int64_t bytes);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// Null when the machine refused.
  char* data() const { return data_; }
  std::int64_t size_bytes() const { return bytes_; }

 private:
  char* data_ = nullptr;
  std::int64_t bytes_ = 0;
};

}  // namespace xsp::roof_loops

#endif  // XSP_MEASURE_ROOF_LOOPS_WORKING_SET_H_
