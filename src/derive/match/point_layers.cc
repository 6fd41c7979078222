#include "derive/match/point_layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "store/nullable.h"

namespace xsp::match {
namespace {

constexpr std::array<std::string_view, 8> kRungs = {"model",    "layer",    "library",  "kernel",
                                                    "imported", "recorded", "counters", "details"};

/// "[[1,64,112,112]]" -> "[1,64,112,112]": one tensor needs no list around it.
std::string_view WithoutList(std::string_view shapes) {
  const bool list = shapes.starts_with("[[") && shapes.ends_with("]]");
  if (!list || std::count(shapes.begin(), shapes.end(), '[') != 2) return shapes;
  return shapes.substr(1, shapes.size() - 2);
}

/// The event that one of the calls lacks, or has beside the reference: its name.
template <typename NameA, typename NameB>
std::string ExampleOf(const Alignment& alignment, NameA name_a, NameB name_b) {
  if (const auto index = alignment.FirstOnlyA()) return name_a(*index);
  if (const auto index = alignment.FirstOnlyB()) return name_b(*index);
  return {};
}

std::string LayerName(const RunView& run, std::size_t call, std::size_t index) {
  return std::string(run.NameOf(run.calls.calls[call].layers[index].span));
}

}  // namespace

int ProfilingDepth(std::string_view rung) {
  return static_cast<int>(std::find(kRungs.begin(), kRungs.end(), rung) - kRungs.begin());
}

PointLayers::PointLayers(const Runs& runs, std::int64_t point_id, Names& names,
                         std::vector<store::MatchRow>& match) {
  for (const auto& run : runs) {
    if (run->layers) runs_.push_back(run.get());
  }
  std::stable_sort(runs_.begin(), runs_.end(), [](const RunView* a, const RunView* b) {
    return ProfilingDepth(a->input.rung) < ProfilingDepth(b->input.rung);
  });
  if (runs_.empty()) return;
  base_ = runs_.front();
  for (RunView* run : runs_) {
    MatchRun(*run, names);
    std::string example;
    for (std::size_t call = 0; call < run->layers->calls.size() && example.empty(); ++call) {
      const std::size_t reference = run->layers->call;
      const auto name_a = [&](std::size_t i) { return LayerName(*run, reference, i); };
      const auto name_b = [&](std::size_t i) { return LayerName(*run, call, i); };
      example = ExampleOf(*run->layers->calls[call], name_a, name_b);
    }
    match.push_back(IterationsRow(point_id, "layer", run->input.run_id, *run->layers, example));
  }
  for (const RunView* run : runs_) {
    if (run == base_) continue;
    std::vector<bool> found(size(), false);
    std::int64_t matched = 0;
    std::string example;
    for (std::size_t i = 0; i < run->to_base.size(); ++i) {
      if (run->to_base[i] >= 0) {
        found[static_cast<std::size_t>(run->to_base[i])] = true;
        ++matched;
      } else if (example.empty()) {
        example = LayerName(*run, run->layers->call, i);
      }
    }
    const auto missing = std::find(found.begin(), found.end(), false);
    if (missing != found.end()) {
      example =
          LayerName(*base_, base_->layers->call, static_cast<std::size_t>(missing - found.begin()));
    }
    match.push_back({.point_id = point_id,
                     .level = "layer",
                     .run_a = base_->input.run_id,
                     .run_b = run->input.run_id,
                     .matched = matched,
                     .only_a = static_cast<std::int64_t>(size()) - matched,
                     .only_b = static_cast<std::int64_t>(run->to_base.size()) - matched,
                     .example = store::TextOrNull(example)});
  }
  NameLayers();
}

void PointLayers::MatchRun(RunView& run, Names& names) {
  // Shapes can only tell layers apart where both runs recorded them.
  const bool shapes = run.has_shapes && base_->has_shapes;
  const auto tokens = [&](const RunView& of) {
    std::vector<Token> sequence;
    for (const LayerEvent& layer : of.calls.calls[of.layers->call].layers) {
      sequence.push_back(LayerToken(of, layer.span, shapes, names));
    }
    return sequence;
  };
  Alignment alignment = Align(tokens(*base_), tokens(run));
  run.to_base = std::move(alignment.b_to_a);
  run.from_base = std::move(alignment.a_to_b);
}

trace::SpanId PointLayers::SpanIn(const RunView& run, std::size_t index) const {
  const std::int32_t layer = run.from_base[index];
  if (layer < 0) return 0;
  return run.calls.calls[run.layers->call].layers[static_cast<std::size_t>(layer)].span;
}

std::string PointLayers::MatchedIn(std::size_t index) const {
  const auto shown = std::count_if(runs_.begin(), runs_.end(),
                                   [&](const RunView* run) { return SpanIn(*run, index) != 0; });
  if (shown == 1) return "single";
  return shown == static_cast<std::ptrdiff_t>(runs_.size()) ? "all" : "partial";
}

double PointLayers::LatencyIn(const RunView& run, std::size_t index) const {
  const std::int32_t layer = run.from_base[index];
  // Kernels run several times to be counted, while the host waits.
  if (layer < 0 || run.input.rung == "counters") return std::numeric_limits<double>::quiet_NaN();
  return MeanOverCalls(
      run, *run.layers, static_cast<std::size_t>(layer), [&](std::size_t call, std::size_t i) {
        return std::optional(
            static_cast<double>(run.DurationOf(run.calls.calls[call].layers[i].span)));
      });
}

double PointLayers::GapBeforeNs(std::size_t index) const {
  return MeanOverCalls(*base_, *base_->layers, index, [&](std::size_t call, std::size_t layer) {
    return std::optional(static_cast<double>(base_->calls.calls[call].layers[layer].gap_before_ns));
  });
}

std::vector<const RunView*> PointLayers::MostDetailedFirst() const {
  return {runs_.rbegin(), runs_.rend()};
}

double PointLayers::MeanMetric(std::size_t index, trace::StringId RunView::*metric) const {
  for (const RunView* run : MostDetailedFirst()) {
    const trace::StringId name = run->*metric;
    if (name == 0 || run->from_base[index] < 0) continue;
    const double mean =
        MeanOverCalls(*run, *run->layers, static_cast<std::size_t>(run->from_base[index]),
                      [&](std::size_t call, std::size_t layer) {
                        return run->values.Metric(run->calls.calls[call].layers[layer].span, name);
                      });
    if (!std::isnan(mean)) return mean;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

std::string PointLayers::Shape(std::size_t index) const {
  for (const RunView* run : MostDetailedFirst()) {
    const trace::SpanId span = SpanIn(*run, index);
    if (span == 0) continue;
    const std::string_view shapes = run->ShapesOf(span);
    if (!shapes.empty()) return std::string(WithoutList(shapes));
  }
  return {};
}

void PointLayers::NameLayers() {
  named_.resize(size());
  for (std::size_t i = 0; i < size(); ++i) {
    const trace::SpanId span = SpanIn(*base_, i);
    const std::string_view name = base_->NameOf(span);
    named_[i].type = base_->TypeOf(span);
    if (name != named_[i].type) named_[i].node = name;
  }
  for (const RunView* run : MostDetailedFirst()) {
    FindScriptPaths(*run);
    LayerPaths paths(*run);
    const Call& call = run->calls.calls[run->layers->call];
    for (std::size_t i = 0; i < size(); ++i) {
      const trace::SpanId span = SpanIn(*run, i);
      if (span != 0 && named_[i].path.empty()) named_[i].path = paths.Of(span, call);
    }
  }
  for (NamedLayer& layer : named_)
    if (layer.path.empty()) layer.path = PathOfNodeName(layer.node);
  names_ = LayerNames(named_);
}

void PointLayers::FindScriptPaths(const RunView& run) {
  constexpr std::size_t kMost = 8;
  const trace::StringId key = run.values.Find(trace::attribute::kScriptPath);
  if (key == 0) return;
  LayerPaths paths(run);
  std::vector<std::size_t> index_of(run.layers->tokens.size(), size());  // By reference layer.
  for (std::size_t i = 0; i < size(); ++i)
    if (run.from_base[i] >= 0) index_of[static_cast<std::size_t>(run.from_base[i])] = i;
  // The latest first: TorchScript optimises its graph after the first call.
  for (std::size_t at = std::min(kMost, run.calls.calls.size()); at-- > 0;) {
    const Call& call = run.calls.calls[at];
    for (std::size_t layer = 0; layer < call.layers.size(); ++layer) {
      const trace::SpanId span = call.layers[layer].span;
      const std::int32_t reference = run.ReferenceLayer(at, static_cast<std::int32_t>(layer));
      if (reference < 0 || run.values.Attribute(span, key).empty()) continue;
      const std::size_t i = index_of[static_cast<std::size_t>(reference)];
      if (i < size() && named_[i].path.empty()) named_[i].path = paths.Of(span, call);
    }
  }
}

store::MatchRow IterationsRow(std::int64_t point_id, std::string_view level, std::int64_t run_id,
                              const Reference& reference, std::string_view example) {
  std::int64_t matched = 0, only_reference = 0, only_call = 0;
  for (const auto& call : reference.calls) {
    matched += call->matched;
    only_reference += call->only_a();
    only_call += call->only_b();
  }
  return {.point_id = point_id,
          .level = std::string(level),
          .run_a = run_id,
          .run_b = run_id,
          .matched = matched,
          .only_a = only_reference,
          .only_b = only_call,
          .example = store::TextOrNull(example)};
}

}  // namespace xsp::match
