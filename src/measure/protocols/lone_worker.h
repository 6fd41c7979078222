#ifndef XSP_MEASURE_PROTOCOLS_LONE_WORKER_H_
#define XSP_MEASURE_PROTOCOLS_LONE_WORKER_H_

#include <functional>
#include <optional>
#include <string_view>

#include "core/progress.h"
#include "core/result.h"
#include "measure/protocols/measurement.h"
#include "measure/requests/experiment_request.h"
#include "os/interrupt.h"
#include "trace/trace.h"

namespace xsp::protocols {

/// One planned run in a process of its own, while no other is measured: what load scenarios and
/// data sets have in common. Threading: one thread; what it borrows is used only in its calls.
class LoneWorker {
 public:
  /// All are borrowed. `doing`: what progress says of it, after the run's name.
  LoneWorker(const PlannedRun& plan, const requests::ExperimentRequest& request,
             os::Interrupts& interrupts, core::Progress& progress, std::string_view doing);

  /// Starts the worker, waits until it is warm, has `measure` done, ends the worker and returns
  /// what came of it. A fault ends it; what was recorded stays.
  MeasuredRun Measure(const std::function<Status()>& measure);

  /// Makes `calls` calls, one after another. Errors: as WorkerSession::Run.
  Status Run(int calls, workers::WorkerSession::Deadline deadline);

  workers::WorkerSession& session() { return *session_; }
  const PlannedRun& plan() const { return run_.plan; }
  /// Calls made so far.
  int calls() const { return run_.calls; }
  void CountCalls(int calls) { run_.calls += calls; }

  /// What it recorded so far, for while it waits for its next line. Errors: as LoadTrace.
  Result<trace::Trace> Recorded() const;

  /// The longest that work may take which is expected to take `expected_s` at most.
  workers::WorkerSession::Deadline Deadline(double expected_s) const;

  void Say(std::string_view what, double fraction = 0, double left_s = -1);
  void Note(std::string_view what) { progress_.Note(what); }

 private:
  Status Open();
  Status Close();

  const requests::ExperimentRequest& request_;
  os::Interrupts& interrupts_;
  core::Progress& progress_;
  std::string_view doing_;
  MeasuredRun run_;
  std::optional<workers::WorkerSession> session_;
};

}  // namespace xsp::protocols

#endif  // XSP_MEASURE_PROTOCOLS_LONE_WORKER_H_
