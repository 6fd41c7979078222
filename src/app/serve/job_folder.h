#ifndef XSP_APP_SERVE_JOB_FOLDER_H_
#define XSP_APP_SERVE_JOB_FOLDER_H_

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/serve/job.h"
#include "core/result.h"

namespace xsp::serve {

/// What is stored of a job, so that it outlives the server: a folder with
///   job.json      what was asked for, by whom and when; rewritten when its state changes
///   request.json  the request that its process reads
///   process       the number of its process, written by it
///   result.json   the document, as far as it has been written
///   log           its standard error: progress as lines of JSON, messages
///   levels.json   sums of what is being recorded (live::LevelSums), while somebody looks on
///   status        its exit status, written last
/// Threading: one thread at a time, and the job's process.
class JobFolder {
 public:
  explicit JobFolder(std::filesystem::path path) : path_(std::move(path)) {}

  const std::filesystem::path& path() const { return path_; }

  /// Writes a new job. Errors: kEnvironment.
  Status Create(const Job& job, const nlohmann::json& request_of_process) const;
  /// Where the process of the job is to keep levels.json.
  std::filesystem::path levels() const { return path_ / "levels.json"; }

  /// Rewrites job.json. Errors: kEnvironment.
  Status Save(const Job& job) const;
  /// The job as it was last saved. Errors: kBadInput (damaged).
  Result<Job> Load() const;

  /// The job's process, if it has begun and still runs.
  std::optional<int> RunningProcess() const;
  /// Once its process has ended; nothing if that was killed before it could write it.
  std::optional<int> ExitStatus() const;

  /// The newest progress of the log.
  std::optional<JobProgress> ReadProgress() const;
  /// The log without progress, at most its last 256 KiB. Empty before the process has begun.
  std::string ReadLog() const;
  /// What is being recorded, as live::LevelSums has it; without runs while there is nothing. Asks
  /// the job's process for it, for the next seconds.
  std::string WatchLevels() const;
  /// The document. Errors: kBadInput (there is none, or only a part).
  Result<std::string> ReadResult() const;

 private:
  std::filesystem::path path_;
};

/// The folders of jobs below `jobs`, by number.
std::vector<std::filesystem::path> JobFolders(const std::filesystem::path& jobs);

}  // namespace xsp::serve

#endif  // XSP_APP_SERVE_JOB_FOLDER_H_
