#include "ingest/primitives/product_formulas.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace xsp::primitives {
namespace {

// Dimensions broadcast from the last one on; nothing where two differ and neither is 1.
std::optional<Dims> Broadcast(const Dims& a, const Dims& b) {
  const Dims& longer = a.size() >= b.size() ? a : b;
  const Dims& shorter = a.size() >= b.size() ? b : a;
  Dims result = longer;
  const std::size_t skipped = longer.size() - shorter.size();
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    double& size = result[skipped + i];
    if (size == 1) size = shorter[i];
    if (shorter[i] != size && shorter[i] != 1) return std::nullopt;
  }
  return result;
}

std::optional<double> ProductOfInputs(const Call& call, std::size_t a, std::size_t b) {
  if (call.inputs.size() <= std::max(a, b)) return std::nullopt;
  const auto product = Multiply(call.inputs[a].dims, call.inputs[b].dims);
  if (!product.has_value()) return std::nullopt;
  return product->Flops();
}

// Sizes of an attention: scores are those of all batches and heads.
struct AttentionSizes {
  double scores, embedding, value;
};

std::optional<AttentionSizes> SizesOf(const Call& call, std::size_t first, bool sequence_first) {
  if (call.inputs.size() < first + 3) return std::nullopt;
  const Dims& query = call.inputs[first].dims;
  const Dims& key = call.inputs[first + 1].dims;
  const Dims& value = call.inputs[first + 2].dims;
  const std::size_t least = sequence_first ? 4 : 2;
  if (query.size() < least || key.size() != query.size() || value.size() != query.size())
    return std::nullopt;
  const double embedding = query.back();
  if (embedding != key.back()) return std::nullopt;
  const double length = key[key.size() - (sequence_first ? 3 : 2)];
  double rows = 1;  // Of the query: every one meets the whole key.
  for (std::size_t i = 0; i + 1 < query.size(); ++i) rows *= query[i];
  return AttentionSizes{rows * length, embedding, value.back()};
}

std::optional<double> Forward(const std::optional<AttentionSizes>& sizes) {
  if (!sizes.has_value()) return std::nullopt;
  return sizes->scores * (2 * sizes->embedding + 2 * sizes->value + 5);
}

std::optional<double> Backward(const std::optional<AttentionSizes>& sizes) {
  if (!sizes.has_value()) return std::nullopt;
  return sizes->scores * (6 * sizes->embedding + 4 * sizes->value + 6);
}

}  // namespace

std::optional<MatrixProduct> Multiply(const Dims& a, const Dims& b) {
  if (a.empty() || b.empty()) return std::nullopt;
  const double inner = a.back();
  const double inner_of_b = b.size() == 1 ? b[0] : b[b.size() - 2];
  if (inner != inner_of_b) return std::nullopt;
  const auto batch_of = [](const Dims& dims) {
    return Dims(dims.begin(), dims.end() - std::min<std::ptrdiff_t>(2, std::ssize(dims)));
  };
  auto output = Broadcast(batch_of(a), batch_of(b));
  if (!output.has_value()) return std::nullopt;
  if (a.size() > 1) output->push_back(a[a.size() - 2]);
  if (b.size() > 1) output->push_back(b.back());
  return MatrixProduct{std::move(*output), inner};
}

std::optional<double> PlainProduct(const Call& call) { return ProductOfInputs(call, 0, 1); }

std::optional<double> ProductAndSum(const Call& call) {
  if (call.inputs.size() < 3) return std::nullopt;
  const auto product = Multiply(call.inputs[1].dims, call.inputs[2].dims);
  if (!product.has_value()) return std::nullopt;
  return product->Flops() + Elements(product->output);
}

std::optional<double> ProductSumAndActivation(const Call& call) {
  const auto flops = ProductAndSum(call);
  if (!flops.has_value()) return std::nullopt;
  return *flops + Elements(Multiply(call.inputs[1].dims, call.inputs[2].dims)->output);
}

std::optional<double> BatchedProductAndSum(const Call& call) {
  if (call.inputs.size() < 3) return std::nullopt;
  const auto product = Multiply(call.inputs[1].dims, call.inputs[2].dims);
  if (!product.has_value() || product->output.size() != 3) return std::nullopt;
  return product->Flops() + product->output[1] * product->output[2];
}

std::optional<double> Linear(const Call& call) {
  if (call.inputs[0].dims.empty()) return std::nullopt;
  // Packed weights are no tensor: the result tells how many rows they have.
  if (call.inputs.size() == 1 && !call.guessed_outputs)
    return 2 * call.OutputElements() * static_cast<double>(call.inputs[0].dims.back());
  if (call.inputs.size() < 2) return std::nullopt;
  const Dims& weights = call.inputs[1].dims;
  const bool fits =
      (weights.size() == 1 || weights.size() == 2) && weights.back() == call.inputs[0].dims.back();
  if (!fits) return std::nullopt;
  return 2 * call.InputElements(0) * (weights.size() == 2 ? weights[0] : 1);
}

std::optional<double> InnerProductOfRows(const Call& call) {
  if (call.inputs.size() < 2) return std::nullopt;
  const Dims& a = call.inputs[0].dims;
  const Dims& b = call.inputs[1].dims;
  if (a.empty() || b.empty() || a.back() != b.back()) return std::nullopt;
  if (b.back() == 0) return 0;
  return 2 * Elements(a) * Elements(b) / b.back();
}

std::optional<double> Attention(const Call& call) { return Forward(SizesOf(call, 0, false)); }
std::optional<double> SequenceFirstAttention(const Call& call) {
  return Forward(SizesOf(call, 0, true));
}
std::optional<double> AttentionBackward(const Call& call) {
  return Backward(SizesOf(call, 1, false));
}
std::optional<double> SequenceFirstAttentionBackward(const Call& call) {
  return Backward(SizesOf(call, 1, true));
}

std::optional<Dims> ResultShape(std::string_view name, const Call& call) {
  const auto is = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  const auto product = [&](std::size_t a, std::size_t b) -> std::optional<Dims> {
    if (call.inputs.size() <= b) return std::nullopt;
    auto result = Multiply(call.inputs[a].dims, call.inputs[b].dims);
    if (!result.has_value()) return std::nullopt;
    return std::move(result->output);
  };
  if (is({"_int_mm", "_scaled_mm", "bmm", "dot", "matmul", "mm", "mv", "vdot"}))
    return product(0, 1);
  if (is({"_addmm_activation", "addmm", "addmv", "baddbmm"})) return product(1, 2);
  // Where the last dimension of the first input is the only one that changes.
  std::optional<double> last;
  if (name == "linear" && Linear(call).has_value())  // A weight of one dimension: one column.
    last = call.inputs[1].dims.size() == 2 ? call.inputs[1].dims[0] : 1;
  const bool attention = name.find("dot_product") != std::string_view::npos &&
                         name.find("backward") == std::string_view::npos;
  if (attention && Attention(call).has_value()) last = call.inputs[2].dims.back();
  if (!last.has_value()) return std::nullopt;
  Dims result = call.inputs[0].dims;
  result.back() = *last;
  return result;
}

}  // namespace xsp::primitives
