#ifndef XSP_CORRELATE_GRAPH_REPLAY_H_
#define XSP_CORRELATE_GRAPH_REPLAY_H_

#include "trace/trace.h"

namespace xsp::correlate {

/// Ties the kernels of replayed graphs (one launch, many kernels) to the operators that were active
/// when the graph was captured. Needs PlaceByLaunch() and Nest().
///
/// What a graph holds is told by a reference, in this order of trust:
///   1. the launches of a capture in the same trace: calls that name their kernel (attribute
///      `launched_kernel`) and never ran it, between the begin and the end of a stream capture;
///   2. an eager iteration: the kernels that one step (or the whole trace) launched one by one.
/// Of several references the one that explains the most kernels is taken, laid beside the replayed
/// kernels by name, in order (longest common subsequence). A kernel that the reference lacks is not
/// claimed; nor is anything where less than half of a replay is explained.
///
/// Kernels that one operator launched get a layer of its type and name on their stream, from the
/// first one's start to the last one's end, inside the span that surrounds the replay; within it
/// the innermost operator likewise (placed_by sequence). Input shapes are copied; `module` names
/// the modules around the operator, outermost first. A thread that captured and never replayed, and
/// the streams that only it used, are marked as references (Track::is_reference): they come from
/// another trace. `correlate_replay_unexplained` counts replayed kernels that are left with their
/// launch. O(n log n).
void AttributeReplays(trace::Trace& trace);

}  // namespace xsp::correlate

#endif  // XSP_CORRELATE_GRAPH_REPLAY_H_
