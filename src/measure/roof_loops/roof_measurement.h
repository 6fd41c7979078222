#ifndef XSP_MEASURE_ROOF_LOOPS_ROOF_MEASUREMENT_H_
#define XSP_MEASURE_ROOF_LOOPS_ROOF_MEASUREMENT_H_

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "measure/roof_loops/measured_roofs.h"
#include "measure/roof_loops/rate.h"
#include "os/processor.h"

namespace xsp::roof_loops {

struct MeasurePlan {
  std::vector<int> cpus;          ///< What the job may use; not empty.
  Effort effort;                  ///< Per roof.
  std::int64_t memory_bytes = 0;  ///< At most, for working sets; see MemoryForMeasuring().
  std::function<void(std::string_view step, double fraction)> progress;  ///< May be empty.
};

/// Measures every roof that `processor` (the one that runs this) has, for the first of the CPUs and
/// for all. Sets all fields of the report but `measured_at` and `machine`.
roofs::RoofReport MeasureRoofs(const os::Processor& processor, const MeasurePlan& plan);

/// MeasuredRoofs() with an effort and a memory limit of the caller's choice.
Result<roofs::RoofReport> MeasuredRoofsWith(const MeasureOptions& options, const Effort& effort,
                                            std::int64_t memory_bytes);

/// Marks the roofs with which analyses compare a job on `cores`: each FLOP/s roof of all cores, and
/// the higher of DRAM read and triad.
void MarkUsed(std::vector<roofs::Roof>& roofs, int cores);

}  // namespace xsp::roof_loops

#endif  // XSP_MEASURE_ROOF_LOOPS_ROOF_MEASUREMENT_H_
