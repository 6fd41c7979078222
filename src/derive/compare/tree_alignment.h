#ifndef XSP_DERIVE_COMPARE_TREE_ALIGNMENT_H_
#define XSP_DERIVE_COMPARE_TREE_ALIGNMENT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "derive/compare/comparison_tree.h"

namespace xsp::compare {

/// Which node of one tree is which of the other. Each node has at most one counterpart.
struct TreeAlignment {
  std::vector<std::int32_t> a_to_b;  ///< For each node of a; -1: b has no counterpart.
  std::vector<std::int32_t> b_to_a;
};

/// Aligns two trees from the root down. Below two aligned nodes
/// - modules are aligned by name; those left (renamed) by the operators in them, in order;
/// - operators in order by type and shape, then by type as all frameworks spell it, then, where
/// they
///   are convolutions, products, recurrent or attention layers (AnchorKind), by that and by shape;
/// - kernels, copies and sets of one operator in order by name, then by the function's name without
///   template arguments, and what is left (another vendor's, another library's) by KernelRole(),
///   then by kind and position.
/// Operators that are left (a module was inserted, split or fused) are then aligned across modules,
/// in order of execution, by type and shape. Where a side has no paths (its operators are in no
/// modules) or no shapes, all are aligned by type and order, then by the names of their kernels.
/// Device work of no operator is aligned by name and function; where a side has no operators at
/// all, so is that of the other side's operators, and by role. O(n log n) for n nodes.
TreeAlignment AlignTrees(const ComparisonTree& a, const ComparisonTree& b);

/// An operator's type as all frameworks spell it: "aten::batch_norm" and "BatchNormalization" are
/// "batchnorm", "aten::relu_" is "relu", "aten::max_pool2d" is "maxpool".
std::string CommonType(std::string_view type);

}  // namespace xsp::compare

#endif  // XSP_DERIVE_COMPARE_TREE_ALIGNMENT_H_
