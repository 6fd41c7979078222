#include "derive/match/operator_work.h"

#include <algorithm>
#include <utility>

#include "ingest/primitives/operator_problem.h"
#include "ingest/primitives/operators.h"

namespace xsp::match {
namespace {

using trace::SpanId;

/// By span: the how-manieth operator of its type it is in its layer, in order of start.
std::vector<int> NumberOperators(const RunView& run) {
  const trace::SpanTable& spans = run.trace.spans;
  std::vector<SpanId> operators;
  for (SpanId span = 1; span <= spans.size(); ++span) {
    if (run.calls.outermost[span] != 0 && IsOperator(run.trace, span)) operators.push_back(span);
  }
  std::sort(operators.begin(), operators.end(), [&](SpanId a, SpanId b) {
    return std::tuple(run.calls.outermost[a], spans.start_ns[a - 1], a) <
           std::tuple(run.calls.outermost[b], spans.start_ns[b - 1], b);
  });
  std::vector<int> numbers(spans.size() + 1, 0);
  std::map<trace::StringId, int> seen;
  SpanId layer = 0;
  for (const SpanId span : operators) {
    if (run.calls.outermost[span] != layer) seen.clear();
    layer = run.calls.outermost[span];
    numbers[span] = seen[spans.type[span - 1]]++;
  }
  return numbers;
}

/// Nothing: the run has no shapes of this operator, or they tell nothing.
std::optional<ShapedWork> WorkIn(const RunView& run, const ConvolutionShapes& convolutions,
                                 SpanId span) {
  const std::string_view inputs = run.values.Attribute(span, run.input_shapes);
  if (inputs.empty()) return std::nullopt;
  if (auto gradient = convolutions.GradientCost(span)) return ShapedWork{*gradient, ""};
  std::string_view outputs = run.values.Attribute(span, run.output_shapes);
  if (outputs.empty()) outputs = convolutions.ResultOf(span);
  const std::string_view types = run.values.Attribute(span, run.input_types),
                         values = run.values.Attribute(span, run.input_values);
  const primitives::Cost cost =
      primitives::EstimateOperator(run.TypeOf(span), inputs, types, outputs, values);
  if (cost.status != primitives::CostStatus::kKnown &&
      cost.status != primitives::CostStatus::kTrafficOnly)
    return std::nullopt;
  return ShapedWork{
      cost, primitives::ProblemOfOperator(run.TypeOf(span), inputs, types, outputs, values)};
}

/// Adds a node of a graph to those of its name. Operators that are called by their type have none.
void AddNode(const RunView& run, SpanId span, std::map<std::string, SpanId, std::less<>>& nodes) {
  if (!IsOperator(run.trace, span) || run.NameOf(span) == run.TypeOf(span)) return;
  const std::string_view shapes = run.values.Attribute(span, run.input_shapes);
  if (shapes.empty()) return;
  const auto [it, fresh] = nodes.try_emplace(std::string(run.NameOf(span)), span);
  if (!fresh && it->second != 0 && run.values.Attribute(it->second, run.input_shapes) != shapes)
    it->second = 0;
}

/// What kernels inside one operator do.
struct Inside {
  double flops = 0;                                                ///< At any depth.
  double read_bytes = 0, write_bytes = 0;                          ///< Of its own primitives.
  const KernelOfOperator *native = nullptr, *primitive = nullptr;  ///< Its own that lack FLOPs.
  int primitives = 0;                                              ///< How many lack them.
  std::size_t depth = 0;                                           ///< Operators around it.

