#ifndef XSP_MEASURE_EXECUTORS_LOCAL_EXECUTOR_H_
#define XSP_MEASURE_EXECUTORS_LOCAL_EXECUTOR_H_

#include <cstdint>
#include <vector>

#include "measure/executors/executor.h"

namespace xsp::executors {

/// This machine, measured by this process.
class LocalExecutor final : public Executor {
 public:
  /// `monitor_rate_hz`: of the system monitor beside the workers; 0: none. Reads the stack, which
  /// takes some tens of milliseconds.
  explicit LocalExecutor(double monitor_rate_hz);

  const protocols::CpuAllowance& allowance() const override { return allowance_; }
  const nlohmann::json& stack() const override { return stack_; }
  Status Resolve(protocols::PlannedRun& run) const override;
  MeasuredGroup Measure(protocols::Protocol& protocol,
                        const std::vector<protocols::PlannedRun>& group, std::int64_t first_run_id,
                        os::Interrupts& interrupts,
                        protocols::ProgressEstimator& estimator) override;
  Result<roofs::RoofReport> Roofs(int cores, core::Progress& progress) const override;
  Result<roofs::RoofReport> GpuRoofs(const std::string& name,
                                     core::Progress& progress) const override;

 private:
  double monitor_rate_hz_;
  protocols::CpuAllowance allowance_;
  nlohmann::json stack_;
};

}  // namespace xsp::executors

#endif  // XSP_MEASURE_EXECUTORS_LOCAL_EXECUTOR_H_
