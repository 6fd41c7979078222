#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "answer/suite/data_frame.h"
#include "answer/suite/job_times.h"
#include "answer/suite/schedule/export.h"
#include "answer/suite/schedule/policies.h"
#include "answer/suite/schedule/solver.h"
#include "answer/suite/schedule/submit.h"
#include "answer/suite/suite_command.h"
#include "answer/suite/thread_times.h"
#include "core/counted.h"

namespace xsp::suite::schedule {
namespace {

using store::Cell;

/// More find little more: each searches for itself.
constexpr unsigned kUsualThreads = 8;
constexpr double kUsualCalls = 1000;

struct Options {
  std::string source;
  std::vector<std::string> stored;
  std::optional<double> calls;
  JobColumns columns;
  int devices = 0;
  std::optional<double> device_memory;
  std::vector<std::string> fixed;
  std::vector<std::string> exports;
  std::string slurm = "gpus";
  std::string policy = "shortest";
  bool submit = false;
  std::vector<std::string> program;
  double gap_percent = 0;
  SolveOptions solve;
};

Error Bad(std::string what, std::string hint) {
  return {ErrorKind::kBadInput, std::move(what), std::move(hint)};
}

/// "JOB=WIDTH" of --fix, by job.
Result<std::map<std::string, int>> FixedWidths(const std::vector<std::string>& words,
                                               const JobTable& table) {
  std::map<std::string, int> fixed;
  for (const std::string& word : words) {
    const std::size_t equals = word.rfind('=');
    int width = 0;
    const char* end = word.data() + word.size();
    if (equals == std::string::npos ||
        std::from_chars(word.data() + equals + 1, end, width).ptr != end || width < 1)
      return Error{ErrorKind::kUsage, "not a job and its width: " + word, "as in --fix SSD_Py=4"};
    const std::string job = word.substr(0, equals);
    if (std::ranges::find(table.jobs, job, &JobTimes::job) == table.jobs.end())
      return Error{ErrorKind::kUsage, "the table has no such job: " + job, ""};
    fixed[job] = width;
  }
  return fixed;
}

/// Why no width is left to a job, of its own: what it is fixed to, the devices, their memory.
std::string WhyOnNoWidth(const JobTimes& job, const Options& options, std::optional<int> fixed) {
  const std::string on = core::Counted(options.devices, "device");
  double least_memory = std::numeric_limits<double>::infinity();
  bool stated = false;
  for (const WidthTime& at : job.at) {
    if (fixed && *fixed != at.width) continue;
    stated = true;
    if (at.width <= options.devices) least_memory = std::min(least_memory, at.memory);
  }
  if (!stated) return fmt::format("it is fixed to {}, for which it has no time", *fixed);
  const std::string too_large = fmt::format("needs more device memory than available: {} > {}",
                                            least_memory, options.device_memory.value_or(kMissing));
  const bool fits = std::isfinite(least_memory);
  if (fixed)
    return fmt::format("it is fixed to {}{}{}", *fixed, fits ? ", which " : ", of ",
                       fits ? too_large : on);
  if (fits) return "on up to " + on + " it " + too_large;
  return fmt::format("its narrowest is {}, of {}", job.at.front().width, on);
}

/// What was left out for the width or the memory, and where nothing says how much memory is needed.
void SayLeftOut(const Options& options, int too_wide, int too_large, int unsaid, int widths,
                std::vector<std::string>* treatments) {
  if (too_wide > 0)
    treatments->push_back(
        fmt::format("{} {} wider than {} and {} excluded.", core::Counted(too_wide, "width"),
                    core::ByNumber(too_wide, "is", "are"), core::Counted(options.devices, "device"),
                    core::ByNumber(too_wide, "is", "are")));
  if (too_large > 0)
    treatments->push_back(fmt::format(
        "{} {} more than {} of device memory and {} excluded.", core::Counted(too_large, "width"),
        core::ByNumber(too_large, "needs", "need"), options.device_memory.value_or(kMissing),
        core::ByNumber(too_large, "is", "are")));
  if (unsaid == 0) return;
  treatments->push_back(
      unsaid == widths
          ? fmt::format("The table has no memory for any width (column memory): --device-memory {} "
                        "has no effect.",
                        options.device_memory.value_or(kMissing))
          : fmt::format("For {} of {} the table has no memory: assumed to fit in {}.", unsaid,
                        core::Counted(widths, "width"), options.device_memory.value_or(kMissing)));
}

/// What the jobs may do on these devices; what is left out is reported in `*treatments`.
Result<Problem> ProblemOf(const JobTable& table, const Options& options,
                          std::vector<std::string>* treatments) {
  XSP_TRY(const auto fixed, FixedWidths(options.fixed, table));
  Problem problem{options.devices, {}};
  const bool limited = options.device_memory.has_value();
  int too_wide = 0, too_large = 0, unsaid = 0, widths = 0;
  for (const JobTimes& times : table.jobs) {
    Job job{times.release, {}};
    const auto width = fixed.find(times.job);
    for (const WidthTime& at : times.at) {
      const bool wide = at.width > options.devices;
      const bool large = limited && at.memory > options.device_memory.value_or(kMissing);
      ++widths;
      too_wide += wide ? 1 : 0;
      too_large += large ? 1 : 0;
      unsaid += limited && std::isnan(at.memory) ? 1 : 0;
      if (!wide && !large && (width == fixed.end() || width->second == at.width))
        job.choices.push_back({at.width, at.time});
    }
    if (job.choices.empty())
      return Bad(fmt::format("job {} fits on no width: {}", times.job,
                             WhyOnNoWidth(times, options,
                                          width == fixed.end() ? std::nullopt
                                                               : std::optional(width->second))),
                 "give a time on a width that fits, more --devices or --device-memory");
    problem.jobs.push_back(std::move(job));
  }
  SayLeftOut(options, too_wide, too_large, unsaid, widths, treatments);
  return problem;
}

std::string WithUnit(double time, const std::string& unit) {
  return fmt::format("{:.1f}{}{}", time, unit.empty() ? "" : " ", unit);
}

Table PlanTable(const NamedPlan& named) {
  Table table{"plan", "The plan", {}, {}};
  table.columns = {{"job", "", "The job", ""},
                   {"width", "", "Devices that it runs on", ""},
                   {"start", named.unit, "From the start of the schedule", ""},
                   {"end", named.unit, "From the start of the schedule", ""},
                   {"devices", "", "Counted from 0", ""}};
  for (const auto& column : table.columns) table.rows.columns.push_back(column.name);
  for (const Placed& placed : named.plan->placed)
    table.rows.rows.push_back({named.names[placed.job],
                               static_cast<std::int64_t>(placed.devices.size()), placed.start,
                               placed.end, DeviceList(placed.devices)});
  return table;
}

Table RuleTable(const NamedPlan& named, const Solution& solution,
                const std::vector<PolicyPlan>& policies) {
  Table table{"plans", "Compared with simpler plans", {}, {}};
  table.columns = {{"plan", "", "Construction of the plan", ""},
                   {"makespan", named.unit, "When the last job ends", ""},
                   {"longer_percent", "%", "Longer than the plan found", ""},
                   {"turnaround", named.unit, "Mean time from the release of a job to its end", ""},
                   {"used_percent", "%", "Devices' time in use until the makespan", ""}};
  for (const auto& column : table.columns) table.rows.columns.push_back(column.name);
  const auto add = [&](const std::string& name, const Plan& plan) {
    table.rows.rows.push_back(
        {name, plan.makespan, 100 * (plan.makespan / solution.plan.makespan - 1),
         MeanTurnaround(*named.problem, plan),
         100 * UsedArea(*named.problem, plan) / (named.problem->devices * plan.makespan)});
  };
  add(solution.optimal ? "the optimum" : "the plan found", solution.plan);
  for (const RulePlan& rule : solution.rules) add(rule.name, rule.plan);
  for (const PolicyPlan& policy : policies) add(std::string(policy.words), policy.plan);
  return table;
}

Table BoundTable(const NamedPlan& named, const Solution& solution) {
  Table table{"bounds", "No plan is shorter than", {}, {}};
  table.columns = {{"bound", "", "What says so", ""},
                   {"makespan", named.unit, "The bound", ""},
                   {"gap_percent", "%", "The plan found over it", ""}};
  for (const auto& column : table.columns) table.rows.columns.push_back(column.name);
  const auto add = [&](const std::string& name, double bound) {
    table.rows.rows.push_back({name, bound, 100 * (solution.plan.makespan / bound - 1)});
  };
  add("best: " + solution.bound_from, solution.bound);
  add("longest job at its fastest", solution.critical_job_bound);
  add("area", solution.area_bound);
  return table;
}

/// One row for each device that a job runs on: what the Gantt chart draws.
Table GanttTable(const NamedPlan& named) {
  Table table{"gantt", "Who runs where", {}, {}};
  table.columns = {{"device", "", "Counted from 0", ""},
                   {"job", "", "The job", ""},
                   {"start", named.unit, "From the start of the schedule", ""},
                   {"end", named.unit, "From the start of the schedule", ""},
                   {"label", "", "The job, on its first device", ""}};
  for (const auto& column : table.columns) table.rows.columns.push_back(column.name);
  for (const Placed& placed : named.plan->placed)
    for (const int device : placed.devices) {
      const bool named_here = device == placed.devices.front();
      table.rows.rows.push_back({static_cast<std::int64_t>(device), named.names[placed.job],
                                 placed.start, placed.end,
                                 named_here ? named.names[placed.job] : std::string()});
    }
  return table;
}

Chart GanttChart(const std::string& unit) {
  // A name is cut to its bar, and left out where the bar is too short for a few letters.
  constexpr const char* kSpec = R"json({
  "data": {"name": "rows"}, "width": "container", "height": {"step": 22},
  "encoding": {
    "y": {"field": "device", "type": "ordinal", "title": "device"},
    "x": {"field": "start", "type": "quantitative", "title": "time@UNIT@", "axis": {"tickCount": 8}},
    "x2": {"field": "end"},
    "tooltip": [{"field": "job"}, {"field": "start", "format": ".4~g"}, {"field": "end", "format": ".4~g"}]
  },
  "layer": [
    {"mark": {"type": "bar", "stroke": "currentColor", "strokeOpacity": 0.35, "strokeWidth": 0.5, "opacity": 0.5},
     "encoding": {"color": {"field": "job", "type": "nominal", "legend": null}}},
    {"mark": {"type": "text", "align": "left", "dx": 4, "tooltip": null,
              "opacity": {"expr": "scale('x', datum.end) - scale('x', datum.start) > 34 ? 1 : 0"},
              "limit": {"expr": "max(1, scale('x', datum.end) - scale('x', datum.start) - 6)"}},
     "encoding": {"text": {"field": "label"}, "x2": null}}
  ]
})json";
  std::string spec = kSpec;
  spec.replace(spec.find("@UNIT@"), 6, unit.empty() ? "" : " (" + unit + ")");
  return {"gantt", "The plan, a row for each device", "gantt", std::move(spec)};
}

