#ifndef XSP_DERIVE_TIMELINE_REPLAY_LAUNCHES_H_
#define XSP_DERIVE_TIMELINE_REPLAY_LAUNCHES_H_

#include <cstdint>
#include <vector>

#include "trace/trace.h"

namespace xsp::timeline {

/// The calls that launched the kernels of replayed graphs. Correlation made such a kernel a child
/// of the operator that asked for it when the graph was captured, so that its parents do not lead
/// to the call that replayed it; its correlation id does.
class ReplayLaunches {
 public:
  /// Borrows the trace. O(n) in spans, O(m log m) in calls where a kernel was placed by sequence.
  explicit ReplayLaunches(const trace::Trace& trace);

  /// The call of the kernel's correlation id on a thread of its rank, in its process where both
  /// tracks name one; of several the one that started last. 0: not placed by sequence, or no such
  /// call.
  trace::SpanId Of(trace::SpanId kernel) const;

 private:
  struct Call {
    std::int64_t rank = 0, correlation_id = 0, start_ns = 0;
    trace::SpanId span = 0;
  };

  const trace::Trace& trace_;
  std::vector<Call> calls_;  ///< By rank, correlation id, start.
};

}  // namespace xsp::timeline

#endif  // XSP_DERIVE_TIMELINE_REPLAY_LAUNCHES_H_
