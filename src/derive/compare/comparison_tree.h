#ifndef XSP_DERIVE_COMPARE_COMPARISON_TREE_H_
#define XSP_DERIVE_COMPARE_COMPARISON_TREE_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "trace/string_pool.h"

namespace xsp::compare {

enum class NodeKind : std::uint8_t {
  kRoot,           ///< The whole.
  kModule,         ///< A segment of a layer's path.
  kOperator,       ///< A layer: an outermost operator.
  kKernel,         ///< A kernel that computes.
  kCommunication,  ///< A kernel of a communication library.
  kCopy,
  kSet,
  kBetween,  ///< Time of a call in none of its layers.
};

/// "whole", "module", "operator", "kernel", "communication", "copy", "set" or "between".
std::string_view ToString(NodeKind kind);

struct ComparisonNode {
  std::int32_t parent = -1;  ///< Below the node's own number; -1: the root.
  NodeKind kind = NodeKind::kRoot;
  bool has_time = false;        ///< It has time of its own, and no children.
  trace::StringId name = 0;     ///< Segment, operator's type or kernel's name, in texts().
  trace::StringId shape = 0;    ///< Of an operator; 0: not known.
  double own_ns = 0;            ///< Mean per call, of a node with time.
  std::int32_t occurrence = 0;  ///< Among the nodes of this parent and name, 0-based.
};

/// The time of one model call as a tree of modules, operators and kernels: parents before children,
/// siblings in order of execution. Node 0 is the root. Owns its texts.
class ComparisonTree {
 public:
  ComparisonTree() : nodes_(1) {}

  /// Adds a node below `parent`, which exists. Returns its number.
  std::int32_t Add(std::int32_t parent, NodeKind kind, std::string_view name,
                   std::string_view shape = {});
  /// Gives a node time of its own: ns per call.
  void SetTime(std::int32_t node, double own_ns);
  void SetOccurrence(std::int32_t node, std::int32_t occurrence) {
    At(node).occurrence = occurrence;
  }

  const std::vector<ComparisonNode>& nodes() const { return nodes_; }
  const trace::StringPool& texts() const { return texts_; }
  std::size_t size() const { return nodes_.size(); }
  std::string_view NameOf(std::size_t node) const { return texts_.Get(nodes_[node].name); }
  std::string_view ShapeOf(std::size_t node) const { return texts_.Get(nodes_[node].shape); }

  /// Sum of the own times of all nodes, ns per call.
  double TotalNs() const;

 private:
  ComparisonNode& At(std::int32_t node) { return nodes_[static_cast<std::size_t>(node)]; }

  std::vector<ComparisonNode> nodes_;
  trace::StringPool texts_;
};

}  // namespace xsp::compare

#endif  // XSP_DERIVE_COMPARE_COMPARISON_TREE_H_
