#ifndef XSP_MEASURE_ROOF_LOOPS_MEASURED_ROOFS_H_
#define XSP_MEASURE_ROOF_LOOPS_MEASURED_ROOFS_H_

#include <functional>
#include <string_view>

#include "core/result.h"
#include "derive/roofs/roof.h"

namespace xsp::roof_loops {

struct MeasureOptions {
  int cores = 0;       ///< Cores that the job may use; 0: all in this process's affinity mask.
  bool again = false;  ///< Measure even when a cached report of this machine exists.
  std::function<void(std::string_view step, double fraction)> progress;  ///< May be empty.
};

/// The roofs of this machine for one core and for `cores`: from the cache (CacheFolder()/roofs)
/// where it holds them for this CPU, core count and kernel version, else measured (some seconds)
/// and cached. Figures of a busy machine are kept for ten minutes only. Two processes that ask at
/// once alternate, so that they do not measure each other. Where the cache cannot be written the
/// report's conditions say so. Errors: kEnvironment when nothing can be measured.
/// Blocks; binds only threads of its own to CPUs.
Result<roofs::RoofReport> MeasuredRoofs(const MeasureOptions& options);

}  // namespace xsp::roof_loops

#endif  // XSP_MEASURE_ROOF_LOOPS_MEASURED_ROOFS_H_
