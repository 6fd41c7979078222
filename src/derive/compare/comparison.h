#ifndef XSP_DERIVE_COMPARE_COMPARISON_H_
#define XSP_DERIVE_COMPARE_COMPARISON_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "derive/compare/comparison_tree.h"
#include "derive/compare/tree_alignment.h"

namespace xsp::compare {

/// One node of both trees, or of one.
struct ComparedNode {
  std::string path;    ///< Names from below the root to the node, joined by "/".
  std::string b_path;  ///< That in b, where it differs; empty: it does not, or b lacks it.
  NodeKind kind = NodeKind::kRoot;
  bool is_leaf = false;        ///< Its time is in no other node.
  std::optional<double> a_ns;  ///< Per call, in and below it; nothing: a has no such node.
  std::optional<double> b_ns;
  double difference_ns = 0;               ///< b_ns - a_ns; a side that lacks it counts as 0.
  std::int32_t a_node = -1, b_node = -1;  ///< Nodes of the trees; -1: none.
};

/// Two trees side by side.
struct ComparedTrees {
  /// Nodes with time in or below them, without the root; parents before children. A node of b that
  /// a lacks is below the counterpart of its parent.
  std::vector<ComparedNode> nodes;
  double a_ns = 0, b_ns = 0;  ///< Sums of the leaves.
  /// Of the time of both sides, the part in leaves that both have. NaN: neither has time.
  double aligned_share = 0;
  std::int64_t aligned = 0;  ///< Operators and device work with a counterpart.
};

/// The time of every node in both trees. The differences of the leaves add up to b_ns - a_ns, and
/// those below a node to the node's.
ComparedTrees CompareTrees(const ComparisonTree& a, const ComparisonTree& b,
                           const TreeAlignment& alignment);

}  // namespace xsp::compare

#endif  // XSP_DERIVE_COMPARE_COMPARISON_H_
