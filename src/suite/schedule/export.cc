#include "suite/schedule/export.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "base/files.h"
#include "store/export.h"

namespace xsp::suite::schedule {
namespace {

namespace fs = std::filesystem;

/// `text` as one word of a shell.
std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

/// Without line ends, which would end a comment.
std::string OneLine(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\r') c = ' ';
  return text;
}

double SecondsPer(const std::string& unit) {
  if (unit == "ns") return 1e-9;
  if (unit == "us") return 1e-6;
  if (unit == "ms") return 1e-3;
  if (unit == "s") return 1;
  if (unit == "min") return 60;
  if (unit == "h") return 3600;
  return 0;
}

const Choice& ChoiceOf(const NamedPlan& plan, const Placed& placed) {
  return plan.problem->jobs[placed.job].choices[placed.choice];
}

std::string Request(SlurmResource resource, int width) {
  if (resource == SlurmResource::kNodes) return fmt::format("--nodes={}", width);
  if (resource == SlurmResource::kTasks) return fmt::format("--ntasks={}", width);
  return fmt::format("--gres=gpu:{}", width);
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

}  // namespace

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

std::string PlanCsv(const NamedPlan& plan) {
  store::Table table{{"job", "width", "start", "end", "devices"}, {}};
  for (const Placed& placed : plan.plan->placed)
    table.rows.push_back({plan.names[placed.job],
                          static_cast<std::int64_t>(ChoiceOf(plan, placed).width), placed.start,
                          placed.end, DeviceList(placed.devices)});
  return store::ToCsv(table);
}

std::string PlanJson(const NamedPlan& plan) {
  nlohmann::json jobs = nlohmann::json::array();
  for (const Placed& placed : plan.plan->placed)
    jobs.push_back({{"job", plan.names[placed.job]},
                    {"width", ChoiceOf(plan, placed).width},
                    {"start", placed.start},
                    {"end", placed.end},
                    {"devices", placed.devices}});
  const nlohmann::json document = {{"devices", plan.problem->devices},
                                   {"unit", plan.unit},
                                   {"makespan", plan.plan->makespan},
                                   {"bound", plan.bound},
                                   {"jobs", jobs}};
  return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string PlanScript(const NamedPlan& plan, SlurmResource resource) {
  std::string text = fmt::format(
      "#!/usr/bin/env bash\n"
      "# Submits {} jobs to Slurm, in the order of a plan of {:.6g} {} on {} devices (no plan is "
      "shorter than {:.6g}).\n"
      "# Usage: plan.sh PROGRAM [ARGUMENT...]: each job runs PROGRAM ARGUMENT... JOB WIDTH.\n"
      "# Options for every job: SBATCH_OPTIONS='--partition=gpu --time=60' plan.sh PROGRAM\n"
      "set -euo pipefail\n"
      "if [ $# -eq 0 ]; then\n"
      "  echo 'usage: plan.sh PROGRAM [ARGUMENT...]' >&2\n"
      "  exit 2\n"
      "fi\n"
      "command=$(printf '%q ' \"$@\")\n"
      "read -ra options <<<\"${{SBATCH_OPTIONS:-}}\"\n"
      "# submit AFTER JOB WIDTH OPTION...: prints the id of the job in Slurm.\n"
      "submit() {{\n"
      "  local after=$1 job=$2 width=$3\n"
      "  shift 3\n"
      "  local id\n"
      "  id=$(sbatch --parsable --job-name=\"$job\" ${{after:+--dependency=afterany:$after}} "
      "\"$@\" ${{options[@]+\"${{options[@]}}\"}} --wrap=\"$command$(printf '%q ' \"$job\" "
      "\"$width\")\")\n"
      "  echo \"${{id%%;*}}\"\n"
      "}}\n\n",
      plan.plan->placed.size(), plan.plan->makespan, plan.unit, plan.problem->devices, plan.bound);
  const auto before = Before(plan);
  for (std::size_t i = 0; i < plan.plan->placed.size(); ++i) {
    const Placed& placed = plan.plan->placed[i];
    const int width = ChoiceOf(plan, placed).width;
    std::string after;
    for (const std::size_t other : before[i])
      after += fmt::format("{}$job_{}", after.empty() ? "" : ":", other + 1);
    text += fmt::format("# {}: {:.6g} to {:.6g} {}, devices {}\n", OneLine(plan.names[placed.job]),
                        placed.start, placed.end, plan.unit, DeviceList(placed.devices));
    const double release_s = plan.problem->jobs[placed.job].release * SecondsPer(plan.unit);
    text += fmt::format(
        "job_{}=$(submit \"{}\" {} {} {}{})\n", i + 1, after, Quoted(plan.names[placed.job]), width,
        Request(resource, width),
        release_s > 0 ? fmt::format(" --begin=now+{:.0f}", std::ceil(release_s)) : std::string());
  }
  text += "\necho \"submitted:";
  for (std::size_t i = 0; i < plan.plan->placed.size(); ++i) text += fmt::format(" $job_{}", i + 1);
  return text + "\"\n";
}

Status CheckForm(const fs::path& file) {
  const std::string ending = file.extension().string();
  if (ending == ".csv" || ending == ".json" || ending == ".sh") return Ok{};
  return Error{ErrorKind::kUsage, "a plan has no such form: " + file.string(),
               "end the file's name in .csv, .json or .sh (a batch script for Slurm)"};
}

Status WritePlan(const NamedPlan& plan, SlurmResource resource, const fs::path& file) {
  XSP_RETURN_IF_ERROR(CheckForm(file));
  const std::string ending = file.extension().string();
  if (ending == ".csv") return base::WriteFileAtomically(file, PlanCsv(plan));
  if (ending == ".json") return base::WriteFileAtomically(file, PlanJson(plan));
  XSP_RETURN_IF_ERROR(base::WriteFileAtomically(file, PlanScript(plan, resource)));
  std::error_code error;
  fs::permissions(file, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                  fs::perm_options::add, error);
  if (error)
    return Error{ErrorKind::kEnvironment,
                 fmt::format("cannot make {} executable: {}", file.string(), error.message()), ""};
  return Ok{};
}

}  // namespace xsp::suite::schedule
