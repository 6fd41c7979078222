#ifndef XSP_ANSWER_SUITE_SCALING_SCALING_RUNS_H_
#define XSP_ANSWER_SUITE_SCALING_SCALING_RUNS_H_

#include <filesystem>
#include <string>
#include <vector>

#include "answer/suite/job_times.h"
#include "answer/suite/suite_command.h"
#include "core/progress.h"
#include "core/result.h"
#include "os/interrupt.h"

namespace xsp::suite::scaling {

/// What to measure of a model with `xsp run`.
struct ModelToRun {
  std::string model;
  std::string backend;  ///< Empty: what `xsp run` takes.
  int batch = 1;
  int iterations = 30;
};

/// Runs `xsp run` once for each number of threads, model rung only, into the store; a number whose
/// experiment is there already is not measured again, so that an interrupted call goes on where it
/// was. An experiment that is not whole, or that says it is of another model or another file of
/// this name, is measured anew and replaced, the latter said in `*treatments` (appended to; not
/// null). Returns the experiments' names. Errors: those of the run, with its error excerpt.
Result<std::vector<std::string>> RunOnThreads(const CommandContext& context, const ModelToRun& what,
                                              const std::vector<int>& threads,
                                              std::vector<std::string>* treatments);

/// What zoo/training/data_parallel.py is asked for.
struct Training {
  int steps = 30;
  int batch = 32;  ///< Of all processes together: strong scaling.
};

/// Seconds a step of data-parallel training in so many processes with gloo, each on one thread.
/// Errors: kNotPossible where Python has no PyTorch, saying what installs it; kBadInput for a batch
/// that a number of processes does not divide; kInterrupted at a request to stop; kEnvironment when
/// the program fails, with an excerpt of its errors.
Result<JobTable> TrainInProcesses(const Training& what, const std::vector<int>& processes,
                                  core::Progress& progress, const os::Interrupts& interrupts);

}  // namespace xsp::suite::scaling

#endif  // XSP_ANSWER_SUITE_SCALING_SCALING_RUNS_H_
