#ifndef XSP_APP_SERVE_JOB_PROCESS_H_
#define XSP_APP_SERVE_JOB_PROCESS_H_

#include <filesystem>
#include <string>
#include <vector>

#include "app/serve/job_folder.h"
#include "core/result.h"

namespace xsp::serve {

/// Starts the process of a job in a session of its own: it goes on if this server is killed, and
/// writes its status itself. `arguments`: the program and what it is given; it reads request.json
/// and writes result.json and log. `machine_lock`: a file that is locked while it runs, so that two
/// servers do not measure on one machine at once; the process waits for it. Returns its number.
/// Errors: kEnvironment.
Result<int> StartJob(const JobFolder& folder, const std::vector<std::string>& arguments,
                     const std::filesystem::path& machine_lock);

/// Waits for the end of a process, whether it is our child or not. Threading: one thread.
class ProcessEnd {
 public:
  /// Errors: kEnvironment.
  static Result<ProcessEnd> Of(int process);
  ProcessEnd(ProcessEnd&& other) noexcept;
  ProcessEnd& operator=(ProcessEnd&&) = delete;
  ~ProcessEnd();

  /// Returns when the process has ended (true), `wake_fd` is readable or `milliseconds` have passed
  /// (negative: never).
  bool Wait(int wake_fd, int milliseconds) const;

 private:
  ProcessEnd(int process, int descriptor) : process_(process), descriptor_(descriptor) {}

  int process_;
  int descriptor_;
};

/// Sends `signal` to all processes of the job's session.
void SignalJob(int process, int signal);

}  // namespace xsp::serve

#endif  // XSP_APP_SERVE_JOB_PROCESS_H_
