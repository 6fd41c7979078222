#include "ingest/correlate/graph_nodes.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "ingest/correlate/layers.h"
#include "trace/vocabulary.h"

namespace xsp::correlate {
namespace {

using trace::SpanId;
using trace::SpanTable;

/// The operators around a span: the innermost and the outermost; 0: none.
struct Operators {
  SpanId inner = 0, outer = 0;
};

/// Work that replays a node.
struct Work {
  SpanId launch;
  trace::TrackId track;
  std::int64_t start;
  SpanId span;
  SpanId captured_in;

  auto Key() const { return std::tie(launch, track, start, span); }
};

class GraphNodes {
 public:
  explicit GraphNodes(trace::Trace& trace) : trace_(trace), writer_(trace) {}

  void Run() {
    FindWork();
    if (work_.empty()) return;
    std::sort(work_.begin(), work_.end(),
              [](const Work& a, const Work& b) { return a.Key() < b.Key(); });
    map_ = FindLayers(trace_, ParentsFirst(trace_));
    FindOperators();
    KeepDetails();
    Group outer, inner;
    SpanId launch = 0;
    for (const Work& work : work_) {
      // Two replays of one graph never share a layer.
      if (work.launch != launch) outer = inner = {};
      launch = work.launch;
      Attribute(work, outer, inner);
    }
  }

 private:
  /// The layer that stands for an operator, while its work lasts.
  struct Group {
    SpanId of = 0;
    trace::TrackId track = 0;
    SpanId layer = 0;
  };

  void FindWork() {
    const trace::AttributeTable& attributes = trace_.attributes;
    const SpanTable& spans = trace_.spans;
    // Ids by text: a graph is replayed many times, and names the same few spans.
    std::unordered_map<trace::StringId, SpanId> ids;
    const trace::StringId key = trace_.strings.Intern(trace::attribute::kCapturedIn);
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      if (attributes.key[i] != key) continue;
      const auto [it, is_new] = ids.try_emplace(attributes.value[i], 0);
      if (is_new) {
        const std::string_view text = trace_.Text(attributes.value[i]);
        SpanId id = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
        if (error == std::errc() && end == text.data() + text.size() && id <= spans.size())
          it->second = id;
      }
      const SpanId span = attributes.span[i];
      if (it->second == 0 || spans.level[span - 1] != trace::Level::kKernel) continue;
      work_.push_back({spans.parent[span - 1], spans.track[span - 1], spans.start_ns[span - 1],
                       span, it->second});
    }
  }

  void FindOperators() {
    for (const Work& work : work_) {
      const auto [it, is_new] = operators_.try_emplace(work.captured_in);
      if (!is_new) continue;
      for (SpanId at = work.captured_in; at != 0; at = trace_.spans.parent[at - 1]) {
        if (!IsOperator(trace_, at)) continue;
        if (it->second.inner == 0) it->second.inner = at;
        it->second.outer = at;
      }
      details_[it->second.inner];
      details_[it->second.outer];
    }
  }

  /// What is certain of a replayed operator: its shapes and types are those of the capture.
  void KeepDetails() {
    const trace::AttributeTable& attributes = trace_.attributes;
    const trace::StringId shapes = trace_.strings.Intern(trace::attribute::kInputShapes);
    const trace::StringId types = trace_.strings.Intern(trace::attribute::kInputTypes);
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      if (attributes.key[i] != shapes && attributes.key[i] != types) continue;
      const auto it = details_.find(attributes.span[i]);
      if (it != details_.end()) it->second.emplace_back(attributes.key[i], attributes.value[i]);
    }
  }

  void Attribute(const Work& work, Group& outer, Group& inner) {
    const Operators operators = operators_.at(work.captured_in);
    if (operators.inner == 0) return;
    const SpanId layer = Extend(outer, operators.outer, work, EnclosingSpan(work.launch));
    const SpanId parent =
        operators.inner == operators.outer ? layer : Extend(inner, operators.inner, work, layer);
    if (parent == 0) return;
    trace_.spans.parent[work.span - 1] = parent;
    trace_.spans.placed_by[work.span - 1] = trace::PlacedBy::kGraphNode;
  }

  /// What the layers of a replay lie in: what surrounds its launch and every operator around that,
  /// which waits for the graph as a whole.
  SpanId EnclosingSpan(SpanId launch) const {
    if (launch == 0) return 0;
    const SpanId outermost = map_.outermost_layer[launch - 1];
    return trace_.spans.parent[(outermost != 0 ? outermost : launch) - 1];
  }

  SpanId Extend(Group& group, SpanId of, const Work& work, SpanId parent) {
    SpanTable& spans = trace_.spans;
    const std::int64_t duration = std::max<std::int64_t>(spans.duration_ns[work.span - 1], 0);
    if (group.layer != 0 && group.of == of && group.track == work.track &&
        spans.parent[group.layer - 1] == parent) {
      std::int64_t& layer_ns = spans.duration_ns[group.layer - 1];
      layer_ns = std::max(layer_ns, work.start + duration - spans.start_ns[group.layer - 1]);
      return group.layer;
    }
    // Copied: adding a span may move the texts that they point into.
    const std::string type(trace_.Text(spans.type[of - 1])), name(trace_.Text(spans.name[of - 1]));
    const SpanId layer = writer_.AddSpan({.level = trace::Level::kLayer,
                                          .type = type,
                                          .name = name,
                                          .track = work.track,
                                          .start_ns = work.start,
                                          .duration_ns = duration,
                                          .parent = parent});
    if (layer == 0) return 0;
    spans.placed_by[layer - 1] = trace::PlacedBy::kGraphNode;
    for (const auto& [key, value] : details_.at(of)) {
      trace_.attributes.span.push_back(layer);
      trace_.attributes.key.push_back(key);
      trace_.attributes.value.push_back(value);
    }
    writer_.AddAttribute(layer, trace::attribute::kReplayReference, trace::reference::kCapture);
    group = {of, work.track, layer};
    return layer;
  }

  trace::Trace& trace_;
  trace::TraceWriter writer_;
  std::vector<Work> work_;
  LayerMap map_;
  std::unordered_map<SpanId, Operators> operators_;  // By captured_in.
  std::unordered_map<SpanId, std::vector<std::pair<trace::StringId, trace::StringId>>> details_;
};

}  // namespace

void AttributeGraphNodes(trace::Trace& trace) { GraphNodes(trace).Run(); }

}  // namespace xsp::correlate
