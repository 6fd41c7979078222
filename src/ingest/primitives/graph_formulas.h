#ifndef XSP_INGEST_PRIMITIVES_GRAPH_FORMULAS_H_
#define XSP_INGEST_PRIMITIVES_GRAPH_FORMULAS_H_

#include <optional>

#include "ingest/primitives/operator_call.h"

namespace xsp::primitives::graph {

// FLOPs of graph nodes from shapes, or nothing where a shape that decides is missing (weights that
// the framework does not list, output shapes). A multiply-add is 2, counted over the whole kernel;
// a bias is free; a further operand of the output's shape is a fused addition, 1 per output
// element.

/// Weights [oc, ic/g, k...]; of one rank above the input [g, oc/g, ic/g, k...].
std::optional<double> Convolution(const Call& call);
/// The same, and the activation that the name promises: 1 per output element.
std::optional<double> ConvolutionAndActivation(const Call& call);
/// Weights [g, oc/g, ic/g, k...].
std::optional<double> GroupConvolution(const Call& call);
/// Weights [k..., ic/g, oc].
std::optional<double> ConvolutionChannelsLast(const Call& call);
/// Weights [h, w, c, multiplier].
std::optional<double> DepthwiseChannelsLast(const Call& call);
/// Inputs x, its scale and zero point, weights [oc, ic/g, k...].
std::optional<double> QuantizedConvolution(const Call& call);
/// Weights [ic, oc/g, k...]: every input element meets them once.
std::optional<double> TransposedConvolution(const Call& call);
/// Weights [g, ic/g, oc/g, k...].
std::optional<double> TransposedGroupConvolution(const Call& call);
/// Inputs: sizes, weights [k..., oc, ic], what comes in (TensorFlow's Conv2DBackpropInput).
std::optional<double> ConvolutionGradient(const Call& call);

/// a [.., m, k] or [.., k, m], times b, whichever side is transposed; b's batch may be missing.
std::optional<double> MatrixProduct(const Call& call);
/// The same, and the activation that the name promises.
std::optional<double> MatrixProductAndActivation(const Call& call);
/// a, its scale and zero point, b.
std::optional<double> QuantizedMatrixProduct(const Call& call);
/// x, weights [oc, k]: all but the batch of x meets every row.
std::optional<double> InnerProduct(const Call& call);
/// a [.., k], b packed: 2 k per output element.
std::optional<double> PackedMatrixProduct(const Call& call);

/// x [steps, batch, in], weights [directions, gates * h, in], recurrent weights [.., gates * h, h],
/// behind x or later: four gates are an LSTM's, three a GRU's, one a plain cell's.
std::optional<double> Recurrent(const Call& call);

/// ONNX's (query, key, value), or ONNX Runtime's (x [b, l, e], weights [e, q + k + v], ...). Where
/// heads lie in one dimension, their number is not in the shapes and the softmax is left out.
std::optional<double> AttentionNode(const Call& call);

/// A reduction where there are fewer outputs than inputs (1 per input element), else element by
/// element over all inputs (1 per output element and operand beyond the first).
std::optional<double> ReduceOrCombine(const Call& call);
/// The same, and a division per output.
std::optional<double> MeanOf(const Call& call);
/// At least one operation per output and per operand beyond the first: the kind is no shape.
std::optional<double> AtLeastOne(const Call& call);
/// A normalisation of 2 per element with a fused addition.
std::optional<double> FusedBatchNorm(const Call& call);
/// It computes, but shapes do not say how much.
std::optional<double> NotInShapes(const Call& call);

}  // namespace xsp::primitives::graph

#endif  // XSP_INGEST_PRIMITIVES_GRAPH_FORMULAS_H_
