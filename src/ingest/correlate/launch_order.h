#ifndef XSP_INGEST_CORRELATE_LAUNCH_ORDER_H_
#define XSP_INGEST_CORRELATE_LAUNCH_ORDER_H_

#include "trace/trace.h"

namespace xsp::correlate {

/// Kernels that were measured with hardware counters run one after another, and Kineto writes them
/// without any id. Where a rank has exactly as many kernels without id and parent as calls that
/// launch a kernel and have none, the n-th kernel belongs to the n-th call (placed_by sequence).
/// Else nothing is claimed. O(n log n) in these. Needs PlaceByLaunch().
void PlaceByLaunchOrder(trace::Trace& trace);

}  // namespace xsp::correlate

#endif  // XSP_INGEST_CORRELATE_LAUNCH_ORDER_H_
