#include "correlate/graph_replay.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/alignment.h"
#include "correlate/layers.h"

namespace xsp::correlate {
namespace {

using base::Token;
using trace::Level;
using trace::SpanId;
using trace::SpanTable;
using trace::Trace;

/// Kernels of one launch.
struct Replay {
  SpanId launch = 0;
  std::vector<SpanId> kernels;  ///< In order of start.
};

/// Operators in the order in which they launched kernels.
struct Sequence {
  std::vector<Token> names;       ///< Of the kernels.
  std::vector<SpanId> innermost;  ///< The operator of each; 0: none.
  std::vector<SpanId> outermost;
  std::vector<std::string_view> texts;  ///< The kernels' names, which equal tokens must share.
};

Token TokenOf(std::string_view name) { return std::hash<std::string_view>()(name); }

/// Whether a call begins or ends the capture of a stream into a graph, on CUDA or HIP.
bool IsCaptureBorder(std::string_view name) {
  return name.find("StreamBeginCapture") != std::string_view::npos ||
         name.find("StreamEndCapture") != std::string_view::npos;
}

class ReplayAttribution {
 public:
  explicit ReplayAttribution(Trace& trace) : trace_(trace), writer_(trace) {}

  void Run() {
    const std::vector<Replay> replays = FindReplays();
    if (replays.empty()) return;
    map_ = FindLayers(trace_, ParentsFirst(trace_));
    CollectCaptures();
    CollectEager(replays);
    FindShapes();
    std::int64_t unexplained = 0;
    for (const Replay& replay : replays) unexplained += Attribute(replay);
    MarkReferences(replays);
    if (unexplained > 0)
      writer_.Count(
          "correlate_replay_unexplained",
          trace_.Text(trace_.spans.name[replays.front().launch - 1]),
          "Kernels of replayed graphs are left with their launch: no capture and no eager "
          "iteration says which operator they belong to. Import the trace of the capture "
          "along with this one, or record one iteration without graphs.",
          unexplained);
  }

 private:
  /// Library spans that are the parent of two kernels or more.
  std::vector<Replay> FindReplays() {
    const SpanTable& spans = trace_.spans;
    std::unordered_map<SpanId, std::uint32_t> kernels_of;
    for (std::size_t i = 0; i < spans.size(); ++i)
      if (IsLaunchedKernel(i)) ++kernels_of[spans.parent[i]];
    std::unordered_map<SpanId, std::size_t> index;
    std::vector<Replay> replays;
    for (std::size_t i = 0; i < spans.size(); ++i) {
      if (!IsLaunchedKernel(i) || kernels_of[spans.parent[i]] < 2) continue;
      const auto [it, is_new] = index.try_emplace(spans.parent[i], replays.size());
      if (is_new) replays.push_back({spans.parent[i], {}});
      replays[it->second].kernels.push_back(static_cast<SpanId>(i + 1));
    }
    for (Replay& replay : replays) SortByStart(replay.kernels);
    return replays;
  }

  bool IsLaunchedKernel(std::size_t i) const {
    const SpanTable& spans = trace_.spans;
    return spans.level[i] == Level::kKernel && spans.placed_by[i] == trace::PlacedBy::kLaunch;
  }

  void SortByStart(std::vector<SpanId>& ids) const {
    const auto& start = trace_.spans.start_ns;
    std::sort(ids.begin(), ids.end(), [&](SpanId a, SpanId b) {
      return start[a - 1] != start[b - 1] ? start[a - 1] < start[b - 1] : a < b;
    });
  }

  void Append(Sequence& sequence, std::string_view kernel, SpanId launched_by) {
    sequence.names.push_back(TokenOf(kernel));
    sequence.texts.push_back(kernel);
    sequence.innermost.push_back(map_.innermost_operator[launched_by - 1]);
    sequence.outermost.push_back(map_.outermost_layer[launched_by - 1]);
  }

  void Keep(Sequence sequence) {
    const bool says_something = std::any_of(sequence.innermost.begin(), sequence.innermost.end(),
                                            [](SpanId span) { return span != 0; });
    // Iterations are alike: of equal sequences the first says it all.
    if (says_something && known_.insert(sequence.names).second)
      references_.push_back(std::move(sequence));
  }

