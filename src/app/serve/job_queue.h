#ifndef XSP_APP_SERVE_JOB_QUEUE_H_
#define XSP_APP_SERVE_JOB_QUEUE_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/serve/job.h"
#include "app/serve/job_folder.h"
#include "core/result.h"

namespace xsp::serve {

/// Performs jobs one after another, each in a process of its own. All that is known of them lies in
/// files: a server that is started again takes up what waits, waits for what still runs, and marks
/// what was killed. Threading: any thread.
class JobQueue {
 public:
  struct Settings {
    std::filesystem::path folder;        ///< Holds a folder for each job.
    std::filesystem::path machine_lock;  ///< See StartJob().
    std::filesystem::path store;         ///< Errors of jobs name what lies in it, not its path.
    /// The program and its arguments that perform an operation: it reads the request as JSON from
    /// standard input.
    std::function<std::vector<std::string>(const std::string& operation)> program;
    /// A job begins, or has ended and will be shown so; called from the queue's thread.
    std::function<void()> on_begin = {};
    std::function<void(const Job& job)> on_end = {};
    int most_queued = 100;
    int most_ended = 1000;  ///< Older ended jobs are forgotten, their folders removed.
  };

  /// Reads the jobs of earlier servers. A job whose folder cannot be read is left out.
  explicit JobQueue(Settings settings);

  /// Stops the running job as if it were cancelled, keeping what was measured; what waits stays in
  /// the queue for the next server.
  ~JobQueue();
  JobQueue(const JobQueue&) = delete;
  JobQueue& operator=(const JobQueue&) = delete;

  /// Adds a job. `job`: its operation, request, command and user. `request_of_process`: the request
  /// with names of uploads replaced by their files. Errors: kEnvironment (the queue is full; no
  /// space).
  Result<Job> Add(Job job, const nlohmann::json& request_of_process);

  /// A job, or nothing; with its place in the queue (0: not queued).
  struct Placed {
    Job job;
    int position = 0;
  };
  std::optional<Placed> Find(const std::string& id);
  /// The newest first.
  std::vector<Placed> All();

  /// Takes a job out of the queue, or interrupts it: the first time it keeps what was measured, the
  /// second time it gives up at once, the third time it is killed. False: no such job, or it has
  /// ended.
  bool Cancel(const std::string& id);

  JobFolder FolderOf(const std::string& id) const { return JobFolder(settings_.folder / id); }

  /// Waits until something has changed since `seen`, at most `time`. Returns what has been seen
  /// then; begin with 0. While somebody waits, progress is read.
  std::uint64_t WaitForChange(std::uint64_t seen, std::chrono::milliseconds time);

 private:
  void LoadAll();
  void Work(const std::stop_token& stop);
  std::optional<std::string> NextQueued() const;
  void Perform(const std::string& id, const std::stop_token& stop);
  void Watch(const std::string& id, int process, const std::stop_token& stop);
  void End(const std::string& id);
  void Change(const std::string& id, const std::function<void(Job&)>& change);
  void SaveOrWarn(const Job& job) const;
  void ForgetOld();
  void Wake() const;
  void DrainWakes() const;
  void Signal(int process, int times) const;

  const Settings settings_;
  int wake_fd_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::map<std::string, Job> jobs_;
  std::string running_;      ///< Id of the job that runs; empty: none.
  int running_process_ = 0;  ///< 0: not yet.
  int cancels_ = 0;          ///< Of the running job.
  std::uint64_t version_ = 1;
  int watchers_ = 0;
  std::uint64_t next_id_ = 1;
  std::jthread thread_;
};

}  // namespace xsp::serve

#endif  // XSP_APP_SERVE_JOB_QUEUE_H_
