// FLOPs and traffic of operators that run without a primitive, from their shapes.
#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "primitives/operator_name.h"
#include "primitives/operators.h"
#include "primitives/problem.h"

namespace xsp::primitives {
namespace {

constexpr std::size_t kMostTensors = 4096;

struct Type {
  std::string_view name;  // As XSP writes it.
  double bytes;
};

constexpr std::array<std::pair<std::string_view, Type>, 35> kTypes = {
    {{"float32", {"float32", 4}},
     {"float", {"float32", 4}},
     {"Float", {"float32", 4}},
     {"float64", {"float64", 8}},
     {"double", {"float64", 8}},
     {"Double", {"float64", 8}},
     {"float16", {"float16", 2}},
     {"half", {"float16", 2}},
     {"Half", {"float16", 2}},
     {"c10::Half", {"float16", 2}},
     {"bfloat16", {"bfloat16", 2}},
     {"BFloat16", {"bfloat16", 2}},
     {"c10::BFloat16", {"bfloat16", 2}},
     {"int64", {"int64", 8}},
     {"long", {"int64", 8}},
     {"long int", {"int64", 8}},
     {"Long", {"int64", 8}},
     {"int32", {"int32", 4}},
     {"int", {"int32", 4}},
     {"Int", {"int32", 4}},
     {"int16", {"int16", 2}},
     {"int8", {"int8", 1}},
     {"uint8", {"int8", 1}},
     {"unsigned char", {"int8", 1}},
     {"quint8", {"int8", 1}},
     {"qint8", {"int8", 1}},
     {"bool", {"bool", 1}},
     {"Bool", {"bool", 1}},
     {"complex64", {"float32", 8}},
     {"complex128", {"float64", 16}},
     {"complexfloat", {"float32", 8}},
     {"complexdouble", {"float64", 16}},
     {"qint32", {"int32", 4}},
     {"float8_e5m2", {"float8", 1}},
     {"float8_e4m3fn", {"float8", 1}}}};

std::optional<Type> FindType(std::string_view name) {
  for (const auto& [text, type] : kTypes)
    if (text == name) return type;
  return std::nullopt;
}

// The innermost lists of numbers in order: "[[1,3],[[4],[5]],[]]" -> {1,3} {4} {5} {}.
std::optional<std::vector<Dims>> ParseShapes(std::string_view text) {
  std::vector<Dims> shapes;
  std::size_t at = 0;
  while ((at = text.find('[', at)) != std::string_view::npos) {
    ++at;
    const std::size_t end = text.find_first_of("[]", at);
    if (end == std::string_view::npos) return std::nullopt;
    if (text[end] == '[') continue;  // A list of lists.
    Dims dims;
    std::string_view inner = text.substr(at, end - at);
    while (!inner.empty()) {
      const std::size_t cut = inner.find(',');
      std::string_view number = inner.substr(0, cut);
      while (number.starts_with(' ')) number.remove_prefix(1);
      const auto value = ParseDimension(number);
      if (!value.has_value()) return std::nullopt;
      dims.push_back(*value);
      if (cut == std::string_view::npos) break;
      inner.remove_prefix(cut + 1);
    }
    if (shapes.size() == kMostTensors) return std::nullopt;
    shapes.push_back(std::move(dims));
    at = end;
  }
  return shapes;
}

std::vector<std::string_view> ParseTypes(std::string_view text) {
  std::vector<std::string_view> types;
  std::size_t start = 0;
  const auto flush = [&](std::size_t end) {
    std::string_view type = text.substr(start, end - start);
    while (type.starts_with(' ') || type.starts_with('\'') || type.starts_with('"'))
      type.remove_prefix(1);
    while (type.ends_with(' ') || type.ends_with('\'') || type.ends_with('"'))
      type.remove_suffix(1);
    types.push_back(type);
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '[') {
      start = at + 1;
    } else if (text[at] == ',' || text[at] == ']') {
      if (at > start || at == 0 || text[at - 1] != ']') flush(at);
      start = at + 1;
    }
  }
  return types;
}

struct Tensor {
  Dims dims;
  std::optional<Type> type;
};

struct Call {
  std::vector<Tensor> inputs;  // Without what is no tensor.
  std::vector<Dims> outputs;
  bool in_place = false;
  bool guessed_outputs = false;

