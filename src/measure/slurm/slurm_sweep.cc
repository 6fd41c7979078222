#include "measure/slurm/slurm_sweep.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/json_text.h"
#include "measure/slurm/job_end.h"
#include "measure/slurm/slurm_programs.h"
#include "measure/slurm/task_result.h"
#include "measure/sweeps/file_claim.h"
#include "os/files.h"

namespace xsp::slurm {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using sweeps::SweptPoint;

/// Slurm's default: an array has at most so many tasks.
constexpr int kUsualArrayLimit = 1000;
/// The queue is read so often; a change makes it more often for a while.
constexpr auto kShortestDelay = 500ms;
constexpr auto kLongestDelay = 10s;

std::string Plural(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// Names of files need not be UTF-8.
std::string AsJsonHasIt(const std::string& name) {
  using nlohmann::json;
  return core::ParseJson(core::JsonText(json(name)));
}

bool IsNewer(const QueuedTask& one, const QueuedTask& other) {
  const bool is_over = StageOf(one.state) == Stage::kEnded;
  const bool is_other_over = StageOf(other.state) == Stage::kEnded;
  if (is_over != is_other_over) return is_other_over;
  return std::pair(one.job.size(), one.job) > std::pair(other.job.size(), other.job);
}

bool IsDone(const SweptPoint& point) {
  return point.status != "missing" && point.status != "queued" && point.status != "running";
}

}  // namespace

SlurmSweep::SlurmSweep(SlurmContext context, std::vector<ClusterPoint> points)
    : context_(std::move(context)), points_(std::move(points)) {
  for (std::size_t i = 0; i < points_.size(); ++i)
    by_name_[AsJsonHasIt(points_[i].swept.point.name)] = i;
}

double SlurmSweep::SecondsLeft() const {
  double seconds = 0;
  for (const ClusterPoint& point : points_)
    if (point.swept.status == "missing") seconds += point.swept.estimate.seconds.value_or(0);
  return seconds;
}

std::vector<JobOfSweep> SlurmSweep::jobs() const {
  std::map<std::string, JobOfSweep> by_id;
  for (const auto& [point, task] : tasks_) {
    JobOfSweep& job = by_id[task.job];
    job.id = task.job;
    job.machine = task.machine;
    ++job.points;
  }
  std::vector<JobOfSweep> jobs;
  for (auto& [id, job] : by_id) jobs.push_back(std::move(job));
  return jobs;
}

Result<SlurmSweep::Queue> SlurmSweep::ReadQueueByScript() const {
  XSP_TRY(std::vector<QueuedTask> tasks, ReadQueue());
  Queue queue;
  for (QueuedTask& task : tasks) {
    const auto [at, is_new] = queue.try_emplace({task.command, task.index}, task);
    // Of a folder that was removed and made again, squeue may still show the earlier job.
    if (!is_new && IsNewer(task, at->second)) at->second = std::move(task);
  }
  return queue;
}

/// Takes over the tasks of a submission that wait or run.
void SlurmSweep::Join(const Submission& submission, const Queue& queue) {
  // Tasks that take what is stored do not measure again.
  if (context_.again && !submission.again) return;
  const std::string script = (submission.folder / kScriptFile).string();
  for (std::size_t k = 0; k < submission.points.size(); ++k) {
    const auto found = queue.find({script, static_cast<int>(k)});
    if (found == queue.end() || StageOf(found->second.state) == Stage::kEnded) continue;
    const auto named = by_name_.find(submission.points[k].name);
    if (named == by_name_.end()) continue;
    const std::size_t i = named->second;
    // What else of the same name is another point.
    if (points_[i].swept.status != "missing" || points_[i].request != submission.points[k].request)
      continue;
    Task task;
    task.folder = submission.folder;
    task.index = static_cast<int>(k);
    task.job = found->second.job;
    task.machine = submission.machine;
    LookAt(i, tasks_.insert_or_assign(i, std::move(task)).first->second, &found->second);
  }
}

Status SlurmSweep::FindQueued() {
  const std::vector<Submission> submissions = ReadSubmissions(context_.store, context_.sweep);
  XSP_TRY(const Queue queue, ReadQueueByScript());
  for (const Submission& submission : submissions) Join(submission, queue);
  return PlanAgain(submissions);
}

/// A task may have stored its point, and left the queue, since that was planned. Once the queue has
/// been read, the store has what such tasks measured.
Status SlurmSweep::PlanAgain(const std::vector<Submission>& submissions) {
  std::set<std::size_t> submitted;
  for (const Submission& submission : submissions)
    for (const SubmittedPoint& point : submission.points)
      if (const auto named = by_name_.find(point.name);
          named != by_name_.end() && points_[named->second].swept.status == "missing")
        submitted.insert(named->second);
  if (submitted.empty()) return Ok{};
  std::vector<SweptPoint> missing;
  for (const std::size_t i : submitted) missing.push_back(points_[i].swept);
  XSP_TRY(std::vector<SweptPoint> planned, context_.plan(std::move(missing)));
  for (std::size_t k = 0; const std::size_t i : submitted)
    points_[i].swept = std::move(planned[k++]);
  return Ok{};
}

std::vector<std::vector<std::size_t>> SlurmSweep::MissingByMachine() const {
  const int limit = ReadArrayLimit();
  const std::size_t most = limit > 0 ? limit : kUsualArrayLimit;
  std::vector<std::vector<std::size_t>> arrays;
  std::map<std::string, std::size_t> open;  // The array of a machine that still has room.
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (points_[i].swept.status != "missing") continue;
    const auto [at, is_new] = open.try_emplace(points_[i].swept.point.machine, arrays.size());
    if (!is_new && arrays[at->second].size() >= most) at->second = arrays.size();
    if (at->second == arrays.size()) arrays.emplace_back();
    arrays[at->second].push_back(i);
  }
  return arrays;
}

