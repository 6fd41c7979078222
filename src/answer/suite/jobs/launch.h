#ifndef XSP_ANSWER_SUITE_JOBS_LAUNCH_H_
#define XSP_ANSWER_SUITE_JOBS_LAUNCH_H_

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/result.h"

namespace xsp::suite::jobs {

/// One process to start.
struct Launch {
  std::string job;                ///< Its name.
  std::vector<std::string> argv;  ///< argv[0]: a path, or a name that is looked for in $PATH.
};

/// How one process fared.
struct Ended {
  std::string job;
  double seconds = 0;  ///< From the common start until it ended.
  double cpu_seconds = 0;
  std::string exit;  ///< "exit status 0", or how it failed.
  bool success = false;
  std::string stderr_tail;
};

/// Starts all of `launches` together, one thread each, and waits for them. Each sees its place in
/// XSP_JOB_INDEX (from 0) and their number in XSP_JOB_COUNT, for programs that choose a device by
/// it. Standard output is discarded. A program that cannot be started is one that failed. The
/// processes end when the calling process does.
std::vector<Ended> StartTogether(const std::vector<Launch>& launches);

nlohmann::json ToJson(const std::vector<Launch>& launches);
nlohmann::json ToJson(const std::vector<Ended>& ended);

/// Of what ToJson() gave. Errors: kBadInput.
Result<std::vector<Launch>> LaunchesOf(const std::string& text);
Result<std::vector<Ended>> EndedOf(const std::string& text);

}  // namespace xsp::suite::jobs

#endif  // XSP_ANSWER_SUITE_JOBS_LAUNCH_H_
