#include "measure/slurm/operation_job.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "core/json_text.h"
#include "measure/slurm/job_end.h"
#include "measure/slurm/job_log.h"
#include "measure/slurm/queue.h"
#include "measure/slurm/slurm_programs.h"
#include "measure/slurm/submission.h"
#include "os/files.h"

namespace xsp::slurm {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr const char* kRequestFile = "request.json";
constexpr const char* kResultFile = "result.json";
constexpr const char* kOutcomeFile = "outcome.json";
constexpr std::string_view kRunAgain = "Run the command again.";
constexpr int kInterruptedStatus = static_cast<int>(ErrorKind::kInterrupted);

/// The queue is read so often; a change makes it more often for a while. The log each time, too.
constexpr auto kShortestPause = 500ms;
constexpr auto kLongestPause = 5s;

ErrorKind KindOf(int exit_status) {
  for (const ErrorKind kind : {ErrorKind::kUsage, ErrorKind::kBadInput, ErrorKind::kNotPossible,
                               ErrorKind::kEnvironment, ErrorKind::kInterrupted})
    if (static_cast<int>(kind) == exit_status) return kind;
  return ErrorKind::kInternal;
}

/// Follows one job to its end.
class FollowedJob {
 public:
  FollowedJob(const OperationJob& job, fs::path folder, std::string id)
      : job_(job), folder_(std::move(folder)), id_(std::move(id)), log_(folder_ / kLogFile) {}

  Result<JobAnswer> Follow() {
    Clock::duration pause = kShortestPause;
    while (true) {
      if (auto given_up = HeedInterrupts()) return *given_up;
      const bool is_changed = ReadQueueAndLog();
      if (auto answer = AnswerAtEnd()) return std::move(*answer);
      Report();
      pause = is_changed ? kShortestPause : std::min<Clock::duration>(pause * 5 / 4, kLongestPause);
      Wait(pause);
    }
  }

 private:
  /// The error with which to end at once; nothing: go on.
  std::optional<Error> HeedInterrupts() {
    if (job_.interrupts->give_up()) {
      NoteFailure(Cancel({id_}));
      return Error{ErrorKind::kInterrupted, fmt::format("job {} is cancelled", id_), ""};
    }
    if (!job_.interrupts->stop() || is_asked_) return std::nullopt;
    is_asked_ = true;
    job_.interrupts->Acknowledge();
    NoteFailure(AskToStop(id_));
    return std::nullopt;
  }

  void NoteFailure(const Status& status) {
    if (!status.ok()) job_.progress->Note(status.error().what);
  }

  /// Whether the job has come further.
  bool ReadQueueAndLog() {
    const std::string before = state_ ? state_->state : "";
    const auto queue = ReadQueueOf(id_);
    if (queue.ok()) {
      is_known_ = !queue.value().empty();
      if (is_known_) state_ = queue.value().front();
    } else if (!is_silent_) {
      job_.progress->Note(queue.error().what);
    }
    is_silent_ = !queue.ok();
    const bool is_over = !is_known_ || StageOf(state_ ? state_->state : "") == Stage::kEnded;
    if (!is_over) {
      ended_.reset();
    } else if (!ended_) {
      ended_ = Clock::now();
    }
    for (const std::string& line : log_.ReadNew()) job_.progress->Note(line);
    return before != (state_ ? state_->state : "");
  }

  /// Nothing: it has not ended, or another attempt or its files may still come.
  std::optional<Result<JobAnswer>> AnswerAtEnd() {
    if (!ended_) return std::nullopt;
    const std::string state = is_known_ ? state_->state : "";
    const bool is_cancelled = is_asked_ && state == "CANCELLED";
    const bool is_believed = is_cancelled || Clock::now() - *ended_ >= PatienceFor(state);
    std::optional<Result<JobAnswer>> answer = ReadAnswer(folder_);
    if (answer && !IsInterrupted(*answer)) return answer;
    // An operation that was interrupted and not ended by Slurm has no further attempt.
    if (answer && (is_asked_ || is_believed || state == "FAILED" || state == "COMPLETED"))
      return is_asked_ ? std::move(*answer) : WithReason(std::move(*answer), state);
    if (!is_believed) return std::nullopt;
    if (is_cancelled)
      return Error{ErrorKind::kInterrupted, "the job was cancelled before it measured", ""};
    const JobEnd end =
        EndWithoutResult(folder_ / kLogFile, is_known_ ? &*state_ : nullptr, kRunAgain);
    return Error{ErrorKind::kEnvironment, end.why, end.hint};
  }

  static bool IsInterrupted(const Result<JobAnswer>& answer) {
    return answer.ok() ? answer.value().exit_status == kInterruptedStatus
                       : answer.error().kind == ErrorKind::kInterrupted;
  }

