#ifndef XSP_MEASURE_EVALUATE_PLAN_H_
#define XSP_MEASURE_EVALUATE_PLAN_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "derive/match/match.h"
#include "measure/evaluate/experiment.h"
#include "measure/evaluate/measurement.h"
#include "measure/evaluate/model.h"
#include "measure/evaluate/progress.h"
#include "measure/evaluate/worker_program.h"

namespace xsp::evaluate {

/// A framework with the model in a format that it takes, or why that cannot be had.
struct Backend {
  std::string name;  ///< The worker's.
  WorkerProgram worker;
  Model model;
  std::optional<Error> refused;
  /// One of `all`: where it cannot run the model and another can, that is no failure.
  bool is_optional = false;
};

/// Everything that an experiment will measure.
struct Plan {
  std::vector<match::PointInput> points;        ///< point_id: index + 1.
  std::vector<std::vector<PlannedRun>> groups;  ///< One per batch size; its runs alternate.
};

/// Refuses what cannot be meant. Errors: kUsage.
Status CheckRequest(const ExperimentRequest& request);

/// The backends that a request asks for, each with its model file, which is made where it is of the
/// zoo. `all` stands for every worker here that takes a format of the model. With several backends
/// one that cannot run is refused, and the others remain. Errors: as FindWorker, ChooseWorker and
/// ResolveModel; kNotPossible when the only one has no such device, graph or precision, or none
/// remains.
Result<std::vector<Backend>> ChooseBackends(const ExperimentRequest& request, Progress& progress,
                                            int wake_fd);

/// Points and runs; job files, recordings and results will lie in `scratch`. `cores`: what the
/// machine lets the job use. Errors: as ChooseRungs.
Result<Plan> MakePlan(const ExperimentRequest& request, const std::vector<Backend>& backends,
                      int cores, const std::filesystem::path& scratch);

/// Where the first run of a point has its worker write the results of a call.
std::filesystem::path OutputsFolder(const std::filesystem::path& scratch, std::int64_t point_id);

}  // namespace xsp::evaluate

#endif  // XSP_MEASURE_EVALUATE_PLAN_H_
