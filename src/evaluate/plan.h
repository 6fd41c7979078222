#ifndef XSP_EVALUATE_PLAN_H_
#define XSP_EVALUATE_PLAN_H_

#include <filesystem>
#include <vector>

#include "base/result.h"
#include "evaluate/experiment.h"
#include "evaluate/measurement.h"
#include "evaluate/model.h"
#include "evaluate/worker_program.h"
#include "match/match.h"

namespace xsp::evaluate {

/// Everything that an experiment will measure.
struct Plan {
  std::vector<match::PointInput> points;        ///< point_id: index + 1.
  std::vector<std::vector<PlannedRun>> groups;  ///< One per batch size; what takes turns.
};

/// Refuses what cannot be meant. Errors: kUsage.
Status CheckRequest(const ExperimentRequest& request);

/// The workers that a request asks for. Errors: as FindWorker and ChooseWorker; kNotPossible when
/// one has no such device, graph or precision.
Result<std::vector<WorkerProgram>> ChooseWorkers(const ExperimentRequest& request,
                                                 const Model& model);

/// Points and runs; job files and recordings will lie in `scratch`. `cores`: what the machine lets
/// the job use. Errors: as ChooseRungs.
Result<Plan> MakePlan(const ExperimentRequest& request, const Model& model,
                      const std::vector<WorkerProgram>& workers, int cores,
                      const std::filesystem::path& scratch);

}  // namespace xsp::evaluate

#endif  // XSP_EVALUATE_PLAN_H_
