#ifndef XSP_MEASURE_SLURM_SLURM_PROGRAMS_H_
#define XSP_MEASURE_SLURM_SLURM_PROGRAMS_H_

#include <filesystem>
#include <string>
#include <vector>

#include "core/result.h"
#include "measure/slurm/queue.h"

namespace xsp::slurm {

/// Errors: kNotPossible: sbatch, squeue or scancel is not installed, with what installs it.
Status CheckInstalled();

/// Submits a script: `arguments` as SbatchArguments() makes them. Returns the job's id. Errors:
/// kBadInput (sbatch refuses: its words), kEnvironment (it gives no answer).
Result<std::string> Submit(std::vector<std::string> arguments, const std::filesystem::path& script);

/// All tasks that Slurm knows, also those that ended a moment ago. Errors: kEnvironment, with the
/// words of squeue.
Result<std::vector<QueuedTask>> ReadQueue();

/// Tasks of one job; none: Slurm has forgotten it. Errors: as above.
Result<std::vector<QueuedTask>> ReadQueueOf(const std::string& job);

/// When these jobs began and ended; those that Slurm has forgotten are left out. Errors: as above.
Result<std::vector<JobTimes>> ReadTimes(const std::vector<std::string>& jobs);

/// Of the cluster; nothing if it gives no answer.
ClusterNodes ReadNodes();

/// How many tasks an array may have; 0: not known.
int ReadArrayLimit();

/// Cancels job arrays by their ids. Errors: kEnvironment, with the words of scancel.
Status Cancel(const std::vector<std::string>& jobs);

/// Cancels a job that waits, and asks one that runs to store what it has: a SIGTERM to its script
/// alone. Errors: kEnvironment, with the words of scancel.
Status AskToStop(const std::string& job);

/// The task of a job array that this process is; index -1: none.
struct OwnTask {
  std::string job;
  int index = -1;
  std::string node;
};
OwnTask ReadOwnTask();

/// Names a task, so that squeue shows what it measures. That it cannot be named costs nothing.
void NameTask(const OwnTask& task, const std::string& name);

}  // namespace xsp::slurm

#endif  // XSP_MEASURE_SLURM_SLURM_PROGRAMS_H_