BatchJob SlurmSweep::ArrayFor(const fs::path& folder, const std::string& machine,
                              const std::vector<std::size_t>& indices) {
  BatchJob job;
  job.folder = folder;
  job.tasks = indices.size();
  job.name = fmt::format("xsp {}: {}", context_.sweep, Plural(indices.size(), "point"));
  if (!machine.empty()) job.name += " on " + machine;
  job.longest_s = 0;
  for (const std::size_t i : indices) {
    const std::optional<double> seconds = points_[i].swept.estimate.seconds;
    job.longest_s =
        seconds && job.longest_s ? std::optional(std::max(*job.longest_s, *seconds)) : std::nullopt;
  }
  const auto constraint =
      std::ranges::find(context_.machines, machine, &sweeps::MachineConstraint::name);
  if (constraint == context_.machines.end()) return job;
  if (!nodes_) nodes_ = ReadNodes();
  MachineOptions options = OptionsOf(*constraint, *nodes_);
  job.machine_options = std::move(options.options);
  if (!options.unknown.empty())
    context_.progress->Note(fmt::format(
        "Slurm has no name for {} of the machine {}: points on other nodes will fail; `slurm: "
        "{{constraint: ...}}` of the machine in the sweep says what to ask for",
        fmt::join(options.unknown, ", "), machine));
  return job;
}

Result<std::string> SlurmSweep::SendArray(const Submission& submission, const BatchJob& job) {
  XSP_RETURN_IF_ERROR(WriteSubmission(submission, context_.text));
  const fs::path script = submission.folder / kScriptFile;
  XSP_RETURN_IF_ERROR(os::WriteFileAtomically(
      script, JobScript(submission.folder, context_.program, context_.store, context_.again)));
  return slurm::Submit(SbatchArguments(job, context_.options), script);
}

