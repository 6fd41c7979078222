#include "derive/compare/node_noise.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "core/statistics.h"

namespace xsp::compare {
namespace {

using Leaves = std::vector<const NodeProcesses*>;

struct WeightedValue {
  double value, weight;
};

/// The smallest value such that the values up to it have half of the weight.
double WeightedMedian(std::vector<WeightedValue> values) {
  std::sort(values.begin(), values.end(),
            [](const WeightedValue& a, const WeightedValue& b) { return a.value < b.value; });
  double weight = 0, below = 0;
  for (const WeightedValue& value : values) weight += value.weight;
  for (const WeightedValue& value : values)
    if ((below += value.weight) >= 0.5 * weight) return value.value;
  return 0;
}

bool AreAllPositive(const std::vector<double>& times_ns) {
  return !times_ns.empty() &&
         std::all_of(times_ns.begin(), times_ns.end(), [](double time_ns) { return time_ns > 0; });
}

double MeanLog(const std::vector<double>& times_ns) {
  double sum = 0;
  for (const double time_ns : times_ns) sum += std::log(time_ns);
  return sum / static_cast<double>(times_ns.size());
}

bool IsInAllProcesses(const NodeProcesses& node) {
  return AreAllPositive(node.a) && AreAllPositive(node.b);
}

/// Work that every process has.
Leaves CompleteLeaves(std::span<const NodeProcesses> nodes) {
  Leaves leaves;
  for (const NodeProcesses& node : nodes) {
    if (!node.is_work || !IsInAllProcesses(node)) continue;
    const bool has_same_processes = leaves.empty() || (leaves.front()->a.size() == node.a.size() &&
                                                       leaves.front()->b.size() == node.b.size());
    if (has_same_processes) leaves.push_back(&node);
  }
  return leaves;
}

std::vector<double> FactorsOf(const Leaves& leaves, std::vector<double> NodeProcesses::*side) {
  std::vector<double> factors;
  if (leaves.empty()) return factors;
  for (std::size_t process = 0; process < (leaves.front()->*side).size(); ++process) {
    std::vector<WeightedValue> ratios;
    for (const NodeProcesses* leaf : leaves) {
      const double level = 0.5 * (MeanLog(leaf->a) + MeanLog(leaf->b));
      ratios.push_back({std::log((leaf->*side)[process]) - level, std::exp(level)});
    }
    factors.push_back(std::exp(WeightedMedian(std::move(ratios))));
  }
  return factors;
}

CommonFactors FactorsOf(const Leaves& leaves) {
  return {FactorsOf(leaves, &NodeProcesses::a), FactorsOf(leaves, &NodeProcesses::b)};
}

std::vector<double> Divided(std::vector<double> times_ns, const std::vector<double>& factors) {
  for (std::size_t i = 0; i < times_ns.size() && i < factors.size(); ++i) times_ns[i] /= factors[i];
  return times_ns;
}

double TimeOf(const Leaves& leaves) {
  double time_ns = 0;
  for (const NodeProcesses* leaf : leaves) time_ns += MeanTimeNs(*leaf);
  return time_ns;
}

/// Of `leaves`, which are among `nodes`, those that do not stand out; not `by_leaf`: nor are part
/// of what does.
Leaves UnchangedLeaves(std::span<const NodeProcesses> nodes, const Leaves& leaves,
                       const CommonFactors& factors, bool by_leaf) {
  constexpr double kSmallestP = 0.1;
  const double largest_ns = 0.5 * TimeOf(leaves);
  std::vector<bool> is_changed(nodes.size(), false);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const NodeProcesses& node = nodes[i];
    is_changed[i] =
        (node.parent >= 0 && is_changed[static_cast<std::size_t>(node.parent)]) ||
        ((node.is_work || !by_leaf) && IsInAllProcesses(node) && MeanTimeNs(node) < largest_ns &&
         CompareProcessesOf(WithoutCommonFactors(node, factors)).p < kSmallestP);
  }
  Leaves unchanged;
  for (const NodeProcesses* leaf : leaves)
    if (!is_changed[static_cast<std::size_t>(leaf - nodes.data())]) unchanged.push_back(leaf);
  return unchanged;
}

/// One block of one value for each process that has the node.
std::vector<std::vector<double>> BlocksOf(const std::vector<double>& processes) {
  std::vector<std::vector<double>> blocks;
  for (const double time_ns : processes)
    if (time_ns > 0) blocks.push_back({time_ns});
  return blocks;
}

}  // namespace

CommonFactors FindCommonFactors(std::span<const NodeProcesses> nodes) {
  const Leaves leaves = CompleteLeaves(nodes);
  CommonFactors factors = FactorsOf(leaves);
  // A module shows a small error of the factors, which single leaves hide in their noise: modules
  // are left out when the factors are nearly right.
  for (const bool by_leaf : {true, true, true, false, false}) {
    const Leaves unchanged = UnchangedLeaves(nodes, leaves, factors, by_leaf);
    if (TimeOf(unchanged) < 0.5 * TimeOf(leaves)) break;
    factors = FactorsOf(unchanged);
  }
  return factors;
}

NodeProcesses WithoutCommonFactors(const NodeProcesses& node, const CommonFactors& factors) {
  return {Divided(node.a, factors.a), Divided(node.b, factors.b), node.is_work, node.parent};
}

core::ProcessRatio CompareProcessesOf(const NodeProcesses& node) {
  return core::CompareProcesses(BlocksOf(node.b), BlocksOf(node.a));
}

double MeanTimeNs(const NodeProcesses& node) {
  if (node.a.empty() || node.b.empty()) return 0;
  return 0.5 * (core::Mean(node.a) + core::Mean(node.b));
}

std::vector<double> AdjustedByWeightedHolm(std::span<const double> p_values,
                                           std::span<const double> weights) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return p_values[a] / weights[a] < p_values[b] / weights[b];
  });
  // Weight of the hypotheses from each on: summed from the end, so that the last has its own.
  std::vector<double> remaining(order.size() + 1, 0);
  for (std::size_t k = order.size(); k-- > 0;) remaining[k] = remaining[k + 1] + weights[order[k]];
  std::vector<double> adjusted(p_values.size());
  double largest = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t i = order[k];
    largest = std::max(largest, p_values[i] / weights[i] * remaining[k]);
    adjusted[i] = std::min(largest, 1.0);
  }
  return adjusted;
}

}  // namespace xsp::compare
