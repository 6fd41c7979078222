#ifndef XSP_ANSWER_SUITE_SCHEDULE_EXPORT_H_
#define XSP_ANSWER_SUITE_SCHEDULE_EXPORT_H_

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "answer/suite/schedule/plan.h"
#include "core/result.h"

namespace xsp::suite::schedule {

/// How a job of the batch script asks for its devices: kGpus counts those of the whole job, kGres
/// those of one node, kNodes whole nodes.
enum class SlurmResource { kGpus, kGres, kNodes, kTasks };

/// A plan with the names of its jobs, for people and programs.
struct NamedPlan {
  const Problem* problem;  ///< Not owned.
  const Plan* plan;        ///< Not owned.
  /// By job: its name; of one that is several which share a device (Job::ends), theirs.
  std::vector<std::vector<std::string>> names;
  std::string unit;  ///< Of all times; may be empty.
  double bound;
};

/// "a", or "a + b" of jobs that share a device.
std::string NameOf(const NamedPlan& plan, std::size_t job);

/// One job of a plan.
struct PlanRow {
  std::string job;
  int width;
  double start, end;
  std::vector<int> devices;  ///< Counted from 0, ascending.
  std::string beside;        ///< What shares its device; empty: nothing.
};

/// The jobs by start, each of those that share a device by itself.
std::vector<PlanRow> RowsOf(const NamedPlan& plan);

/// Seconds of a unit of time: "ns", "us", "ms", "s", "min", "h"; 0: none of these.
double SecondsPer(const std::string& unit);

/// "0-3" or "0,2".
std::string DeviceList(const std::vector<int>& devices);

/// job,width,start,end,devices: a row a job, by start.
std::string PlanCsv(const NamedPlan& plan);

/// {"devices", "unit", "makespan", "bound", "jobs": [{"job", "width", "start", "end", "devices"}]}.
std::string PlanJson(const NamedPlan& plan);

/// A shell script that submits every job to Slurm: `plan.sh PROGRAM [ARGUMENT...]`, each job runs
/// PROGRAM ARGUMENT... JOB WIDTH. Jobs that share a device are one job of Slurm, which starts both
/// and fails if one of them does. A job waits (afterany) for those that use its devices before it,
/// so the order of the plan holds however long the jobs really take; it begins no earlier than its
/// release. A job that Slurm refuses ends the script, which names those that are submitted. Where a
/// job is released later than 0, times have a unit (CheckExport()).
std::string PlanScript(const NamedPlan& plan, SlurmResource resource);

/// Whether WritePlan() can write a plan of `problem`, whose times are in `unit`, to `file`. Errors:
/// kUsage (another ending; a script of jobs that are released later, in no unit of time).
Status CheckExport(const Problem& problem, const std::string& unit,
                   const std::filesystem::path& file);

/// Writes the plan to `file`, in the form that its ending names (.csv, .json, .sh: executable).
/// Errors: as CheckExport(); kEnvironment.
Status WritePlan(const NamedPlan& plan, SlurmResource resource, const std::filesystem::path& file);

}  // namespace xsp::suite::schedule

#endif  // XSP_ANSWER_SUITE_SCHEDULE_EXPORT_H_