Status SlurmSweep::SubmitArray(const std::string& machine,
                               const std::vector<std::size_t>& indices) {
  Submission submission;
  XSP_TRY(submission.folder, MakeSubmissionFolder(context_.store, context_.sweep));
  submission.sweep = context_.sweep;
  submission.file = context_.file;
  submission.machine = machine;
  submission.again = context_.again;
  for (const std::size_t i : indices)
    submission.points.push_back({i, points_[i].swept.point.name, points_[i].request});
  auto id = SendArray(submission, ArrayFor(submission.folder, machine, indices));
  if (!id.ok()) {
    // Without an answer the jobs may be there all the same; the next call finds them.
    std::error_code error;
    if (id.error().kind != ErrorKind::kEnvironment) fs::remove_all(submission.folder, error);
    return id.error();
  }
  for (std::size_t k = 0; k < indices.size(); ++k) {
    Task task;
    task.folder = submission.folder;
    task.index = static_cast<int>(k);
    task.job = id.value();
    task.machine = machine;
    task.is_own = true;
    points_[indices[k]].swept.status = "queued";
    tasks_.insert_or_assign(indices[k], std::move(task));
  }
  return Ok{};
}

Status SlurmSweep::Submit() {
  const fs::path folder = SubmissionsFolder(context_.store, context_.sweep);
  for (const fs::path& one : {folder.parent_path(), folder})
    XSP_RETURN_IF_ERROR(sweeps::MakeClaimFolder(one, kOtherStore));
  // Two calls at once must not submit the same points.
  XSP_TRY(const sweeps::FileClaim claim,
          sweeps::FileClaim::Wait(folder / "lock", kOtherStore, *context_.interrupts));
  XSP_RETURN_IF_ERROR(FindQueued());
  std::optional<Error> first;
  for (const std::vector<std::size_t>& indices : MissingByMachine()) {
    if (context_.interrupts->stop()) break;
    const Status sent = SubmitArray(points_[indices.front()].swept.point.machine, indices);
    if (sent.ok()) continue;
    if (!first) first = sent.error();
    for (const std::size_t i : indices) {
      SweptPoint& point = points_[i].swept;
      point.status = "failed";
      point.why = sent.error().what;
      point.hint = sent.error().hint;
      point.failure = sent.error().kind;
    }
  }
  if (first && tasks_.empty()) return *first;
  return Ok{};
}

bool SlurmSweep::LookAt(std::size_t index, Task& task, const QueuedTask* queued) {
  SweptPoint& point = points_[index].swept;
  if (queued != nullptr) task.last = *queued;
  const Stage stage = queued == nullptr ? Stage::kEnded : StageOf(queued->state);
  const std::string before = point.status;
  if (stage != Stage::kEnded) {
    task.ended.reset();
    point.status = stage == Stage::kRunning ? "running" : "queued";
    return point.status != before;
  }
  if (!task.ended) task.ended = Clock::now();
  const std::string state = queued == nullptr ? "" : queued->state;
  const auto result = ReadTaskResult(task.folder, task.index);
  // An interrupted task that was not ended by Slurm has no further attempt.
  const bool is_final =
      result && (result->status != "interrupted" || state == "FAILED" || state == "COMPLETED");
  if (!is_final && Clock::now() - *task.ended < PatienceFor(state)) return false;
  if (result) {
    TakeResult(*result, state, point);
  } else {
    TakeEndWithoutResult(task.folder, task.index, queued, point);
  }
  Close(index, task);
  return true;
}

void SlurmSweep::Close(std::size_t index, Task& task) {
  SweptPoint& point = points_[index].swept;
  task.is_open = false;
  if (is_cancelled_ && (point.status == "missing" || point.status == "interrupted")) {
    point.failure.reset();
    point.why = "this sweep was interrupted";
  }
  if (point.failure)
    context_.progress->Note(fmt::format("{} is {}: {}", point.point.name, point.status, point.why));
}

