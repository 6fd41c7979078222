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
#include "answer/suite/job_runs.h"
#include "answer/suite/job_times.h"
#include "answer/suite/schedule/export.h"
#include "answer/suite/schedule/plan_answer.h"
#include "answer/suite/schedule/policies.h"
#include "answer/suite/schedule/sharing.h"
#include "answer/suite/schedule/submit.h"
#include "answer/suite/suite_command.h"
#include "answer/suite/thread_times.h"
#include "core/counted.h"

namespace xsp::suite::schedule {
namespace {

/// More find little more: each searches for itself.
constexpr unsigned kUsualThreads = 8;
constexpr double kUsualCalls = 1000;
constexpr const char* kShortest = "shortest";
constexpr const char* kExclusive = "exclusive";

struct Options {
  std::string source;
  std::vector<std::string> stored;
  std::optional<double> calls;
  std::vector<std::string> stored_jobs;
  JobColumns columns;
  int devices = 0;
  std::optional<double> device_memory;
  std::vector<std::string> fixed;
  std::vector<std::string> exports;
  std::string slurm = "gpus";
  std::string policy = kShortest;
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

SlurmResource ResourceOf(const std::string& name) {
  if (name == "nodes") return SlurmResource::kNodes;
  if (name == "tasks") return SlurmResource::kTasks;
  return name == "gres" ? SlurmResource::kGres : SlurmResource::kGpus;
}

/// The jobs that were asked for, and which of them were measured beside each other.
Result<MeasuredJobs> JobsOf(const CommandContext& context, const Options& options,
                            std::vector<std::string>* method) {
  const auto names = [](const std::vector<std::string>& said) {
    return said == std::vector<std::string>{"all"} ? std::vector<std::string>() : said;
  };
  const int sources = (options.source.empty() ? 0 : 1) + (options.stored.empty() ? 0 : 1) +
                      (options.stored_jobs.empty() ? 0 : 1);
  if (sources != 1 || (options.calls && options.stored.empty()))
    return Error{ErrorKind::kUsage,
                 "either a table is given, or --stored and --calls, or --stored-jobs",
                 "xsp suite schedule jobs.csv --devices 2; xsp suite schedule --stored all --calls "
                 "1000 --devices 2"};
  if (!options.source.empty()) {
    XSP_TRY(const DataTable data, OpenTable(options.source, "scaling"));
    method->push_back("Times are from " + data.source + ".");
    XSP_TRY(JobTable table, JobTableOf(data, options.columns, Relative::kRefused, method));
    return MeasuredJobs{std::move(table), {}};
  }
  if (!options.stored_jobs.empty()) {
    method->push_back(
        "A job is a program that xsp suite jobs measured; a device is what its single run had to "
        "itself, the machine.");
    return MeasuredJobsOf(context.store, names(options.stored_jobs), method);
  }
  XSP_TRY(JobTable table, ThreadTimes(context.store, names(options.stored), method));
  const double calls = options.calls.value_or(kUsualCalls);
  for (JobTimes& job : table.jobs)
    for (WidthTime& at : job.at) at.time *= calls / 1e9;
  table.unit = "s";
  method->push_back(fmt::format(
      "A job is {:g} calls of a model, each of its measured latency; a device is a thread.",
      calls));
  return MeasuredJobs{std::move(table), {}};
}

/// The measured pairs, with what keeps them from sharing a device of `problem`.
std::vector<MeasuredPair> PairsOf(const MeasuredJobs& jobs, const Problem& problem,
                                  const Options& options) {
  const auto was_alone = [&](std::size_t job) {
    return std::ranges::count(jobs.table.jobs[job].at, 1, &WidthTime::width) > 0;
  };
  const auto is_narrow = [&](std::size_t job) {
    return problem.jobs[job].choices.front().width == 1;
  };
  std::vector<MeasuredPair> pairs;
  for (const SharedTimes& times : jobs.pairs) {
    MeasuredPair& pair = pairs.emplace_back(MeasuredPair{
        {times.first, times.second, times.first_end, times.second_end}, times.usage, ""});
    const double memory = times.usage.DeviceMemory();
    const double limit = options.device_memory.value_or(std::numeric_limits<double>::infinity());
    if (!was_alone(times.first) || !was_alone(times.second))
      pair.excluded = "one of them was not measured alone";
    else if (!is_narrow(times.first) || !is_narrow(times.second))
      pair.excluded = "one of them may not run on one device";
    else if (memory > limit)
      pair.excluded =
          fmt::format("needs more device memory than available: {:.6g} > {:g}", memory, limit);
  }
  return pairs;
}

/// A plan of jobs that are one or two of those of `table` each.
NamedPlan Named(const JobTable& table, const SharedProblem& shared, const Plan& plan,
                double bound) {
  NamedPlan named{&shared.problem, &plan, {}, table.unit, bound};
  for (const std::vector<std::size_t>& jobs : shared.jobs) {
    std::vector<std::string>& names = named.names.emplace_back();
    for (const std::size_t job : jobs) names.push_back(table.jobs[job].job);
  }
  return named;
}

SharedSolution Search(const CommandContext& context, const Options& options, const Problem& problem,
                      const std::vector<MeasuredPair>& pairs, const std::string& unit) {
  const os::Interrupts& interrupts = context.interrupts();
  SolveOptions solve = options.solve;
  solve.gap = options.gap_percent / 100;
  solve.stop = [&interrupts] { return interrupts.stop(); };
  solve.progress = [&](const char* doing, double makespan, double bound) {
    context.progress->Step(
        fmt::format("{}: {} planned, {} is the least, {:.2f} % apart", doing,
                    WithUnit(makespan, unit), WithUnit(bound, unit), 100 * (makespan / bound - 1)),
        -1, -1);
  };
  std::vector<PairTimes> candidates;
  for (const MeasuredPair& pair : pairs)
    if (pair.excluded.empty()) candidates.push_back(pair.times);
  return SolveShared(problem, candidates, solve);
}

Result<Answer> Run(const CommandContext& context, const Options& options) {
  std::vector<std::string> method;
  XSP_TRY(const MeasuredJobs jobs, JobsOf(context, options, &method));
  const JobTable& table = jobs.table;
  XSP_TRY(const Problem problem, ProblemOf(table, options, &method));
  // Before the search, not after half a minute of it.
  if (options.submit) XSP_RETURN_IF_ERROR(CheckSubmit(table.unit, options.program));
  if (!options.submit && !options.program.empty())
    return Error{ErrorKind::kUsage, "a program is only run with --submit", "Add --submit."};
  for (const std::string& file : options.exports)
    XSP_RETURN_IF_ERROR(CheckExport(problem, table.unit, file));
  const std::vector<MeasuredPair> pairs = PairsOf(jobs, problem, options);
  const SharedSolution found = Search(context, options, problem, pairs, table.unit);
  const std::vector<PolicyPlan> policies = PolicyPlans(problem);
  const auto policy = std::ranges::find(policies, options.policy, &PolicyPlan::name);
  const SharedProblem alone = WithPairs(problem, {});
  const NamedPlan without = Named(
      table, alone, policy == policies.end() ? found.alone.plan : policy->plan, found.alone.bound);
  const NamedPlan shown =
      options.policy == kShortest
          ? Named(table, found.shared, found.solution.plan, found.solution.bound)
          : without;
  const SlurmResource resource = ResourceOf(options.slurm);
  for (const std::string& file : options.exports) {
    XSP_RETURN_IF_ERROR(WritePlan(shown, resource, file));
    method.push_back("The plan was written to " + file + ".");
  }
  method.push_back(
      fmt::format("{} searched, with seed {}{}.", core::Counted(options.solve.threads, "thread"),
                  options.solve.seed,
                  found.solution.stopped
                      ? "; a search that the time limit or a signal ended is not reproducible"
                      : ": the same options find the same plan"));
  method.push_back(
      "A job keeps its width from start to end and is not interrupted; its devices are alike and "
      "need not be next to each other; nothing is lost between jobs.");
  if (!pairs.empty())
    method.push_back(fmt::format(
        "Jobs that share a device are started together, and the device is free when both have "
        "ended; a pair is considered if that takes at least {:g} % less time than one after "
        "another.",
        100 * kLeastSaving));
  Answer answer = PlanAnswer({&problem, &shown, &without, &found, &policies, &pairs, options.policy,
                              options.solve.time_limit_s, context.interrupts().stop()},
                             std::move(method));
  if (!options.submit) return answer;
  XSP_TRY(const std::vector<CarriedJob> carried,
          CarryOut(shown, {context.store, options.program, resource, context.progress,
                           &context.interrupts()}));
  AddReality(shown, carried, answer);
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
  fields.Add("stored_jobs", &options->stored_jobs,
             {.help = "In place of SOURCE: measurements of the store by `xsp suite jobs`, by their "
                      "names, or `all`; jobs that were measured beside each other may share a "
                      "device, and a device is the machine",
              .value_name = "NAME,...",
              .list = core::ListStyle::kCommas});
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
  fields.Add(
      "policy", &options->policy,
      {.help = "The plan that is shown, exported and submitted; the others are compared "
               "(exclusive: the shortest without sharing)",
       .allowed = {kShortest, kExclusive, std::string(kPolicies[0]), std::string(kPolicies[1])}});
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
        "         xsp suite schedule --stored-jobs all --devices 2\n"
        "         xsp suite schedule jobs.csv --devices 2 --slurm nodes --submit -- ./job.sh",
    .declare = Declare,
};

}  // namespace xsp::suite::schedule
