#include "derive/compare/comparability.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>

#include "derive/compare/machine.h"

namespace xsp::compare {
namespace {

using nlohmann::json;

/// The text at "a.b.c": nested by the dots, or a member of that name.
std::string TextAt(const json& object, std::string_view key) {
  if (!object.is_object()) return {};
  if (const auto whole = object.find(key); whole != object.end())
    return whole->is_string() ? whole->get<std::string>() : whole->is_null() ? "" : whole->dump();
  const std::size_t dot = key.find('.');
  if (dot == std::string_view::npos) return {};
  const auto part = object.find(key.substr(0, dot));
  return part == object.end() ? std::string() : TextAt(*part, key.substr(dot + 1));
}

/// The first that the run knows, of facts of the file and of the stack of the machine.
std::string FirstKnown(const json& run, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys)
    if (std::string text = FactOf(run, key); !text.empty()) return text;
  const auto stack = run.find("stack");
  if (stack == run.end()) return {};
  for (const std::string_view key : keys)
    if (std::string text = TextAt(*stack, key); !text.empty()) return text;
  return {};
}

std::string Known(std::string text) {
  return text == "unknown" || text == "default" ? std::string() : text;
}

std::string Joined(std::string first, const std::string& second) {
  if (!first.empty() && !second.empty()) first += " ";
  return first + second;
}

/// The framework's name with its version, as far as known.
std::string FrameworkOf(const store::PointRow& point, const json& run) {
  const std::string version = FirstKnown(run, {"framework.version", "torch.version"});
  const bool has_version = version.empty() || point.backend.find(version) != std::string::npos;
  return has_version ? point.backend : Joined(point.backend, version);
}

std::string ClocksOf(const json& run) {
  const std::string maximum = FirstKnown(run, {"frequency.maximum_mhz"});
  return Joined(FirstKnown(run, {"frequency.governor"}), maximum.empty() ? "" : maximum + " MHz");
}

/// Whether the tree has anything but the time between layers.
bool HasParts(const ComparisonTree& tree) {
  return std::any_of(tree.nodes().begin(), tree.nodes().end(), [](const ComparisonNode& node) {
    return node.kind != NodeKind::kRoot && node.kind != NodeKind::kBetween;
  });
}

/// The dimensions of the first shape of a layer's shape text, in order: "[[8,3],[3]]" is 8, 3.
std::string_view FirstShape(std::string_view shape) {
  shape.remove_prefix(std::min(shape.find_first_not_of('['), shape.size()));
  return shape.substr(0, shape.find(']'));
}

/// Whether two shapes differ in their leading dimension alone, as those of two batch sizes do.
bool DifferInLeading(std::string_view a, std::string_view b) {
  a = FirstShape(a);
  b = FirstShape(b);
  const std::size_t of_a = a.find(','), of_b = b.find(',');
  return of_a != std::string_view::npos && of_b != std::string_view::npos &&
         a.substr(0, of_a) != b.substr(0, of_b) && a.substr(of_a) == b.substr(of_b);
}

/// Aligned operators of one type.
struct ShapeDifference {
  std::int64_t different = 0, leading = 0, known = 0;
  SideDifference first;
};

ShapeDifference CompareShapes(const ComparisonTree& a, const ComparisonTree& b,
                              const ComparedTrees& compared) {
  ShapeDifference found;
  for (const ComparedNode& node : compared.nodes) {
    if (node.kind != NodeKind::kOperator || node.a_node < 0 || node.b_node < 0) continue;
    const auto i = static_cast<std::size_t>(node.a_node), j = static_cast<std::size_t>(node.b_node);
    const std::string_view of_a = a.ShapeOf(i), of_b = b.ShapeOf(j);
    if (of_a.empty() || of_b.empty() || a.NameOf(i) != b.NameOf(j)) continue;
    ++found.known;
    if (of_a == of_b) continue;
    if (DifferInLeading(of_a, of_b)) ++found.leading;
    if (++found.different > 1) continue;
    found.first = {"shapes", fmt::format("{} {}", node.path, of_a), std::string(of_b), true};
  }
  if (found.different > 1)
    found.first.b += fmt::format(" (and {} other operators)", found.different - 1);
  return found;
}

std::string WithoutLayers(const SideParts& side) {
  if (side.is_imported)
    return fmt::format("the file of {} has no layers, so only whole calls are compared", side.name);
  return fmt::format(
      "{} has no layers, so only whole calls are compared: it was measured without them "
      "(`xsp run --depth layer` measures layers), or that run failed or was interrupted "
      "(`xsp show` shows why)",
      side.name);
}

/// Names of the first operators, else of the first kernels: "aten::conv2d, aten::relu, ...".
std::string FirstParts(const ComparisonTree& tree) {
  constexpr std::size_t kMaxParts = 3;
  std::vector<std::string_view> operators, work;
  for (std::size_t i = 1; i < tree.size(); ++i) {
    const NodeKind kind = tree.nodes()[i].kind;
    if (kind == NodeKind::kModule || kind == NodeKind::kBetween) continue;
    auto& names = kind == NodeKind::kOperator ? operators : work;
    const std::string_view name = tree.NameOf(i);
    if (names.size() <= kMaxParts && std::ranges::find(names, name) == names.end())
      names.push_back(name);
  }
  auto& names = operators.empty() ? work : operators;
  const bool has_more = names.size() > kMaxParts;
  if (has_more) names.back() = "...";
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::string_view ToString(Comparable comparable) {
  switch (comparable) {
    case Comparable::kFully:
      return "yes";
    case Comparable::kPartly:
      return "partly";
    case Comparable::kNot:
      return "no";
  }
  return "";
}

std::vector<SideFact> FactsOf(const store::PointRow& point, const json& run,
                              const SideTrees& trees) {
  return {
      // An imported one may be called after its file.
      {"model", point.model, TextAt(run, "rung") != "imported"},
      {"batch", point.batch ? std::to_string(*point.batch) : "", true},
      {"precision", Known(point.precision), true},
      {"device", point.device, true},
      {"gpu", MachineOf(run).gpu, true},
      {"cpu", FirstKnown(run, {"cpu.model"}), true},
      {"devices", trees.devices == 0 ? "" : std::to_string(trees.devices), true},
      {"cores", point.cores ? std::to_string(*point.cores) : "", true},
      {"clocks", ClocksOf(run), true},
      {"framework", FrameworkOf(point, run), true},
      {"driver",
       FirstKnown(run, {"gpu.nvidia_driver", "gpu.amd_driver", "cuda_driver_version",
                        "hip_driver_version"}),
       false},
      {"settings", point.settings == "{}" ? "" : point.settings, false},
  };
}

Comparability CompareFacts(const SideParts& a, const SideParts& b, const ComparedTrees& compared) {
  Comparability found;
  for (std::size_t i = 0; i < std::min(a.facts.size(), b.facts.size()); ++i) {
    const SideFact &of_a = a.facts[i], &of_b = b.facts[i];
    if (of_a.value == of_b.value || of_a.value.empty() || of_b.value.empty()) continue;
    found.differences.push_back({of_a.what, of_a.value, of_b.value, of_a.matters && of_b.matters});
    if (of_a.what == "batch")
      found.reason = fmt::format("the batch sizes differ: {} and {}", of_a.value, of_b.value);
  }
  const ShapeDifference shapes = CompareShapes(a.tree, b.tree, compared);
  if (shapes.different > 0) found.differences.push_back(shapes.first);
  // What files of other profilers do not state.
  if (found.reason.empty() && 2 * shapes.leading > shapes.known)
    found.reason = fmt::format(
        "the batch sizes differ: {} of {} operators have shapes that differ in the leading "
        "dimension alone",
        shapes.leading, shapes.known);
  const bool has_a = HasParts(a.tree), has_b = HasParts(b.tree);
  if (has_a != has_b) {
    found.without_layers = WithoutLayers(has_a ? b : a);
  } else if (found.reason.empty() && compared.aligned == 0 && has_a) {
    found.reason =
        fmt::format("the sides have no operator or kernel in common: {} has {}; {} has {}", a.name,
                    FirstParts(a.tree), b.name, FirstParts(b.tree));
  }
  const bool matters =
      !found.without_layers.empty() ||
      std::any_of(found.differences.begin(), found.differences.end(),
                  [](const SideDifference& difference) { return difference.matters; });
  found.verdict = !found.reason.empty() ? Comparable::kNot
                  : matters             ? Comparable::kPartly
                                        : Comparable::kFully;
  return found;
}

}  // namespace xsp::compare
