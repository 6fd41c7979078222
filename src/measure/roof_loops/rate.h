#ifndef XSP_MEASURE_ROOF_LOOPS_RATE_H_
#define XSP_MEASURE_ROOF_LOOPS_RATE_H_

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace xsp::roof_loops {

/// What a thread had done, in all, at a time of the monotonic clock.
struct Progress {
  std::int64_t time_ns;
  double work;  ///< FLOP, or bytes.
};

struct Rate {
  double best_per_s = 0;    ///< Of all windows: what the machine can do.
  double median_per_s = 0;  ///< What it did: far below the best on a busy machine.
  int windows = 0;          ///< Windows that do not overlap.
};

/// The rate of all threads together in windows of `window_ns`, a quarter window apart, over the
/// time that all threads cover. Between two of its marks a thread is taken to work evenly, so a
/// thread that was held up inside a window counts as slow, never as fast. Without a whole window:
/// one over all the time. Marks ascend in time. Nothing to tell (a thread without two marks): 0.
Rate RateOf(std::span<const std::vector<Progress>> threads, std::int64_t window_ns);

struct Measurement {
  Rate rate;
  double off_cpu_share = 0;  ///< 0 to 1: how much of the time the threads were kept off their CPUs.
  std::int64_t involuntary_switches = 0;
  bool pinned = true;  ///< Every thread could be bound to its CPU.
};

struct Effort {
  std::int64_t warm_ns = 20'000'000;
  std::int64_t measure_ns = 200'000'000;
  std::int64_t window_ns =
      1'000'000;  ///< Short, so that one fits between two time slices of others.
};

/// Does some work, about 0.1 ms, and returns how much.
using Chunk = std::function<double()>;

/// Runs one thread on each of `cpus`, all at once. `make` is called on the thread, so memory that
/// it touches is near; the chunk is then repeated, for the warm-up and for the measured time.
/// Blocks. Not for two callers at once: they would disturb each other.
Measurement MeasureRate(std::span<const int> cpus, const std::function<Chunk(int thread)>& make,
                        const Effort& effort);

/// Runs `work` once on each of `cpus`, bound to it, and waits for all.
void RunOnEach(std::span<const int> cpus, const std::function<void(int thread)>& work);

}  // namespace xsp::roof_loops

#endif  // XSP_MEASURE_ROOF_LOOPS_RATE_H_
