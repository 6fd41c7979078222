#ifndef XSP_DERIVE_MATCH_CALLS_H_
#define XSP_DERIVE_MATCH_CALLS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "derive/match/metrics.h"
#include "trace/trace.h"

namespace xsp::match {

/// A layer of one call: an outermost operator. Its span has its times.
struct LayerEvent {
  trace::SpanId span = 0;
  /// From the latest end of the layers before it (the call's start for the first) to its start;
  /// negative where two layers overlap. Layers, gaps and the tail add up to the call when none do.
  std::int64_t gap_before_ns = 0;
};

/// A kernel of one call. Its span has its times.
struct KernelEvent {
  trace::SpanId span = 0;
  std::int32_t layer = -1;          ///< Index into Call::layers; -1: not attributed.
  trace::SpanId operator_span = 0;  ///< Innermost operator; 0: not attributed.
  double confidence = 0;            ///< As the table kernel_layer has it.
};

/// What was measured around a call.
struct TimedCall {
  std::int64_t iteration = 0;
  std::int64_t latency_ns = 0;
  std::string disturbed_by;  ///< "run queue, steal"; empty: undisturbed.
  /// Where its recording says: CPU time spent waiting for a core and in the kernel (all threads,
  /// ns), and page faults.
  std::optional<double> waited_ns, system_ns, page_faults;
  /// From the arrival of its request to its start, ns; nothing: it followed the call before.
  std::optional<double> queue_ns;
  /// The command of its worker that asked for it, and its pair: a call of the run's rung and one
  /// of the rung above, in random order. Nothing: it was made for itself.
  std::optional<std::int64_t> block, pair;
};

/// One model call (one step, or the whole trace where it holds neither).
struct Call : TimedCall {
  trace::SpanId root = 0;  ///< 0: the whole trace.
  std::int64_t start_ns = 0;
  std::vector<LayerEvent> layers;    ///< In order of start.
  std::vector<KernelEvent> kernels;  ///< In order of start.

  std::int64_t tail_ns = 0;  ///< From the latest end of its layers to its own end.
};

struct RunCalls {
  std::vector<Call> calls;  ///< Of samples only, in order of time.
  /// Calls of the rung above that the same process made beside the run's own, in order of time.
  std::vector<TimedCall> baseline;
  std::string baseline_rung;  ///< Of those.
  std::int64_t warmup = 0;    ///< Calls with a negative iteration: warm-up, and leading in a block.
  std::int64_t unfinished = 0;  ///< Calls that never ended.
  /// Model spans of another type or name than those that took most time (trace::KindTime), of a run
  /// that does not number its calls: they are no samples.
  std::int64_t other_kinds = 0;
  std::string kind;  ///< Of the samples, where there are others: "train step".
  /// Layers and kernels that lie in no call at all, warm-up calls included.
  std::int64_t layers_outside = 0;
  std::int64_t kernels_outside = 0;
  /// By span id: the outermost operator at or above it; 0: none.
  trace::Column<trace::SpanId> outermost;
};

/// Finds the calls of a run and what belongs to each: by parents, and where those end outside every
/// call, by time. Damage (a cycle of parents, spans that never ended) costs the spans it touches.
RunCalls FindCalls(const SpanValues& values);

/// Whether a span of level layer is an operator: modules and functions only group.
bool IsOperator(const trace::Trace& trace, trace::SpanId span);

}  // namespace xsp::match

#endif  // XSP_DERIVE_MATCH_CALLS_H_
