#include "torch/input_inference.h"

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/ir/ir.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string_view>

#include "torch/errors.h"

namespace xsp::worker_torch {
namespace {

using torch::jit::Node;
using torch::jit::Value;

/// Operators between an input and the one that tells its shape, and that keep type and shape.
constexpr std::string_view kTransparent[] = {
    "aten::to",  "aten::contiguous", "aten::dropout", "aten::type_as", "aten::clone",
    "aten::sub", "aten::div",        "aten::mul",     "aten::add",     "aten::detach"};
/// Those that keep what is in it, not its shape.
constexpr std::string_view kReshaping[] = {"aten::view",  "aten::reshape", "aten::flatten",
                                           "aten::slice", "aten::select",  "aten::unsqueeze"};
constexpr int kFurthest = 8;

/// What the uses of a value tell. Sizes: XSP_WORKER_UNKNOWN is open.
struct InferredShape {
  int dtype = XSP_WORKER_UNKNOWN;
  std::optional<std::vector<std::int64_t>> shape;
  std::vector<const char*> symbols = {};
  bool has_any_rank = false;
};

std::optional<at::Tensor> ConstantTensor(const Value* value) {
  const auto constant = torch::jit::toIValue(value);
  if (!constant || !constant->isTensor()) return std::nullopt;
  return constant->toTensor();
}

bool ConstantBool(const Value* value) {
  const auto constant = torch::jit::toIValue(value);
  return constant && constant->isBool() && constant->toBool();
}

std::int64_t Groups(const Node* node) {
  const std::string_view kind = node->kind().toQualString();
  const std::size_t index = kind == "aten::_convolution" || kind == "aten::convolution" ? 8 : 6;
  if (node->inputs().size() <= index) return 1;
  const auto groups = torch::jit::toIValue(node->input(index));
  return groups && groups->isInt() ? groups->toInt() : 1;
}

std::optional<InferredShape> FromConvolution(const Node* node) {
  const auto weight = ConstantTensor(node->input(1));
  if (!weight || weight->dim() < 3 || weight->dim() > 5) return std::nullopt;
  std::vector<std::int64_t> shape(static_cast<std::size_t>(weight->dim()), XSP_WORKER_UNKNOWN);
  shape[1] = weight->size(1) * Groups(node);
  return InferredShape{XSP_FLOAT32, shape};
}

/// input, states, weights, has biases, layers, dropout, train, bidirectional, batch first.
std::optional<InferredShape> FromRecurrent(const Node* node) {
  constexpr std::size_t kWeights = 2, kBatchFirst = 8;
  if (node->inputs().size() <= kBatchFirst) return std::nullopt;
  std::optional<at::Tensor> weight;
  const auto list = torch::jit::toIValue(node->input(kWeights));
  if (list && list->isTensorList()) {
    weight = list->toTensorVector().front();
  } else if (node->input(kWeights)->node()->kind() == c10::prim::ListConstruct) {
    weight = ConstantTensor(node->input(kWeights)->node()->input(0));
  }
  if (!weight || weight->dim() != 2) return std::nullopt;
  const bool batch_first = ConstantBool(node->input(kBatchFirst));
  return InferredShape{
      XSP_FLOAT32,
      std::vector<std::int64_t>{XSP_WORKER_UNKNOWN, XSP_WORKER_UNKNOWN, weight->size(1)},
      batch_first ? std::vector{"batch", "sequence"} : std::vector{"sequence", "batch"}};
}

/// What the use of `value` as `node`'s input says about it.
std::optional<InferredShape> FromNode(const Node* node, const Value* value) {
  const std::string_view kind = node->kind().toQualString();
  const bool is_first = !node->inputs().empty() && node->input(0) == value;
  if (kind.starts_with("aten::conv") || kind == "aten::_convolution")
    return is_first ? FromConvolution(node) : std::nullopt;
  if (is_first && (kind == "aten::lstm" || kind == "aten::gru" || kind.starts_with("aten::rnn_")))
    return FromRecurrent(node);
  if (kind == "aten::linear" && is_first) {
    const auto weight = ConstantTensor(node->input(1));
    if (weight)
      return InferredShape{.dtype = XSP_FLOAT32,
                           .shape = std::vector<std::int64_t>{XSP_WORKER_UNKNOWN, weight->size(1)},
                           .has_any_rank = true};
  }
  if (kind == "aten::embedding" && node->inputs().size() > 1 && node->input(1) == value)
    return InferredShape{XSP_INT64,
                         std::vector<std::int64_t>{XSP_WORKER_UNKNOWN, XSP_WORKER_UNKNOWN},
                         {"batch", "sequence"}};
  return std::nullopt;
}

bool IsOneOf(std::string_view kind, std::span<const std::string_view> kinds) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

std::optional<InferredShape> FromUses(const Value* value, int distance) {
  for (const auto& use : value->uses()) {
    if (auto inferred = FromNode(use.user, value)) return inferred;
    const std::string_view kind = use.user->kind().toQualString();
    const bool reshapes = IsOneOf(kind, kReshaping);
    if (distance == 0 || use.offset != 0 || !(reshapes || IsOneOf(kind, kTransparent))) continue;
    auto inferred = FromUses(use.user->output(0), distance - 1);
    // Ids are cut into rows before they are looked up: two dimensions all the same.
    if (inferred && reshapes && inferred->dtype != XSP_INT64) inferred->shape.reset();
    if (inferred) return inferred;
  }
  return std::nullopt;
}

/// A plain number in place of a tensor.
std::optional<xsp_worker_dtype> NumberType(const c10::TypePtr& type) {
  switch (type->kind()) {
    case c10::TypeKind::IntType:
      return XSP_INT64;
    case c10::TypeKind::FloatType:
      return XSP_FLOAT64;
    case c10::TypeKind::BoolType:
      return XSP_BOOL;
    default:
      return std::nullopt;
  }
}

bool IsTensor(const c10::TypePtr& type) {
  if (type->kind() != c10::TypeKind::OptionalType) return type->kind() == c10::TypeKind::TensorType;
  return type->expectRef<c10::OptionalType>().getElementType()->kind() == c10::TypeKind::TensorType;
}

xsp_worker_input InputOf(const c10::Argument& argument, const Value* value) {
  xsp_worker_input input = {};
  std::snprintf(input.name, sizeof input.name, "%s", argument.name().c_str());
  input.dtype = input.rank = XSP_WORKER_UNKNOWN;
  if (const auto number = NumberType(argument.type())) {
    input.dtype = *number;
    input.rank = 0;
    return input;
  }
  if (!IsTensor(argument.type())) {
    throw WorkerError(ErrorKind::kNotPossible,
                      "the model's input " + argument.name() +
                          " is neither tensor nor number: " + argument.type()->repr_str(),
                      "wrap it in a module that takes tensors, and export that");
  }
  const auto inferred = FromUses(value, kFurthest);
  if (!inferred) return input;
  input.dtype = inferred->dtype;
  if (!inferred->shape) return input;
  input.rank = static_cast<int>(inferred->shape->size());
  input.has_any_rank = inferred->has_any_rank ? 1 : 0;
  std::copy(inferred->shape->begin(), inferred->shape->end(), input.shape);
  for (std::size_t i = 0; i < inferred->symbols.size(); ++i)
    std::snprintf(input.symbols[i], sizeof input.symbols[i], "%s", inferred->symbols[i]);
  return input;
}

}  // namespace

std::vector<xsp_worker_input> InferInputs(const torch::jit::Module& module) {
  // Freezing a copy inlines the modules and turns weights into constants.
  const torch::jit::Module frozen = torch::jit::freeze(module);
  const auto method = frozen.get_method("forward");
  const auto graph = method.graph();
  const auto& arguments = method.function().getSchema().arguments();
  std::vector<xsp_worker_input> inputs;
  for (std::size_t i = 1; i < arguments.size() && i < graph->inputs().size(); ++i) {
    if (!arguments[i].default_value()) inputs.push_back(InputOf(arguments[i], graph->inputs()[i]));
  }
  return inputs;
}

}  // namespace xsp::worker_torch
