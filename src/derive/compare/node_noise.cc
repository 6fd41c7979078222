#include "derive/compare/node_noise.h"

#include <algorithm>
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
    std::vector<WeightedValue> differences;
    for (const NodeProcesses* leaf : leaves) {
      if (!(leaf->slope > 0)) continue;  // Nothing slows it down, so that it tells nothing.
      const double level_ns = MeanTimeNs(*leaf);
      const double difference = (leaf->*side)[process] / level_ns - 1;
      differences.push_back({difference / leaf->slope, level_ns * leaf->slope});
    }
    factors.push_back(1 + WeightedMedian(std::move(differences)));
  }
  return factors;
}

CommonFactors FactorsOf(const Leaves& leaves) {
  return {FactorsOf(leaves, &NodeProcesses::a), FactorsOf(leaves, &NodeProcesses::b)};
}

std::vector<double> Divided(std::vector<double> times_ns, const std::vector<double>& factors,
                            double slope) {
  constexpr double kLeast = 0.1;  // No process is ten times as fast as the mean of all.
  for (std::size_t i = 0; i < times_ns.size() && i < factors.size(); ++i)
    times_ns[i] /= std::max(1 + slope * (factors[i] - 1), kLeast);
  return times_ns;
}

double TimeOf(const Leaves& leaves) {
  double time_ns = 0;
  for (const NodeProcesses* leaf : leaves) time_ns += MeanTimeNs(*leaf);
  return time_ns;
}

/// What stands out: what differs between the sides with a smaller p value.
struct Step {
  bool by_leaf;  ///< Leaves alone; else also what is part of a module that stands out.
  double smallest_p;
};

/// Of `leaves`, which are among `nodes`, those that do not stand out.
Leaves UnchangedLeaves(std::span<const NodeProcesses> nodes, const Leaves& leaves,
                       const CommonFactors& factors, const Step& step) {
  const double largest_ns = 0.5 * TimeOf(leaves);
  std::vector<bool> is_changed(nodes.size(), false);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const NodeProcesses& node = nodes[i];
    is_changed[i] = (node.parent >= 0 && is_changed[static_cast<std::size_t>(node.parent)]) ||
                    ((node.is_work || !step.by_leaf) && IsInAllProcesses(node) &&
                     MeanTimeNs(node) < largest_ns &&
                     CompareProcessesOf(WithoutCommonFactors(node, factors)).p < step.smallest_p);
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

double SlopeOf(double with_slowness, double slowness_squares) {
  // As if a process of slope 1 with calls that vary by 10 % had been seen, too.
  constexpr double kPriorSquares = 0.01, kPriorSlope = 1, kLargest = 2;
  const double slope =
      (with_slowness + kPriorSquares * kPriorSlope) / (slowness_squares + kPriorSquares);
  return std::clamp(slope, 0.0, kLargest);
}

CommonFactors FindCommonFactors(std::span<const NodeProcesses> nodes) {
  const Leaves leaves = CompleteLeaves(nodes);
  CommonFactors factors = FactorsOf(leaves);
  // As long as the factors contain a part of the change, all else seems changed, too, in the other
  // direction: what stands out most is left out first. A module shows a small error of the factors,
  // which single leaves hide in their noise: modules are left out when the factors are nearly
  // right.
  constexpr Step kSteps[] = {{true, 0.001}, {true, 0.01}, {true, 0.1}, {false, 0.1}, {false, 0.1}};
  for (const Step& step : kSteps) {
    const Leaves unchanged = UnchangedLeaves(nodes, leaves, factors, step);
    if (TimeOf(unchanged) < 0.5 * TimeOf(leaves)) break;
    factors = FactorsOf(unchanged);
  }
  return factors;
}

NodeProcesses WithoutCommonFactors(const NodeProcesses& node, const CommonFactors& factors) {
  NodeProcesses rest = node;
  rest.a = Divided(node.a, factors.a, node.slope);
  rest.b = Divided(node.b, factors.b, node.slope);
  return rest;
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
