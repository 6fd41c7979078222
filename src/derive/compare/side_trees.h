#ifndef XSP_DERIVE_COMPARE_SIDE_TREES_H_
#define XSP_DERIVE_COMPARE_SIDE_TREES_H_

#include <cstdint>
#include <span>

#include "derive/compare/comparison_tree.h"
#include "derive/compare/typical_times.h"
#include "store/rows/layer_row.h"
#include "trace/trace.h"

namespace xsp::compare {

/// The model calls of one run as trees, and what they took. All times are arithmetic means per
/// call, ns.
struct SideTrees {
  /// Modules, operators and the device work below them. The own times are the durations of kernels,
  /// copies and sets, which add up to device_ns.
  ComparisonTree device;
  /// Modules and operators. The own times are the durations of layers and, in one node `between`,
  /// what is left of wall_ns (negative where layers overlap): they add up to wall_ns.
  ComparisonTree host;
  double wall_ns = 0;             ///< Duration of a call.
  double device_ns = 0;           ///< Sum of the durations of device work.
  double busy_ns = 0;             ///< Union of the same, over each device.
  std::int64_t calls = 0;         ///< Calls that the means are of.
  std::int64_t layers = 0;        ///< Layers of all calls.
  std::int64_t device_spans = 0;  ///< Kernels, copies and sets on devices, of all calls.
  std::int64_t devices = 0;       ///< Devices (of all ranks) with work in a call.
  std::int64_t outside = 0;       ///< Kernels, copies and sets in no call, which the means lack.
  /// Of the nodes of `device` and of `host`. Empty unless asked for. They do not add up to totals,
  /// but single calls that wait do not carry them away: what processes are compared by.
  TypicalTimes device_typical, host_typical;
  /// The largest step of which all durations of device work, or of layers, are multiples, ns: that
  /// of the profiler's clock. 0 unless asked for.
  std::int64_t device_tick_ns = 0, host_tick_ns = 0;
};

/// What is read of calls.
enum class CallDetail : std::uint8_t {
  kMeans,
  kTypical,  ///< Also SideTrees::device_typical and host_typical: a number for each span more.
};

/// Reads the calls of a correlated trace: model calls, else steps, else the whole as one call
/// (match::FindCalls); warm-up and calls that answered requests at some rate are left out.
/// `layers`: rows of the table `layer` of the point, in order, which know paths and shapes from all
/// of its runs; may be empty. Damage (spans that never ended, a cycle of parents) costs the spans
/// it touches. O(n log n) in spans.
SideTrees ReadSideTrees(const trace::Trace& trace, std::span<const store::LayerRow> layers,
                        CallDetail detail = CallDetail::kMeans);

}  // namespace xsp::compare

#endif  // XSP_DERIVE_COMPARE_SIDE_TREES_H_
