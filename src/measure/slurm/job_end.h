#ifndef XSP_MEASURE_SLURM_JOB_END_H_
#define XSP_MEASURE_SLURM_JOB_END_H_

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "measure/slurm/queue.h"

namespace xsp::slurm {

/// Why a job ended, and what to do about it.
struct JobEnd {
  std::string why, hint;
};

/// Of a job that Slurm ended, by its state; nothing: it ended by itself. `again`: how to run it
/// again, a sentence.
std::optional<JobEnd> EndOf(std::string_view state, std::string_view again);

/// Of a job that left no result, by Slurm's state and the end of its log. `job`: null if Slurm has
/// forgotten it.
JobEnd EndWithoutResult(const std::filesystem::path& log, const QueuedTask* job,
                        std::string_view again);

/// How long a job must have ended before the absence of a result is believed. A node that failed
/// may be followed by a new attempt; on a network file system a file becomes visible late.
std::chrono::seconds PatienceFor(std::string_view state);

}  // namespace xsp::slurm

#endif  // XSP_MEASURE_SLURM_JOB_END_H_
