#include "measure/sessions/planned_experiment.h"

#include <optional>
#include <utility>

#include "measure/executors/local_executor.h"
#include "measure/models/zoo.h"
#include "measure/requests/request_check.h"
#include "measure/sessions/run_monitor.h"
#include "measure/workers/worker_program.h"

namespace xsp::sessions {
namespace {

/// Making a zoo model takes a while: a worker that is missing is found before.
Status CheckZooWorker(const requests::ExperimentRequest& request) {
  if (!request.backends.empty() || !request.worker.empty()) return Ok{};
  XSP_TRY(const std::optional<models::ZooModel> zoo, models::FindInZoo(request.model));
  if (!zoo || zoo->files.front().made) return Ok{};
  XSP_TRY(const workers::WorkerProgram worker,
          workers::ChooseWorker(zoo->files.front().path, zoo->manifest.framework.name));
  return Ok{};
}

std::string NameOfModel(const requests::ExperimentRequest& request,
                        const std::vector<workers::Backend>& backends) {
  for (const workers::Backend& backend : backends)
    if (!backend.refused) return backend.model.name;
  return request.model;
}

}  // namespace

Result<PlannedExperiment> PlanRuns(const requests::ExperimentRequest& request,
                                   protocols::Protocol& protocol, const PlanOptions& options,
                                   core::Progress& progress) {
  PlannedExperiment planned;
  progress.Step("looking for model and worker", 0, -1);
  XSP_RETURN_IF_ERROR(CheckZooWorker(request));
  XSP_TRY(planned.backends,
          workers::ChooseBackends(request, progress, options.wake_fd, options.making));
  planned.model = NameOfModel(request, planned.backends);
  planned.executor = std::make_unique<executors::LocalExecutor>(request.monitor_rate_hz);
  XSP_TRY(planned.plan,
          protocols::MakePlan(request, planned.backends, planned.executor->allowance().cores(),
                              options.scratch));
  for (std::vector<protocols::PlannedRun>& group : planned.plan.groups)
    for (protocols::PlannedRun& run : group) XSP_RETURN_IF_ERROR(planned.executor->Resolve(run));
  for (match::PointInput& point : planned.plan.points) point.model = planned.model;
  XSP_RETURN_IF_ERROR(protocol.Prepare(planned.backends, planned.plan));
  return planned;
}

Result<PlannedExperiment> PlanExperiment(const requests::ExperimentRequest& request) {
  XSP_TRY(const requests::ExperimentRequest complete, protocols::CompleteRequest(request));
  XSP_RETURN_IF_ERROR(RunMonitor::CheckRate(request.monitor_rate_hz));
  XSP_RETURN_IF_ERROR(requests::CheckRequest(complete));
  core::NoProgress nobody;
  const std::unique_ptr<protocols::Protocol> protocol = protocols::ProtocolFor(complete);
  PlanOptions options{"/nonexistent", models::ZooMaking::kLeave, -1};
  return PlanRuns(complete, *protocol, options,
                  request.progress != nullptr ? *request.progress : nobody);
}

}  // namespace xsp::sessions