bool SlurmSweep::Look(const Queue& queue) {
  bool is_changed = false;
  for (auto& [index, task] : tasks_) {
    if (!task.is_open) continue;
    const auto found = queue.find({(task.folder / kScriptFile).string(), task.index});
    is_changed |= LookAt(index, task, found == queue.end() ? nullptr : &found->second);
  }
  return is_changed;
}

/// After an interrupt only what was cancelled is waited for.
bool SlurmSweep::IsWaitedFor(const Task& task) const {
  return task.is_open && (task.is_own || !is_cancelled_);
}

bool SlurmSweep::AnyWaitedFor() const {
  return std::ranges::any_of(tasks_, [&](const auto& one) { return IsWaitedFor(one.second); });
}

void SlurmSweep::CancelOwn() {
  is_cancelled_ = true;
  std::set<std::string> own, others;
  for (const auto& [index, task] : tasks_)
    if (task.is_open) (task.is_own ? own : others).insert(task.job);
  if (!others.empty())
    context_.progress->Note(
        fmt::format("jobs of earlier calls stay in the queue: `scancel {}` cancels them",
                    fmt::join(others, " ")));
  const Status cancelled = Cancel({own.begin(), own.end()});
  if (!cancelled.ok()) context_.progress->Note(cancelled.error().what);
}

/// Of tasks that Slurm will not start by itself: said once for each reason.
void SlurmSweep::NoteStuck() {
  for (const auto& [index, task] : tasks_) {
    if (!task.is_open || points_[index].swept.status != "queued") continue;
    const std::string why = WhyStuck(task.last);
    if (!why.empty() && noted_.insert(task.last.reason).second) context_.progress->Note(why);
  }
}

void SlurmSweep::Report() const {
  std::size_t done = 0, running = 0, waiting = 0;
  std::set<std::string> nodes, reasons;
  for (const ClusterPoint& point : points_) done += IsDone(point.swept) ? 1 : 0;
  for (const auto& [index, task] : tasks_) {
    const std::string& status = points_[index].swept.status;
    if (status == "running") {
      ++running;
      if (!task.last.node.empty()) nodes.insert(task.last.node);
    } else if (status == "queued") {
      ++waiting;
      if (!task.last.reason.empty()) reasons.insert(task.last.reason);
    }
  }
  std::string text = fmt::format("{} of {} done", done, Plural(points_.size(), "point"));
  if (running > 0) text += fmt::format(", {} running on {}", running, fmt::join(nodes, ","));
  if (waiting > 0)
    text += fmt::format(", {} waiting{}", waiting,
                        reasons.empty() ? "" : fmt::format(" ({})", fmt::join(reasons, ", ")));
  context_.progress->Step(text, static_cast<double>(done) / static_cast<double>(points_.size()),
                          -1);
}

/// False: interrupted meanwhile.
bool SlurmSweep::Wait(Clock::duration delay) {
  pollfd wake = {context_.interrupts->wake_fd(), POLLIN, 0};
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(delay).count();
  return poll(&wake, 1, static_cast<int>(milliseconds)) <= 0;
}

void SlurmSweep::Follow() {
  Clock::duration delay = kShortestDelay;
  while (AnyWaitedFor() && !context_.interrupts->give_up()) {
    if (context_.interrupts->stop() && !is_cancelled_) {
      context_.interrupts->Acknowledge();
      CancelOwn();
      delay = kShortestDelay;
      continue;
    }
    const auto queue = ReadQueueByScript();
    if (queue.ok()) {
      delay = Look(queue.value()) ? kShortestDelay
                                  : std::min<Clock::duration>(delay * 5 / 4, kLongestDelay);
    } else if (!is_silent_) {
      context_.progress->Note(queue.error().what);
    }
    is_silent_ = !queue.ok();
    NoteStuck();
    Report();
    if (AnyWaitedFor() && !Wait(delay) && is_cancelled_) context_.interrupts->Acknowledge();
  }
}

}  // namespace xsp::slurm
