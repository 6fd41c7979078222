#ifndef XSP_ROOFS_ONEDNN_STOPWATCH_H_
#define XSP_ROOFS_ONEDNN_STOPWATCH_H_

#include <cstdint>
#include <functional>

namespace xsp::onednn_alternatives {

/// Times of one call, ns.
struct CallTimes {
  double best_ns = 0, median_ns = 0;
  std::int64_t repeats = 0;
};

/// How much a measurement may take.
struct Budget {
  double least_ns = 6e7;       ///< Calls are repeated for so long,
  std::int64_t least = 15;     ///< at least so many times,
  std::int64_t most = 1000;    ///< and at most so many;
  double most_ns = 1.5e9;      ///< no longer than this,
  double hopeless_ns = 1e300;  ///< and 3 times only where the first calls take longer than this.
};

/// Repeats `call` after at least two calls of warm-up. `call` is given a number that counts up.
/// Calls in which another process took a CPU from this one are left out; where fewer than 5 are
/// left, all calls count.
CallTimes TimeCalls(const std::function<void(std::int64_t)>& call, const Budget& budget);

}  // namespace xsp::onednn_alternatives

#endif  // XSP_ROOFS_ONEDNN_STOPWATCH_H_
