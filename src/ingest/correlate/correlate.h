#ifndef XSP_INGEST_CORRELATE_CORRELATE_H_
#define XSP_INGEST_CORRELATE_CORRELATE_H_

#include "core/result.h"
#include "ingest/correlate/graph_replay.h"
#include "trace/trace.h"

namespace xsp::correlate {

/// Completes an imported trace, in this order (rules: docs/correlation.md):
///   1. device work takes the launching call of its correlation id as parent (placed_by launch);
///      kernels without any id, as many as calls without work, take these in order (placed_by
///      sequence);
///   2. every span that has no parent yet takes the innermost span of its track that contains it
///      (placed_by nesting); primitives on threads of a pool take the operator that alone is open
///      meanwhile (placed_by concurrent);
///   3. kernels of replayed graphs take the operator that launched them when the graph was
///      captured, in an eager iteration, or in another run (placed_by sequence);
///   4. primitives that no operator surrounds are promoted to layers, where they are the most;
///   5. CPU operators that compute without a primitive get a `native` kernel of their self time;
///   6. CPU kernels that tell nothing of their work get it from the shapes of their operator.
/// Parents that the importer gave are kept. O(n log n) in spans, about 50 bytes of working memory a
/// span. Deterministic: the same trace gives the same rows.
///
/// What cannot be placed stays a root and is counted under a diagnostic (`correlate_...`). Call
/// once per trace. Never fails today; a Status because later steps read files.
Status Correlate(trace::Trace& trace, const ReplayOptions& replays = {});

}  // namespace xsp::correlate

#endif  // XSP_INGEST_CORRELATE_CORRELATE_H_