  double OutputElements() const { return outputs.empty() ? 0 : Elements(outputs[0]); }
  double InputElements(std::size_t i) const {
    return i < inputs.size() ? Elements(inputs[i].dims) : 0;
  }
};

// A shape of "[]" is a tensor of one value only where it has a type.
std::vector<Tensor> MakeInputs(std::vector<Dims> shapes,
                               const std::vector<std::string_view>& types) {
  std::vector<Tensor> inputs;
  const bool paired = types.size() == shapes.size();
  std::optional<Type> first;
  for (const std::string_view type : types)
    if (!first.has_value()) first = FindType(type);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const auto type = paired ? FindType(types[i]) : first;
    if (shapes[i].empty() && (!paired || !type.has_value())) continue;
    inputs.push_back({std::move(shapes[i]), type});
  }
  return inputs;
}

using FlopsFormula = std::optional<double> (*)(const Call&);

// mm(a, b), bmm(a, b), mv: everything but the last dimension of a meets the last of b.
std::optional<double> ProductOf(const Dims& a, const Call& call) {
  if (a.empty() || call.guessed_outputs) return std::nullopt;
  return 2 * call.OutputElements() * a.back();
}

std::optional<double> Product(const Call& call) {
  return call.inputs.size() < 2 ? std::nullopt : ProductOf(call.inputs[0].dims, call);
}

// addmm(bias, a, b): the bias is one addition per output.
std::optional<double> ProductAndSum(const Call& call) {
  if (call.inputs.size() < 3) return std::nullopt;
  const auto product = ProductOf(call.inputs[1].dims, call);
  if (!product.has_value()) return std::nullopt;
  return *product + call.OutputElements();
}

// convolution(input, weight [oc, ic/g, k...], ...): the whole kernel per output element.
std::optional<double> Convolution(const Call& call) {
  if (call.inputs.size() < 2 || call.inputs[1].dims.size() < 3 || call.guessed_outputs)
    return std::nullopt;
  const Dims& weights = call.inputs[1].dims;
  const double inner = Elements(Dims(weights.begin() + 1, weights.end()));
  return 2 * call.OutputElements() * inner;
}

// attention(query [.., l, e], key [.., s, e], value): two products and a softmax between them.
std::optional<double> Attention(const Call& call) {
  if (call.inputs.size() < 3) return std::nullopt;
  const Dims& query = call.inputs[0].dims;
  const Dims& key = call.inputs[1].dims;
  const Dims& value = call.inputs[2].dims;
  if (query.size() < 2 || key.size() != query.size() || value.size() != query.size())
    return std::nullopt;
  const double embedding = query.back();
  if (embedding == 0) return 0;
  const double scores = Elements(query) / embedding * key[key.size() - 2];
  return scores * (2 * embedding + 2 * value.back() + 5);
}

std::optional<double> PerInput(const Call& call) {
  return call.InputElements(0) + call.OutputElements();
}

// Each of the input's elements is compared at least once; the window is no tensor and not recorded.
std::optional<double> OncePerInput(const Call& call) { return call.InputElements(0); }

struct OperatorFormula {
  std::string_view name;
  double flops_per_output;  // Used where there is no formula.
  FlopsFormula formula = nullptr;
};

// Element-wise counts follow eltwise.cc; normalisations and softmax element_formulas.cc.
constexpr std::array<OperatorFormula, 76> kFormulas = {{
    {"_convolution", 0, Convolution},
    {"_log_softmax", 5},
    {"_scaled_dot_product_flash_attention_for_cpu", 0, Attention},
    {"_slow_conv2d_forward", 0, Convolution},
    {"_softmax", 5},
    {"abs", 1},
    {"adaptive_avg_pool2d", 0, PerInput},
    {"add", 1},
    {"addcdiv", 3},
    {"addcmul", 3},
    {"addmm", 0, ProductAndSum},
    {"addmv", 0, ProductAndSum},
    {"amax", 0, OncePerInput},
    {"amin", 0, OncePerInput},
    {"arange", 0},
    {"argmax", 0, OncePerInput},
    {"avg_pool2d", 0, PerInput},
    {"baddbmm", 0, ProductAndSum},
    {"bmm", 0, Product},
    {"cat", 0},
    {"channel_shuffle", 0},
    {"clamp", 2},
    {"clamp_max", 1},
    {"clamp_min", 1},
    {"clone", 0},
    {"convolution", 0, Convolution},
    {"copy", 0},
    {"cos", 1},
    {"div", 1},
    {"elu", 4},
    {"embedding", 0},
    {"eq", 1},
    {"erf", 1},
    {"exp", 1},
    {"fill", 0},
    {"flip", 0},
    {"gather", 0},
    {"gelu", 5},
    {"ge", 1},
    {"gt", 1},
    {"hardsigmoid", 4},
    {"hardswish", 5},
    {"hardtanh", 2},
    {"index", 0},
    {"index_select", 0},
    {"leaky_relu", 2},
    {"le", 1},
    {"linear", 0, Product},
    {"log", 1},
    {"lt", 1},
    {"masked_fill", 0},
    {"max_pool2d_with_indices", 0, OncePerInput},
    {"max_pool3d_with_indices", 0, OncePerInput},
    {"mean", 0, PerInput},
    {"mkldnn_convolution", 0, Convolution},
    {"mm", 0, Product},
    {"mul", 1},
    {"mv", 0, Product},
    {"native_batch_norm", 2},
    {"native_group_norm", 6},
    {"native_layer_norm", 8},
    {"ne", 1},
    {"neg", 1},
    {"pow", 1},
    {"reciprocal", 1},
    {"relu", 1},
    {"rsqrt", 2},
    {"sigmoid", 4},
    {"silu", 5},
    {"sqrt", 1},
    {"sub", 1},
    {"sum", 0, OncePerInput},
    {"tanh", 1},
    {"upsample_bilinear2d", 7},
    {"upsample_nearest2d", 0},
    {"zero", 0},
}};

