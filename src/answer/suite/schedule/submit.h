#ifndef XSP_ANSWER_SUITE_SCHEDULE_SUBMIT_H_
#define XSP_ANSWER_SUITE_SCHEDULE_SUBMIT_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "answer/suite/answer.h"
#include "answer/suite/schedule/export.h"
#include "core/progress.h"
#include "core/result.h"
#include "os/interrupt.h"

namespace xsp::suite::schedule {

/// How a job of a plan went on Slurm. Times are seconds after the submission of the first job.
struct CarriedJob {
  std::string id;                    ///< In Slurm.
  std::optional<double> start, end;  ///< Whole seconds, as Slurm has them; nothing: not known.
  std::string state;                 ///< "COMPLETED"; empty: Slurm has forgotten it.
};

/// What a plan is submitted with. Borrowed things outlive it.
struct SubmitContext {
  std::filesystem::path store;       ///< Its folder .slurm-jobs has the script and the logs.
  std::vector<std::string> program;  ///< And its arguments, before JOB and WIDTH.
  SlurmResource resource = SlurmResource::kGpus;
  core::Progress* progress = nullptr;
  os::Interrupts* interrupts = nullptr;
};

/// Errors: kUsage (no program; times without a unit), kNotPossible (no Slurm here).
Status CheckSubmit(const std::string& unit, const std::vector<std::string>& program);

/// Submits the jobs by PlanScript(), and waits until all have ended. An interrupt cancels them.
/// Returns one for each of Plan::placed. Errors: kBadInput (Slurm refuses a job: its words; those
/// submitted before are cancelled), kEnvironment, kInterrupted.
Result<std::vector<CarriedJob>> CarryOut(const NamedPlan& plan, const SubmitContext& context);

/// Plan against reality: the table, and what to say of it. Appends to `answer`, which is incomplete
/// if a job did not end well.
void AddReality(const NamedPlan& plan, const std::vector<CarriedJob>& jobs, Answer& answer);

}  // namespace xsp::suite::schedule

#endif  // XSP_ANSWER_SUITE_SCHEDULE_SUBMIT_H_
