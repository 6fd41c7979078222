#ifndef XSP_MEASURE_SESSIONS_RUN_SESSION_H_
#define XSP_MEASURE_SESSIONS_RUN_SESSION_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/result.h"
#include "measure/requests/experiment_request.h"
#include "store/rows/agreement_row.h"

namespace xsp::sessions {

struct RunOutcome {
  std::string name;            ///< "b4-kernel"; with several backends "torch-b4-kernel".
  std::filesystem::path path;  ///< Its folder; empty when it left nothing.
  std::string rung;
  std::string status;   ///< done, interrupted or failed
  std::string message;  ///< What went wrong and what to do; empty: nothing.
};

struct ExperimentOutcome {
  std::filesystem::path path;
  std::vector<RunOutcome> runs;
  std::string status;           ///< done, partial (a run failed) or interrupted
  std::vector<Error> failures;  ///< Why runs failed, each reason once.
  /// Backends of `all` that cannot run the model, a line each.
  std::vector<std::string> left_out;
  std::string conditions;    ///< A sentence on what else the machine did meanwhile.
  std::string monitor_cost;  ///< A sentence on the system monitor; empty: there was none.
  std::vector<std::string> live_notes;  ///< Sentences on spans that were sent meanwhile.
  int exit_status = 0;  ///< 0 done; 130 interrupted; else that of the gravest failure's kind.
};

/// Measures a model at each batch size, one worker process per rung, and stores the experiment.
///
/// A worker that fails costs its run only: the others are still measured, status is `partial`.
/// Its interrupts, asked once: what was measured is stored, status `interrupted`; twice: workers
/// are killed, nothing is stored. When storing fails after measuring, the recordings are kept in a
/// temporary folder that the message names.
///
/// Errors, nothing stored: kBadInput (no such model, or no run gave a sample and its failure was of
/// that kind), kNotPossible (no worker, no such rung, a framework that is missing, with the command
/// that installs it), kEnvironment (store not writable, disk full, every worker died),
/// kInterrupted. Threading: any thread; several may run at once.
Result<ExperimentOutcome> RunExperiment(const requests::ExperimentRequest& request);

/// What came of experiments whose workers alternated.
struct AlternationOutcome {
  std::vector<ExperimentOutcome> experiments;  ///< In the order of the requests.
  /// Results of one call of each point of the first compared with those of the second, where both
  /// returned some; `point_id` is that of both.
  std::vector<store::AgreementRow> agreement;
};

/// Measures one experiment, or two whose workers alternate, so that what the machine changes
/// meanwhile is in both alike. Each is stored for itself; two have a random `session` in common.
/// Two requests have the same store and batch sizes, one backend each, and neither a load scenario
/// nor a data set. The second one's name is that of the first with `-against` behind, its
/// `keep_outputs` the folder `against` in that of the first; only spans of the first are sent.
/// Errors: as RunExperiment(), of the first that failed; if the other one is stored, the error says
/// where. Threading: any thread.
Result<AlternationOutcome> RunAlternately(const std::vector<requests::ExperimentRequest>& requests);

}  // namespace xsp::sessions

#endif  // XSP_MEASURE_SESSIONS_RUN_SESSION_H_
