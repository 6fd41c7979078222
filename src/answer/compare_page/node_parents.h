#ifndef XSP_ANSWER_COMPARE_PAGE_NODE_PARENTS_H_
#define XSP_ANSWER_COMPARE_PAGE_NODE_PARENTS_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "derive/compare/comparison.h"
#include "derive/compare/side.h"

namespace xsp::compare_page {

/// The index of no node.
inline constexpr std::int32_t kNone = -1;

/// The index of a node as one of a vector; it is not kNone.
inline std::size_t At(std::int32_t index) { return static_cast<std::size_t>(index); }

/// Where each compared node's parent is among the nodes; kNone: it has none.
struct NodeParents {
  std::vector<std::int32_t> shown;  ///< In the first tree, or in the second of a node of it alone.
  std::vector<std::int32_t> in_b;   ///< In the second tree.
};

/// The two trees that a comparison shows, with the names of its nodes. Borrows the sides.
struct ComparedNames {
  const compare::ComparisonTree &a, &b;

  explicit ComparedNames(const compare::Sides& sides);
  /// In the first tree, or in the second of a node of it alone.
  std::string_view Of(const compare::ComparedNode& node) const;
  /// In the second tree; empty: it lacks the node.
  std::string_view InB(const compare::ComparedNode& node) const;
};

NodeParents FindParents(const ComparedNames& names,
                        const std::vector<compare::ComparedNode>& nodes);

}  // namespace xsp::compare_page

#endif  // XSP_ANSWER_COMPARE_PAGE_NODE_PARENTS_H_
