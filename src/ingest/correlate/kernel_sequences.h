#ifndef XSP_INGEST_CORRELATE_KERNEL_SEQUENCES_H_
#define XSP_INGEST_CORRELATE_KERNEL_SEQUENCES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/alignment.h"
#include "ingest/correlate/layers.h"
#include "trace/trace.h"

namespace xsp::correlate {

/// What says which operator launched which kernel, most trusted first.
enum class SequenceSource : std::uint8_t {
  kCapture,  ///< Launches that were captured into a graph: they name their kernel, and never ran.
  kEager,    ///< Kernels that were launched one by one.
};

/// One call of an operator. Texts are ids of the pool that goes with the sequence; 0: none.
struct OperatorCall {
  trace::StringId type = 0, name = 0, input_shapes = 0;
  trace::StringId modules = 0;  ///< "nn.Module: A_0/nn.Module: B_0", outermost first.
};

/// Kernels in order, and the operators that launched them.
struct KernelSequence {
  SequenceSource source = SequenceSource::kCapture;
  std::string run;                         ///< The run it is from; empty: the trace itself.
  std::vector<core::Token> names;          ///< Of the kernels: ids of the pool.
  std::vector<std::int32_t> inner, outer;  ///< Innermost and outermost operator of each kernel:
                                           ///< indices into calls; -1: none.
  std::vector<OperatorCall> calls;
};

/// The sequences of one trace, captures first, each in order of time; those without any operator
/// are left out.
struct KernelSequences {
  std::vector<KernelSequence> list;
  std::vector<trace::TrackId> capturing;  ///< Threads that captured.
};

/// Kernels of one launch, in order of start.
struct Replay {
  trace::SpanId launch = 0;
  std::vector<trace::SpanId> kernels;
};

/// Device work that has its launching call as parent.
struct LaunchedKernels {
  std::vector<Replay> replays;         ///< Of calls that launched two kernels or more.
  std::vector<trace::SpanId> singles;  ///< The only kernel of their call; empty without `replays`
                                       ///< unless they were asked for.
};

/// O(n log n). Needs PlaceByLaunch().
LaunchedKernels FindLaunchedKernels(const trace::Trace& trace, bool singles_alone);

/// Sequences of captures (cut where a capture begins or ends, thread by thread) and of eager
/// iterations (cut by step and device). Texts are of `trace`'s own pool, which grows by the paths
/// of modules. O(n log n). Needs Nest().
KernelSequences FindKernelSequences(trace::Trace& trace, const LaunchedKernels& launched,
                                    const std::vector<trace::SpanId>& parents_first,
                                    const LayerMap& map);

/// Sequences of another run, with the texts they refer to.
struct ForeignSequences {
  trace::StringPool strings;
  std::vector<KernelSequence> list;
};

/// Adds what a correlated trace, such as a stored run, tells of kernels and their operators;
/// `run`: its name for people. Equal sequences are added once.
void AddForeignSequences(trace::Trace& trace, const std::string& run, ForeignSequences& sequences);

/// The same sequence, its texts in another pool.
KernelSequence Translated(const KernelSequence& sequence, const trace::StringPool& from,
                          trace::StringPool& to);

}  // namespace xsp::correlate

#endif  // XSP_INGEST_CORRELATE_KERNEL_SEQUENCES_H_
