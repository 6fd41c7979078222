#include "derive/match/convolution_shapes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <vector>

#include "ingest/primitives/convolution_call.h"

namespace xsp::match {
namespace {

using primitives::Dims;
using trace::SpanId;

constexpr std::string_view kInputGradient = "_convolution_backward_input";
constexpr std::string_view kWeightGradient = "_convolution_backward_weight";

/// A convolution that is not transposed, of any library; not its gradients.
bool IsConvolution(std::string_view type) {
  constexpr std::string_view kTypes[] = {"aten::_conv_depthwise2d",  "aten::_convolution",
                                         "aten::convolution",        "aten::cudnn_convolution",
                                         "aten::miopen_convolution", "aten::mkldnn_convolution"};
  return std::find(std::begin(kTypes), std::end(kTypes), type) != std::end(kTypes);
}

std::vector<primitives::Tensor> TensorsOf(const RunView& run, SpanId span) {
  const auto call = primitives::ReadCall(run.values.Attribute(span, run.input_shapes),
                                         run.values.Attribute(span, run.input_types), "", false);
  return call ? call->inputs : std::vector<primitives::Tensor>();
}

/// Operators of a thread in order of start.
std::vector<SpanId> OperatorsInOrder(const RunView& run) {
  const trace::SpanTable& spans = run.trace.spans;
  std::vector<SpanId> operators;
  for (SpanId span = 1; span <= spans.size(); ++span)
    if (IsOperator(run.trace, span)) operators.push_back(span);
  std::sort(operators.begin(), operators.end(), [&](SpanId a, SpanId b) {
    return std::tuple(spans.track[a - 1], spans.start_ns[a - 1], a) <
           std::tuple(spans.track[b - 1], spans.start_ns[b - 1], b);
  });
  return operators;
}

std::string TextOf(const Dims& dims) { return fmt::format("[[{:.0f}]]", fmt::join(dims, ",")); }

/// The result of the convolution at place `at`; empty: what follows does not show it.
std::string FindResult(const RunView& run, const std::vector<SpanId>& operators, std::size_t at) {
  // A bias is reshaped and counters are increased on the way to the operator that takes the result.
  constexpr int kMostBetween = 8;
  const trace::SpanTable& spans = run.trace.spans;
  const SpanId convolution = operators[at];
  const auto tensors = TensorsOf(run, convolution);
  if (tensors.size() < 2) return "";
  const std::int64_t end_ns = run.StartOf(convolution) + run.DurationOf(convolution);
  int between = 0;
  for (std::size_t i = at + 1; i < operators.size() && between < kMostBetween; ++i) {
    const SpanId next = operators[i];
    if (spans.track[next - 1] != spans.track[convolution - 1]) break;
    if (run.StartOf(next) < end_ns) continue;  // Inside of it.
    ++between;
    const auto inputs = TensorsOf(run, next);
    if (inputs.empty() || inputs.front().dims.size() != tensors[0].dims.size()) continue;
    const Dims& taken = inputs.front().dims;
    return primitives::CouldBeResult(tensors[0].dims, tensors[1].dims, taken) ? TextOf(taken) : "";
  }
  return "";
}

}  // namespace

ConvolutionShapes::ConvolutionShapes(const RunView& run) : run_(run) {
  if (run.input_shapes == 0 || run.input_values != 0 || run.output_shapes != 0) return;
  const std::vector<SpanId> operators = OperatorsInOrder(run);
  for (std::size_t at = 0; at < operators.size(); ++at) {
    if (!IsConvolution(run.TypeOf(operators[at]))) continue;
    if (std::string result = FindResult(run, operators, at); !result.empty())
      results_.emplace(operators[at], std::move(result));
  }
}

std::string_view ConvolutionShapes::ResultOf(SpanId convolution) const {
  const auto found = results_.find(convolution);
  return found == results_.end() ? std::string_view() : std::string_view(found->second);
}

std::optional<primitives::Cost> ConvolutionShapes::GradientCost(SpanId span) const {
  const std::string_view type = run_.TypeOf(span);
  const bool of_weights = type.ends_with(kWeightGradient);
  const SpanId around = run_.trace.spans.parent[span - 1];
  if (!(of_weights || type.ends_with(kInputGradient)) || around == 0) return std::nullopt;
  const std::string_view part = of_weights ? "_weight" : "_input";
  if (run_.TypeOf(around) != type.substr(0, type.size() - part.size())) return std::nullopt;
  const primitives::Cost cost = primitives::EstimateConvolutionGradient(
      run_.values.Attribute(around, run_.input_shapes),
      run_.values.Attribute(around, run_.input_types), of_weights);
  return cost.status == primitives::CostStatus::kKnown ? std::optional(cost) : std::nullopt;
}

}  // namespace xsp::match
