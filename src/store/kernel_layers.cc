#include "store/kernel_layers.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "store/schema.h"

namespace xsp::store {
namespace {

using trace::SpanId;

static_assert(kPlacementConfidence.size() == trace::kPlacedByCount);

/// Of each PlacedBy.
std::vector<double> UsualConfidence() {
  std::vector<double> usual(kPlacementConfidence.size(), 0.0);
  for (std::size_t i = 0; i < usual.size(); ++i)
    for (const auto& [placed_by, confidence] : kPlacementConfidence)
      if (placed_by == ToString(static_cast<trace::PlacedBy>(i))) usual[i] = confidence;
  return usual;
}

/// The metric `confidence`, by span.
std::unordered_map<SpanId, double> SaidConfidence(const trace::Trace& trace) {
  std::unordered_map<SpanId, double> said;
  const trace::MetricTable& metrics = trace.metrics;
  for (std::size_t i = 0; i < metrics.size(); ++i)
    if (trace.Text(metrics.name[i]) == trace::metric::kConfidence)
      said.emplace(metrics.span[i], metrics.value[i]);
  return said;
}

}  // namespace

double KernelLayerFinder::ConfidenceOf(SpanId span) const {
  const trace::PlacedBy placed_by = trace_.spans.placed_by[span - 1];
  const auto it = placed_by == trace::PlacedBy::kSequence ? said_.find(span) : said_.end();
  return it != said_.end() ? it->second : usual_[static_cast<std::size_t>(placed_by)];
}

bool KernelLayerFinder::IsOperator(SpanId span) const {
  if (trace_.spans.level[span - 1] != trace::Level::kLayer) return false;
  const std::string_view type = trace_.Text(trace_.spans.type[span - 1]);
  return type != trace::type::kModule && type != trace::type::kFunction;
}

KernelLayer KernelLayerFinder::Find(SpanId kernel) const {
  const trace::SpanTable& spans = trace_.spans;
  KernelLayer layer{kernel, 0, 0, ConfidenceOf(kernel)};
  int depth = 0;
  for (SpanId at = spans.parent[kernel - 1]; at >= 1 && at <= spans.size() && depth < 1000;
       at = spans.parent[at - 1], ++depth) {
    if (IsOperator(at)) {
      if (layer.innermost == 0) layer.innermost = at;
      layer.outermost = at;
    } else if (layer.innermost == 0) {
      layer.confidence = std::min(layer.confidence, ConfidenceOf(at));
    }
  }
  if (layer.innermost == 0) layer.confidence = 0;
  return layer;
}

void KernelLayerFinder::Next(std::size_t most, std::vector<KernelLayer>& layers) {
  if (usual_.empty()) {
    usual_ = UsualConfidence();
    said_ = SaidConfidence(trace_);
  }
  layers.clear();
  for (; next_ < trace_.spans.size() && layers.size() < most; ++next_)
    if (trace_.spans.level[next_] == trace::Level::kKernel)
      layers.push_back(Find(static_cast<SpanId>(next_ + 1)));
}

std::vector<KernelLayer> KernelLayers(const trace::Trace& trace) {
  std::vector<KernelLayer> layers;
  KernelLayerFinder(trace).Next(trace.spans.size(), layers);
  return layers;
}

}  // namespace xsp::store
