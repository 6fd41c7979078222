#include "derive/compare/comparison_tree.h"

namespace xsp::compare {

std::string_view ToString(NodeKind kind) {
  switch (kind) {
    case NodeKind::kRoot:
      return "whole";
    case NodeKind::kModule:
      return "module";
    case NodeKind::kOperator:
      return "operator";
    case NodeKind::kKernel:
      return "kernel";
    case NodeKind::kCommunication:
      return "communication";
    case NodeKind::kCopy:
      return "copy";
    case NodeKind::kSet:
      return "set";
    case NodeKind::kBetween:
      return "between";
  }
  return "";
}

std::int32_t ComparisonTree::Add(std::int32_t parent, NodeKind kind, std::string_view name,
                                 std::string_view shape) {
  ComparisonNode node;
  node.parent = parent;
  node.kind = kind;
  node.name = texts_.Intern(name);
  node.shape = texts_.Intern(shape);
  nodes_.push_back(node);
  return static_cast<std::int32_t>(nodes_.size() - 1);
}

void ComparisonTree::SetTime(std::int32_t node, double own_ns) {
  At(node).has_time = true;
  At(node).own_ns = own_ns;
}

double ComparisonTree::TotalNs() const {
  double total_ns = 0;
  for (const ComparisonNode& node : nodes_) total_ns += node.own_ns;
  return total_ns;
}

}  // namespace xsp::compare
