#include "derive/match/layer_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace xsp::match {
namespace {

using trace::SpanId;

/// PyTorch's profiler: "nn.Module: Conv2d_0". Modules that `xsp record` watches have their path as
/// name.
constexpr std::string_view kClassPrefix = "nn.Module: ";

/// Of spans around a layer: damaged parents may go in circles.
constexpr int kDeepest = 10'000;

bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }

std::vector<std::string_view> Split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = text.find(at);
    if (end != 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return parts;
}

/// What frameworks put around a graph: the function that TensorFlow wraps it in.
bool IsWrapper(std::string_view segment) {
  return segment == "StatefulPartitionedCall" || segment == "PartitionedCall" ||
         segment == "onnx_node!";
}

/// "layer1", "layer1.0": PyTorch's exporter repeats the path so far in a container's children.
bool Continues(std::string_view segment, std::string_view before) {
  return segment.size() > before.size() && segment.starts_with(before) &&
         segment[before.size()] == '.';
}

std::string JoinClasses(std::vector<std::string_view> names) {
  std::string path;
  for (std::string_view name : names) {
    if (name.starts_with(kClassPrefix)) name.remove_prefix(kClassPrefix.size());
    path += (path.empty() ? "" : ".") + std::string(name);
  }
  return path;
}

/// "aten::add_" -> "add_".
std::string_view ShortType(std::string_view type) {
  const std::size_t colon = type.rfind("::");
  return colon == std::string_view::npos ? type : type.substr(colon + 2);
}

}  // namespace

std::string PathOfNodeName(std::string_view name) {
  // Names that a library made up: "fused Conv_0", "node_conv2d_1" (PyTorch's exporter since 2.5).
  if (name.find(' ') != std::string_view::npos || name.starts_with("node_")) return {};
  std::vector<std::string_view> segments = Split(name, '/');
  while (!segments.empty() && IsWrapper(segments.front())) segments.erase(segments.begin());
  // Operators are named in upper case, modules and variables hardly ever.
  while (!segments.empty() && IsUpper(segments.back().front())) segments.pop_back();
  std::vector<std::string_view> kept;
  for (const std::string_view segment : segments) {
    if (!kept.empty() && Continues(segment, kept.back())) kept.pop_back();
    kept.push_back(segment);
  }
  return fmt::format("{}", fmt::join(kept, "."));
}

LayerPaths::LayerPaths(const RunView& run)
    : run_(run),
      path_(run.values.Find(trace::attribute::kPath)),
      script_path_(run.values.Find(trace::attribute::kScriptPath)),
      module_(run.values.Find(trace::type::kModule)),
      modules_(run.values.Find(trace::attribute::kModule)),
      sequence_(run.values.Find(trace::attribute::kSequence)),
      fused_from_(run.values.Find(trace::attribute::kFusedFrom)) {}

std::string LayerPaths::Of(SpanId layer, const Call& call) {
  if (std::string path = OfItself(layer); !path.empty()) return path;
  if (std::string path = OfForward(layer, call); !path.empty()) return path;
  for (const std::string_view node : Split(run_.values.Attribute(layer, fused_from_), ','))
    if (std::string path = PathOfNodeName(node); !path.empty()) return path;
  return {};
}

std::string LayerPaths::OfItself(SpanId span) const {
  if (const std::string_view said = run_.values.Attribute(span, path_); !said.empty())
    return std::string(said);
  if (const std::string_view classes = run_.values.Attribute(span, modules_); !classes.empty())
    return JoinClasses(Split(classes, '/'));
  const std::string_view script = run_.values.Attribute(span, script_path_);
  std::string around = OfModulesAround(span);
  if (script.empty() || around.empty()) return around.empty() ? std::string(script) : around;
  return fmt::format("{}.{}", around, script);
}

std::string LayerPaths::OfModulesAround(SpanId span) const {
  if (module_ == 0) return {};
  const trace::SpanTable& spans = run_.trace.spans;
  std::vector<std::string_view> names;
  int depth = 0;
  for (SpanId at = spans.parent[span - 1]; at != 0; at = spans.parent[at - 1]) {
    if (++depth > kDeepest) break;
    if (spans.type[at - 1] != module_ || spans.level[at - 1] != trace::Level::kLayer) continue;
    names.push_back(run_.NameOf(at));
    if (!names.back().starts_with(kClassPrefix)) break;  // It says the whole path.
  }
  std::reverse(names.begin(), names.end());
  return JoinClasses(std::move(names));
}

std::string LayerPaths::OfForward(SpanId layer, const Call& call) {
  if (!forward_) ReadForward(call);
  if (const auto linked = linked_.find(layer); linked != linked_.end())
    return OfItself(linked->second);
  const auto found = forward_->find(run_.values.Attribute(layer, sequence_));
  return found == forward_->end() || found->second == 0 ? std::string() : OfItself(found->second);
}

void LayerPaths::ReadForward(const Call& call) {
  forward_.emplace();
  for (const trace::Link& link : run_.trace.links) {
    if (link.kind != trace::LinkKind::kForwardBackward) continue;
    const SpanId layer = run_.calls.outermost[link.to];
    if (layer != 0) linked_.emplace(layer, link.from);
  }
  if (sequence_ == 0) return;
  const trace::SpanTable& spans = run_.trace.spans;
  const std::int64_t end_ns = call.root == 0 ? std::numeric_limits<std::int64_t>::max()
                                             : call.start_ns + run_.DurationOf(call.root);
  for (SpanId span = 1; span <= spans.size(); ++span) {
    if (spans.level[span - 1] != trace::Level::kLayer || run_.StartOf(span) < call.start_ns ||
        run_.StartOf(span) > end_ns)
      continue;
    const std::string_view number = run_.values.Attribute(span, sequence_);
    if (number.empty() || OfItself(span).empty()) continue;
    const auto [it, is_new] = forward_->emplace(number, span);
    if (is_new || it->second == 0) continue;
    // The latest one made the node: those before only saw its number come.
    const bool same_thread = spans.track[it->second - 1] == spans.track[span - 1];
    it->second = same_thread ? span : 0;
  }
}

std::vector<std::string> LayerNames(const std::vector<NamedLayer>& layers) {
  std::map<std::string_view, std::set<std::string_view>> types;  // Of each path.
  for (const NamedLayer& layer : layers) types[layer.path].insert(layer.type);
  std::vector<std::string> names;
  std::map<std::string, int> count;
  for (const NamedLayer& layer : layers) {
    std::string& name = names.emplace_back(layer.path.empty() ? layer.node : layer.path);
    if (!layer.path.empty() && types[layer.path].size() > 1)
      name += fmt::format(" {}", ShortType(layer.type));
    ++count[name];
  }
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const bool is_shared = count[names[i]] > 1;
    if (names[i].empty()) {
      names[i] = fmt::format("{} #{}", layers[i].type, i);
    } else if (is_shared) {
      names[i] += fmt::format(" #{}", i);
    }
  }
  return names;
}

}  // namespace xsp::match
