#include "derive/compare/gate_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "core/statistics.h"
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

/// Of a row whose mean is `shown_ns`; that mean where the processes have the row in another place.
std::optional<double> TypicalTime(const ProcessTimes& times, std::int32_t node,
                                  std::optional<double> shown_ns) {
  const std::array nodes = {node};
  if (node < 0 || !shown_ns || !times.IsShown(nodes, *shown_ns)) return shown_ns;
  return core::Median(times.SumOf(nodes));
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
    : times_ns_(TimesOfProcesses(side, basis).times_ns),
      means_ns_(TimesBelow(TreeOf(side.trees, basis), OwnTimes(TreeOf(side.trees, basis)))) {}

double ProcessTimes::MeanOf(std::span<const std::int32_t> nodes) const {
  double sum_ns = 0;
  for (const std::int32_t node : nodes) sum_ns += means_ns_[static_cast<std::size_t>(node)];
  return sum_ns;
}

bool ProcessTimes::IsShown(std::span<const std::int32_t> nodes, double shown_ns) const {
  constexpr double kRounding = 1e-6;
  return std::abs(MeanOf(nodes) - shown_ns) <= kRounding * std::max(std::abs(shown_ns), 1.0);
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

std::vector<GateNode> LargestIncreases(const ComparedTrees& trees, const ProcessTimes& a,
                                       const ProcessTimes& b, std::span<const std::size_t> rows,
                                       std::size_t max_nodes) {
  std::vector<GateNode> increased;
  double difference_ns = 0;
  for (const std::size_t row : rows) {
    const ComparedNode& node = trees.nodes[row];
    GateNode found{.path = node.path,
                   .kind = node.kind,
                   .a_ns = TypicalTime(a, node.a_node, node.a_ns),
                   .b_ns = TypicalTime(b, node.b_node, node.b_ns)};
    found.difference_ns = found.b_ns.value_or(0) - found.a_ns.value_or(0);
    difference_ns += found.difference_ns;
    increased.push_back(std::move(found));
  }
  if (difference_ns <= 0) return {};
  std::ranges::stable_sort(increased, std::greater<>(), &GateNode::difference_ns);
  if (increased.size() > max_nodes) increased.resize(max_nodes);
  while (increased.back().difference_ns < kMinShareOfLargest * increased.front().difference_ns)
    increased.pop_back();
  for (GateNode& node : increased) node.share = node.difference_ns / difference_ns;
  return increased;
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
