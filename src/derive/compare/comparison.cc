#include "derive/compare/comparison.h"

#include <algorithm>
#include <limits>
#include <string_view>

namespace xsp::compare {
namespace {

/// A node of the two trees laid on each other.
struct MergedNode {
  std::int32_t parent = -1, a = -1, b = -1;
  double a_ns = 0, b_ns = 0;
  bool in_a = false, in_b = false;  ///< The node, or one below it, is in the tree.
  bool has_time = false, is_leaf = false;
};

class Merger {
 public:
  Merger(const ComparisonTree& a, const ComparisonTree& b, const TreeAlignment& alignment)
      : a_(a), b_(b), alignment_(alignment) {}

  ComparedTrees Merge() {
    AddNodesOfA();
    AddNodesOfB();
    SumUp();
    Order();
    return Result();
  }

 private:
  static std::size_t At(std::int32_t node) { return static_cast<std::size_t>(node); }

  void AddNodesOfA() {
    for (std::size_t i = 0; i < a_.size(); ++i) {
      const ComparisonNode& node = a_.nodes()[i];
      MergedNode& merged = merged_.emplace_back();
      merged.parent = node.parent;
      merged.a = static_cast<std::int32_t>(i);
      merged.a_ns = node.own_ns;
      merged.in_a = true;
      merged.has_time = merged.is_leaf = node.has_time;
      merged.b = alignment_.a_to_b[i];
      if (merged.b < 0) continue;
      TakeB(merged);
    }
  }

  void AddNodesOfB() {
    of_b_.resize(b_.size());
    for (std::size_t j = 0; j < b_.size(); ++j) {
      if (alignment_.b_to_a[j] >= 0) {
        of_b_[j] = alignment_.b_to_a[j];
        continue;
      }
      of_b_[j] = static_cast<std::int32_t>(merged_.size());
      MergedNode& merged = merged_.emplace_back();
      merged.parent = of_b_[At(b_.nodes()[j].parent)];
      merged.b = static_cast<std::int32_t>(j);
      TakeB(merged);
    }
  }

  void TakeB(MergedNode& merged) const {
    const ComparisonNode& node = b_.nodes()[At(merged.b)];
    merged.b_ns = node.own_ns;
    merged.in_b = true;
    merged.has_time = merged.has_time || node.has_time;
    merged.is_leaf = merged.is_leaf || node.has_time;
  }

  /// A parent is added before its children: those of b alone come last.
  void SumUp() {
    for (std::size_t i = merged_.size(); i-- > 1;) {
      const MergedNode& node = merged_[i];
      if (!node.has_time) continue;
      MergedNode& parent = merged_[At(node.parent)];
      parent.a_ns += node.a_ns;
      parent.b_ns += node.b_ns;
      // What holds nothing of a side's time is not in it, so far as time goes.
      parent.has_time = true;
    }
  }

  /// Parents before children, and those of b alone after those of a.
  void Order() {
    std::vector<std::vector<std::int32_t>> children(merged_.size());
    for (std::size_t i = 1; i < merged_.size(); ++i)
      children[At(merged_[i].parent)].push_back(static_cast<std::int32_t>(i));
    std::vector<std::int32_t> open = {0};
    while (!open.empty()) {
      const std::int32_t at = open.back();
      open.pop_back();
      if (at != 0 && merged_[At(at)].has_time) order_.push_back(at);
      open.insert(open.end(), children[At(at)].rbegin(), children[At(at)].rend());
    }
  }

  static std::string Join(const std::string& above, std::string_view name) {
    return above.empty() ? std::string(name) : above + "/" + std::string(name);
  }

  ComparedTrees Result() {
    ComparedTrees result;
    std::vector<std::string> paths(merged_.size()), b_paths(b_.size());
    for (std::size_t j = 1; j < b_.size(); ++j)
      b_paths[j] = Join(b_paths[At(b_.nodes()[j].parent)], b_.NameOf(j));
    MarkSides();
    double shared_ns = 0, all_ns = 0;
    for (const std::int32_t at : order_) {
      const MergedNode& node = merged_[At(at)];
      ComparedNode& row = result.nodes.emplace_back();
      row.kind = node.a >= 0 ? a_.nodes()[At(node.a)].kind : b_.nodes()[At(node.b)].kind;
      row.path = paths[At(at)] =
          Join(paths[At(node.parent)], node.a >= 0 ? a_.NameOf(At(node.a)) : b_.NameOf(At(node.b)));
      if (node.b >= 0 && b_paths[At(node.b)] != row.path) row.b_path = b_paths[At(node.b)];
      row.is_leaf = node.is_leaf;
      if (node.in_a) row.a_ns = node.a_ns;
      if (node.in_b) row.b_ns = node.b_ns;
      row.difference_ns = node.b_ns - node.a_ns;
      row.a_node = node.a;
      row.b_node = node.b;
      const bool is_aligned = node.a >= 0 && node.b >= 0;
      if (is_aligned && row.kind != NodeKind::kModule && row.kind != NodeKind::kBetween)
        ++result.aligned;
      if (!node.is_leaf) continue;
      result.a_ns += node.a_ns;
      result.b_ns += node.b_ns;
      const double both_ns = std::max(node.a_ns, 0.0) + std::max(node.b_ns, 0.0);
      all_ns += both_ns;
      if (is_aligned) shared_ns += both_ns;
    }
    result.aligned_share =
        all_ns > 0 ? shared_ns / all_ns : std::numeric_limits<double>::quiet_NaN();
    return result;
  }

  /// A node is in a side if it has a counterpart there or holds some of the side's.
  void MarkSides() {
    for (std::size_t i = merged_.size(); i-- > 1;) {
      const MergedNode& node = merged_[i];
      if (!node.has_time) continue;
      MergedNode& parent = merged_[At(node.parent)];
      parent.in_a = parent.in_a || node.in_a;
      parent.in_b = parent.in_b || node.in_b;
    }
  }

  const ComparisonTree &a_, &b_;
  const TreeAlignment& alignment_;
  std::vector<MergedNode> merged_;
  std::vector<std::int32_t> of_b_;  ///< For each node of b its merged one.
  std::vector<std::int32_t> order_;
};

}  // namespace

ComparedTrees CompareTrees(const ComparisonTree& a, const ComparisonTree& b,
                           const TreeAlignment& alignment) {
  return Merger(a, b, alignment).Merge();
}

}  // namespace xsp::compare
