#ifndef XSP_MEASURE_WORKERS_DEADLINES_H_
#define XSP_MEASURE_WORKERS_DEADLINES_H_

#include "measure/workers/worker_session.h"

namespace xsp::workers {

// How long a worker may be silent where the user does not say (--deadline).

inline constexpr double kStartDeadlineS = 600;  ///< Loading and warm-up.
/// A block of calls: so many times what it is expected to take, and not less than the other.
inline constexpr double kBlockDeadlineFactor = 20;
inline constexpr double kBlockDeadlineLeastS = 30;
inline constexpr WorkerSession::Seconds kStopDeadline{60};  ///< Closing the recording.

}  // namespace xsp::workers

#endif  // XSP_MEASURE_WORKERS_DEADLINES_H_