  const KernelOfOperator* Lacking() const {
    return native != nullptr || primitives != 1 ? native : primitive;
  }
};

}  // namespace

void TakeEstimate(const primitives::Cost& cost, KernelWork& work) {
  KernelWork estimate;
  if (cost.status == primitives::CostStatus::kKnown) {
    estimate.flops = cost.flops;
    estimate.flops_provenance = trace::provenance::kAnalytic;
  }
  estimate.read_bytes = cost.read_bytes;
  estimate.write_bytes = cost.write_bytes;
  estimate.traffic_provenance = trace::provenance::kAnalytic;
  estimate.dtype = cost.dtype;
  estimate.unit = cost.unit;
  TakeBetter(work, estimate);
  if (work.dtype.empty()) work.dtype = cost.dtype;
  if (work.unit.empty()) work.unit = cost.unit;
}

OperatorWork::OperatorWork(const PointLayers& layers, const RunView& kernel_run)
    : kernel_run_(kernel_run), convolutions_(kernel_run) {
  for (const RunView* run : layers.runs()) {
    if (run == &kernel_run || run->input_shapes == 0) continue;
    std::map<SpanId, std::int32_t> layer_of;
    for (std::size_t i = 0; i < layers.size(); ++i) {
      if (const SpanId span = layers.SpanIn(*run, i)) layer_of[span] = static_cast<int>(i);
    }
    Shaped shaped{run, ConvolutionShapes(*run), {}, {}};
    const std::vector<int> numbers = NumberOperators(*run);
    for (SpanId span = 1; span <= run->trace.spans.size(); ++span) {
      AddNode(*run, span, shaped.nodes);
      const auto layer = layer_of.find(run->calls.outermost[span]);
      if (layer == layer_of.end() || !IsOperator(run->trace, span)) continue;
      shaped.operators.emplace(Key{layer->second, std::string(run->TypeOf(span)), numbers[span]},
                               span);
    }
    shaped_.push_back(std::move(shaped));
  }
  if (!shaped_.empty()) numbers_ = NumberOperators(kernel_run);
}

std::optional<ShapedWork> OperatorWork::WorkOf(SpanId operator_span, std::int32_t layer) const {
  if (auto work = WorkIn(kernel_run_, convolutions_, operator_span)) return work;
  if (layer < 0 || shaped_.empty()) return std::nullopt;
  const Key key{layer, std::string(kernel_run_.TypeOf(operator_span)), numbers_[operator_span]};
  for (const Shaped& shaped : shaped_) {
    const auto it = shaped.operators.find(key);
    if (it == shaped.operators.end()) continue;
    if (auto work = WorkIn(*shaped.run, shaped.convolutions, it->second)) return work;
  }
  for (const Shaped& shaped : shaped_) {
    const auto it = shaped.nodes.find(kernel_run_.NameOf(operator_span));
    if (it == shaped.nodes.end() || it->second == 0 ||
        shaped.run->TypeOf(it->second) != kernel_run_.TypeOf(operator_span))
      continue;
    if (auto work = WorkIn(*shaped.run, shaped.convolutions, it->second)) return work;
  }
  return std::nullopt;
}

std::vector<SpanId> OperatorWork::OperatorsAround(SpanId operator_span) const {
  std::vector<SpanId> around;
  const trace::SpanTable& spans = kernel_run_.trace.spans;
  const SpanId outermost = kernel_run_.calls.outermost[operator_span];
  for (SpanId at = operator_span; at != 0; at = spans.parent[at - 1]) {
    if (IsOperator(kernel_run_.trace, at)) around.push_back(at);
    if (at == outermost) break;
  }
  return around;
}

void OperatorWork::Complete(const std::vector<KernelOfOperator>& kernels) const {
  std::map<SpanId, Inside> inside;
  for (const KernelOfOperator& kernel : kernels) {
    if (kernel.operator_span == 0) continue;
    const std::vector<SpanId> around = OperatorsAround(kernel.operator_span);
    Inside& own = inside[kernel.operator_span];
    own.depth = around.size();
    const bool native = kernel_run_.TypeOf(kernel.span) == trace::type::kNative;
    if (!kernel.work->flops) {
      (native ? own.native : own.primitive) = &kernel;
      own.primitives += native ? 0 : 1;
      continue;
    }
    for (const SpanId at : around) inside[at].flops += *kernel.work->flops;
    if (native) continue;
    own.read_bytes += kernel.work->read_bytes.value_or(0);
    own.write_bytes += kernel.work->write_bytes.value_or(0);
  }
  std::vector<std::pair<SpanId, const KernelOfOperator*>> lacking;
  for (const auto& [at, of] : inside) {
    if (of.Lacking() != nullptr) lacking.emplace_back(at, of.Lacking());
  }
  std::stable_sort(lacking.begin(), lacking.end(), [&](const auto& a, const auto& b) {
    return inside[a.first].depth > inside[b.first].depth;  // Operators inside others first.
  });
  for (const auto& [at, kernel] : lacking) {
    const auto whole = WorkOf(at, kernel->layer);
    if (!whole) continue;
    const Inside& of = inside[at];
    const primitives::Cost cost =
        primitives::WithoutKnown(whole->cost, of.flops, of.read_bytes, of.write_bytes);
    TakeEstimate(cost, *kernel->work);
    for (const SpanId around : OperatorsAround(at)) inside[around].flops += cost.flops;
  }
}

}  // namespace xsp::match
