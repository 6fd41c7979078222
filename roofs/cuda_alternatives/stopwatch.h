#ifndef XSP_ROOFS_CUDA_ALTERNATIVES_STOPWATCH_H_
#define XSP_ROOFS_CUDA_ALTERNATIVES_STOPWATCH_H_

#include <cstdint>
#include <functional>

#include "gpu.h"

namespace xsp::cuda_alternatives {

/// Times of one launch, ns.
struct LaunchTimes {
  double best_ns = 0, median_ns = 0;
  std::int64_t repeats = 0;  ///< Measured intervals; a short launch is in each many times.
};

/// How long a measurement may take.
struct Budget {
  double min_ns = 2e7;         ///< Intervals are repeated for this long,
  std::int64_t min = 15;       ///< at least so many times,
  std::int64_t max = 200;      ///< and at most so many,
  double max_ns = 1e9;         ///< no longer than this;
  double hopeless_ns = 1e300;  ///< only 3 times where a launch takes longer than this.
};

/// Times `launch`, which submits work to the GPU's stream and is given a number that counts up;
/// after warm-up of at least three launches and 10 ms. Launches that are short beside the events'
/// resolution are timed in batches, submitted as one graph where the library can be recorded.
/// Throws DeviceError, and what `launch` throws.
LaunchTimes TimeLaunches(const Gpu& gpu, const std::function<void(std::int64_t)>& launch,
                         const Budget& budget);

}  // namespace xsp::cuda_alternatives

#endif  // XSP_ROOFS_CUDA_ALTERNATIVES_STOPWATCH_H_
