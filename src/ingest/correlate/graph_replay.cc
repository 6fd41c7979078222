#include "ingest/correlate/graph_replay.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ingest/correlate/layers.h"
#include "ingest/correlate/replay_reference.h"

namespace xsp::correlate {
namespace {

using core::Token;
using trace::Level;
using trace::SpanId;
using trace::SpanTable;
using trace::Trace;

constexpr trace::DiagnosticSpec kUnexplained = {
    "correlate_replay_unexplained",
    "Kernels of replayed graphs are left with their launch: no capture, no eager iteration and no "
    "other run says for certain which operator they belong to. Import the trace of the capture "
    "along with this one, record one iteration without graphs, or name a run of the same model "
    "that shows its operators: xsp import --reference RUN.",
    trace::DiagnosticKind::kNote};

constexpr trace::DiagnosticSpec kCut = {
    "correlate_replay_cut",
    "Kernels of replayed graphs that differ so much from what they were compared with, or in so "
    "many ways, that the comparison was cut short: some may be unattributed for that alone. Import "
    "fewer iterations at once, along with the trace of the capture.",
    trace::DiagnosticKind::kNote};

std::string SourceText(const KernelSequence& reference) {
  if (!reference.run.empty())
    return std::string(trace::reference::kRunPrefix).append(reference.run);
  return std::string(reference.source == SequenceSource::kCapture ? trace::reference::kCapture
                                                                  : trace::reference::kEager);
}

class ReplayAttribution {
 public:
  ReplayAttribution(Trace& trace, const ReplayOptions& options)
      : trace_(trace), options_(options), writer_(trace), references_(options.most_work) {}

  void Run() {
    const LaunchedKernels launched = FindLaunchedKernels(trace_, false);
    if (launched.replays.empty()) return;
    const std::vector<SpanId> order = ParentsFirst(trace_);
    map_ = FindLayers(trace_, order);
    KernelSequences own = FindKernelSequences(trace_, launched, order, map_);
    for (KernelSequence& sequence : own.list) references_.Add(std::move(sequence));
    FindGraphs(launched.replays);
    for (Graph& graph : graphs_) graph.explanation = references_.Explain(graph.names);
    AskOtherRuns();
    for (const Graph& graph : graphs_)
      for (const Replay* replay : graph.replays) Attribute(*replay, graph.explanation);
    MarkReferences(launched.replays, own.capturing);
    Report(launched.replays.front());
  }

 private:
  /// Replays of equal kernels: one graph is replayed thousands of times, and explained once.
  struct Graph {
    std::vector<Token> names;
    std::vector<const Replay*> replays;
    Explanation explanation;
  };

  void FindGraphs(const std::vector<Replay>& replays) {
    std::unordered_map<std::vector<Token>, std::size_t, SequenceHash> index;
    for (const Replay& replay : replays) {
      std::vector<Token> names;
      names.reserve(replay.kernels.size());
      for (const SpanId kernel : replay.kernels) names.push_back(trace_.spans.name[kernel - 1]);
      const auto [it, is_new] = index.try_emplace(std::move(names), graphs_.size());
      if (is_new) graphs_.push_back({it->first, {}, {}});
      graphs_[it->second].replays.push_back(&replay);
    }
  }

  void AskOtherRuns() {
    const bool ask =
        options_.other_runs && std::any_of(graphs_.begin(), graphs_.end(), [&](const Graph& graph) {
          return options_.always ? !graph.explanation.complete()
                                 : graph.explanation.reference == nullptr;
        });
    if (!ask) return;
    const ForeignSequences others = options_.other_runs(trace_);
    for (const KernelSequence& sequence : others.list)
      references_.Add(Translated(sequence, others.strings, trace_.strings));
    for (Graph& graph : graphs_) {
      if (graph.explanation.complete()) continue;
      Explanation again = references_.Explain(graph.names);
      if (again.aligned > graph.explanation.aligned) graph.explanation = std::move(again);
    }
  }

  void Attribute(const Replay& replay, const Explanation& explanation) {
    const auto kernels = static_cast<std::int64_t>(replay.kernels.size());
    if (explanation.is_cut) cut_ += kernels;
    if (explanation.reference == nullptr) {
      unexplained_ += kernels;
      return;
    }
    const KernelSequence& reference = *explanation.reference;
    if (!reference.run.empty()) runs_.insert(reference.run);
    const std::string source = SourceText(reference);
    const SpanId enclosing = EnclosingSpan(replay.launch);
    Group outer, inner;
    for (std::size_t i = 0; i < replay.kernels.size(); ++i) {
      const Claim& claim = explanation.claims[i];
      const SpanId kernel = replay.kernels[i];
      if (claim.at < 0) {
        ++unexplained_;
        continue;
      }
      const auto at = static_cast<std::size_t>(claim.at);
      const std::int32_t outer_call = reference.outer[at], inner_call = reference.inner[at];
      const Origin origin{reference, claim, source};
      const SpanId layer = Extend(outer, outer_call, origin, kernel, enclosing);
      const SpanId parent =
          inner_call == outer_call ? layer : Extend(inner, inner_call, origin, kernel, layer);
      trace_.spans.parent[kernel - 1] = parent;
      trace_.spans.placed_by[kernel - 1] = trace::PlacedBy::kSequence;
      writer_.AddMetric(kernel, trace::metric::kConfidence, claim.confidence, "1",
                        trace::provenance::kAnalytic);
    }
  }

