#include "answer/compare_page/node_parents.h"

namespace xsp::compare_page {
namespace {

using compare::ComparedNode;
using compare::ComparisonTree;

const ComparisonTree& TreeOf(const compare::Side& side, compare::Basis basis) {
  return basis == compare::Basis::kDevice ? side.trees.device : side.trees.host;
}

}  // namespace

ComparedNames::ComparedNames(const compare::Sides& sides)
    : a(TreeOf(sides.a, sides.basis)), b(TreeOf(sides.b, sides.basis)) {}

std::string_view ComparedNames::Of(const ComparedNode& node) const {
  return node.a_node >= 0 ? a.NameOf(At(node.a_node)) : b.NameOf(At(node.b_node));
}

std::string_view ComparedNames::InB(const ComparedNode& node) const {
  return node.b_node >= 0 ? b.NameOf(At(node.b_node)) : std::string_view();
}

NodeParents FindParents(const ComparedNames& names, const std::vector<ComparedNode>& nodes) {
  std::vector<std::int32_t> row_of_a(names.a.size(), kNone), row_of_b(names.b.size(), kNone);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].a_node >= 0) row_of_a[At(nodes[i].a_node)] = static_cast<std::int32_t>(i);
    if (nodes[i].b_node >= 0) row_of_b[At(nodes[i].b_node)] = static_cast<std::int32_t>(i);
  }
  const auto above = [](const ComparisonTree& tree, const std::vector<std::int32_t>& row_of,
                        std::int32_t node) {
    if (node < 0) return kNone;
    const std::int32_t parent = tree.nodes()[At(node)].parent;
    return parent < 0 ? kNone : row_of[At(parent)];
  };
  NodeParents parents;
  for (const ComparedNode& node : nodes) {
    parents.in_b.push_back(above(names.b, row_of_b, node.b_node));
    parents.shown.push_back(node.a_node >= 0 ? above(names.a, row_of_a, node.a_node)
                                             : parents.in_b.back());
  }
  return parents;
}

}  // namespace xsp::compare_page
