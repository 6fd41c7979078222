#include "ingest/primitives/operator_call.h"

#include <algorithm>
#include <utility>

namespace xsp::primitives {
namespace {

constexpr std::size_t kMostTensors = 4096;

constexpr std::pair<std::string_view, ElementType> kTypes[] = {
    {"float32", {"float32", 4}},
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
    {"float8_e4m3fn", {"float8", 1}},
    {"c10::Float8_e5m2", {"float8", 1}},
    {"c10::Float8_e5m2fnuz", {"float8", 1}},
    {"c10::Float8_e4m3fn", {"float8", 1}},
    {"c10::Float8_e4m3fnuz", {"float8", 1}},
    {"boolean", {"bool", 1}},
    {"uint64", {"int64", 8}},
    {"uint32", {"int32", 4}},
    {"uint16", {"int16", 2}},
    {"int4", {"int4", 0.5}},
    {"uint4", {"int4", 0.5}}};

std::optional<ElementType> FindElementType(std::string_view name) {
  for (const auto& [text, type] : kTypes)
    if (text == name) return type;
  return std::nullopt;
}

// The innermost lists of numbers in order: "[[1,3],[[4],[5]],[]]" -> {1,3} {4} {5} {}.
std::optional<std::vector<Dims>> ParseShapes(std::string_view text) {
  std::vector<Dims> shapes;
  if (text == "[]") return shapes;  // A list of none; one value would be "[[]]".
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

// A shape of "[]" is a tensor of one value, and one of no values a tensor, only where it has a
// type.
std::vector<Tensor> MakeInputs(std::vector<Dims> shapes,
                               const std::vector<std::string_view>& types) {
  std::vector<Tensor> inputs;
  const bool paired = types.size() == shapes.size();
  std::optional<ElementType> first;
  for (const std::string_view type : types)
    if (!first.has_value()) first = FindElementType(type);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const auto type = paired ? FindElementType(types[i]) : first;
    if (shapes[i].empty() && (!paired || !type.has_value())) continue;
    // OpenVINO's place of a bias that is not there: "[0]" of type "dynamic".
    if (!type.has_value() && Elements(shapes[i]) == 0) continue;
    inputs.push_back({std::move(shapes[i]), type});
  }
  return inputs;
}

void GuessOutputs(Call& call) {
  const auto largest = std::max_element(
      call.inputs.begin(), call.inputs.end(),
      [](const Tensor& a, const Tensor& b) { return Elements(a.dims) < Elements(b.dims); });
  call.guessed_outputs = !call.in_place;
  call.outputs.push_back(call.in_place ? call.inputs[0].dims : largest->dims);
}

}  // namespace

std::optional<Call> ReadCall(std::string_view input_shapes, std::string_view input_types,
                             std::string_view output_shapes, bool in_place) {
  auto shapes = ParseShapes(input_shapes);
  auto outputs = ParseShapes(output_shapes);
  if (!shapes.has_value() || !outputs.has_value()) return std::nullopt;
  Call call;
  call.inputs = MakeInputs(std::move(*shapes), ParseTypes(input_types));
  call.outputs = std::move(*outputs);
  call.in_place = in_place;
  const bool typed = std::all_of(call.inputs.begin(), call.inputs.end(),
                                 [](const Tensor& input) { return input.type.has_value(); });
  if (call.inputs.empty() || !typed) return std::nullopt;
  if (call.outputs.empty()) GuessOutputs(call);
  return call;
}

std::optional<double> PerInput(const Call& call) {
  return call.InputElements(0) + call.OutputElements();
}

std::optional<double> OncePerInput(const Call& call) { return call.InputElements(0); }

}  // namespace xsp::primitives
