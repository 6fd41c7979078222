#ifndef XSP_MEASURE_WORKERS_BACKENDS_H_
#define XSP_MEASURE_WORKERS_BACKENDS_H_

#include <optional>
#include <string>
#include <vector>

#include "core/progress.h"
#include "core/result.h"
#include "measure/models/model.h"
#include "measure/requests/experiment_request.h"
#include "measure/workers/worker_program.h"

namespace xsp::workers {

/// A framework with the model in a format that it takes, or why that cannot be had.
struct Backend {
  std::string name;  ///< The worker's.
  WorkerProgram worker;
  models::Model model;
  std::optional<Error> refused;
  /// One of `all`: where it cannot run the model and another can, that is no failure.
  bool is_optional = false;
};

/// The backends that a request asks for, each with its model file, which is made where it is of the
/// zoo and `making` says so. `all` stands for every worker here that takes a format of the model.
/// With several backends one that cannot run is refused, and the others remain. Errors: as
/// FindWorker, ChooseWorker and ResolveModel; kNotPossible when the only one has no such device,
/// graph or precision, or none remains.
Result<std::vector<Backend>> ChooseBackends(const requests::ExperimentRequest& request,
                                            core::Progress& progress, int wake_fd,
                                            models::ZooMaking making = models::ZooMaking::kMake);

/// What the worker calls the device: some frameworks number theirs, others know only the kind,
/// whose first one is meant then ("cuda" for cuda:0).
std::string DeviceFor(const WorkerProgram& worker, const std::string& asked);

}  // namespace xsp::workers

#endif  // XSP_MEASURE_WORKERS_BACKENDS_H_
