#include "torch/infer_inputs.h"

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/ir/ir.h>

#include <optional>
#include <string_view>

#include "torch/errors.h"

namespace xsp::worker_torch {
namespace {

using torch::jit::Node;
using torch::jit::Value;

/// Operators between an input and the one that tells its shape, and that keep the shape.
constexpr std::string_view kTransparent[] = {"aten::to", "aten::contiguous", "aten::dropout",
                                             "aten::type_as", "aten::clone"};
constexpr int kFurthest = 8;

std::optional<at::Tensor> ConstantTensor(const Value* value) {
  const auto constant = torch::jit::toIValue(value);
  if (!constant || !constant->isTensor()) return std::nullopt;
  return constant->toTensor();
}

std::int64_t Groups(const Node* node) {
  const std::string_view kind = node->kind().toQualString();
  const std::size_t index = kind == "aten::_convolution" || kind == "aten::convolution" ? 8 : 6;
  if (node->inputs().size() <= index) return 1;
  const auto groups = torch::jit::toIValue(node->input(index));
  return groups && groups->isInt() ? groups->toInt() : 1;
}

std::optional<InferredInput> FromConvolution(const Node* node, std::int64_t batch) {
  const auto weight = ConstantTensor(node->input(1));
  if (!weight) return std::nullopt;
  InferredInput input{"", XSP_FLOAT32, {batch, weight->size(1) * Groups(node)}};
  switch (weight->dim()) {
    case 3:
      input.shape.insert(input.shape.end(), {1024});
      break;
    case 4:
      input.shape.insert(input.shape.end(), {224, 224});
      break;
    case 5:
      input.shape.insert(input.shape.end(), {16, 112, 112});
      break;
    default:
      return std::nullopt;
  }
  return input;
}

/// What the use of `value` as `node`'s input says about it.
std::optional<InferredInput> FromNode(const Node* node, const Value* value, std::int64_t batch) {
  const std::string_view kind = node->kind().toQualString();
  if (kind.starts_with("aten::conv") || kind == "aten::_convolution") {
    return node->input(0) == value ? FromConvolution(node, batch) : std::nullopt;
  }
  if (kind == "aten::linear" && node->input(0) == value) {
    const auto weight = ConstantTensor(node->input(1));
    if (weight) return InferredInput{"", XSP_FLOAT32, {batch, weight->size(1)}};
  }
  if (kind == "aten::embedding" && node->input(1) == value) {
    return InferredInput{"", XSP_INT64, {batch, 128}};
  }
  return std::nullopt;
}

std::optional<InferredInput> FromUses(const Value* value, std::int64_t batch, int distance) {
  for (const auto& use : value->uses()) {
    if (auto input = FromNode(use.user, value, batch)) return input;
    const std::string_view kind = use.user->kind().toQualString();
    for (const std::string_view transparent : kTransparent) {
      if (kind != transparent || distance == 0) continue;
      if (auto input = FromUses(use.user->output(0), batch, distance - 1)) return input;
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<InferredInput> InferInputs(const torch::jit::Module& module, std::int64_t batch) {
  // Freezing a copy inlines the modules and turns weights into constants.
  const torch::jit::Module frozen = torch::jit::freeze(module);
  const auto method = frozen.get_method("forward");
  const auto graph = method.graph();
  const auto& arguments = method.function().getSchema().arguments();
  std::vector<InferredInput> inputs;
  for (std::size_t i = 1; i < arguments.size() && i < graph->inputs().size(); ++i) {
    if (arguments[i].default_value()) continue;
    auto input = FromUses(graph->inputs()[i], batch, kFurthest);
    if (!input) {
      throw WorkerError(XSP_WORKER_BAD_INPUT,
                        "cannot tell the shape of the model's input: " + arguments[i].name(),
                        "list the inputs in the model's manifest (name, dtype, shape)");
    }
    input->name = arguments[i].name();
    inputs.push_back(std::move(*input));
  }
  return inputs;
}

}  // namespace xsp::worker_torch