std::vector<std::string> Sentences(const NamedPlan& named, const Solution& solution,
                                   double time_limit_s, bool interrupted) {
  std::vector<std::string> said;
  const std::string makespan = WithUnit(solution.plan.makespan, named.unit);
  const std::string take =
      fmt::format("{} on {} {} {}", core::Counted(named.names.size(), "job"),
                  core::Counted(named.problem->devices, "device"),
                  core::ByNumber(named.names.size(), "takes", "take"), makespan);
  if (solution.optimal) {
    said.push_back(take + " at best, which is proven.");
  } else {
    said.push_back(fmt::format(
        "{} by the best plan found; no plan takes less than {}, so it is at most {:.2f} % too "
        "long.",
        take, WithUnit(solution.bound, named.unit), 100 * solution.gap()));
    if (solution.stopped)
      said.push_back(
          fmt::format("{} after {:.1f} s; a longer --time-limit may find a shorter plan.",
                      interrupted ? "Interrupted"
                                  : fmt::format("The limit of {:g} s was reached", time_limit_s),
                      solution.seconds));
  }
  const Plan& serial = solution.rules.front().plan;
  const double shorter = 100 * (1 - solution.plan.makespan / serial.makespan);
  if (named.names.size() > 1)
    said.push_back(shorter > 0.05
                       ? fmt::format("One after another on all devices they take {}: the plan is "
                                     "{:.1f} % shorter.",
                                     WithUnit(serial.makespan, named.unit), shorter)
                       : fmt::format("One after another on all devices they take no longer: {}.",
                                     WithUnit(serial.makespan, named.unit)));
  return said;
}

