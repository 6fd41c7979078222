#include "measure/protocols/scenario_protocol.h"

#include <utility>

#include "measure/protocols/scenario.h"
#include "measure/protocols/scenario_figures.h"

namespace xsp::protocols {

std::vector<MeasuredRun> ScenarioProtocol::Measure(const std::vector<PlannedRun>& group,
                                                   std::int64_t first_run_id,
                                                   os::Interrupts& interrupts,
                                                   ProgressEstimator& estimator) {
  std::vector<MeasuredRun> runs;
  for (MeasuredScenario& measured :
       MeasureScenarios(group, request_, interrupts, estimator.progress())) {
    const PlannedRun& plan = group[runs.size()];
    const std::int64_t run_id = first_run_id + static_cast<std::int64_t>(runs.size());
    for (std::size_t i = 0; i < measured.tries.size(); ++i) {
      const TryPlace place = {plan.point_id, run_id, plan.batch, static_cast<std::int64_t>(i),
                              measured.chosen == i};
      AddTry(place, measured.tries[i], request_.scenario, tries_);
    }
    runs.push_back(std::move(measured.run));
  }
  return runs;
}

Status ScenarioProtocol::WriteTables(store::ExperimentWriter& writer) const {
  return tries_.empty() ? Status(Ok{}) : writer.AddRows(tries_);
}

}  // namespace xsp::protocols
