#ifndef XSP_MEASURE_SLURM_OPERATION_JOB_H_
#define XSP_MEASURE_SLURM_OPERATION_JOB_H_

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/progress.h"
#include "core/result.h"
#include "measure/slurm/batch_job.h"
#include "os/interrupt.h"

namespace xsp::slurm {

/// An operation of XSP that is performed on a node. Borrowed things outlive it.
struct OperationJob {
  std::string name;       ///< As squeue shows it: "xsp run resnet50".
  std::string operation;  ///< "run"
  nlohmann::json request;
  std::filesystem::path store;  ///< Absolute; nodes have it under the same path.
  std::string program;          ///< The path of xsp on the nodes.
  SlurmOptions options;
  core::Progress* progress = nullptr;
  os::Interrupts* interrupts = nullptr;
};

/// What it answered there: as api::Document has it.
struct JobAnswer {
  nlohmann::json document;
  std::vector<std::string> notes = {};
  int exit_status = 0;
};

/// Submits it, and follows it to its end: `xsp perform` in the working folder of this process, with
/// request, result and log in STORE/.slurm-jobs/N. The first interrupt cancels a job that waits,
/// and asks one that runs to store what it has; a second one cancels it. Errors: those of the
/// operation; as slurm::Submit; kEnvironment (the store is not writable; the job ended without an
/// answer), kInterrupted.
Result<JobAnswer> PerformOnNode(const OperationJob& job);

/// The script of a job: reads request.json, and writes result.json and outcome.json.
std::string OperationScript(const std::filesystem::path& folder, const OperationJob& job);

/// What `folder` has of an operation that has ended there. Nothing: it has not ended, or its files
/// are cut off.
std::optional<Result<JobAnswer>> ReadAnswer(const std::filesystem::path& folder);

}  // namespace xsp::slurm

#endif  // XSP_MEASURE_SLURM_OPERATION_JOB_H_