SlurmResource ResourceOf(const std::string& name) {
  if (name == "nodes") return SlurmResource::kNodes;
  if (name == "tasks") return SlurmResource::kTasks;
  return name == "gres" ? SlurmResource::kGres : SlurmResource::kGpus;
}

std::string TitleOf(const Options& options, const std::vector<PolicyPlan>& policies,
                    const Solution& solution) {
  const std::string on = core::Counted(options.devices, "device");
  const auto policy = std::ranges::find(policies, options.policy, &PolicyPlan::name);
  if (policy != policies.end()) return fmt::format("A plan for {}: {}", on, policy->words);
  return fmt::format("{} plan for {}", solution.optimal ? "The shortest" : "A", on);
}

/// The jobs of the table, or of experiments: each so many calls of a model on its threads.
Result<JobTable> JobsOf(const CommandContext& context, const Options& options,
                        std::vector<std::string>* method) {
  if (options.source.empty() == options.stored.empty() || (options.calls && options.stored.empty()))
    return Error{ErrorKind::kUsage, "either a table is given, or --stored and --calls",
                 "xsp suite schedule jobs.csv --devices 2; xsp suite schedule --stored all --calls "
                 "1000 --devices 2"};
  if (!options.source.empty()) {
    XSP_TRY(const DataTable data, OpenTable(options.source, "scaling"));
    method->push_back("Times are from " + data.source + ".");
    return JobTableOf(data, options.columns, Relative::kRefused, method);
  }
  const bool all = options.stored == std::vector<std::string>{"all"};
  XSP_TRY(JobTable table,
          ThreadTimes(context.store, all ? std::vector<std::string>() : options.stored, method));
  const double calls = options.calls.value_or(kUsualCalls);
  for (JobTimes& job : table.jobs)
    for (WidthTime& at : job.at) at.time *= calls / 1e9;
  table.unit = "s";
  method->push_back(fmt::format(
      "A job is {:g} calls of a model, each of its measured latency; a device is a thread.",
      calls));
  return table;
}

