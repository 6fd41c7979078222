#ifndef XSP_INGEST_PRIMITIVES_PRODUCT_FORMULAS_H_
#define XSP_INGEST_PRIMITIVES_PRODUCT_FORMULAS_H_

#include <optional>
#include <string_view>

#include "ingest/primitives/operator_call.h"

namespace xsp::primitives {

/// A matrix product as torch.matmul defines it: the shape of its result and the length of its sums.
struct MatrixProduct {
  Dims output;
  double inner = 0;

  double Flops() const { return 2 * Elements(output) * inner; }
};

/// The product of a [.., m, k] and b [.., k, n]. Batch dimensions of 1, or that one of the two
/// lacks, are broadcast; an a of one dimension is a row, a b of one dimension a column, and the
/// result lacks that dimension. Nothing where the shapes do not fit.
std::optional<MatrixProduct> Multiply(const Dims& a, const Dims& b);

// FLOPs of ATen's products from the shapes of their inputs: 2 m n k for each matrix, as
// torch.utils.flop_counter counts them, and one addition per output where a third operand is added
// (flop_counter leaves it out). Nothing where shapes are missing or do not fit.

/// matmul, mm, bmm, mv, dot (a, b).
std::optional<double> PlainProduct(const Call& call);
/// addmm, baddbmm, addmv (c, a, b).
std::optional<double> ProductAndSum(const Call& call);
/// _addmm_activation(c, a, b): at least 1 per output for the activation (which one is no shape).
std::optional<double> ProductSumAndActivation(const Call& call);
/// addbmm(c, a [b, m, k], b [b, k, n]): the products of a batch are added up.
std::optional<double> BatchedProductAndSum(const Call& call);
/// linear(x [.., in], weight [out, in] or [in], bias): the bias is free.
std::optional<double> Linear(const Call& call);
/// inner(a [.., k], b [.., k]): every row of a meets every row of b.
std::optional<double> InnerProductOfRows(const Call& call);

// Attention: query [.., l, e], key [.., s, e], value [.., s, v]. Key and value may have fewer heads
// than the query, which share them; a causal mask saves nothing (torch.utils.flop_counter counts
// both likewise).

/// As Attention(), with sequences before heads: query [b, l, h, e]. Nothing for packed sequences,
/// which have three dimensions.
std::optional<double> SequenceFirstAttention(const Call& call);
/// (gradient, query, key, value): the scores again, and two products for each of the two that the
/// forward pass made; per score 2 for the exponential again and 4 for the gradient of the softmax.
std::optional<double> AttentionBackward(const Call& call);
std::optional<double> SequenceFirstAttentionBackward(const Call& call);

/// The shape of the result of an ATen product or attention, for traces that record inputs only.
/// Nothing for other operators, and where shapes do not fit.
std::optional<Dims> ResultShape(std::string_view name, const Call& call);

}  // namespace xsp::primitives

#endif  // XSP_INGEST_PRIMITIVES_PRODUCT_FORMULAS_H_
