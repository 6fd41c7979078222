#ifndef XSP_DERIVE_TIMELINE_TREE_TREE_H_
#define XSP_DERIVE_TIMELINE_TREE_TREE_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "derive/timeline/timeline.h"

namespace xsp::timeline::tree {

/// Name of the node that stands for the children of a node which were left out.
inline constexpr std::string_view kSmaller = "(smaller)";
/// Name of profiler steps, whatever their number: their trees are one.
inline constexpr std::string_view kSteps = "ProfilerStep*";

/// All spans of one rank that have the same call path of (level, type, name) from their root down.
///
/// Left out: reference tracks, model calls that do not count and what is below them, and what a
/// profiler repeats on a device's tracks of ranges that hold no device work. A span that never
/// ended is counted and has no time. Layers of replayed graphs are below the modules of their
/// attribute `module`, which have no spans.
struct Node {
  std::int64_t rank = trace::kNotApplicable;
  std::size_t parent = 0;  ///< 1-based position; 0: a root.
  std::int64_t depth = 0;
  trace::Level level = trace::Level::kApplication;
  std::string_view type, name;  ///< They live as long as the trace.
  /// Spans; kSmaller: all below. 0: a module that only an attribute of replayed layers tells.
  std::int64_t count = 0;
  std::int64_t host_ns = 0;  ///< Sum of its spans' durations on host threads.
  /// Of that, outside of its spans' children on the same thread. Below zero where children overlap.
  std::int64_t host_self_ns = 0;
  std::int64_t device_ns = 0;  ///< Sum of the durations of the device work in and below it.
  /// Of that, with nothing but calls of libraries between. Of device work itself: all.
  std::int64_t device_self_ns = 0;
  std::int64_t kernels = 0;         ///< Spans of level kernel in and below it.
  std::int64_t first_start_ns = 0;  ///< Of its spans.
};

/// By rank; parents before children, siblings in the order of their first start, kSmaller last.
///
/// At most `most` nodes: those with the most time (self times of host and device work, theirs and
/// below). The others are folded into one kSmaller of each parent, so that the sums of every parent
/// stay what they are. O(n) in spans, O(m log m) in paths.
std::vector<Node> BuildTree(const Timeline& timeline, std::size_t most);

}  // namespace xsp::timeline::tree

#endif  // XSP_DERIVE_TIMELINE_TREE_TREE_H_
