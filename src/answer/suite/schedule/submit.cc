#include "answer/suite/schedule/submit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdint>
#include <sstream>
#include <utility>

#include "core/counted.h"
#include "measure/slurm/queue.h"
#include "measure/slurm/slurm_programs.h"
#include "measure/slurm/submission.h"
#include "os/subprocess.h"

namespace xsp::suite::schedule {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto kShortestPause = 500ms;
constexpr auto kLongestPause = 5s;
/// A script of many jobs to a busy controller.
constexpr auto kPatience = std::chrono::minutes(30);

/// The ids of jobs after `mark` in what the script printed.
std::vector<std::string> IdsAfter(std::string_view mark, const std::string& text) {
  const std::size_t at = text.rfind(mark);
  std::vector<std::string> ids;
  if (at == std::string::npos) return ids;
  std::istringstream words(text.substr(at + mark.size()));
  for (std::string id; words >> id && std::isdigit(static_cast<unsigned char>(id[0])) != 0;)
    ids.push_back(id);
  return ids;
}

std::string OneLineOf(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

Result<std::vector<std::string>> SubmitAll(const NamedPlan& plan, const SubmitContext& context) {
  XSP_TRY(const fs::path folder, slurm::MakeJobFolder(context.store));
  const fs::path script = folder / "plan.sh";
  XSP_RETURN_IF_ERROR(WritePlan(plan, context.resource, script));
  os::SpawnOptions options;
  options.argv = {"bash", script.string()};
  options.argv.insert(options.argv.end(), context.program.begin(), context.program.end());
  XSP_TRY(const os::Completed done, os::RunToEnd(options, kPatience, std::size_t{1} << 24));
  std::vector<std::string> ids = IdsAfter("submitted:", done.out);
  if (done.exit.success() && ids.size() == plan.plan->placed.size()) return ids;
  return Error{ErrorKind::kBadInput, "the plan was not submitted: " + OneLineOf(done.stderr_tail),
               "`sinfo` shows what the cluster has; SBATCH_OPTIONS has options for every job, and "
               "--slurm says how a device is asked for. The script: " +
                   script.string()};
}

/// Where Slurm was asked for the last time; what it has forgotten since stays.
void Take(const std::vector<slurm::JobTimes>& times, std::optional<std::int64_t>* begin,
          std::vector<CarriedJob>& jobs) {
  for (const slurm::JobTimes& time : times)
    if (time.submitted) *begin = std::min(begin->value_or(*time.submitted), *time.submitted);
  const auto after = [&](const std::optional<std::int64_t>& moment) {
    return moment && *begin ? std::optional(static_cast<double>(*moment - **begin)) : std::nullopt;
  };
  for (const slurm::JobTimes& time : times) {
    const auto job = std::ranges::find(jobs, time.job, &CarriedJob::id);
    if (job == jobs.end()) continue;
    const bool has_started = slurm::StageOf(time.state) != slurm::Stage::kWaiting;
    const bool has_ended = slurm::StageOf(time.state) == slurm::Stage::kEnded;
    job->state = time.state;
    job->start = has_started ? after(time.started) : std::nullopt;
    job->end = has_ended ? after(time.ended) : std::nullopt;
  }
}

bool HasEnded(const CarriedJob& job) { return slurm::StageOf(job.state) == slurm::Stage::kEnded; }

}  // namespace

Status CheckSubmit(const std::string& unit, const std::vector<std::string>& program) {
  if (program.empty())
    return Error{ErrorKind::kUsage, "--submit needs the program that runs a job",
                 "xsp suite schedule SOURCE --devices N --submit -- ./job.sh: each job runs "
                 "`./job.sh JOB WIDTH`."};
  if (SecondsPer(unit) == 0)
    return Error{ErrorKind::kUsage, "the times of the table have no unit that is known",
                 "Give --unit s, min or h: the plan is compared with what Slurm did."};
  return slurm::CheckInstalled();
}

Result<std::vector<CarriedJob>> CarryOut(const NamedPlan& plan, const SubmitContext& context) {
  XSP_TRY(const std::vector<std::string> ids, SubmitAll(plan, context));
  std::vector<CarriedJob> jobs;
  for (const std::string& id : ids) jobs.push_back({id, std::nullopt, std::nullopt, "PENDING"});
  std::optional<std::int64_t> begin;
  std::chrono::steady_clock::duration pause = kShortestPause;
  bool is_silent = false;  // The queue could not be read the last time.
  while (!std::ranges::all_of(jobs, HasEnded)) {
    const auto times = slurm::ReadTimes(ids);
    if (context.interrupts->stop()) {
      XSP_RETURN_IF_ERROR(slurm::Cancel(ids));
      return Error{ErrorKind::kInterrupted,
                   "the jobs of the plan are cancelled: " + fmt::format("{}", fmt::join(ids, " ")),
                   ""};
    }
    if (times.ok() && times.value().empty()) break;  // Forgotten, all of them.
    if (times.ok()) Take(times.value(), &begin, jobs);
    if (!times.ok() && !is_silent) context.progress->Note(times.error().what);
    is_silent = !times.ok();
    const auto ended = std::ranges::count_if(jobs, HasEnded);
    const auto running = std::ranges::count_if(jobs, [](const CarriedJob& job) {
      return slurm::StageOf(job.state) == slurm::Stage::kRunning;
    });
    context.progress->Step(fmt::format("on Slurm: {} of {} ended, {} running", ended,
                                       core::Counted(jobs.size(), "job"), running),
                           static_cast<double>(ended) / static_cast<double>(jobs.size()), -1);
    if (ended == std::ssize(jobs)) break;
    pollfd wake = {context.interrupts->wake_fd(), POLLIN, 0};
    const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(pause).count();
    poll(&wake, 1, static_cast<int>(milliseconds));
    pause = std::min<std::chrono::steady_clock::duration>(pause * 5 / 4, kLongestPause);
  }
  return jobs;
}

void AddReality(const NamedPlan& plan, const std::vector<CarriedJob>& jobs, Answer& answer) {
  const double seconds = SecondsPer(plan.unit);
  Table table{"reality", "The plan and what Slurm did", {}, {}};
  table.columns = {{"job", "", "The job", ""},
                   {"id", "", "Of the job in Slurm", ""},
                   {"planned_start", "s", "After the start of the schedule", ""},
                   {"start", "s", "After the first job was submitted", ""},
                   {"planned_end", "s", "After the start of the schedule", ""},
                   {"end", "s", "After the first job was submitted", ""},
                   {"state", "", "How it ended", ""}};
  for (const auto& column : table.columns) table.rows.columns.push_back(column.name);
  const auto cell = [](const std::optional<double>& value) {
    return value ? store::Cell(*value) : store::Cell();
  };
  double last = 0, turnaround = 0, planned_turnaround = 0;
  std::vector<std::string> failed;
  bool is_known = true;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const Placed& placed = plan.plan->placed[i];
    const CarriedJob& job = jobs[i];
    table.rows.rows.push_back({NameOf(plan, placed.job), job.id, placed.start * seconds,
                               cell(job.start), placed.end * seconds, cell(job.end), job.state});
    if (job.state != "COMPLETED") failed.push_back(NameOf(plan, placed.job));
    is_known = is_known && job.end.has_value();
    const double release = plan.problem->jobs[placed.job].release * seconds;
    last = std::max(last, job.end.value_or(0));
    turnaround += job.end.value_or(0) - release;
    planned_turnaround += placed.end * seconds - release;
  }
  const double planned = plan.plan->makespan * seconds;
  const auto count = static_cast<double>(jobs.size());
  if (is_known)
    answer.sentences.push_back(fmt::format(
        "On Slurm the last job ended after {:.0f} s; the plan says {:.1f} s ({:+.1f} %). The mean "
        "turnaround was {:.1f} s; the plan says {:.1f} s.",
        last, planned, 100 * (last / planned - 1), turnaround / count, planned_turnaround / count));
  if (!failed.empty()) {
    answer.incomplete = ErrorKind::kEnvironment;
    answer.sentences.push_back(
        fmt::format("{} did not end well: {}. Their output is in slurm-ID.out.",
                    core::Counted(failed.size(), "job"), fmt::join(failed, ", ")));
  }
  answer.method.push_back(
      "Slurm states whole seconds. A job begins after the jobs that the plan has on its devices "
      "before it have ended, so that a job that takes longer than planned delays those after it.");
  answer.tables.push_back(std::move(table));
}

}  // namespace xsp::suite::schedule
