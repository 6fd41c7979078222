#ifndef XSP_MEASURE_SESSIONS_PLANNED_EXPERIMENT_H_
#define XSP_MEASURE_SESSIONS_PLANNED_EXPERIMENT_H_

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/progress.h"
#include "core/result.h"
#include "measure/executors/executor.h"
#include "measure/models/model.h"
#include "measure/protocols/plan.h"
#include "measure/protocols/protocol.h"
#include "measure/requests/experiment_request.h"
#include "measure/workers/backends.h"

namespace xsp::sessions {

/// What is known of an experiment before its first worker starts. One thread.
struct PlannedExperiment {
  std::string model;  ///< Its name: the same for every backend, though their files differ.
  std::vector<workers::Backend> backends;
  std::unique_ptr<executors::Executor> executor;
  protocols::Plan plan;
};

/// How an experiment is planned.
struct PlanOptions {
  std::filesystem::path scratch;  ///< Where job files and recordings will lie.
  models::ZooMaking making = models::ZooMaking::kMake;
  int wake_fd = -1;  ///< Readable when it is to stop; -1: nothing asks for it.
};

/// Chooses the backends and plans all runs, for RunExperiment() and PlanExperiment() alike.
/// `request` is complete; `protocol` is the one that it asks for. Errors: those of RunExperiment()
/// that come before anything is measured.
Result<PlannedExperiment> PlanRuns(const requests::ExperimentRequest& request,
                                   protocols::Protocol& protocol, const PlanOptions& options,
                                   core::Progress& progress);

/// What RunExperiment() would measure now, without measuring, making a model of the zoo or writing
/// anything: paths of its runs lead to a folder that does not exist. Asks the workers what they can
/// do, which takes up to some seconds each. Errors: as RunExperiment() before it measures, except
/// for those of the store and of the data set's samples. Threading: any thread.
Result<PlannedExperiment> PlanExperiment(const requests::ExperimentRequest& request);

}  // namespace xsp::sessions

#endif  // XSP_MEASURE_SESSIONS_PLANNED_EXPERIMENT_H_
