#include "derive/compare/gate_rows.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "derive/compare/process_times.h"

namespace xsp::compare {
namespace {

constexpr double kMinShareOfLargest = 0.01;

bool IsOfGate(NodeKind kind, GateMetric metric) {
  switch (metric) {
    case GateMetric::kLayer:
      return kind == NodeKind::kOperator;
    case GateMetric::kModule:
      return kind == NodeKind::kModule;
    case GateMetric::kKernel:
      return kind == NodeKind::kKernel || kind == NodeKind::kCommunication ||
             kind == NodeKind::kCopy || kind == NodeKind::kSet;
    default:
      return false;
  }
}

/// The path as a whole, or from one of its segments on.
bool MatchesPath(std::string_view pattern, std::string_view path) {
  while (true) {
    if (MatchesGlob(pattern, path)) return true;
    const std::size_t slash = path.find('/');
    if (slash == std::string_view::npos) return false;
    path.remove_prefix(slash + 1);
  }
}

/// Whether a path or one above it, down from the root, is in `paths`.
bool LiesIn(std::string_view path, const std::unordered_set<std::string_view>& paths) {
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
       slash = path.find('/', slash + 1))
    if (paths.contains(path.substr(0, slash))) return true;
  return false;
}

}  // namespace

GateRows FindGateRows(const ComparedTrees& trees, const Gate& gate) {
  GateRows found;
  std::unordered_set<std::string_view> modules;
  for (std::size_t i = 0; i < trees.nodes.size(); ++i) {
    const ComparedNode& node = trees.nodes[i];
    if (!IsOfGate(node.kind, gate.metric)) continue;
    ++found.of_kind;
    if (!MatchesPath(gate.pattern, node.path) &&
        (node.b_path.empty() || !MatchesPath(gate.pattern, node.b_path)))
      continue;
    // Only modules lie in rows of their own kind; parents come first.
    if (node.kind == NodeKind::kModule) {
      if (LiesIn(node.path, modules)) continue;
      modules.insert(node.path);
    }
    found.rows.push_back(i);
  }
  return found;
}

ProcessTimes::ProcessTimes(const Side& side, Basis basis)
    : times_ns_(TimesOfProcesses(side, basis)),
      means_ns_(TimesBelow(TreeOf(side.trees, basis), OwnTimes(TreeOf(side.trees, basis)))) {}

double ProcessTimes::MeanOf(std::span<const std::int32_t> nodes) const {
  double sum_ns = 0;
  for (const std::int32_t node : nodes) sum_ns += means_ns_[static_cast<std::size_t>(node)];
  return sum_ns;
}

std::vector<double> ProcessTimes::SumOf(std::span<const std::int32_t> nodes) const {
  std::vector<double> sums_ns;
  for (const std::int32_t node : nodes) {
    const std::vector<double>& of_node = times_ns_[static_cast<std::size_t>(node)];
    sums_ns.resize(of_node.size(), 0);
    for (std::size_t process = 0; process < of_node.size(); ++process)
      sums_ns[process] += of_node[process];
  }
  return sums_ns;
}

std::vector<GateNode> LargestIncreases(const ComparedTrees& trees,
                                       std::span<const std::size_t> rows, double difference_ns,
                                       std::size_t max_nodes) {
  std::vector<std::size_t> increased;
  for (const std::size_t row : rows)
    if (trees.nodes[row].difference_ns > 0) increased.push_back(row);
  std::ranges::stable_sort(increased, std::greater<>(),
                           [&](std::size_t row) { return trees.nodes[row].difference_ns; });
  if (increased.size() > max_nodes) increased.resize(max_nodes);
  while (!increased.empty() &&
         trees.nodes[increased.back()].difference_ns <
             kMinShareOfLargest * trees.nodes[increased.front()].difference_ns)
    increased.pop_back();
  std::vector<GateNode> nodes;
  for (const std::size_t row : increased) {
    const ComparedNode& node = trees.nodes[row];
    nodes.push_back({node.path, node.kind, node.a_ns, node.b_ns, node.difference_ns,
                     node.difference_ns / difference_ns});
  }
  return nodes;
}

std::vector<std::size_t> LeavesBelow(const ComparedTrees& trees,
                                     const std::optional<std::vector<std::size_t>>& rows) {
  std::unordered_set<std::string_view> paths;
  std::unordered_set<std::size_t> chosen;
  if (rows) {
    for (const std::size_t row : *rows) paths.insert(trees.nodes[row].path);
    chosen.insert(rows->begin(), rows->end());
  }
  std::vector<std::size_t> leaves;
  for (std::size_t i = 0; i < trees.nodes.size(); ++i) {
    const ComparedNode& node = trees.nodes[i];
    if (node.is_leaf && (!rows || chosen.contains(i) || LiesIn(node.path, paths)))
      leaves.push_back(i);
  }
  return leaves;
}

}  // namespace xsp::compare
