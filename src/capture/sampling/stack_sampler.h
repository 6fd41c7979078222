#ifndef XSP_CAPTURE_SAMPLING_STACK_SAMPLER_H_
#define XSP_CAPTURE_SAMPLING_STACK_SAMPLER_H_

#include <cstddef>
#include <memory>

#include "capture/sampling/stack_samples.h"
#include "core/result.h"

namespace xsp::sampling {

struct SamplingOptions {
  /// Samples per second of CPU time of each thread, 1 to 10,000. Not 100: what a program does every
  /// 10 ms would always, or never, be seen.
  double rate_hz = 99;
  /// The process waits to become a program (see os::ForegroundProgram::Start): from that moment
  /// on. Else a running process: all its threads, from now on.
  bool wait_for_exec = true;
  /// How much of a thread's stack is copied with each sample, 1 KiB to 60 KiB.
  std::size_t stack_bytes = std::size_t{16} << 10;
  /// Of the buffer between kernel and us, for each CPU; a power of two. 0: enough for half a second
  /// of a busy CPU, but at most 64 MiB for all together. Less is taken where the kernel grants
  /// less.
  std::size_t ring_bytes = 0;
  /// When there are more, every second one is dropped (StackSamples::kept_every).
  std::size_t most_samples = std::size_t{4} << 20;
};

/// Samples the call stacks of a process, of all its threads and of all processes that it starts, by
/// the kernel's clock events (perf_event_open(2)): wherever they run, whatever they are written in,
/// without a change of them.
///
/// Stacks are unwound with the tables that exceptions use (.eh_frame), from a copy of the
/// thread's stack, in a thread of our own while the program runs; frame pointers are needed only
/// where code has no such tables. The thread blocks all signals.
///
/// Threading: members from one thread at a time.
class StackSampler {
 public:
  /// Errors: kUsage for a rate or size out of range; kNotPossible, with the remedy, where the
  /// kernel or the container forbids it; kBadInput where there is no such process; kEnvironment.
  static Result<std::unique_ptr<StackSampler>> Start(int pid, const SamplingOptions& options = {});
  StackSampler(const StackSampler&) = delete;
  StackSampler& operator=(const StackSampler&) = delete;
  ~StackSampler();

  /// Ends sampling, reads what is left. Once.
  StackSamples Stop();

 private:
  struct State;
  explicit StackSampler(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace xsp::sampling

#endif  // XSP_CAPTURE_SAMPLING_STACK_SAMPLER_H_
