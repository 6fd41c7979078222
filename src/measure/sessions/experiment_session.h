#ifndef XSP_MEASURE_SESSIONS_EXPERIMENT_SESSION_H_
#define XSP_MEASURE_SESSIONS_EXPERIMENT_SESSION_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/progress.h"
#include "core/result.h"
#include "derive/compare/outputs.h"
#include "derive/experiments/experiment_builder.h"
#include "measure/executors/executor.h"
#include "measure/live/live_streams.h"
#include "measure/protocols/conditions.h"
#include "measure/protocols/measurement.h"
#include "measure/protocols/plan.h"
#include "measure/protocols/protocol.h"
#include "measure/requests/experiment_request.h"
#include "measure/sessions/planned_experiment.h"
#include "measure/sessions/run_monitor.h"
#include "measure/sessions/run_session.h"
#include "os/interrupt.h"
#include "os/scratch_folder.h"
#include "trace/trace.h"

namespace xsp::sessions {

/// One experiment of RunAlternately(), from its request to the store. Its steps are called in their
/// order; after an error of one only KeepRecordings() may follow. One thread.
class ExperimentSession {
 public:
  /// `request` is complete, borrowed, and outlives it.
  explicit ExperimentSession(const requests::ExperimentRequest& request);

  /// Plans all runs and creates what will hold them. `first`: the session that it alternates with,
  /// opened before; it gets that one's name with `-against` behind. Null: it is the first, or
  /// alone.
  Status Open(const ExperimentSession* first);

  const protocols::Plan& plan() const { return plan_; }
  /// Where the results of each point's first call lie, if it returned some.
  const std::vector<compare::PointOutputs>& outputs() const { return outputs_; }

  /// The streams of its runs of a group. What one group could not deliver costs the next ones no
  /// time.
  Result<std::unique_ptr<live::LiveStreams>> StartStreams(
      const std::vector<protocols::PlannedRun>& group);
  void EndStreams(live::LiveStreams& streams);

  /// Measures a group: its own, or with runs of other experiments.
  executors::MeasuredGroup Measure(const std::vector<protocols::PlannedRun>& group,
                                   protocols::ProgressEstimator& estimator);

  /// Stores what came of its own runs of a group.
  Status Store(executors::MeasuredGroup measured, protocols::ProgressEstimator& estimator);

  /// Puts the experiment into the store; `interference`: while it was measured.
  Result<ExperimentOutcome> Commit(const protocols::Interference& interference);

  /// What was measured must not be lost because it could not be stored: `error` with the folder
  /// that has the recordings.
  Error KeepRecordings(Error error);

 private:
  live::LiveRequest LiveRequest() const { return {request_.live_otlp, request_.live_folder}; }
  Status StoreRun(protocols::MeasuredRun& run);
  Result<ExperimentOutcome> Finish();
  Status KeepOutputs() const;
  Status StoreRoofs();
  bool IsLeftOut(const protocols::MeasuredRun& run) const;
  void CollectFailures(ExperimentOutcome& outcome) const;
  Error NothingMeasured() const;

  const requests::ExperimentRequest& request_;
  core::NoProgress nobody_;
  core::Progress& progress_;
  os::Interrupts never_;
  os::Interrupts& interrupts_;
  std::unique_ptr<protocols::Protocol> protocol_;
  std::string name_;  ///< From Open() on, as all below; in the store it may get a number behind.
  std::optional<os::ScratchFolder> scratch_;
  PlannedExperiment planned_;
  const std::unique_ptr<executors::Executor>& executor_ = planned_.executor;
  const std::vector<workers::Backend>& backends_ = planned_.backends;
  const protocols::Plan& plan_ = planned_.plan;
  std::optional<experiments::ExperimentBuilder> builder_;
  RunMonitor monitor_;
  std::vector<protocols::MeasuredRun> runs_;
  std::vector<compare::PointOutputs> outputs_;
  std::int64_t samples_ = 0;
  std::set<std::string> devices_;  ///< Names of those that executed kernels.
  live::StreamedRuns live_;        ///< What is streamed, of the group that is measured.
  live::LiveOutcome streamed_;     ///< Of the last group.
  std::vector<std::string> live_notes_;
  protocols::Interference interference_;
};

}  // namespace xsp::sessions

#endif  // XSP_MEASURE_SESSIONS_EXPERIMENT_SESSION_H_
