#ifndef XSP_APP_SERVE_JOB_H_
#define XSP_APP_SERVE_JOB_H_

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace xsp::serve {

enum class JobState {
  kQueued,
  kRunning,
  kDone,
  kFailed,
  kCancelled,    ///< By a user; what was measured until then is in the store.
  kInterrupted,  ///< Ended without a status: its process was killed, or the machine stopped.
};

/// "queued", "running", ...
std::string_view NameOf(JobState state);

/// How far a job is, as core::Progress has it.
struct JobProgress {
  std::string step;
  double fraction = 0;
  double remaining_s = -1;  ///< Negative: unknown.
};

/// An operation that is performed by a process of its own. Times are RFC 3339, UTC; empty: not yet.
struct Job {
  std::string id;  ///< Digits; a later job has a larger number, whatever the clock does.
  std::string operation;
  nlohmann::json request;
  std::string command;  ///< The command line that does the same.
  std::string user;
  JobState state = JobState::kQueued;
  std::string created, started, ended;
  std::optional<JobProgress> progress = {};
  std::optional<int> exit_status = {};
  std::string error_what, error_hint;  ///< Of a job that failed.
  std::string experiment;              ///< Name in the store of what it made; empty: nothing.

  bool has_ended() const { return state != JobState::kQueued && state != JobState::kRunning; }
};

/// The job as programs see it. `position`: its place in the queue, from 1; 0: not in the queue.
nlohmann::json ToJson(const Job& job, int position);

}  // namespace xsp::serve

#endif  // XSP_APP_SERVE_JOB_H_