Result<Answer> Run(const CommandContext& context, const Options& options) {
  std::vector<std::string> method;
  XSP_TRY(const JobTable table, JobsOf(context, options, &method));
  XSP_TRY(const Problem problem, ProblemOf(table, options, &method));
  // Before the search, not after half a minute of it.
  if (options.submit) XSP_RETURN_IF_ERROR(CheckSubmit(table.unit, options.program));
  if (!options.submit && !options.program.empty())
    return Error{ErrorKind::kUsage, "a program is only run with --submit", "Add --submit."};
  for (const std::string& file : options.exports)
    XSP_RETURN_IF_ERROR(CheckExport(problem, table.unit, file));
  const os::Interrupts& interrupts = context.interrupts();
  SolveOptions solve = options.solve;
  solve.gap = options.gap_percent / 100;
  solve.stop = [&interrupts] { return interrupts.stop(); };
  solve.progress = [&](const char* doing, double makespan, double bound) {
    context.progress->Step(fmt::format("{}: {} planned, {} is the least, {:.2f} % apart", doing,
                                       WithUnit(makespan, table.unit), WithUnit(bound, table.unit),
                                       100 * (makespan / bound - 1)),
                           -1, -1);
  };
  const Solution solution = Solve(problem, solve);
  const std::vector<PolicyPlan> policies = PolicyPlans(problem);
  const auto chosen = std::ranges::find(policies, options.policy, &PolicyPlan::name);
  const Plan& plan = chosen == policies.end() ? solution.plan : chosen->plan;
  NamedPlan named{&problem, &plan, {}, table.unit, solution.bound};
  for (const JobTimes& job : table.jobs) named.names.push_back(job.job);
  const SlurmResource resource = ResourceOf(options.slurm);
  for (const std::string& file : options.exports) {
    XSP_RETURN_IF_ERROR(WritePlan(named, resource, file));
    method.push_back("The plan was written to " + file + ".");
  }
  method.push_back(fmt::format(
      "{} searched, with seed {}{}.", core::Counted(solve.threads, "thread"), solve.seed,
      solution.stopped ? "; a search that the time limit or a signal ended is not reproducible"
                       : ": the same options find the same plan"));
  method.push_back(
      "A job keeps its width from start to end and is not interrupted; its devices are alike and "
      "need not be next to each other; nothing is lost between jobs.");
  Answer answer{"schedule",
                TitleOf(options, policies, solution),
                Sentences(named, solution, solve.time_limit_s, interrupts.stop()),
                std::move(method),
                {PlanTable(named), RuleTable(named, solution, policies),
                 BoundTable(named, solution), GanttTable(named)},
                {GanttChart(table.unit)}};
  if (!options.submit) return answer;
  XSP_TRY(const std::vector<CarriedJob> carried,
          CarryOut(named, {context.store, options.program, resource, context.progress,
                           &context.interrupts()}));
  AddReality(named, carried, answer);
  return answer;
}

