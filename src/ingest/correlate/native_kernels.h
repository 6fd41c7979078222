#ifndef XSP_INGEST_CORRELATE_NATIVE_KERNELS_H_
#define XSP_INGEST_CORRELATE_NATIVE_KERNELS_H_

#include "trace/trace.h"

namespace xsp::correlate {

/// Adds the kernels that no library announces: the self time of CPU operators that compute tensor
/// data in the framework's own code. Does nothing unless the trace saw kernels: fact job.rung is
/// "kernel" and job.device, if it is there, "cpu"; there is a primitive; or the importer says that
/// operators ran on a CPU (trace::fact::kOperatorsRanOn), where what a library computed is in the
/// operator's own time.
///
/// An operator on a thread gets one span of type `native`, its child (placed_by nesting) and named
/// after its type, if it holds no kernel-level span at any depth and either is known to compute by
/// itself (primitives::OperatorRole::kComputes), or is not known and calls no operator that may
/// compute; fills (zero_) only hinder other fills, and copies no operator that delegates its work
/// or does it itself (kDelegates: a transposed convolution after its operands were made
/// contiguous). A fused operator (kFused) gets one beside the primitives that it holds. Views,
/// allocations and operators that only call others get none.
///
/// Its duration is the operator's self time: its duration without the union of its children on the
/// same thread. It is one span though self time may lie in pieces: it starts with the first piece,
/// and being no longer than the pieces together, ends inside the operator. So the kernels of a
/// layer on its own thread never take longer than the layer. An operator without a duration gets
/// none. O(n log n).
void AddNativeKernels(trace::Trace& trace);

}  // namespace xsp::correlate

#endif  // XSP_INGEST_CORRELATE_NATIVE_KERNELS_H_
