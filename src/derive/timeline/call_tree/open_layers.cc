#include "derive/timeline/call_tree/open_layers.h"

#include <algorithm>
#include <iterator>

#include "derive/timeline/parents_first.h"

namespace xsp::timeline::call_tree {
namespace {

/// Modules and functions group operators, and are no layers (design, section 2).
bool IsOperator(const trace::Trace& trace, std::size_t row) {
  if (trace.spans.level[row] != trace::Level::kLayer) return false;
  const std::string_view type = trace.Text(trace.spans.type[row]);
  return type != trace::type::kModule && type != trace::type::kFunction;
}

}  // namespace

OpenLayers::OpenLayers(const trace::Trace& trace) : layers_(trace.tracks.size() + 1) {
  const trace::SpanTable& spans = trace.spans;
  std::vector<bool> in_layer(spans.size() + 1, false);
  VisitParentsFirst(trace, [&](trace::SpanId span) {
    const std::size_t row = span - 1;
    const bool is_operator = IsOperator(trace, row);
    const bool is_inner = in_layer[spans.parent[row]];
    in_layer[span] = is_operator || is_inner;
    const trace::TrackId track = spans.track[row];
    if (!is_operator || is_inner || spans.duration_ns[row] < 0) return;
    if (trace.tracks[track - 1].is_reference) return;
    layers_[track].push_back(
        {spans.start_ns[row], spans.start_ns[row] + spans.duration_ns[row], span});
  });
  for (std::vector<Layer>& layers : layers_)
    std::sort(layers.begin(), layers.end(),
              [](const Layer& a, const Layer& b) { return a.start_ns < b.start_ns; });
}

trace::SpanId OpenLayers::At(trace::TrackId track, std::int64_t time_ns) const {
  const std::vector<Layer>& layers = layers_[track];
  const auto after =
      std::upper_bound(layers.begin(), layers.end(), time_ns,
                       [](std::int64_t time, const Layer& layer) { return time < layer.start_ns; });
  if (after == layers.begin()) return 0;
  // They do not overlap on one thread.
  const Layer& last = *std::prev(after);
  return time_ns < last.end_ns ? last.span : 0;
}

}  // namespace xsp::timeline::call_tree
