#include "ingest/primitives/graph_formulas.h"

#include <algorithm>

namespace xsp::primitives::graph {
namespace {

const Dims* InputDims(const Call& call, std::size_t i) {
  return i < call.inputs.size() ? &call.inputs[i].dims : nullptr;
}

// Additions that a fused node makes beyond its bias: operands of the output's own shape.
double FusedAdditions(const Call& call, std::size_t first) {
  double additions = 0;
  for (std::size_t i = first; i < call.inputs.size(); ++i)
    if (call.inputs[i].dims == call.outputs[0]) additions += call.OutputElements();
  return additions;
}

// Every output element meets the weights of its own output channel.
std::optional<double> PerOutputChannel(const Call& call, const Dims& weights, double channels) {
  if (call.guessed_outputs || channels <= 0) return std::nullopt;
  return 2 * call.OutputElements() * Elements(weights) / channels;
}

std::optional<double> Plus(std::optional<double> flops, double more) {
  if (!flops.has_value()) return flops;
  return *flops + more;
}

// How long the sums of a @ b are. From a's last two dimensions, one of which is the output's row.
std::optional<double> InnerLength(const Dims& a, const Dims& b, const Dims& output) {
  if (a.size() == 1) return a[0];
  if (b.size() == 1) return b[0];
  if (a.size() < 2 || output.size() < 2) return std::nullopt;
  const double rows = output[output.size() - 2];
  const double first = a[a.size() - 2], second = a.back();
  if (first == rows) return second;
  if (second == rows) return first;
  // Rows that were folded together: then the weights decide, [k, n] or [n, k].
  const double columns = output.back();
  if (b.size() == 2 && (b[0] == columns || b[1] == columns)) return b[1] == columns ? b[0] : b[1];
  return std::nullopt;
}

std::optional<double> ProductOfInputs(const Call& call, std::size_t left, std::size_t right) {
  const Dims* a = InputDims(call, left);
  const Dims* b = InputDims(call, right);
  if (a == nullptr || b == nullptr || call.guessed_outputs) return std::nullopt;
  const auto length = InnerLength(*a, *b, call.outputs[0]);
  if (!length.has_value()) return std::nullopt;
  return 2 * call.OutputElements() * *length;
}

// Per hidden unit and step, beside the products: docs/primitives.md, rnn.
std::optional<double> CellFlops(double gates) {
  if (gates == 4) return 22;
  if (gates == 3) return 17;
  if (gates == 1) return 2;
  return std::nullopt;
}

}  // namespace

std::optional<double> Convolution(const Call& call) {
  const Dims* weights = InputDims(call, 1);
  if (weights == nullptr || weights->size() < 3) return std::nullopt;
  if (weights->size() == call.inputs[0].dims.size() + 1) return GroupConvolution(call);
  return Plus(PerOutputChannel(call, *weights, (*weights)[0]), FusedAdditions(call, 2));
}

std::optional<double> ConvolutionAndActivation(const Call& call) {
  return Plus(Convolution(call), call.OutputElements());
}

std::optional<double> GroupConvolution(const Call& call) {
  const Dims* weights = InputDims(call, 1);
  if (weights == nullptr || weights->size() < 4) return std::nullopt;
  return Plus(PerOutputChannel(call, *weights, (*weights)[0] * (*weights)[1]),
              FusedAdditions(call, 2));
}

std::optional<double> ConvolutionChannelsLast(const Call& call) {
  const Dims* weights = InputDims(call, 1);
  if (weights == nullptr || weights->size() < 3) return std::nullopt;
  return Plus(PerOutputChannel(call, *weights, weights->back()), FusedAdditions(call, 2));
}

std::optional<double> DepthwiseChannelsLast(const Call& call) {
  const Dims* weights = InputDims(call, 1);
  if (weights == nullptr || weights->size() != 4) return std::nullopt;
  return Plus(PerOutputChannel(call, *weights, (*weights)[2] * (*weights)[3]),
              FusedAdditions(call, 2));
}

std::optional<double> QuantizedConvolution(const Call& call) {
  const Dims* weights = InputDims(call, 3);
  if (weights == nullptr || weights->size() < 3) return std::nullopt;
  return PerOutputChannel(call, *weights, (*weights)[0]);
}

std::optional<double> TransposedConvolution(const Call& call) {
  const Dims* weights = InputDims(call, 1);
  if (weights == nullptr || weights->size() < 3 || (*weights)[0] <= 0) return std::nullopt;
  if (weights->size() == call.inputs[0].dims.size() + 1) return TransposedGroupConvolution(call);
  return 2 * call.InputElements(0) * Elements(*weights) / (*weights)[0];
}

std::optional<double> TransposedGroupConvolution(const Call& call) {
  const Dims* weights = InputDims(call, 1);
  if (weights == nullptr || weights->size() < 4) return std::nullopt;
  const double channels = (*weights)[0] * (*weights)[1];
  if (channels <= 0) return std::nullopt;
  return 2 * call.InputElements(0) * Elements(*weights) / channels;
}

std::optional<double> ConvolutionGradient(const Call& call) {
  const Dims* weights = InputDims(call, 1);
  if (weights == nullptr || weights->size() < 3 || weights->back() <= 0 || call.inputs.size() < 3)
    return std::nullopt;
  return 2 * call.InputElements(2) * Elements(*weights) / weights->back();
}

std::optional<double> MatrixProduct(const Call& call) {
  return Plus(ProductOfInputs(call, 0, 1), FusedAdditions(call, 2));
}

std::optional<double> MatrixProductAndActivation(const Call& call) {
  return Plus(MatrixProduct(call), call.OutputElements());
}

std::optional<double> QuantizedMatrixProduct(const Call& call) {
  return ProductOfInputs(call, 0, 3);
}

std::optional<double> InnerProduct(const Call& call) {
  const Dims* weights = InputDims(call, 1);
  if (weights == nullptr || weights->size() != 2) return MatrixProduct(call);
  return Plus(PerOutputChannel(call, *weights, (*weights)[0]), FusedAdditions(call, 2));
}

std::optional<double> PackedMatrixProduct(const Call& call) {
  const Dims& a = call.inputs[0].dims;
  if (a.empty() || call.guessed_outputs) return std::nullopt;
  return 2 * call.OutputElements() * a.back();
}

std::optional<double> Recurrent(const Call& call) {
  // ONNX: x, w, r. OpenVINO puts states and lengths between: w and r are neighbours of one rank,
  // with gates * h rows each.
  const Dims& x = call.inputs[0].dims;
  if (x.size() < 2 || x.back() <= 0) return std::nullopt;
  for (std::size_t i = 1; i + 1 < call.inputs.size(); ++i) {
    const Dims& w = call.inputs[i].dims;
    const Dims& r = call.inputs[i + 1].dims;
    if (w.size() != r.size() || w.size() < 2 || w.size() > 3 || w.back() != x.back()) continue;
    const double hidden = r.back(), rows = r[r.size() - 2];
    if (w[w.size() - 2] != rows || hidden <= 0) continue;
    const auto per_unit = CellFlops(rows / hidden);
    if (!per_unit.has_value()) continue;
    const double directions = w.size() == 3 ? w[0] : 1;
    const double steps = Elements(x) / x.back();
    return steps * (2 * Elements(w) + 2 * Elements(r) + *per_unit * directions * hidden);
  }
  return std::nullopt;
}

std::optional<double> AttentionNode(const Call& call) {
  const Dims* query = InputDims(call, 0);
  const Dims* key = InputDims(call, 1);
  const Dims* value = InputDims(call, 2);
  if (query == nullptr || key == nullptr || query->size() < 3) return std::nullopt;
  if (query->size() == 3 && key->size() == 2) {  // x and the weights of all three projections.
    const double rows = (*query)[0] * (*query)[1];
    const double columns = (*key)[1];
    // Query, key and value take a third each.
    const double products = 4 * rows * (*query)[1] * columns / 3;
    return 2 * rows * (*query)[2] * columns + products;
  }
  if (query->size() == 4) return Attention(call);
  if (value == nullptr || key->size() != 3 || value->size() != 3) return std::nullopt;
  return 2 * (*query)[0] * (*query)[1] * (*key)[1] * (query->back() + value->back());
}

std::optional<double> ReduceOrCombine(const Call& call) {
  if (call.guessed_outputs) return std::nullopt;
  if (call.OutputElements() < call.InputElements(0)) return call.InputElements(0);
  return call.OutputElements() * static_cast<double>(call.inputs.size() - 1);
}

std::optional<double> MeanOf(const Call& call) {
  return Plus(ReduceOrCombine(call), call.OutputElements());
}

std::optional<double> AtLeastOne(const Call& call) {
  return call.OutputElements() * std::max(static_cast<double>(call.inputs.size()) - 1, 1.0);
}

std::optional<double> FusedBatchNorm(const Call& call) {
  return 2 * call.OutputElements() + FusedAdditions(call, 1);
}

std::optional<double> NotInShapes(const Call&) { return std::nullopt; }

}  // namespace xsp::primitives::graph