  /// Reference 1: launches that never ran, thread by thread, cut at the borders of captures.
  void CollectCaptures() {
    const SpanTable& spans = trace_.spans;
    std::unordered_map<SpanId, trace::StringId> kernel_of;
    const trace::AttributeTable& attributes = trace_.attributes;
    for (std::size_t i = 0; i < attributes.size(); ++i)
      if (trace_.Text(attributes.key[i]) == trace::attribute::kLaunchedKernel)
        kernel_of.emplace(attributes.span[i], attributes.value[i]);
    if (kernel_of.empty()) return;
    for (std::size_t i = 0; i < spans.size(); ++i)
      if (spans.level[i] == Level::kKernel && spans.parent[i] != 0)
        kernel_of.erase(spans.parent[i]);

    std::vector<SpanId> calls;
    for (std::size_t i = 0; i < spans.size(); ++i) {
      const auto id = static_cast<SpanId>(i + 1);
      if (spans.level[i] == Level::kLibrary &&
          (kernel_of.contains(id) || IsCaptureBorder(trace_.Text(spans.name[i]))))
        calls.push_back(id);
    }
    SortByStart(calls);
    std::stable_sort(calls.begin(), calls.end(),
                     [&](SpanId a, SpanId b) { return spans.track[a - 1] < spans.track[b - 1]; });
    Sequence sequence;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const auto kernel = kernel_of.find(calls[i]);
      if (kernel != kernel_of.end()) Append(sequence, trace_.Text(kernel->second), calls[i]);
      captured_on_[spans.track[calls[i] - 1]] = true;
      const bool last =
          i + 1 == calls.size() || spans.track[calls[i + 1] - 1] != spans.track[calls[i] - 1];
      if (kernel == kernel_of.end() || last) {
        Keep(std::move(sequence));
        sequence = {};
      }
    }
  }

  /// Reference 2: kernels with a launch of their own, step by step.
  void CollectEager(const std::vector<Replay>& replays) {
    const SpanTable& spans = trace_.spans;
    std::unordered_map<SpanId, bool> replayed;
    for (const Replay& replay : replays) replayed[replay.launch] = true;
    std::unordered_map<SpanId, std::vector<SpanId>> of_step;
    for (std::size_t i = 0; i < spans.size(); ++i)
      if (IsLaunchedKernel(i) && !replayed.contains(spans.parent[i]))
        of_step[StepOf(static_cast<SpanId>(i + 1))].push_back(static_cast<SpanId>(i + 1));
    std::vector<SpanId> steps;
    for (const auto& [step, kernels] : of_step) steps.push_back(step);
    SortSteps(steps);
    for (const SpanId step : steps) {
      std::vector<SpanId>& kernels = of_step[step];
      SortByStart(kernels);
      Sequence sequence;
      for (const SpanId kernel : kernels)
        Append(sequence, trace_.Text(spans.name[kernel - 1]), spans.parent[kernel - 1]);
      Keep(std::move(sequence));
    }
  }

  /// By id, whatever order a hash table had; a step's id of 0 is the rest of the trace.
  static void SortSteps(std::vector<SpanId>& steps) { std::sort(steps.begin(), steps.end()); }

  /// The step or model call above `span`; 0: none.
  SpanId StepOf(SpanId span) const {
    const SpanTable& spans = trace_.spans;
    for (SpanId at = spans.parent[span - 1]; at != 0; at = spans.parent[at - 1]) {
      const bool is_step = spans.level[at - 1] == Level::kModel ||
                           (spans.level[at - 1] == Level::kApplication &&
                            trace_.Text(spans.type[at - 1]) == trace::type::kStep);
      if (is_step) return at;
    }
    return 0;
  }

