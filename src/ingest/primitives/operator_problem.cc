#include "ingest/primitives/operator_problem.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <optional>

#include "ingest/primitives/convolution_call.h"
#include "ingest/primitives/operator_call.h"
#include "ingest/primitives/operator_name.h"

namespace xsp::primitives {
namespace {

bool IsAmong(std::string_view name, std::initializer_list<std::string_view> all) {
  return std::find(all.begin(), all.end(), name) != all.end();
}

bool HasNone(const Dims& dims) {
  return std::any_of(dims.begin(), dims.end(), [](double size) { return size < 1; });
}

/// a [.., m, k] times b [.., k, n].
std::string ProductProblem(Dims a, Dims b) {
  if (a.size() < 2 || b.size() < 2 || HasNone(a) || HasNone(b)) return "";
  if (a.back() != b[b.size() - 2]) return "";
  const bool has_one_matrix =
      std::all_of(b.begin(), b.end() - 2, [](double size) { return size == 1; });
  if (has_one_matrix) {
    a = {Elements(a) / a.back(), a.back()};
    b = {b[b.size() - 2], b.back()};
  }
  const std::size_t rank = std::max(a.size(), b.size());
  a.insert(a.begin(), rank - a.size(), 1);
  b.insert(b.begin(), rank - b.size(), 1);
  for (std::size_t i = 0; i + 2 < rank; ++i)
    if (a[i] != b[i] && a[i] != 1 && b[i] != 1) return "";
  return fmt::format("{:.0f}:{:.0f}", fmt::join(a, "x"), fmt::join(b, "x"));
}

/// x [.., in] times the transposed weights [out, in].
std::string LinearProblem(const Call& call) {
  if (call.inputs.size() < 2 || call.inputs[1].dims.size() != 2) return "";
  const Dims& weights = call.inputs[1].dims;
  Dims x = call.inputs[0].dims;
  if (x.size() == 1) x.insert(x.begin(), 1);
  return ProductProblem(std::move(x), {weights[1], weights[0]});
}

std::string ConvolutionProblem(const Dims& input, const Dims& weights, const Dims& result,
                               const ConvolutionGeometry& geometry) {
  const std::size_t dimensions = input.size() - 2;
  if (dimensions < 1 || dimensions > 3 || result.size() != input.size() || HasNone(input) ||
      HasNone(weights) || HasNone(result))
    return "";
  const double groups = input[1] / weights[1];
  if (groups != static_cast<double>(static_cast<std::int64_t>(groups))) return "";
  std::string problem = groups > 1 ? fmt::format("g{:.0f}", groups) : "";
  problem += fmt::format("mb{:.0f}_ic{:.0f}oc{:.0f}", input[0], input[1], result[1]);
  for (std::size_t i = 0; i < dimensions; ++i) {
    const char name = "dhw"[3 - dimensions + i];
    problem += fmt::format("_i{0}{1:.0f}o{0}{2:.0f}k{0}{3:.0f}s{0}{4:.0f}d{0}{5:.0f}p{0}{6:.0f}",
                           name, input[i + 2], result[i + 2], weights[i + 2], geometry.stride[i],
                           geometry.dilation[i] - 1, geometry.padding[i]);
  }
  return problem;
}

std::string ProblemOfConvolution(std::string_view name, const Call& call, std::string_view values) {
  if (call.inputs.size() < 2) return "";
  const Dims &input = call.inputs[0].dims, &weights = call.inputs[1].dims;
  if (const auto found = ReadConvolution(name, call, values))
    return found->geometry ? ConvolutionProblem(input, weights, found->outputs[0], *found->geometry)
                           : "";
  if (!values.empty() || call.guessed_outputs) return "";
  const auto geometry = OnlyGeometry(input, weights, call.outputs[0]);
  return geometry ? ConvolutionProblem(input, weights, call.outputs[0], *geometry) : "";
}

}  // namespace

std::string ProblemOfOperator(std::string_view type, std::string_view input_shapes,
                              std::string_view input_types, std::string_view output_shapes,
                              std::string_view input_values) {
  const OperatorName name = ParseOperatorName(type);
  const bool is_convolution =
      IsAmong(name.name, {"Conv", "_conv_depthwise2d", "_convolution", "conv1d", "conv2d", "conv3d",
                          "conv_depthwise3d", "convolution", "cudnn_convolution",
                          "miopen_convolution", "miopen_depthwise_convolution"});
  // An addition comes before the operands; a matrix is added, or a vector to every row.
  const bool is_sum = IsAmong(name.name, {"_addmm_activation", "addmm", "baddbmm"});
  const bool is_product = IsAmong(name.name, {"MatMul", "_int_mm", "bmm", "matmul", "mm"});
  if (!is_convolution && !is_sum && !is_product && name.name != "linear") return "";
  const auto call = ReadCall(input_shapes, input_types, output_shapes, name.in_place);
  if (!call) return "";
  if (is_convolution) return ProblemOfConvolution(name.name, *call, input_values);
  if (name.name == "linear") return LinearProblem(*call);
  const std::size_t first = is_sum ? 1 : 0;
  if (call->inputs.size() < first + 2) return "";
  return ProductProblem(call->inputs[first].dims, call->inputs[first + 1].dims);
}

}  // namespace xsp::primitives
