#ifndef XSP_INGEST_CORRELATE_ALLOCATIONS_H_
#define XSP_INGEST_CORRELATE_ALLOCATIONS_H_

#include "trace/trace.h"

namespace xsp::correlate {

/// Gives layers what a profiler's single allocations say of them (counters allocation_bytes, below
/// zero: freed): metrics allocated_bytes, frees not subtracted, and peak_bytes, above the level at
/// their start; of a device where the trace has allocations of one, else of the host. An allocation
/// belongs to the layer of its rank that runs then, of several the one that started last. Layers
/// that have such metrics keep them. Nothing where the trace has no allocations. O(n log n).
void AddAllocations(trace::Trace& trace);

}  // namespace xsp::correlate

#endif  // XSP_INGEST_CORRELATE_ALLOCATIONS_H_