  /// Of an operation that was interrupted, though not by this process.
  static Result<JobAnswer> WithReason(Result<JobAnswer> answer, const std::string& state) {
    const JobEnd end =
        EndOf(state, kRunAgain)
            .value_or(JobEnd{"the job was asked to stop, as a minute before its time "
                             "limit",
                             "More time: --slurm-option time=MINUTES"});
    if (!answer.ok()) return Error{ErrorKind::kEnvironment, end.why, end.hint};
    JobAnswer own = std::move(answer).value();
    own.exit_status = static_cast<int>(ErrorKind::kEnvironment);
    own.notes.push_back("error: " + end.why);
    own.notes.push_back("hint: " + end.hint);
    return own;
  }

  void Report() {
    if (!state_ || StageOf(state_->state) == Stage::kWaiting) {
      const std::string why = state_ ? WhyStuck(*state_) : "";
      if (!why.empty() && noted_.insert(state_->reason).second) job_.progress->Note(why);
      const std::string reason = state_ && !state_->reason.empty() ? ": " + state_->reason : "";
      job_.progress->Step(fmt::format("job {} waits in the queue{}", id_, reason), -1, -1);
      return;
    }
    const JobProgress progress = log_.progress().value_or(JobProgress{"starting", -1, -1});
    job_.progress->Step(fmt::format("job {} on {}: {}", id_, state_->node, progress.step),
                        progress.fraction, progress.remaining_s);
  }

  void Wait(Clock::duration pause) {
    pollfd wake = {job_.interrupts->wake_fd(), POLLIN, 0};
    const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(pause).count();
    if (poll(&wake, 1, static_cast<int>(milliseconds)) > 0 && is_asked_)
      job_.interrupts->Acknowledge();
  }

  const OperationJob& job_;
  fs::path folder_;
  std::string id_;
  JobLog log_;
  std::optional<QueuedTask> state_;  ///< As the queue had it the last time.
  bool is_known_ = true;             ///< To Slurm.
  bool is_silent_ = false;           ///< The queue could not be read the last time.
  bool is_asked_ = false;            ///< To stop, by this process.
  std::optional<Clock::time_point> ended_;
  std::set<std::string> noted_;  ///< Reasons for which it does not start.
};

Result<std::string> SubmitFrom(const fs::path& folder, const OperationJob& job) {
  const std::string request = core::JsonText(job.request, 2) + "\n";
  if (core::ParseJson(request) != job.request) {  // A replaced byte would name another file.
    return Error{ErrorKind::kUsage, "the request has a text that is not UTF-8",
                 "Rename the file that it names."};
  }
  const fs::path script = folder / kScriptFile;
  XSP_RETURN_IF_ERROR(os::WriteFileAtomically(folder / kRequestFile, request));
  XSP_RETURN_IF_ERROR(os::WriteFileAtomically(script, OperationScript(folder, job)));
  BatchJob batch;
  batch.name = job.name;
  batch.folder = folder;
  return slurm::Submit(SbatchArguments(batch, job.options), script);
}

}  // namespace

std::string OperationScript(const fs::path& folder, const OperationJob& job) {
  return fmt::format(
      "#!/bin/sh\n"
      "# A job of XSP: performs the operation {0} on the node that Slurm chose, and writes its\n"
      "# result beside this file.\n"
      "folder={1}\n"
      "rm -f \"$folder/{5}\"\n"
      "export XSP_PROGRESS=json\n"
      "exec {2} --store {3} perform {0} --outcome \"$folder/{5}\" \\\n"
      "  < \"$folder/{6}\" > \"$folder/{4}\"\n",
      job.operation, Quoted(folder.string()), Quoted(job.program), Quoted(job.store.string()),
      kResultFile, kOutcomeFile, kRequestFile);
}

std::optional<Result<JobAnswer>> ReadAnswer(const fs::path& folder) {
  const auto written = os::ReadFile(folder / kOutcomeFile);
  if (!written.ok()) return std::nullopt;
  const json outcome = core::ParseJson(written.value());
  try {
    JobAnswer answer;
    answer.exit_status = outcome.at("exit_status").get<int>();
    if (const auto error = outcome.find("error"); error != outcome.end())
      return Error{.kind = KindOf(answer.exit_status),
                   .what = error->at("what").get<std::string>(),
                   .hint = error->at("hint").get<std::string>()};
    answer.notes = outcome.at("notes").get<std::vector<std::string>>();
    const auto result = os::ReadFile(folder / kResultFile);
    if (!result.ok()) return std::nullopt;
    answer.document = core::ParseJson(result.value());
    if (answer.document.is_discarded()) return std::nullopt;
    return answer;
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

Result<JobAnswer> PerformOnNode(const OperationJob& job) {
  XSP_TRY(const fs::path folder, MakeJobFolder(job.store));
  auto id = SubmitFrom(folder, job);
  if (!id.ok()) {
    // Without an answer the job may be there all the same.
    std::error_code error;
    if (id.error().kind != ErrorKind::kEnvironment) fs::remove_all(folder, error);
    return id.error();
  }
  job.progress->Note(fmt::format("job {}; log: {}", id.value(), (folder / kLogFile).string()));
  return FollowedJob(job, folder, std::move(id).value()).Follow();
}

}  // namespace xsp::slurm