  /// Threads that captured what was replayed, and replayed nothing themselves: they come from
  /// another trace, imported along to explain this one.
  void MarkReferences(const std::vector<Replay>& replays) {
    for (const Replay& replay : replays)
      captured_on_[trace_.spans.track[replay.launch - 1]] = false;
    for (const auto& [track, only_captured] : captured_on_)
      if (only_captured) trace_.tracks[track - 1].is_reference = true;
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

  void FindShapes() {
    const trace::AttributeTable& attributes = trace_.attributes;
    for (std::size_t i = 0; i < attributes.size(); ++i)
      if (trace_.Text(attributes.key[i]) == trace::attribute::kInputShapes)
        shapes_.emplace(attributes.span[i], attributes.value[i]);
  }

  /// A reference laid beside a sequence of replayed kernels; no reference: none explains half of
  /// it.
  struct Explanation {
    const Sequence* reference = nullptr;
    base::Alignment alignment;
  };

  /// The reference that explains `replay`. A graph is replayed thousands of times: each sequence of
  /// kernels is laid beside the references once.
  const Explanation& Explain(const Replay& replay) {
    std::vector<Token> names;
    for (const SpanId kernel : replay.kernels)
      names.push_back(TokenOf(trace_.Text(trace_.spans.name[kernel - 1])));
    const auto [it, is_new] = explanations_.try_emplace(std::move(names));
    Explanation& best = it->second;
    for (const Sequence& reference : references_) {
      // References come in order of trust: the first that explains everything is the one.
      if (!is_new || (best.reference != nullptr && best.alignment.only_a() == 0)) break;
      base::Alignment alignment = base::Align(it->first, reference.names);
      if (best.reference == nullptr || alignment.matched > best.alignment.matched)
        best = {&reference, std::move(alignment)};
    }
    const auto kernels = static_cast<std::int64_t>(replay.kernels.size());
    if (best.reference != nullptr && 2 * best.alignment.matched < kernels) best.reference = nullptr;
    return best;
  }

  /// Returns how many kernels stay with the launch.
  std::int64_t Attribute(const Replay& replay) {
    const auto& [reference, alignment] = Explain(replay);
    if (reference == nullptr) return static_cast<std::int64_t>(replay.kernels.size());
    const SpanId surroundings = Surroundings(replay.launch);
    std::int64_t left = 0;
    Group outer, inner;
    for (std::size_t i = 0; i < replay.kernels.size(); ++i) {
      const std::int32_t at = alignment.a_to_b[i];
      const auto index = static_cast<std::size_t>(std::max(at, 0));
      const SpanId kernel = replay.kernels[i];
      if (at < 0 || reference->innermost[index] == 0 ||
          reference->texts[index] != trace_.Text(trace_.spans.name[kernel - 1])) {
        ++left;
        continue;
      }
      const SpanId layer = Extend(outer, reference->outermost[index], kernel, surroundings);
      const SpanId parent = reference->innermost[index] == reference->outermost[index]
                                ? layer
                                : Extend(inner, reference->innermost[index], kernel, layer);
      trace_.spans.parent[kernel - 1] = parent;
      trace_.spans.placed_by[kernel - 1] = trace::PlacedBy::kSequence;
    }
    return left;
  }

  /// The span that the layers of a replay lie in: what surrounds its launch and every operator
  /// around that, which waits for the graph as a whole.
  SpanId Surroundings(SpanId launch) const {
    const SpanId outermost = map_.outermost_layer[launch - 1];
    return trace_.spans.parent[(outermost != 0 ? outermost : launch) - 1];
  }

  /// The layer that stands for one call of an operator, while its kernels last.
  struct Group {
    SpanId of = 0;      ///< The operator in the reference.
    SpanId parent = 0;  ///< Of the layer.
    trace::TrackId track = 0;
    SpanId layer = 0;
  };

  /// The layer of operator `of` that `kernel` belongs to: the group's own where it goes on, else a
  /// new one. `of` 0: none.
  SpanId Extend(Group& group, SpanId of, SpanId kernel, SpanId parent) {
    SpanTable& spans = trace_.spans;
    const trace::TrackId track = spans.track[kernel - 1];
    const std::int64_t start = spans.start_ns[kernel - 1];
    const std::int64_t duration = std::max<std::int64_t>(spans.duration_ns[kernel - 1], 0);
    if (group.layer != 0 && group.of == of && group.track == track && group.parent == parent) {
      std::int64_t& layer_ns = spans.duration_ns[group.layer - 1];
      layer_ns = std::max(layer_ns, start + duration - spans.start_ns[group.layer - 1]);
      return group.layer;
    }
    const std::string type(trace_.Text(spans.type[of - 1])), name(trace_.Text(spans.name[of - 1]));
    const SpanId layer = writer_.AddSpan({.level = Level::kLayer,
                                          .type = type,
                                          .name = name,
                                          .track = track,
                                          .start_ns = start,
                                          .duration_ns = duration,
                                          .parent = parent});
    spans.placed_by[layer - 1] = trace::PlacedBy::kSequence;
    Describe(layer, of);
    group = {of, parent, track, layer};
    return layer;
  }

  void Describe(SpanId layer, SpanId of) {
    if (const auto shapes = shapes_.find(of); shapes != shapes_.end())
      writer_.AddAttribute(layer, trace::attribute::kInputShapes,
                           std::string(trace_.Text(shapes->second)));
    const std::string modules = ModulesOf(of);
    if (!modules.empty()) writer_.AddAttribute(layer, trace::attribute::kModule, modules);
  }

  /// "nn.Module: A_0/nn.Module: B_0", outermost first.
  std::string ModulesOf(SpanId span) const {
    const SpanTable& spans = trace_.spans;
    std::string path;
    for (SpanId at = spans.parent[span - 1]; at != 0; at = spans.parent[at - 1]) {
      if (spans.level[at - 1] != Level::kLayer ||
          trace_.Text(spans.type[at - 1]) != trace::type::kModule)
        continue;
      path = std::string(trace_.Text(spans.name[at - 1])) + (path.empty() ? "" : "/") + path;
    }
    return path;
  }

  Trace& trace_;
  trace::TraceWriter writer_;
  LayerMap map_;
  std::vector<Sequence> references_;    ///< In order of trust; no two of the same names.
  std::set<std::vector<Token>> known_;  ///< Their names.
  std::map<std::vector<Token>, Explanation> explanations_;  ///< By names of replayed kernels.
  std::unordered_map<SpanId, trace::StringId> shapes_;
  std::unordered_map<trace::TrackId, bool> captured_on_;  ///< False: and replayed.
};

}  // namespace

void AttributeReplays(Trace& trace) { ReplayAttribution(trace).Run(); }

}  // namespace xsp::correlate
