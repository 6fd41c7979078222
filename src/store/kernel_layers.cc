#include "store/kernel_layers.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "store/schema.h"

namespace xsp::store {
namespace {

using trace::SpanId;

/// Of each PlacedBy.
std::array<double, kPlacementConfidence.size()> UsualConfidence() {
  std::array<double, kPlacementConfidence.size()> usual = {};
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

std::vector<KernelLayer> KernelLayers(const trace::Trace& trace) {
  const trace::SpanTable& spans = trace.spans;
  const auto usual = UsualConfidence();
  const auto said = SaidConfidence(trace);
  const auto confidence_of = [&](SpanId span) {
    const trace::PlacedBy placed_by = spans.placed_by[span - 1];
    const auto it = placed_by == trace::PlacedBy::kSequence ? said.find(span) : said.end();
    return it != said.end() ? it->second : usual[static_cast<std::size_t>(placed_by)];
  };
  const auto is_operator = [&](SpanId span) {
    if (spans.level[span - 1] != trace::Level::kLayer) return false;
    const std::string_view type = trace.Text(spans.type[span - 1]);
    return type != trace::type::kModule && type != trace::type::kFunction;
  };
  std::vector<KernelLayer> layers;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (spans.level[i] != trace::Level::kKernel) continue;
    KernelLayer layer{static_cast<SpanId>(i + 1), 0, 0, confidence_of(static_cast<SpanId>(i + 1))};
    int depth = 0;
    for (SpanId at = spans.parent[i]; at >= 1 && at <= spans.size() && depth < 1000;
         at = spans.parent[at - 1], ++depth) {
      if (is_operator(at)) {
        if (layer.innermost == 0) layer.innermost = at;
        layer.outermost = at;
      } else if (layer.innermost == 0) {
        layer.confidence = std::min(layer.confidence, confidence_of(at));
      }
    }
    if (layer.innermost == 0) layer.confidence = 0;
    layers.push_back(layer);
  }
  return layers;
}

}  // namespace xsp::store
