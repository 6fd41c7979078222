#ifndef XSP_MEASURE_EXECUTORS_EXECUTOR_H_
#define XSP_MEASURE_EXECUTORS_EXECUTOR_H_

#include <cstdint>
#include <vector>

#include <nlohmann/json.hpp>

#include "capture/monitor/monitor.h"
#include "core/progress.h"
#include "core/result.h"
#include "derive/roofs/roof.h"
#include "measure/protocols/conditions.h"
#include "measure/protocols/protocol.h"

namespace xsp::executors {

/// What came of workers that were measured together.
struct MeasuredGroup {
  std::vector<protocols::MeasuredRun> runs;  ///< In the order of the plans.
  monitor::Series series;  ///< What the system monitor sampled meanwhile; no rows: nothing.
};

/// Where planned runs are measured. What only that machine knows is found out here, so that a plan
/// can be made on another one. One thread.
class Executor {
 public:
  virtual ~Executor() = default;

  /// What a job may use of its CPU.
  virtual const protocols::CpuAllowance& allowance() const = 0;

  /// Facts of its hardware and software, for run.json.
  virtual const nlohmann::json& stack() const = 0;

  /// Adds to a planned run what only the machine knows: the raw events of the rung `counters`, the
  /// library that records a device's kernels. Errors: kNotPossible (nothing can be counted).
  virtual Status Resolve(protocols::PlannedRun& run) const = 0;

  /// Measures a group of runs together under a protocol. `first_run_id` as Protocol::Measure.
  virtual MeasuredGroup Measure(protocols::Protocol& protocol,
                                const std::vector<protocols::PlannedRun>& group,
                                std::int64_t first_run_id, os::Interrupts& interrupts,
                                protocols::ProgressEstimator& estimator) = 0;

  /// The machine's roofs for jobs of `cores` cores, measured where they are not cached. Errors:
  /// kEnvironment.
  virtual Result<roofs::RoofReport> Roofs(int cores, core::Progress& progress) const = 0;

  /// Those of its GPU of that name, measured where they are not cached. Errors: kNotPossible (they
  /// cannot be measured there), kEnvironment.
  virtual Result<roofs::RoofReport> GpuRoofs(const std::string& name,
                                             core::Progress& progress) const = 0;
};

}  // namespace xsp::executors

#endif  // XSP_MEASURE_EXECUTORS_EXECUTOR_H_
