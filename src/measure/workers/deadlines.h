#ifndef XSP_MEASURE_WORKERS_DEADLINES_H_
#define XSP_MEASURE_WORKERS_DEADLINES_H_

#include <algorithm>

#include "measure/workers/worker_session.h"

namespace xsp::workers {

// How long a worker may be silent where the user does not say (--deadline).

inline constexpr double kStartDeadlineS = 600;  ///< Loading and warm-up.
/// A block of calls: so many times what it is expected to take, and not less than the other.
inline constexpr double kBlockDeadlineFactor = 20;
inline constexpr double kBlockDeadlineLeastS = 30;
/// So many times longer where other programs take its cores: threads that wait for one another in a
/// loop (OpenMP's) became up to 65 times slower then (docs/experiments.md, Failures).
inline constexpr double kBusyDeadlineFactor = 10;
inline constexpr WorkerSession::Seconds kStopDeadline{60};  ///< Closing the recording.

/// Of a block that is expected to take `expected_s`. `asked_s`: --deadline; 0: none.
inline WorkerSession::Deadline BlockDeadline(double expected_s, double asked_s) {
  using Seconds = WorkerSession::Seconds;
  if (asked_s > 0) return Seconds(asked_s);
  const Seconds quiet(std::max(kBlockDeadlineLeastS, kBlockDeadlineFactor * expected_s));
  return {quiet, kBusyDeadlineFactor * quiet};
}

}  // namespace xsp::workers

#endif  // XSP_MEASURE_WORKERS_DEADLINES_H_
