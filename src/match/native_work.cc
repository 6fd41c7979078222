#include "match/native_work.h"

#include <algorithm>

#include "primitives/operators.h"

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

/// False: nothing is known from this operator's shapes.
bool Estimate(const RunView& run, SpanId span, KernelWork& work) {
  const std::string_view inputs = run.values.Attribute(span, run.input_shapes);
  if (inputs.empty()) return false;
  const primitives::Cost cost = primitives::EstimateOperator(
      run.TypeOf(span), inputs, run.values.Attribute(span, run.input_types),
      run.values.Attribute(span, run.output_shapes));
  const bool traffic_only = cost.status == primitives::CostStatus::kTrafficOnly;
  if (cost.status != primitives::CostStatus::kKnown && !traffic_only) return false;
  KernelWork estimate;
  if (!traffic_only) {
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
  return true;
}

}  // namespace

NativeWork::NativeWork(const PointLayers& layers, const RunView& kernel_run)
    : kernel_run_(kernel_run), numbers_(NumberOperators(kernel_run)) {
  for (const RunView* run : layers.runs()) {
    if (run == &kernel_run || !run->has_shapes) continue;
    std::map<SpanId, std::int32_t> layer_of;
    for (std::size_t i = 0; i < layers.size(); ++i) {
      if (const SpanId span = layers.SpanIn(*run, i)) layer_of[span] = static_cast<int>(i);
    }
    Shaped shaped{run, {}};
    const std::vector<int> numbers = NumberOperators(*run);
    for (SpanId span = 1; span <= run->trace.spans.size(); ++span) {
      const auto layer = layer_of.find(run->calls.outermost[span]);
      if (layer == layer_of.end() || !IsOperator(run->trace, span)) continue;
      shaped.operators.emplace(Key{layer->second, std::string(run->TypeOf(span)), numbers[span]},
                               span);
    }
    shaped_.push_back(std::move(shaped));
  }
}

void NativeWork::Fill(const KernelEvent& kernel, std::int32_t layer, KernelWork& work) const {
  if (kernel.operator_span == 0) return;
  if (Estimate(kernel_run_, kernel.operator_span, work) || layer < 0) return;
  const Key key{layer, std::string(kernel_run_.TypeOf(kernel.operator_span)),
                numbers_[kernel.operator_span]};
  for (const Shaped& shaped : shaped_) {
    const auto it = shaped.operators.find(key);
    if (it != shaped.operators.end() && Estimate(*shaped.run, it->second, work)) return;
  }
}

}  // namespace xsp::match
