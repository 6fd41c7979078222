#ifndef XSP_ANSWER_SUITE_JOBS_LAUNCH_H_
#define XSP_ANSWER_SUITE_JOBS_LAUNCH_H_

#include <string>
#include <vector>

#include "os/interrupt.h"

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
/// it. Standard output is discarded. A program that cannot be started is one that failed. A request
/// of `interrupts` kills them all; the processes end when the calling process does.
std::vector<Ended> StartTogether(const std::vector<Launch>& launches,
                                 const os::Interrupts& interrupts);

}  // namespace xsp::suite::jobs

#endif  // XSP_ANSWER_SUITE_JOBS_LAUNCH_H_
