#ifndef XSP_INGEST_CORRELATE_POOL_THREADS_H_
#define XSP_INGEST_CORRELATE_POOL_THREADS_H_

#include "trace/trace.h"

namespace xsp::correlate {

/// Ties primitives that threads of a pool ran (OpenMP, a framework's own) to the operator that they
/// ran for (placed_by concurrent). An operator that computes in parallel has no span on the threads
/// that help it, so what these announce has no parent.
///
/// A primitive without a parent, on a thread that runs no operator which computes (it may allocate
/// scratch memory), takes the innermost operator that contains it in time, if exactly one operator
/// of its process (with what it calls, on its thread) is open from the primitive's start to its
/// end; so do the operators of such a thread. Where several are open, or none, they stay as they
/// are. Needs parents as Nest() leaves them. O(n log n).
void PlaceOnPoolThreads(trace::Trace& trace);

}  // namespace xsp::correlate

#endif  // XSP_INGEST_CORRELATE_POOL_THREADS_H_