  /// The span that the layers of a replay lie in: what surrounds its launch and every operator
  /// around that, which waits for the graph as a whole.
  SpanId EnclosingSpan(SpanId launch) const {
    const SpanId outermost = map_.outermost_layer[launch - 1];
    return trace_.spans.parent[(outermost != 0 ? outermost : launch) - 1];
  }

  /// What a layer is made of.
  struct Origin {
    const KernelSequence& reference;
    const Claim& claim;
    const std::string& source;
  };

  /// The layer that stands for one call of an operator, while its kernels last.
  struct Group {
    std::int32_t of = -1;  ///< The operator in the reference.
    SpanId parent = 0;     ///< Of the layer.
    trace::TrackId track = 0;
    SpanId layer = 0;
  };

  /// The layer of operator `of` that `kernel` belongs to: the group's own where it goes on, else a
  /// new one.
  SpanId Extend(Group& group, std::int32_t of, const Origin& origin, SpanId kernel, SpanId parent) {
    SpanTable& spans = trace_.spans;
    const trace::TrackId track = spans.track[kernel - 1];
    const std::int64_t start = spans.start_ns[kernel - 1];
    const std::int64_t duration = std::max<std::int64_t>(spans.duration_ns[kernel - 1], 0);
    if (group.layer != 0 && group.of == of && group.track == track && group.parent == parent) {
      std::int64_t& layer_ns = spans.duration_ns[group.layer - 1];
      layer_ns = std::max(layer_ns, start + duration - spans.start_ns[group.layer - 1]);
      return group.layer;
    }
    const OperatorCall& call = origin.reference.calls[static_cast<std::size_t>(of)];
    const SpanId layer = writer_.AddSpan({.level = Level::kLayer,
                                          .type = trace_.Text(call.type),
                                          .name = trace_.Text(call.name),
                                          .track = track,
                                          .start_ns = start,
                                          .duration_ns = duration,
                                          .parent = parent});
    spans.placed_by[layer - 1] = trace::PlacedBy::kSequence;
    if (call.input_shapes != 0 && origin.claim.shapes)
      writer_.AddAttribute(layer, trace::attribute::kInputShapes, trace_.Text(call.input_shapes));
    if (call.modules != 0 && origin.claim.modules)
      writer_.AddAttribute(layer, trace::attribute::kModule, trace_.Text(call.modules));
    writer_.AddAttribute(layer, trace::attribute::kReplayReference, origin.source);
    group = {of, parent, track, layer};
    return layer;
  }

  /// Threads that captured what was replayed, and replayed nothing themselves: they come from
  /// another trace, imported along to explain this one.
  void MarkReferences(const std::vector<Replay>& replays,
                      const std::vector<trace::TrackId>& capturing) {
    for (const trace::TrackId track : capturing) trace_.tracks[track - 1].is_reference = true;
    for (const Replay& replay : replays)
      trace_.tracks[trace_.spans.track[replay.launch - 1] - 1].is_reference = false;
    // Streams that work only for such threads.
    std::unordered_map<trace::TrackId, bool> streams;
    const SpanTable& spans = trace_.spans;
    for (std::size_t i = 0; i < spans.size(); ++i) {
      if (spans.level[i] != Level::kKernel || spans.parent[i] == 0) continue;
      const trace::TrackId by = spans.track[spans.parent[i] - 1];
      const bool only = trace_.tracks[by - 1].is_reference && by != spans.track[i];
      const auto [it, is_new] = streams.try_emplace(spans.track[i], only);
      if (!is_new) it->second = it->second && only;
    }
    for (const auto& [track, only] : streams)
      if (only) trace_.tracks[track - 1].is_reference = true;
  }

  void Report(const Replay& example) {
    const std::string_view launch = trace_.Text(trace_.spans.name[example.launch - 1]);
    if (unexplained_ > 0) writer_.Count(kUnexplained, launch, unexplained_);
    if (cut_ > 0) writer_.Count(kCut, launch, cut_);
    std::string runs;
    for (const std::string& run : runs_) runs += (runs.empty() ? "" : ", ") + run;
    if (!runs.empty()) writer_.SetFact("replay.reference_runs", runs);
  }

  Trace& trace_;
  const ReplayOptions& options_;
  trace::TraceWriter writer_;
  LayerMap map_;
  ReferenceSet references_;
  std::vector<Graph> graphs_;
  std::int64_t unexplained_ = 0, cut_ = 0;  ///< Kernels.
  std::set<std::string> runs_;              ///< Other runs that explained something.
};

}  // namespace

void AttributeReplays(Trace& trace, const ReplayOptions& options) {
  ReplayAttribution(trace, options).Run();
}

}  // namespace xsp::correlate
