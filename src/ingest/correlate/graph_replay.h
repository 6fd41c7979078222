#ifndef XSP_INGEST_CORRELATE_GRAPH_REPLAY_H_
#define XSP_INGEST_CORRELATE_GRAPH_REPLAY_H_

#include <cstdint>
#include <functional>

#include "ingest/correlate/kernel_sequences.h"
#include "trace/trace.h"

namespace xsp::correlate {

/// Where references of other runs come from, and how far the search goes.
struct ReplayOptions {
  /// Called at most once, and only when needed: where the trace's own references claim nothing of
  /// some replay or, with `always`, where they leave a kernel of some replay without an equal.
  /// Given the trace, whose model they should be of. Empty: there are none.
  std::function<ForeignSequences(const trace::Trace&)> other_runs;
  bool always = false;
  /// Comparisons after which replays are compared with references of equal names only.
  std::int64_t most_work = 1'000'000'000;
};

/// Ties the kernels of replayed graphs (one launch, many kernels) to the operators that were active
/// when the graph was captured. Needs PlaceByLaunch() and Nest().
///
/// A reference shows what a graph contains, in this order of trust:
///   1. the launches of a capture in the same trace: calls that name their kernel (attribute
///      `launched_kernel`) and never ran it, between the begin and the end of a stream capture;
///   2. an eager iteration: the kernels that one step (or the whole trace) launched one by one;
///   3. the same of other runs.
/// Which reference explains a replay, which kernels are claimed, and how sure each claim is:
/// ReferenceSet.
///
/// Kernels that one operator launched get a layer of its type and name on their stream, from the
/// first one's start to the last one's end, inside the span that surrounds the replay; within it
/// the innermost operator likewise (placed_by sequence). Attributes say what is certain of it:
/// `input_shapes`, `module` (the modules around the operator, outermost first), and
/// `replay_reference`: what told it. A claimed kernel has the metric `confidence`.
///
/// A thread that captured and never replayed, and the streams that only it used, are marked as
/// references (Track::is_reference): they come from another trace. The fact
/// `replay.reference_runs` names the other runs that told something.
/// `correlate_replay_unexplained` counts replayed kernels that are left with their launch,
/// `correlate_replay_cut` those whose alignment was given up or may not be the longest.
/// O(n log n), and at most `most_work` comparisons beyond it.
void AttributeReplays(trace::Trace& trace, const ReplayOptions& options = {});

}  // namespace xsp::correlate

#endif  // XSP_INGEST_CORRELATE_GRAPH_REPLAY_H_
