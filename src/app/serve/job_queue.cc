#include "app/serve/job_queue.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "api/stored_names.h"
#include "app/serve/job_process.h"
#include "core/clock_text.h"
#include "core/json_text.h"

namespace xsp::serve {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kProgressInterval_ms = 500;
constexpr std::chrono::seconds kStopTime(30);
constexpr std::size_t kIdDigits = 6;

/// The last line that begins so, without that.
std::string LastLine(const std::string& log, std::string_view beginning) {
  const std::string wanted = "\n" + std::string(beginning);
  const std::string text = "\n" + log;
  const std::size_t found = text.rfind(wanted);
  if (found == std::string::npos) return {};
  const std::size_t begin = found + wanted.size();
  return text.substr(begin, text.find('\n', begin) - begin);
}

/// What a failed operation wrote, with names of the store where it wrote paths.
Error LoggedError(const std::string& log, const fs::path& store) {
  return api::WithStoredNames(
      store, {ErrorKind::kInternal, LastLine(log, "error: "), LastLine(log, "hint: ")});
}

/// The name of the experiment that a document says it has made.
std::string ExperimentOf(const std::string& result) {
  const json document = core::ParseJson(result);
  if (!document.is_object()) return {};
  for (const char* member : {"experiment", "run"}) {
    const auto found = document.find(member);
    if (found != document.end() && found->is_string())
      return fs::path(found->get<std::string>()).filename().string();
  }
  return {};
}

}  // namespace

JobQueue::JobQueue(Settings settings)
    : settings_(std::move(settings)), wake_fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  XSP_CHECK(wake_fd_ >= 0);
  LoadAll();
  thread_ = std::jthread([this](const std::stop_token& stop) { Work(stop); });
}

JobQueue::~JobQueue() {
  thread_.request_stop();
  Wake();
  changed_.notify_all();
  thread_.join();
  close(wake_fd_);
}

void JobQueue::Wake() const {
  const std::uint64_t one = 1;
  // It only fails when a wake is pending already.
  [[maybe_unused]] const auto written = write(wake_fd_, &one, sizeof one);
}

void JobQueue::DrainWakes() const {
  std::uint64_t count = 0;
  [[maybe_unused]] const auto read_bytes = read(wake_fd_, &count, sizeof count);
}

void JobQueue::LoadAll() {
  for (const fs::path& path : JobFolders(settings_.folder)) {
    const std::string id = path.filename().string();
    next_id_ = std::max(next_id_, static_cast<std::uint64_t>(std::atoll(id.c_str())) + 1);
    auto loaded = JobFolder(path).Load();
    if (loaded.ok()) jobs_[id] = std::move(loaded).value();
  }
}

void JobQueue::SaveOrWarn(const Job& job) const {
  // A full disk must not end the job: its process has its own word on how it went.
  const Status saved = FolderOf(job.id).Save(job);
  if (!saved.ok()) fmt::print(stderr, "warning: job {}: {}\n", job.id, saved.error().what);
}

void JobQueue::Change(const std::string& id, const std::function<void(Job&)>& change) {
  const std::lock_guard lock(mutex_);
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) return;
  change(found->second);
  SaveOrWarn(found->second);
  ++version_;
  changed_.notify_all();
}

Result<Job> JobQueue::Add(Job job, const json& request_of_process) {
  const std::lock_guard lock(mutex_);
  const auto is_waiting = [](const auto& entry) { return !entry.second.has_ended(); };
  if (std::ranges::count_if(jobs_, is_waiting) >= settings_.most_queued)
    return Error{ErrorKind::kEnvironment, "the queue of jobs is full",
                 "Wait for jobs to end, or cancel some."};
  job.id = fmt::format("{:0{}}", next_id_++, kIdDigits);
  job.created = core::NowRfc3339();
  job.state = JobState::kQueued;
  XSP_RETURN_IF_ERROR(FolderOf(job.id).Create(job, request_of_process));
  jobs_[job.id] = job;
  ++version_;
  changed_.notify_all();
  return job;
}

std::vector<JobQueue::Placed> JobQueue::All() {
  const std::lock_guard lock(mutex_);
  std::vector<Placed> all;
  int position = 0;
  for (const auto& [id, job] : jobs_)
    all.push_back({job, job.state == JobState::kQueued ? ++position : 0});
  std::ranges::reverse(all);
  return all;
}

std::optional<JobQueue::Placed> JobQueue::Find(const std::string& id) {
  for (Placed& placed : All())
    if (placed.job.id == id) return std::move(placed);
  return std::nullopt;
}

void JobQueue::Signal(int process, int times) const {
  SignalJob(process, times >= 3 ? SIGKILL : SIGINT);
}

bool JobQueue::Cancel(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto found = jobs_.find(id);
  if (found == jobs_.end() || found->second.has_ended()) return false;
  if (id == running_) {
    ++cancels_;
    if (running_process_ > 0) Signal(running_process_, cancels_);
    return true;
  }
  found->second.state = JobState::kCancelled;
  found->second.ended = core::NowRfc3339();
  SaveOrWarn(found->second);
  ++version_;
  changed_.notify_all();
  return true;
}

