#ifndef XSP_MEASURE_PROTOCOLS_SCENARIO_PROTOCOL_H_
#define XSP_MEASURE_PROTOCOLS_SCENARIO_PROTOCOL_H_

#include <cstdint>
#include <vector>

#include "measure/protocols/protocol.h"
#include "store/rows/scenario_row.h"

namespace xsp::protocols {

/// A load scenario (MeasureScenarios); its tries are rows of the table `scenario`.
class ScenarioProtocol final : public Protocol {
 public:
  /// `request` is complete and borrowed.
  explicit ScenarioProtocol(const requests::ExperimentRequest& request) : request_(request) {}

  std::vector<MeasuredRun> Measure(const std::vector<PlannedRun>& group, std::int64_t first_run_id,
                                   os::Interrupts& interrupts,
                                   ProgressEstimator& estimator) override;
  Status WriteTables(store::ExperimentWriter& writer) const override;

 private:
  const requests::ExperimentRequest& request_;
  std::vector<store::ScenarioRow> tries_;
};

}  // namespace xsp::protocols

#endif  // XSP_MEASURE_PROTOCOLS_SCENARIO_PROTOCOL_H_
