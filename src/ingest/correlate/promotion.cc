#include "ingest/correlate/promotion.h"

#include <string>
#include <unordered_map>
#include <vector>

#include "ingest/correlate/layers.h"

namespace xsp::correlate {
namespace {

constexpr trace::DiagnosticSpec kPromoted = {
    "correlate_primitives_promoted",
    "The graph hides its operators, so its primitives are shown as layers, named by their kind; "
    "run it with graph: eager to see the framework's own operators.",
    trace::DiagnosticKind::kNote};

using trace::SpanId;

struct Hidden {
  std::vector<SpanId> primitives;  // Outside any operator.
  double hidden_ns = 0;
  double all_ns = 0;
};

Hidden FindHidden(const trace::Trace& trace) {
  const trace::SpanTable& spans = trace.spans;
  const LayerMap layers = FindLayers(trace, ParentsFirst(trace));
  Hidden hidden;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (spans.level[i] != trace::Level::kKernel ||
        trace.Text(spans.type[i]) != trace::type::kPrimitive ||
        (layers.has_model && layers.in_model[i] == 0))
      continue;
    const std::int64_t duration = spans.duration_ns[i];
    const double ns = duration == trace::kNeverEnded ? 0 : static_cast<double>(duration);
    hidden.all_ns += ns;
    if (layers.outermost_layer[i] != 0) continue;
    hidden.hidden_ns += ns;
    hidden.primitives.push_back(static_cast<SpanId>(i + 1));
  }
  return hidden;
}

std::unordered_map<SpanId, trace::StringId> PrimitiveKinds(const trace::Trace& trace) {
  std::unordered_map<SpanId, trace::StringId> kinds;
  const trace::AttributeTable& attributes = trace.attributes;
  for (std::size_t i = 0; i < attributes.size(); ++i)
    if (trace.Text(attributes.key[i]) == trace::attribute::kPrimitiveKind)
      kinds.emplace(attributes.span[i], attributes.value[i]);
  return kinds;
}

}  // namespace

void PromotePrimitives(trace::Trace& trace) {
  const Hidden hidden = FindHidden(trace);
  if (hidden.primitives.empty() || hidden.hidden_ns * 2 <= hidden.all_ns) return;
  const auto kinds = PrimitiveKinds(trace);
  trace::TraceWriter writer(trace);
  trace::SpanTable& spans = trace.spans;
  for (const SpanId primitive : hidden.primitives) {
    const std::size_t i = primitive - 1;
    const auto found = kinds.find(primitive);
    // Without an attribute the kind is the first word: "convolution brg_conv_fwd:avx512_core".
    const std::string_view name = trace.Text(spans.name[i]);
    const std::string kind(found != kinds.end() ? trace.Text(found->second)
                                                : name.substr(0, name.find(' ')));
    const trace::PlacedBy placed_by = spans.placed_by[i];
    const SpanId layer = writer.AddSpan({.level = trace::Level::kLayer,
                                         .type = kind,
                                         .name = kind,
                                         .track = spans.track[i],
                                         .start_ns = spans.start_ns[i],
                                         .duration_ns = spans.duration_ns[i],
                                         .parent = spans.parent[i]});
    if (layer == 0) continue;
    spans.placed_by[layer - 1] = placed_by;
    spans.parent[i] = layer;
    spans.placed_by[i] = trace::PlacedBy::kNesting;
  }
  writer.Count(kPromoted, trace.Text(spans.name[hidden.primitives[0] - 1]),
               static_cast<std::int64_t>(hidden.primitives.size()));
}

}  // namespace xsp::correlate
