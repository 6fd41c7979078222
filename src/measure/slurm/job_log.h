#ifndef XSP_MEASURE_SLURM_JOB_LOG_H_
#define XSP_MEASURE_SLURM_JOB_LOG_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xsp::slurm {

/// How far a job is, as its log has it (app/cli/progress_line.h).
struct JobProgress {
  std::string step;
  double fraction = -1;     ///< 0 ... 1; negative: not known.
  double remaining_s = -1;  ///< Negative: not known.
};

/// Nothing: the line is no progress.
std::optional<JobProgress> ParseProgress(std::string_view line);

/// The log of a job while it is written, on another machine.
class JobLog {
 public:
  explicit JobLog(std::filesystem::path file) : file_(std::move(file)) {}

  /// Reads what is new. Returns its whole lines without those of progress. A log that has become
  /// shorter is that of a new attempt. A log that cannot be read has nothing new.
  std::vector<std::string> ReadNew();

  /// The newest.
  const std::optional<JobProgress>& progress() const { return progress_; }

 private:
  std::filesystem::path file_;
  std::uintmax_t read_ = 0;  ///< Bytes.
  std::string begun_;        ///< The line whose end is not written yet.
  std::optional<JobProgress> progress_;
};

}  // namespace xsp::slurm

#endif  // XSP_MEASURE_SLURM_JOB_LOG_H_