std::uint64_t JobQueue::WaitForChange(std::uint64_t seen, std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  if (++watchers_ == 1) Wake();  // From now on somebody reads the progress.
  changed_.wait_for(lock, time, [&] { return version_ != seen; });
  --watchers_;
  return version_;
}

std::optional<std::string> JobQueue::NextQueued() const {
  // What still runs from an earlier server comes first.
  for (const auto& [id, job] : jobs_)
    if (job.state == JobState::kRunning) return id;
  for (const auto& [id, job] : jobs_)
    if (job.state == JobState::kQueued) return id;
  return std::nullopt;
}

void JobQueue::Work(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    std::string id;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, stop, [&] { return NextQueued().has_value(); });
      if (stop.stop_requested()) return;
      id = *NextQueued();
      running_ = id;
      running_process_ = 0;
      cancels_ = 0;
    }
    if (settings_.on_begin) settings_.on_begin();
    Perform(id, stop);
    {
      const std::lock_guard lock(mutex_);
      running_.clear();
      running_process_ = 0;
    }
    ForgetOld();
  }
}

void JobQueue::Perform(const std::string& id, const std::stop_token& stop) {
  const JobFolder folder = FolderOf(id);
  Job job;
  {
    const std::lock_guard lock(mutex_);
    job = jobs_.at(id);
  }
  std::optional<int> process = folder.RunningProcess();
  if (job.state == JobState::kQueued) {
    const auto started = StartJob(folder, settings_.program(job.operation), settings_.machine_lock);
    if (!started.ok()) {
      Change(id, [&](Job& changed) {
        changed.state = JobState::kFailed;
        changed.ended = core::NowRfc3339();
        changed.exit_status = static_cast<int>(started.error().kind);
        changed.error_what = started.error().what;
        changed.error_hint = started.error().hint;
      });
      return;
    }
    process = started.value();
    Change(id, [&](Job& changed) {
      changed.state = JobState::kRunning;
      changed.started = core::NowRfc3339();
    });
  }
  if (process) Watch(id, *process, stop);
  End(id);
}

void JobQueue::Watch(const std::string& id, int process, const std::stop_token& stop) {
  const auto end = ProcessEnd::Of(process);
  if (!end.ok()) return;  // It has ended in the meantime.
  {
    const std::lock_guard lock(mutex_);
    running_process_ = process;
    if (cancels_ > 0) Signal(process, cancels_);
  }
  std::optional<std::chrono::steady_clock::time_point> stopping;
  for (;;) {
    bool is_watched = false;
    {
      const std::lock_guard lock(mutex_);
      is_watched = watchers_ > 0;
    }
    if (stop.stop_requested()) {
      const auto now = std::chrono::steady_clock::now();
      if (!stopping) {
        stopping = now;
        Cancel(id);
      } else if (now - *stopping > kStopTime) {
        SignalJob(process, SIGKILL);
      }
    }
    const bool looks = is_watched || stopping.has_value();
    if (end.value().Wait(wake_fd_, looks ? kProgressInterval_ms : -1)) return;
    DrainWakes();
    const auto progress = FolderOf(id).ReadProgress();
    const std::lock_guard lock(mutex_);
    Job& job = jobs_.at(id);
    const bool is_new = progress && (!job.progress || job.progress->step != progress->step ||
                                     job.progress->fraction != progress->fraction);
    if (!is_new) continue;
    job.progress = progress;
    ++version_;
    changed_.notify_all();
  }
}

void JobQueue::End(const std::string& id) {
  const JobFolder folder = FolderOf(id);
  const std::optional<int> status = folder.ExitStatus();
  const std::string log = folder.ReadLog();
  const auto result = folder.ReadResult();
  Job job;
  int cancels = 0;
  {
    const std::lock_guard lock(mutex_);
    job = jobs_.at(id);
    cancels = cancels_;
  }
  job.ended = core::NowRfc3339();
  job.exit_status = status;
  job.progress.reset();
  if (result.ok()) job.experiment = ExperimentOf(result.value());
  if (cancels > 0) {
    job.state = JobState::kCancelled;
  } else if (!status) {
    job.state = JobState::kInterrupted;
  } else if (*status == 0) {
    job.state = JobState::kDone;
  } else {
    job.state = JobState::kFailed;
    const Error error = LoggedError(log, settings_.store);
    job.error_what = error.what.empty() ? fmt::format("exit status {}", *status) : error.what;
    job.error_hint = error.hint;
  }
  // Whoever sees that it has ended sees what it made.
  if (settings_.on_end) settings_.on_end(job);
  Change(id, [&](Job& ended) { ended = job; });
}

void JobQueue::ForgetOld() {
  const std::lock_guard lock(mutex_);
  auto ended = std::ranges::count_if(jobs_, [](const auto& job) { return job.second.has_ended(); });
  for (auto it = jobs_.begin(); it != jobs_.end() && ended > settings_.most_ended;) {
    if (!it->second.has_ended()) {
      ++it;
      continue;
    }
    std::error_code error;
    fs::remove_all(settings_.folder / it->first, error);
    it = jobs_.erase(it);
    --ended;
  }
}

}  // namespace xsp::serve
