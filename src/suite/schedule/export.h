#ifndef XSP_SUITE_SCHEDULE_EXPORT_H_
#define XSP_SUITE_SCHEDULE_EXPORT_H_

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "suite/schedule/plan.h"

namespace xsp::suite::schedule {

/// How a job of the batch script asks for its devices.
enum class SlurmResource { kGpus, kNodes, kTasks };

/// A plan with the names of its jobs, for people and programs.
struct NamedPlan {
  const Problem* problem;          ///< Not owned.
  const Plan* plan;                ///< Not owned.
  std::vector<std::string> names;  ///< By job.
  std::string unit;                ///< Of all times; may be empty.
  double bound;
};

/// "0-3" or "0,2".
std::string DeviceList(const std::vector<int>& devices);

/// job,width,start,end,devices: a row a job, by start.
std::string PlanCsv(const NamedPlan& plan);

/// {"devices", "unit", "makespan", "bound", "jobs": [{"job", "width", "start", "end", "devices"}]}.
std::string PlanJson(const NamedPlan& plan);

/// A shell script that submits every job to Slurm: `plan.sh PROGRAM [ARGUMENT...]`, each job runs
/// PROGRAM ARGUMENT... JOB WIDTH. A job waits (afterany) for those that use its devices before it,
/// so the order of the plan holds however long the jobs really take; it begins no earlier than its
/// release, where times have a unit.
std::string PlanScript(const NamedPlan& plan, SlurmResource resource);

/// Whether `file` ends in a form that WritePlan() knows. Error: kUsage.
Status CheckForm(const std::filesystem::path& file);

/// Writes the plan to `file`, in the form that its ending names (.csv, .json, .sh: executable).
/// Errors: kUsage (another ending), kEnvironment.
Status WritePlan(const NamedPlan& plan, SlurmResource resource, const std::filesystem::path& file);

}  // namespace xsp::suite::schedule

#endif  // XSP_SUITE_SCHEDULE_EXPORT_H_