std::optional<double> FlopsOf(std::string_view name, const Call& call) {
  for (const OperatorFormula& entry : kFormulas) {
    if (entry.name != name) continue;
    if (entry.formula != nullptr) return entry.formula(call);
    return entry.flops_per_output * call.OutputElements();
  }
  return std::nullopt;
}

bool IsAny(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Bytes read: every input once, but tables are read only where an index points, and what is only
// overwritten is not read.
double ReadBytes(std::string_view name, const Call& call) {
  if (IsAny(name, {"fill", "zero", "arange", "normal", "uniform", "bernoulli", "random"})) return 0;
  const bool looks_up = IsAny(name, {"embedding", "index_select", "gather", "index"});
  double bytes = 0;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    if (name == "copy" && i == 0) continue;
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
    if (i > 0 && (name.ends_with("_with_indices") || IsAny(name, {"topk", "sort", "kthvalue"})))
      size = 8;
    if (IsAny(name, {"argmax", "argmin", "nonzero"})) size = 8;
    if (IsAny(name, {"eq", "ne", "lt", "le", "gt", "ge"})) size = 1;
    bytes += Elements(call.outputs[i]) * size;
  }
  return bytes;
}

void GuessOutputs(Call& call) {
  const auto largest = std::max_element(
      call.inputs.begin(), call.inputs.end(),
      [](const Tensor& a, const Tensor& b) { return Elements(a.dims) < Elements(b.dims); });
  call.guessed_outputs = !call.in_place;
  call.outputs.push_back(call.in_place ? call.inputs[0].dims : largest->dims);
}

}  // namespace

Cost EstimateOperator(std::string_view type, std::string_view input_shapes,
                      std::string_view input_types, std::string_view output_shapes) {
  Cost cost;
  const OperatorName operator_name = ParseOperatorName(type);
  auto shapes = ParseShapes(input_shapes);
  auto outputs = ParseShapes(output_shapes);
  if (!shapes.has_value() || !outputs.has_value()) return cost;
  Call call;
  call.inputs = MakeInputs(std::move(*shapes), ParseTypes(input_types));
  call.outputs = std::move(*outputs);
  call.in_place = operator_name.in_place;
  const bool typed = std::all_of(call.inputs.begin(), call.inputs.end(),
                                 [](const Tensor& input) { return input.type.has_value(); });
  if (call.inputs.empty() || !typed) return cost;
  if (call.outputs.empty()) GuessOutputs(call);
  // A lookup's first input is the table, and its type that of the values; indices come later.
  cost.dtype = call.inputs[0].type->name;
  const auto flops = FlopsOf(operator_name.name, call);
  cost.status = flops.has_value() ? CostStatus::kKnown : CostStatus::kTrafficOnly;
  cost.flops = flops.value_or(0);
  cost.read_bytes = ReadBytes(operator_name.name, call);
  cost.write_bytes = WriteBytes(operator_name.name, call);
  if (!std::isfinite(cost.flops) || !std::isfinite(cost.read_bytes) ||
      !std::isfinite(cost.write_bytes))
    return Cost{};
  return cost;
}

}  // namespace xsp::primitives
