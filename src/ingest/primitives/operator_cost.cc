// FLOPs and traffic of ATen operators that run without a primitive, from their shapes.
#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <optional>

#include "ingest/primitives/convolution_call.h"
#include "ingest/primitives/graph_operators.h"
#include "ingest/primitives/operator_call.h"
#include "ingest/primitives/operator_name.h"
#include "ingest/primitives/operators.h"
#include "ingest/primitives/product_formulas.h"

namespace xsp::primitives {
namespace {

// convolution(input, weight [oc, ic/g, k...], ...): the whole kernel per output element.
std::optional<double> Convolution(const Call& call) {
  if (call.inputs.size() < 2 || call.inputs[1].dims.size() < 3 || call.guessed_outputs)
    return std::nullopt;
  const Dims& weights = call.inputs[1].dims;
  const double inner = Elements(Dims(weights.begin() + 1, weights.end()));
  return 2 * call.OutputElements() * inner;
}

struct OperatorFormula {
  std::string_view name;
  double flops_per_output;  // Used where there is no formula.
  FlopsFormula formula = nullptr;
};

// Element-wise counts follow eltwise.cc; normalisations and softmax element_formulas.cc.
constexpr std::array<OperatorFormula, 167> kOperatorFormulas = {{
    {"_adaptive_avg_pool2d", 0, PerInput},
    {"_addmm_activation", 0, ProductSumAndActivation},
    {"_batch_norm_no_update", 2},
    {"_conv_depthwise2d", 0, Convolution},
    {"_convolution", 0, Convolution},
    {"_cudnn_attention_forward", 0, Attention},
    {"_efficient_attention_backward", 0, SequenceFirstAttentionBackward},
    {"_efficient_attention_forward", 0, SequenceFirstAttention},
    {"_flash_attention_backward", 0, SequenceFirstAttentionBackward},
    {"_flash_attention_forward", 0, SequenceFirstAttention},
    {"_int_mm", 0, PlainProduct},
    {"_log_softmax", 5},
    {"_log_softmax_backward_data", 4},
    {"_native_batch_norm_legit", 2},
    {"_native_batch_norm_legit_no_training", 2},
    {"_scaled_dot_product_attention_math", 0, Attention},
    {"_scaled_dot_product_cudnn_attention", 0, Attention},
    {"_scaled_dot_product_cudnn_attention_backward", 0, AttentionBackward},
    {"_scaled_dot_product_efficient_attention", 0, Attention},
    {"_scaled_dot_product_efficient_attention_backward", 0, AttentionBackward},
    {"_scaled_dot_product_flash_attention", 0, Attention},
    {"_scaled_dot_product_flash_attention_backward", 0, AttentionBackward},
    {"_scaled_dot_product_flash_attention_for_cpu", 0, Attention},
    {"_scaled_dot_product_flash_attention_for_cpu_backward", 0, AttentionBackward},
    {"_scaled_dot_product_fused_attention_overrideable", 0, Attention},
    {"_scaled_dot_product_fused_attention_overrideable_backward", 0, AttentionBackward},
    {"_scaled_mm", 0, PlainProduct},
    {"_slow_conv2d_forward", 0, Convolution},
    {"_softmax", 5},
    {"_softmax_backward_data", 4},
    {"abs", 1},
    {"adaptive_avg_pool2d", 0, PerInput},
    {"add", 1},
    {"addbmm", 0, BatchedProductAndSum},
    {"addcdiv", 3},
    {"addcmul", 3},
    {"addmm", 0, ProductAndSum},
    {"addmv", 0, ProductAndSum},
    {"all", 0, OncePerInput},
    {"amax", 0, OncePerInput},
    {"amin", 0, OncePerInput},
    {"any", 0, OncePerInput},
    {"arange", 0},
    {"argmax", 0, OncePerInput},
    {"argmin", 0, OncePerInput},
    {"avg_pool2d", 0, PerInput},
    {"baddbmm", 0, ProductAndSum},
    {"bitwise_and", 0},
    {"bitwise_not", 0},
    {"bitwise_or", 0},
    {"bmm", 0, PlainProduct},
    {"cat", 0},
    {"ceil", 1},
    {"channel_shuffle", 0},
    {"clamp", 2},
    {"clamp_max", 1},
    {"clamp_min", 1},
    {"clone", 0},
    {"constant_pad_nd", 0},
    {"convolution", 0, Convolution},
    {"copy", 0},
    {"cos", 1},
    {"cudnn_batch_norm", 2},
    {"cudnn_batch_norm_backward", 8},
    {"cudnn_convolution", 0, Convolution},
    {"cumsum", 1},
    {"div", 1},
    {"dot", 0, PlainProduct},
    {"elu", 4},
    {"embedding", 0},
    {"eq", 1},
    {"erf", 1},
    {"exp", 1},
    {"exp2", 1},
    {"expm1", 1},
    {"fill", 0},
    {"flip", 0},
    {"floor", 1},
    {"floor_divide", 2},
    {"gather", 0},
    {"ge", 1},
    {"gelu", 5},
    {"gelu_backward", 6},
    {"gt", 1},
    {"hardsigmoid", 4},
    {"hardswish", 5},
    {"hardtanh", 2},
    {"index", 0},
    {"index_select", 0},
    {"inner", 0, InnerProductOfRows},
    {"le", 1},
    {"leaky_relu", 2},
    {"leaky_relu_backward", 3},
    {"lerp", 3},
    {"linear", 0, Linear},
    {"linear_dynamic", 0, Linear},
    {"linear_relu", 0, Linear},
    {"linear_relu_dynamic", 0, Linear},
    {"log", 1},
    {"log10", 1},
    {"log1p", 1},
    {"log2", 1},
    {"logical_and", 0},
    {"logical_not", 0},
    {"logical_or", 0},
    {"lt", 1},
    {"masked_fill", 0},
    {"matmul", 0, PlainProduct},
    {"max", 0, OncePerInput},
    {"max_pool2d_with_indices", 0, OncePerInput},
    {"max_pool2d_with_indices_backward", 0, OncePerInput},
    {"max_pool3d_with_indices", 0, OncePerInput},
    {"maximum", 1},
    {"mean", 0, PerInput},
    {"min", 0, OncePerInput},
    {"minimum", 1},
    {"miopen_batch_norm", 2},
    {"miopen_batch_norm_backward", 8},
    {"miopen_convolution", 0, Convolution},
    {"mkldnn_convolution", 0, Convolution},
    {"mm", 0, PlainProduct},
    {"mul", 1},
    {"mv", 0, PlainProduct},
    {"native_batch_norm", 2},
    {"native_batch_norm_backward", 8},
    {"native_dropout", 2},
    {"native_dropout_backward", 2},
    {"native_group_norm", 6},
    {"native_group_norm_backward", 8},
    {"native_layer_norm", 8},
    {"native_layer_norm_backward", 8},
    {"ne", 1},
    {"neg", 1},
    {"pow", 1},
    {"prod", 0, OncePerInput},
    {"reciprocal", 1},
    {"relu", 1},
    {"remainder", 3},
    {"repeat", 0},
    {"roll", 0},
    {"round", 1},
    {"rsqrt", 2},
    {"rsub", 1},
    {"scaled_dot_product_attention", 0, Attention},
    {"sigmoid", 4},
    {"sigmoid_backward", 5},
    {"sign", 1},
    {"silu", 5},
    {"silu_backward", 6},
    {"sin", 1},
    {"sqrt", 1},
    {"square", 1},
    {"stack", 0},
    {"sub", 1},
    {"sum", 0, OncePerInput},
    {"tanh", 1},
    {"tanh_backward", 2},
    {"threshold", 1},
    {"threshold_backward", 2},
    {"tril", 0},
    {"triu", 0},
    {"trunc", 1},
    {"upsample_bilinear2d", 7},
    {"upsample_nearest2d", 0},
    {"vdot", 0, PlainProduct},
    {"where", 0},
    {"zero", 0},
}};

std::optional<double> FlopsOf(std::string_view name, const Call& call) {
  for (const OperatorFormula& entry : kOperatorFormulas) {
    if (entry.name != name) continue;
    if (entry.formula != nullptr) return entry.formula(call);
    return entry.flops_per_output * call.OutputElements();
  }
  return std::nullopt;
}

bool IsOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool IsReduction(std::string_view name) {
  return IsOneOf(name, {"adaptive_avg_pool2d", "_adaptive_avg_pool2d", "all", "amax", "amin", "any",
                        "argmax", "argmin", "max", "mean", "min", "prod", "sum"});
}

bool IsLookup(std::string_view name) {
  return IsOneOf(name, {"embedding", "index_select", "gather", "index"});
}

// Of a lookup without recorded values: rows of the table, so dim is 0. Nothing for several indices
// and for masks, whose values decide.
std::optional<Dims> ResultOfLookup(std::string_view name, const Call& call) {
  if (call.inputs.size() < 2 || call.inputs[0].dims.empty()) return std::nullopt;
  const Tensor& index = call.inputs[1];
  if (name == "gather") return index.dims;
  if (name == "index" && (call.inputs.size() != 2 || index.type->name == "bool"))
    return std::nullopt;
  Dims result = index.dims;
  result.insert(result.end(), call.inputs[0].dims.begin() + 1, call.inputs[0].dims.end());
  return result;
}

// The result of an operator whose trace has no shapes of outputs, where it is not as large as the
// largest input. Of a reduction the dimensions that it keeps are not recorded: 1 element, a lower
// bound.
std::optional<Dims> UnrecordedResult(std::string_view name, const Call& call) {
  if (IsLookup(name)) return ResultOfLookup(name, call);
  if (IsReduction(name) && call.inputs.size() == 1) return Dims{1};
  if (IsOneOf(name, {"cat", "stack"})) {
    double total = 0;
    for (const Tensor& input : call.inputs) total += input.Elements();
    return Dims{total};
  }
  if (auto shape = ResultShape(name, call)) return shape;
  return call.outputs[0];
}

// Bytes read: every input once, but tables are read only where an index points, and what is only
// overwritten is not read.
double OperatorReadBytes(std::string_view name, const Call& call) {
  if (IsOneOf(name, {"fill", "zero", "arange", "normal", "uniform", "bernoulli", "random"}))
    return 0;
  const bool looks_up = IsLookup(name);
  double bytes = 0;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    if (name == "copy" && i == 0) continue;
    // hardtanh() gives clamp() its result as a second tensor. Limits that are tensors look alike.
    if (name == "clamp" && i == 1 && call.inputs.size() == 2) continue;
    const Tensor& input = call.inputs[i];
    double elements = Elements(input.dims);
    if (looks_up && i == 0) elements = std::min(elements, call.OutputElements());
    bytes += elements * input.type->bytes;
  }
  return bytes;
}

// Results have the first input's type; the indices that go with a maximum or an order are int64,
// and a comparison gives bytes.
double WriteBytes(std::string_view name, const Call& call) {
  double bytes = 0;
  for (std::size_t i = 0; i < call.outputs.size(); ++i) {
    double size = call.inputs[0].type->bytes;
    if (i > 0 && (name.ends_with("_with_indices") || IsOneOf(name, {"topk", "sort", "kthvalue"})))
      size = 8;
    if (IsOneOf(name, {"argmax", "argmin", "nonzero"})) size = 8;
    if (name == "_scaled_mm") size = 2;  // Of 8 bits; the type of its result is an argument.
    if (name == "_int_mm") size = 4;
    if (name == "where" && call.inputs.size() > 1) size = call.inputs[1].type->bytes;
    if (IsOneOf(name, {"eq", "ne", "lt", "le", "gt", "ge", "all", "any", "logical_and",
                       "logical_not", "logical_or"}))
      size = 1;
    bytes += Elements(call.outputs[i]) * size;
  }
  return bytes;
}

}  // namespace

