#include "capture/sampling/stack_sampler.h"

#include <fmt/format.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <thread>

#include "capture/sampling/clock_events.h"
#include "capture/sampling/registers.h"
#include "capture/sampling/sample_builder.h"
#include "os/clocks.h"
#include "os/signals_blocked.h"

namespace xsp::sampling {
namespace {

constexpr double kLowestRateHz = 1;
constexpr double kHighestRateHz = 10'000;
constexpr std::size_t kLeastStackBytes = 1 << 10;
constexpr std::size_t kMostStackBytes = 60 << 10;  // A record's size has 16 bits.

Status Check(const SamplingOptions& options) {
  if (!(options.rate_hz >= kLowestRateHz && options.rate_hz <= kHighestRateHz)) {
    return Error{ErrorKind::kUsage,
                 fmt::format("rate of stack sampling is out of range: {} Hz", options.rate_hz),
                 fmt::format("It can be {} to {} Hz.", kLowestRateHz, kHighestRateHz)};
  }
  if (options.stack_bytes < kLeastStackBytes || options.stack_bytes > kMostStackBytes) {
    return Error{ErrorKind::kUsage,
                 fmt::format("copied stack is out of range: {} bytes", options.stack_bytes),
                 fmt::format("It can be {} to {} bytes.", kLeastStackBytes, kMostStackBytes)};
  }
  if (!kCanUnwind) {
    return Error{ErrorKind::kNotPossible, "stacks cannot be unwound on this kind of processor",
                 "x86-64 and 64-bit Arm can be sampled."};
  }
  return Ok{};
}

/// What one busy CPU writes a second.
double BytesPerSecond(const SamplingOptions& options) {
  constexpr double kOtherBytes = 1024;
  return options.rate_hz * (static_cast<double>(options.stack_bytes) + kOtherBytes);
}

std::size_t RingBytes(const SamplingOptions& options) {
  if (options.ring_bytes != 0) return std::bit_floor(options.ring_bytes);
  constexpr std::size_t kLeast = 128 << 10, kMost = 8 << 20, kMostTogether = 64 << 20;
  const auto cpus = static_cast<std::size_t>(std::max(sysconf(_SC_NPROCESSORS_ONLN), 1L));
  const std::size_t wanted = std::bit_ceil(static_cast<std::size_t>(BytesPerSecond(options) / 2));
  const std::size_t granted = std::bit_floor(std::max<std::size_t>(kMostTogether / cpus, kLeast));
  return std::clamp(wanted, kLeast, std::min(granted, kMost));
}

}  // namespace

struct StackSampler::State {
  explicit State(const SamplingOptions& options)
      : builder(options.rate_hz, options.most_samples), stop(eventfd(0, EFD_CLOEXEC)) {}
  ~State() {
    if (thread.joinable()) End();
    if (stop >= 0) close(stop);
  }

  void End() {
    events->Disable();
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(stop, &one, sizeof(one));
    thread.join();
  }

  /// A quarter of the time in which the thread of one CPU fills its buffer.
  int PeriodMs(const SamplingOptions& options) const {
    const double period_ms =
        1e3 * static_cast<double>(events->ring_bytes()) / BytesPerSecond(options) / 4;
    return static_cast<int>(std::clamp(period_ms, 2.0, 100.0));
  }

  void Run(int period_ms) {
    pthread_setname_np(pthread_self(), "xsp-sampler");
    bool last = false;
    while (!last) {
      pollfd wait = {stop, POLLIN, 0};
      last = poll(&wait, 1, period_ms) > 0;
      // A record may be stamped on one CPU and not be visible yet when those of another are read.
      constexpr std::int64_t kInFlightNs = 2'000'000;
      const std::int64_t complete_ns = last ? INT64_MAX : os::Now(CLOCK_MONOTONIC) - kInFlightNs;
      events->Drain([&](std::span<const char> record) { builder.Take(record); });
      builder.Process(complete_ns);
    }
    cpu_ns = os::Now(CLOCK_THREAD_CPUTIME_ID);
  }

  SampleBuilder builder;
  std::unique_ptr<ClockEvents> events;
  int stop;
  std::int64_t start_ns = 0, cpu_ns = 0;
  std::thread thread;
};

Result<std::unique_ptr<StackSampler>> StackSampler::Start(int pid, const SamplingOptions& options) {
  XSP_RETURN_IF_ERROR(Check(options));
  auto state = std::make_unique<State>(options);
  XSP_TRY(state->events,
          ClockEvents::Open(pid, {.rate_hz = options.rate_hz,
                                  .wait_for_exec = options.wait_for_exec,
                                  .stack_bytes = options.stack_bytes & ~std::size_t{7},
                                  .ring_bytes = RingBytes(options)}));
  if (!options.wait_for_exec) state->builder.AddRunning(pid);
  state->start_ns = os::Now(CLOCK_MONOTONIC);
  const int period_ms = state->PeriodMs(options);
  const os::SignalsBlocked blocked;
  state->thread = std::thread([state = state.get(), period_ms] { state->Run(period_ms); });
  return std::unique_ptr<StackSampler>(new StackSampler(std::move(state)));
}

StackSampler::StackSampler(std::unique_ptr<State> state) : state_(std::move(state)) {}
StackSampler::~StackSampler() = default;

StackSamples StackSampler::Stop() {
  state_->End();
  StackSamples samples = state_->builder.Finish();
  samples.damaged += state_->events->damaged();
  samples.kernel_hidden_why = state_->events->kernel_hidden_why();
  samples.has_kernel_frames = samples.kernel_hidden_why.empty();
  samples.cpu_ns = state_->cpu_ns;
  samples.wall_ns = os::Now(CLOCK_MONOTONIC) - state_->start_ns;
  return samples;
}

}  // namespace xsp::sampling
