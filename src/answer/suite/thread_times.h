#ifndef XSP_ANSWER_SUITE_THREAD_TIMES_H_
#define XSP_ANSWER_SUITE_THREAD_TIMES_H_

#include <filesystem>
#include <string>
#include <vector>

#include "answer/suite/job_times.h"
#include "core/result.h"

namespace xsp::suite {

/// Latency by the number of threads, of the points of these experiments that say how many they
/// used (`threads` in point.settings); without names, of all that can be read. A job is a model,
/// backend, device, precision and batch size with all other settings alike; a point measured more
/// than once counts by its median. What is left out is reported in `*treatments` (appended to; not
/// null). Errors: kBadInput (no such experiment, none at all; no point that says its threads).
Result<JobTable> ThreadTimes(const std::filesystem::path& store,
                             const std::vector<std::string>& experiments,
                             std::vector<std::string>* treatments);

}  // namespace xsp::suite

#endif  // XSP_ANSWER_SUITE_THREAD_TIMES_H_