Action Declare(core::RequestFields& fields, const CommandContext& context) {
  auto options = std::make_shared<Options>();
  fields.Add("source", &options->source,
             {.help = "A CSV or Parquet table of times by width, or a data set (mlperf-v0.5)",
              .value_name = "SOURCE",
              .refers = core::Refers::kInput,
              .positional = true});
  fields.Add(
      "stored", &options->stored,
      {.help = "In place of SOURCE: experiments of the store whose points differ by threads, "
               "or `all`; a job is a model, and a device is a thread",
       .value_name = "NAME,...",
       .refers = core::Refers::kStored,
       .list = core::ListStyle::kCommas});
  fields.Add("calls", &options->calls,
             {.help = "With --stored: model calls of a job",
              .value_name = "N",
              .range = core::kPositive,
              .or_default = "1000"});
  fields.Add("devices", &options->devices,
             {.help = "Number of devices",
              .value_name = "N",
              .range = core::Between(1, 4096),
              .required = true});
  fields.Add("time_limit", &options->solve.time_limit_s,
             {.help = "Time limit of the search, seconds",
              .value_name = "SECONDS",
              .range = core::Between(0.01, 86400.0)});
  fields.Add("gap", &options->gap_percent,
             {.help = "End the search when the plan is this close to the bound",
              .value_name = "PERCENT",
              .range = core::Between(0.0, 1000.0)});
  fields.Add("device_memory", &options->device_memory,
             {.help = "Memory of a device, in the unit of the table's column memory",
              .value_name = "AMOUNT",
              .range = core::kPositive});
  fields.Add("fix", &options->fixed,
             {.help = "Use only this width of that job",
              .value_name = "JOB=WIDTH,...",
              .list = core::ListStyle::kCommas});
  fields.Add("export", &options->exports,
             {.help = "Write the plan: .csv, .json, or .sh, a batch script for Slurm",
              .value_name = "FILE",
              .refers = core::Refers::kOutput});
  fields.Add(
      "slurm", &options->slurm,
      {.help =
           "Option for devices in the batch script, such as --gpus or --gres=gpu (of each node)",
       .allowed = {"gpus", "gres", "nodes", "tasks"}});
  fields.Add("policy", &options->policy,
             {.help = "The plan that is shown, exported and submitted; the others are compared",
              .allowed = {"shortest", std::string(kPolicies[0]), std::string(kPolicies[1])}});
  fields.Add("submit", &options->submit,
             {.help = "Submit the jobs to Slurm, wait for their end, and compare the plan with it: "
                      "each job runs `PROGRAM ARGUMENT... JOB WIDTH`"});
  fields.Add("seed", &options->solve.seed,
             {.help = "Seed of the search; other seeds may find other plans"});
  options->solve.threads =
      static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, kUsualThreads));
  fields.Add("threads", &options->solve.threads,
             {.help = "Threads that search", .value_name = "N", .range = core::Between(1, 256)});
  AddJobOptions(fields, &options->columns);
  fields.Add("program", &options->program,
             {.help = "With --submit: the program that runs a job, with its arguments",
              .value_name = "PROGRAM",
              .refers = core::Refers::kProgram,
              .program = true});
  return [&context, options] { return Run(context, *options); };
}

}  // namespace

extern const SuiteSpec kSpec;
constinit const SuiteSpec kSpec = {
    .name = "schedule",
    .summary = "Computes the shortest plan for jobs that can run on one or several devices",
    .example =
        "xsp suite schedule mlperf-v0.5 --devices 4 --export plan.csv\n"
        "         xsp suite schedule --stored all --calls 5000 --devices 2\n"
        "         xsp suite schedule jobs.csv --devices 2 --slurm nodes --submit -- ./job.sh",
    .declare = Declare,
};

}  // namespace xsp::suite::schedule
