#ifndef XSP_MEASURE_SLURM_BATCH_JOB_H_
#define XSP_MEASURE_SLURM_BATCH_JOB_H_

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "measure/slurm/queue.h"
#include "measure/sweeps/sweep.h"

namespace xsp::slurm {

/// What the user says of the jobs. What is empty or 0 is left to the cluster.
struct SlurmOptions {
  std::string partition, account;
  std::vector<std::string> options;  ///< Of sbatch: "KEY=VALUE", or "KEY".
  int limit = 0;                     ///< Tasks of an array that run at once, at most.
  bool share_nodes = false;          ///< Other jobs may run on the nodes meanwhile.
};

/// Errors: kUsage: an option is none of sbatch's form, or one that XSP sets itself.
Status CheckOption(const std::string& option);

/// A job, or an array of them, to submit.
struct BatchJob {
  std::string name;              ///< As squeue shows it: "xsp study: 12 points on epyc".
  std::filesystem::path folder;  ///< Of its script and of its log, or those of its tasks.
  std::size_t tasks = 0;         ///< Of an array: indices are 0 ... tasks - 1. 0: it is none.
  /// Options of sbatch that put it on the right machines; see MachineOptions.
  std::vector<std::string> machine_options;
  std::optional<double> longest_s;  ///< Estimate of its longest task; nothing: one is not known.
};

/// Options of sbatch for a machine constraint, by what the cluster knows of its nodes.
struct MachineOptions {
  std::vector<std::string> options;
  /// What of the constraint Slurm cannot be asked for: "architecture aarch64". Tasks check it.
  std::vector<std::string> unknown;
};

/// `features` and a feature named like the architecture become --constraint, `memory_gb` --mem,
/// `device` --gres=gpu:TYPE:1 for a type of GPU whose name is a part of it or the reverse, else a
/// feature of that name. Entries of `slurm` in the constraint are appended, and replace the option
/// of the same name.
MachineOptions OptionsOf(const sweeps::MachineConstraint& machine, const ClusterNodes& nodes);

/// Minutes of the time limit of a task that is expected to take `seconds`: three times as long, and
/// ten minutes for loading, roofs and storing.
int TimeLimitMinutes(double seconds);

/// The command line of sbatch, without the script. The user's options come last: they win.
std::vector<std::string> SbatchArguments(const BatchJob& job, const SlurmOptions& options);

/// The script of an array: its task K writes its document to `folder`/K.json. `program` is xsp.
std::string JobScript(const std::filesystem::path& folder, const std::string& program,
                      const std::filesystem::path& store, bool again);

/// A name that is shown in squeue: control characters become spaces.
std::string ShownName(std::string_view name);

/// One word of a shell.
std::string Quoted(const std::string& text);

/// The script, the sweep's file and the description of an array, in its folder.
inline constexpr const char* kScriptFile = "job.sh";
inline constexpr const char* kLogFile = "log";  ///< Of a job that is no array.
inline constexpr const char* kSweepFile = "sweep.yaml";
inline constexpr const char* kDescriptionFile = "job.json";

}  // namespace xsp::slurm

#endif  // XSP_MEASURE_SLURM_BATCH_JOB_H_
