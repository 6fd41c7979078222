#include "ingest/correlate/layers.h"

#include <algorithm>
#include <numeric>

namespace xsp::correlate {

using trace::SpanId;

std::vector<SpanId> ParentsFirst(const trace::Trace& trace) {
  const trace::Column<SpanId>& parent = trace.spans.parent;
  std::vector<SpanId> order(parent.size());
  std::iota(order.begin(), order.end(), SpanId{1});
  const bool in_order =
      std::all_of(order.begin(), order.end(), [&](SpanId id) { return parent[id - 1] < id; });
  if (in_order) return order;
  order.clear();
  std::vector<std::uint8_t> done(parent.size(), 0);
  std::vector<SpanId> path;
  for (SpanId id = 1; id <= parent.size(); ++id) {
    for (SpanId at = id; at != 0 && done[at - 1] == 0; at = parent[at - 1]) {
      done[at - 1] = 1;
      path.push_back(at);
    }
    order.insert(order.end(), path.rbegin(), path.rend());
    path.clear();
  }
  return order;
}

bool IsOperator(const trace::Trace& trace, SpanId span) {
  if (trace.spans.level[span - 1] != trace::Level::kLayer) return false;
  const std::string_view type = trace.Text(trace.spans.type[span - 1]);
  return type != trace::type::kModule && type != trace::type::kFunction;
}

LayerMap FindLayers(const trace::Trace& trace, const std::vector<SpanId>& parents_first) {
  const trace::SpanTable& spans = trace.spans;
  LayerMap map;
  map.outermost_layer.assign(spans.size(), 0);
  map.innermost_operator.assign(spans.size(), 0);
  map.in_model.assign(spans.size(), 0);
  map.has_model =
      std::find(spans.level.begin(), spans.level.end(), trace::Level::kModel) != spans.level.end();
  for (const SpanId id : parents_first) {
    const SpanId parent = spans.parent[id - 1];
    if (parent != 0) {
      map.outermost_layer[id - 1] = map.outermost_layer[parent - 1];
      map.innermost_operator[id - 1] = map.innermost_operator[parent - 1];
      map.in_model[id - 1] =
          map.in_model[parent - 1] != 0 || spans.level[parent - 1] == trace::Level::kModel;
    }
    if (!IsOperator(trace, id) || (map.has_model && map.in_model[id - 1] == 0)) continue;
    map.innermost_operator[id - 1] = id;
    if (map.outermost_layer[id - 1] == 0) map.outermost_layer[id - 1] = id;
  }
  return map;
}

}  // namespace xsp::correlate
