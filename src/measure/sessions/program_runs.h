#ifndef XSP_MEASURE_SESSIONS_PROGRAM_RUNS_H_
#define XSP_MEASURE_SESSIONS_PROGRAM_RUNS_H_

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "capture/attach/injection.h"
#include "capture/monitor/monitor.h"
#include "capture/sampling/stack_sampler.h"
#include "core/result.h"
#include "measure/sessions/record_request.h"
#include "os/foreground_program.h"
#include "os/interrupt_forwarder.h"
#include "os/subprocess.h"

namespace xsp::sessions {

/// One execution of the program, with what ran beside it.
struct Execution {
  os::ExitStatus exit;
  double seconds = 0;
  monitor::Series series;
  std::optional<sampling::StackSamples> stacks;
  bool told_to_stop = false;  ///< This process got SIGINT or SIGTERM, as the program did.
};

/// Runs the program of a request with or without XSP's libraries in it (see os::ForegroundProgram).
/// Errors: kBadInput (no such program), kNotPossible (the libraries), kEnvironment. Threading: the
/// main thread.
class ProgramRuns {
 public:
  /// `request` is borrowed.
  explicit ProgramRuns(const RecordRequest& request) : request_(request) {}

  Result<Execution> Bare() const;

  /// Whether a run for metrics could be made. Errors: kUsage, kNotPossible, kEnvironment.
  Status CanMeasure() const;

  /// Runs it for its kernels' metrics and nothing beside: replay distorts all else.
  Result<Execution> Measured(const std::filesystem::path& folder) const;

  /// Records into `folder`, which exists and is empty. `left_out`: what is not recorded here, a
  /// sentence each.
  Result<Execution> Recorded(const std::filesystem::path& folder,
                             std::vector<std::string>* left_out) const;

 private:
  /// Where the program is not in the foreground: what sends it the requests to stop.
  std::unique_ptr<os::InterruptForwarder> Forwarding(const os::ForegroundProgram& program) const;
  /// Whether `signal` became a request to stop, which the forwarder sends on.
  bool TakesRequest(int signal) const;
  bool IsSwitched() const;
  attach::InjectionRequest Wanted(const std::filesystem::path& folder) const;

  const RecordRequest& request_;
};

}  // namespace xsp::sessions

#endif  // XSP_MEASURE_SESSIONS_PROGRAM_RUNS_H_
