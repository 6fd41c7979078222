#include "answer/suite/schedule/export.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>
#include <utility>

#include "core/counted.h"
#include "core/json_text.h"
#include "measure/slurm/batch_job.h"
#include "os/files.h"
#include "store/export.h"

namespace xsp::suite::schedule {
namespace {

namespace fs = std::filesystem;
using slurm::Quoted;

/// Without line ends, which would end a comment.
std::string OneLine(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\r') c = ' ';
  return text;
}

std::string InUnit(double time, const std::string& unit) {
  return fmt::format("{:.6g}{}{}", time, unit.empty() ? "" : " ", unit);
}

const Choice& ChoiceOf(const NamedPlan& plan, const Placed& placed) {
  return plan.problem->jobs[placed.job].choices[placed.choice];
}

std::string Request(SlurmResource resource, int width) {
  if (resource == SlurmResource::kNodes) return fmt::format("--nodes={} --exclusive", width);
  if (resource == SlurmResource::kTasks) return fmt::format("--ntasks={}", width);
  if (resource == SlurmResource::kGres) return fmt::format("--gres=gpu:{}", width);
  return fmt::format("--gpus={}", width);
}

/// Of each placed job, the ones that used one of its devices last before it.
std::vector<std::set<std::size_t>> Before(const NamedPlan& plan) {
  std::vector<std::set<std::size_t>> before;
  std::vector<std::size_t> last(static_cast<std::size_t>(plan.problem->devices), SIZE_MAX);
  for (std::size_t i = 0; i < plan.plan->placed.size(); ++i) {
    before.emplace_back();
    for (const int device : plan.plan->placed[i].devices) {
      std::size_t& user = last[static_cast<std::size_t>(device)];
      if (user != SIZE_MAX) before.back().insert(user);
      user = i;
    }
  }
  return before;
}

/// What every script does before its first job. bash leaves -e behind in $(...), so that a refused
/// sbatch has to end `submit` by itself; what --wrap holds is read by /bin/sh, which knows none of
/// bash's $'...'.
constexpr const char* kSubmit = R"sh(set -euo pipefail
if [ $# -eq 0 ]; then
  echo 'usage: plan.sh PROGRAM [ARGUMENT...]' >&2
  exit 2
fi
# quoted WORD...: the words, for any POSIX shell.
quoted() {
  local word quote="'\\''"
  for word; do
    word=${word//"'"/"$quote"}
    printf "'%s' " "$word"
  done
}
command=$(quoted "$@")
read -ra options <<<"${SBATCH_OPTIONS:-}"
submitted=
# run JOB WIDTH: what the shell of a job runs.
run() {
  printf '%s' "$command"
  quoted "$@"
}
# both JOB OTHER: the same of two that share a device; steps of one do not wait for the other's.
both() {
  printf 'export SLURM_OVERLAP=1\n%s& first=$!\n%s; second=$?\nwait $first && exit $second\n' \
    "$(run "$1" 1)" "$(run "$2" 1)"
}
# submit AFTER JOB COMMAND OPTION...: prints the id of the job in Slurm.
submit() {
  local after=$1 job=$2 wrapped=$3
  shift 3
  local id
  id=$(sbatch --parsable --job-name="$job" ${after:+--dependency=afterany:$after} "$@" \
    ${options[@]+"${options[@]}"} --wrap="$wrapped") || return 1
  id=${id%%;*}
  [ -n "$id" ] || return 1
  echo "$id"
}
# stop JOB: later jobs would go out without the ones that they wait for.
stop() {
  echo "plan.sh: Slurm did not take $1; no job after it was submitted" >&2
  [ -z "$submitted" ] || echo "submitted before: scancel$submitted takes them back" >&2
  exit 1
}

)sh";

/// The lines that submit the job at `place` of the plan after those at `before`.
std::string Submission(const NamedPlan& plan, std::size_t place,
                       const std::set<std::size_t>& before, SlurmResource resource) {
  const Placed& placed = plan.plan->placed[place];
  const int width = ChoiceOf(plan, placed).width;
  const std::string name = NameOf(plan, placed.job);
  const std::vector<std::string>& jobs = plan.names[placed.job];
  const std::string command = jobs.size() == 2
                                  ? fmt::format("$(both {} {})", Quoted(jobs[0]), Quoted(jobs[1]))
                                  : fmt::format("$(run {} {})", Quoted(name), width);
  std::string after;
  for (const std::size_t other : before)
    after += fmt::format("{}$job_{}", after.empty() ? "" : ":", other + 1);
  const double release_s = plan.problem->jobs[placed.job].release * SecondsPer(plan.unit);
  const std::string begin =
      release_s > 0 ? fmt::format(" --begin=now+{:.0f}", std::ceil(release_s)) : std::string();
  return fmt::format(
      "# {0}: {1:.6g} to {2}, device{3} {4}\n"
      "job_{5}=$(submit \"{6}\" {7} \"{8}\" {9}{10}) || stop {7}\n"
      "submitted+=\" $job_{5}\"\n",
      OneLine(name), placed.start, InUnit(placed.end, plan.unit), width == 1 ? "" : "s",
      DeviceList(placed.devices), place + 1, after, Quoted(name), command, Request(resource, width),
      begin);
}

}  // namespace

double SecondsPer(const std::string& unit) {
  if (unit == "ns") return 1e-9;
  if (unit == "us") return 1e-6;
  if (unit == "ms") return 1e-3;
  if (unit == "s") return 1;
  if (unit == "min") return 60;
  if (unit == "h") return 3600;
  return 0;
}

std::string DeviceList(const std::vector<int>& devices) {
  std::string text;
  for (std::size_t i = 0; i < devices.size();) {
    std::size_t end = i;
    while (end + 1 < devices.size() && devices[end + 1] == devices[end] + 1) ++end;
    text += (text.empty() ? "" : ",") + std::to_string(devices[i]);
    if (end > i) text += (end > i + 1 ? "-" : ",") + std::to_string(devices[end]);
    i = end + 1;
  }
  return text;
}

std::string NameOf(const NamedPlan& plan, std::size_t job) {
  return fmt::format("{}", fmt::join(plan.names[job], " + "));
}

std::vector<PlanRow> RowsOf(const NamedPlan& plan) {
  std::vector<PlanRow> rows;
  for (const Placed& placed : plan.plan->placed) {
    const std::vector<double>& ends = plan.problem->jobs[placed.job].ends;
    const std::vector<std::string>& names = plan.names[placed.job];
    for (std::size_t i = 0; i < names.size(); ++i) {
      const double end = ends.empty() ? placed.end : placed.start + ends[i];
      std::string beside = names.size() == 2 ? names[1 - i] : std::string();
      rows.push_back({names[i], ChoiceOf(plan, placed).width, placed.start, end, placed.devices,
                      std::move(beside)});
    }
  }
  return rows;
}

std::string PlanCsv(const NamedPlan& plan) {
  store::Table table{{"job", "width", "start", "end", "devices"}, {}};
  for (const PlanRow& row : RowsOf(plan))
    table.rows.push_back({row.job, static_cast<std::int64_t>(row.width), row.start, row.end,
                          DeviceList(row.devices)});
  return store::ToCsv(table);
}

std::string PlanJson(const NamedPlan& plan) {
  nlohmann::json jobs = nlohmann::json::array();
  for (const PlanRow& row : RowsOf(plan))
    jobs.push_back({{"job", row.job},
                    {"width", row.width},
                    {"start", row.start},
                    {"end", row.end},
                    {"devices", row.devices}});
  const nlohmann::json document = {{"devices", plan.problem->devices},
                                   {"unit", plan.unit},
                                   {"makespan", plan.plan->makespan},
                                   {"bound", plan.bound},
                                   {"jobs", jobs}};
  return core::JsonText(document, 2) + "\n";
}

std::string PlanScript(const NamedPlan& plan, SlurmResource resource) {
  std::string text = fmt::format(
      "#!/usr/bin/env bash\n"
      "# Submits {} to Slurm, in the order of a plan of {} on {} (no plan is shorter than "
      "{:.6g}).\n"
      "# Usage: plan.sh PROGRAM [ARGUMENT...]: each job runs PROGRAM ARGUMENT... JOB WIDTH.\n"
      "# Options for every job: SBATCH_OPTIONS='--partition=gpu --time=60' plan.sh PROGRAM\n",
      core::Counted(plan.plan->placed.size(), "job"), InUnit(plan.plan->makespan, plan.unit),
      core::Counted(plan.problem->devices, "device"), plan.bound);
  text += kSubmit;
  const auto before = Before(plan);
  for (std::size_t i = 0; i < before.size(); ++i) text += Submission(plan, i, before[i], resource);
  return text + "\necho \"submitted:$submitted\"\n";
}

Status CheckExport(const Problem& problem, const std::string& unit, const fs::path& file) {
  const std::string ending = file.extension().string();
  if (ending != ".csv" && ending != ".json" && ending != ".sh")
    return Error{ErrorKind::kUsage, "a plan has no such form: " + file.string(),
                 "end the file's name in .csv, .json or .sh (a batch script for Slurm)"};
  const bool waits =
      std::ranges::any_of(problem.jobs, [](const Job& job) { return job.release > 0; });
  if (ending == ".sh" && waits && SecondsPer(unit) == 0)
    return Error{ErrorKind::kUsage,
                 "jobs are released later, and in which unit of time is not known: " +
                     (unit.empty() ? "the table names none" : unit),
                 "give --unit s, min or h: Slurm begins a job so many seconds from now"};
  return Ok{};
}

Status WritePlan(const NamedPlan& plan, SlurmResource resource, const fs::path& file) {
  XSP_RETURN_IF_ERROR(CheckExport(*plan.problem, plan.unit, file));
  const std::string ending = file.extension().string();
  if (ending == ".csv") return os::WriteFileAtomically(file, PlanCsv(plan));
  if (ending == ".json") return os::WriteFileAtomically(file, PlanJson(plan));
  XSP_RETURN_IF_ERROR(os::WriteFileAtomically(file, PlanScript(plan, resource)));
  std::error_code error;
  fs::permissions(file, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                  fs::perm_options::add, error);
  if (error)
    return Error{ErrorKind::kEnvironment,
                 fmt::format("cannot make {} executable: {}", file.string(), error.message()), ""};
  return Ok{};
}

}  // namespace xsp::suite::schedule
