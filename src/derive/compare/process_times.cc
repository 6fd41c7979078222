#include "derive/compare/process_times.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "derive/compare/tree_alignment.h"

namespace xsp::compare {
namespace {

/// Where typical times were not read, means, and nothing about slowness.
TypicalTimes TypicalOwnTimes(const SideTrees& trees, Basis basis) {
  const TypicalTimes& times = basis == Basis::kDevice ? trees.device_typical : trees.host_typical;
  const ComparisonTree& tree = TreeOf(trees, basis);
  if (times.own_ns.size() == tree.size()) return times;
  return {OwnTimes(tree), std::vector<double>(tree.size(), 0), 0};
}

/// In the order of the nodes of the first tree; 0: it has no counterpart.
std::vector<double> InOrderOfA(const TreeAlignment& alignment, const std::vector<double>& of_b) {
  std::vector<double> of_a(alignment.a_to_b.size(), 0);
  for (std::size_t i = 0; i < of_a.size(); ++i)
    if (const std::int32_t j = alignment.a_to_b[i]; j >= 0)
      of_a[i] = of_b[static_cast<std::size_t>(j)];
  return of_a;
}

}  // namespace

const ComparisonTree& TreeOf(const SideTrees& trees, Basis basis) {
  return basis == Basis::kDevice ? trees.device : trees.host;
}

std::vector<double> OwnTimes(const ComparisonTree& tree) {
  std::vector<double> times_ns;
  for (const ComparisonNode& node : tree.nodes()) times_ns.push_back(node.own_ns);
  return times_ns;
}

std::vector<double> TimesBelow(const ComparisonTree& tree, std::vector<double> times_ns) {
  for (std::size_t i = times_ns.size(); i-- > 1;)
    times_ns[static_cast<std::size_t>(tree.nodes()[i].parent)] += times_ns[i];
  return times_ns;
}

TimesByProcess TimesOfProcesses(const Side& side, Basis basis) {
  const ComparisonTree& tree = TreeOf(side.trees, basis);
  TimesByProcess found;
  found.times_ns.resize(tree.size());
  found.with_slowness.resize(tree.size(), 0);
  const auto add = [&](const TypicalTimes& own) {
    const std::vector<double> times_ns = TimesBelow(tree, own.own_ns);
    const std::vector<double> with_slowness_ns = TimesBelow(tree, own.with_slowness_ns);
    for (std::size_t i = 0; i < times_ns.size(); ++i) {
      found.times_ns[i].push_back(times_ns[i]);
      if (times_ns[i] > 0) found.with_slowness[i] += with_slowness_ns[i] / times_ns[i];
    }
    found.slowness_squares += own.slowness_squares;
  };
  add(TypicalOwnTimes(side.trees, basis));
  for (const SideTrees& process : side.processes) {
    const TreeAlignment alignment = AlignTrees(tree, TreeOf(process, basis));
    const TypicalTimes own = TypicalOwnTimes(process, basis);
    add({InOrderOfA(alignment, own.own_ns), InOrderOfA(alignment, own.with_slowness_ns),
         own.slowness_squares});
  }
  return found;
}

}  // namespace xsp::compare
