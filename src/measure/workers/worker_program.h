#ifndef XSP_MEASURE_WORKERS_WORKER_PROGRAM_H_
#define XSP_MEASURE_WORKERS_WORKER_PROGRAM_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"

namespace xsp::workers {

/// A worker and what `xsp-worker-NAME describe` says it can do (docs/worker-protocol.md).
struct WorkerProgram {
  std::string name;  ///< "torch"
  std::filesystem::path path;
  std::string framework;                ///< "PyTorch 2.15.0"
  std::vector<std::string> formats;     ///< Of the models that it accepts: "torchscript".
  std::vector<std::string> extensions;  ///< Of their files: ".pt".
  std::vector<std::string> devices, graphs, precisions, rungs;
  /// How finely profiling can be switched between a rung and the one above it.
  enum class Switch : std::uint8_t {
    kCall,     ///< Before every call.
    kBlock,    ///< Before blocks of calls: switching leaves something behind.
    kProcess,  ///< Not within a process.
  };
  std::map<std::string, Switch, std::less<>> switches;  ///< By rung; not in it: kBlock.
  /// Of docs/worker-protocol.md; 1 knows no pairs and sends no latencies, 2 cannot load anew.
  int protocol = 3;
  /// Kinds of device that the framework knows and this machine or build lacks, each with why:
  /// {"cuda", "no NVIDIA driver ..."}.
  std::vector<std::pair<std::string, std::string>> missing_devices;
  std::string description;  ///< The JSON document as it came.

  Switch SwitchOf(std::string_view rung) const {
    const auto it = switches.find(rung);
    return it == switches.end() ? Switch::kBlock : it->second;
  }
};

/// "call", "block" or "process".
std::string_view ToString(WorkerProgram::Switch granularity);

/// Asks a worker program what it can do. Errors: kBadInput (not executable), kEnvironment (it
/// crashes, hangs, or answers with something else).
Result<WorkerProgram> DescribeWorker(const std::filesystem::path& program);

struct WorkerList {
  std::vector<WorkerProgram> workers;                 ///< By name.
  std::vector<std::pair<std::string, Error>> broken;  ///< Found, but it cannot describe itself.
};

/// Every worker in os::WorkerFolders(); the first of a name counts. Runs each once, unless it did
/// so within the last minute (KnownDescriptions), as FindWorker and ChooseWorker do.
WorkerList ListWorkers();

/// The program of the worker of that name, without running it. Errors: kNotPossible when it is not
/// there (hint: how to get it).
Result<std::filesystem::path> FindWorkerFile(const std::string& name);

/// The worker of that name. Errors: as FindWorkerFile and DescribeWorker.
Result<WorkerProgram> FindWorker(const std::string& name);

/// The workers of `workers` that take a model file, the format's own framework first: by what the
/// file is (model_format.h), by its ending where that is not known.
std::vector<WorkerProgram> WorkersFor(const std::filesystem::path& model,
                                      const std::vector<WorkerProgram>& workers);

/// The first of them here; `framework` (a worker's name from a manifest, may be empty) decides
/// where given. Errors: kNotPossible when there is none (hint: how to get a file that one takes).
Result<WorkerProgram> ChooseWorker(const std::filesystem::path& model,
                                   const std::string& framework);

/// The rungs that `depth` (empty: as deep as kernel) asks of `worker`, shallow to deep, with
/// "details" last where layers are measured; `only`: that depth alone. Errors: kUsage (no such
/// depth), kNotPossible (the worker has no such rung).
Result<std::vector<std::string>> ChooseRungs(const WorkerProgram& worker, const std::string& depth,
                                             bool only);

}  // namespace xsp::workers

#endif  // XSP_MEASURE_WORKERS_WORKER_PROGRAM_H_