Cost EstimateOperator(std::string_view type, std::string_view input_shapes,
                      std::string_view input_types, std::string_view output_shapes,
                      std::string_view input_values) {
  Cost cost;
  const OperatorName operator_name = ParseOperatorName(type);
  auto call = ReadCall(input_shapes, input_types, output_shapes, operator_name.in_place);
  if (!call.has_value()) return cost;
  if (IsGraphOperator(type)) {
    cost = EstimateGraphOperator(type, *call);
  } else {
    const auto convolution = ReadConvolution(operator_name.name, *call, input_values);
    if (convolution.has_value()) {
      call->outputs = convolution->outputs;
    } else if (call->guessed_outputs) {
      auto shape = UnrecordedResult(operator_name.name, *call);
      if (!shape.has_value()) return cost;
      call->outputs[0] = *std::move(shape);
    }
    // A lookup's first input is the table, and its type that of the values; indices come later.
    cost.dtype = call->inputs[0].type->name;
    // Their inputs are quantised on the way: the products are of 8 bits.
    if (operator_name.space == "quantized" && operator_name.name.starts_with("linear"))
      cost.dtype = "int8";
    const auto flops = convolution.has_value() ? std::optional(convolution->flops)
                                               : FlopsOf(operator_name.name, *call);
    cost.status = flops.has_value() ? CostStatus::kKnown : CostStatus::kTrafficOnly;
    cost.flops = flops.value_or(0);
    cost.read_bytes = OperatorReadBytes(operator_name.name, *call);
    cost.write_bytes = WriteBytes(operator_name.name, *call);
  }
  if (!std::isfinite(cost.flops) || !std::isfinite(cost.read_bytes) ||
      !std::isfinite(cost.write_bytes))
    return Cost{};
  return cost;
}

Cost WithoutKnown(Cost cost, double flops, double read_bytes, double write_bytes) {
  cost.flops = std::max(0.0, cost.flops - flops);
  cost.read_bytes = std::max(0.0, cost.read_bytes - read_bytes);
  cost.write_bytes = std::max(0.0, cost.write_bytes - write_bytes);
  return cost;
}

}  // namespace xsp::primitives
