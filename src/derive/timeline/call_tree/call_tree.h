#ifndef XSP_DERIVE_TIMELINE_CALL_TREE_CALL_TREE_H_
#define XSP_DERIVE_TIMELINE_CALL_TREE_CALL_TREE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "trace/trace.h"

namespace xsp::timeline::call_tree {

/// Name of the node that stands for the calls of a node which were left out.
inline constexpr std::string_view kSmaller = "(smaller)";

/// The name and type of a layer; both empty: outside of all.
using LayerName = std::pair<std::string_view, std::string_view>;

/// All samples of one kind whose stacks go through the same path of functions, of all threads and
/// processes.
struct Node {
  std::size_t parent = 0;          ///< 1-based position; 0: a root.
  std::int64_t depth = 0;          ///< 0: a root.
  std::string_view frame, module;  ///< They live as long as the trace.
  std::int64_t samples = 0;        ///< In it and in what it called.
  std::int64_t self_samples = 0;   ///< In it; kSmaller: in all that it stands for.
  /// self_samples by the layer that was open on the sampled thread at that time.
  std::map<LayerName, std::int64_t> self_of_layer;
};

/// Parents before children, siblings by samples, the most first, kSmaller last. At most about
/// `most` nodes: those with the most samples, and one kSmaller for each parent whose calls were
/// left out. O(n log n) in samples and layers.
std::vector<Node> BuildCallTree(const trace::Trace& trace, trace::StackKind kind, std::size_t most);

}  // namespace xsp::timeline::call_tree

#endif  // XSP_DERIVE_TIMELINE_CALL_TREE_CALL_TREE_H_
