#ifndef XSP_MEASURE_WORKERS_WORKER_SESSION_H_
#define XSP_MEASURE_WORKERS_WORKER_SESSION_H_

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/result.h"
#include "os/interrupt.h"
#include "os/memory_limit.h"
#include "os/subprocess.h"

namespace xsp::workers {

/// What starts one worker.
struct SessionPlan {
  std::filesystem::path program;
  nlohmann::json job;                   ///< As docs/worker-protocol.md has it.
  std::filesystem::path job_file;       ///< Where it is written.
  std::filesystem::path recording;      ///< What the worker writes.
  std::int64_t memory_limit_bytes = 0;  ///< 0: none.
  std::vector<std::pair<std::string, std::string>> environment = {};  ///< Added to ours.
};

/// One worker under the control protocol, from its start to its end. Every fault (an error event, a
/// crash, a hang, a broken protocol) comes back as an Error in words for users, and ends the
/// worker; its recording stays. Threading: the main thread.
class WorkerSession {
 public:
  using Seconds = std::chrono::duration<double>;

  struct Ready {
    int warmup_calls = 0;
    bool settled = false;  ///< Warm-up ended because latencies had settled.
    double call_s = 0;     ///< What the last warm-up call took; 0: not sent (protocol 1).
    double latency_s = 0;  ///< Median of the last warm-up calls; 0: not sent.
    std::vector<std::string> guessed;  ///< Of the model's inputs, a line each.
  };

  /// How long a worker may be silent.
  struct Deadline {
    template <class Rep, class Period>
    Deadline(std::chrono::duration<Rep, Period> always) : quiet(always), busy(always) {}
    Deadline(Seconds quiet_time, Seconds busy_time) : quiet(quiet_time), busy(busy_time) {}

    Seconds quiet;
    Seconds busy;  ///< Where its threads waited for a core for a tenth of `quiet`.
  };

  /// Starts the worker. `interrupts` is borrowed. Errors: kNotPossible (memory cannot be limited
  /// here), kEnvironment.
  static Result<WorkerSession> Start(const SessionPlan& plan, os::Interrupts& interrupts);

  WorkerSession(WorkerSession&&) noexcept = default;
  WorkerSession& operator=(WorkerSession&&) = delete;

  /// Waits until the model is loaded and warm. Errors: the worker's fault, or kInterrupted.
  Result<Ready> AwaitReady(Seconds timeout);

  /// Has it end its model, load it anew at another place in memory, and warm up. Errors as
  /// AwaitReady; protocol 3.
  Result<Ready> LoadAnew(Seconds timeout);

  /// Latencies of the calls of one command, in their order, ns; empty: none were made in that rung,
  /// or the worker sends none (protocol 1).
  struct Latencies {
    std::vector<double> own_ns, baseline_ns;
  };

  /// Has it make a block of `iterations` calls in `rung`; empty: the job's. Errors as above; on
  /// kInterrupted what it made is recorded.
  Result<Latencies> Run(int iterations, std::string_view rung, Deadline deadline);

  /// Has it make `count` pairs of calls, one in the job's rung and one in `rung`, in an order drawn
  /// from `seed`. Errors as Run.
  Result<Latencies> RunPairs(int count, std::string_view rung, std::uint64_t seed,
                             Deadline deadline);

  /// Has it answer `count` requests that arrive as a Poisson process of `rate_per_s` from `seed`:
  /// one call each, late ones from a queue. Errors as Run.
  Status Serve(int count, double rate_per_s, std::uint64_t seed, Deadline deadline);

  /// Has it take samples `first` ... + `count` - 1 of the job's data set through the model. Errors
  /// as Run.
  Status Evaluate(std::int64_t first, int count, Deadline deadline);

  /// Has it close its recording and end. Errors: it did not within `timeout`, or not with status 0.
  Status Stop(Seconds timeout);

  /// Peak resident memory so far, bytes; nothing when not visible.
  std::optional<std::int64_t> PeakMemoryBytes() const;

  /// The end of what it wrote to stderr. Complete once it ended.
  const std::string& stderr_tail() const { return process_.stderr_tail(); }
  /// How it ended; nothing while it runs.
  const std::optional<os::ExitStatus>& exit() const { return exit_; }

 private:
  WorkerSession(os::Subprocess process, std::optional<os::MemoryLimit> limit,
                os::Interrupts& interrupts);

  /// Sends a line that asks for `calls` calls or samples, and waits until they are made.
  Result<nlohmann::json> Make(int calls, std::string_view line, std::string_view doing,
                              Deadline deadline);
  /// The next event of kind `expected`; anything else is a fault. `waited_s`: what
  /// os::CoreWaitSeconds() of it was before.
  Result<nlohmann::json> Await(std::string_view expected, std::string_view doing, Deadline deadline,
                               double waited_s = 0);
  bool IsAskedToStop() const;
  Error EndAfterInterrupt();
  Error EndAfterSilence(std::string_view doing, Seconds timeout, bool was_held_up = false);
  Error EndAfterFault(std::string_view what);
  Error DescribeEnd(std::string_view doing);
  Error FromEvent(const nlohmann::json& event);

  std::optional<os::MemoryLimit> limit_;  // Before process_: its members must have ended first.
  os::Subprocess process_;
  os::Interrupts* interrupts_;
  std::optional<os::ExitStatus> exit_;
  std::optional<std::int64_t> memory_kills_before_;
};

}  // namespace xsp::workers

#endif  // XSP_MEASURE_WORKERS_WORKER_SESSION_H_
