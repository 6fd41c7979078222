#include "derive/compare/process_times.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "derive/compare/tree_alignment.h"

namespace xsp::compare {
namespace {

/// Typical time of its own of each node; where that was not read, the mean.
std::vector<double> TypicalOwnTimes(const SideTrees& trees, Basis basis) {
  const auto& typical_ns =
      basis == Basis::kDevice ? trees.device_typical_ns : trees.host_typical_ns;
  const ComparisonTree& tree = TreeOf(trees, basis);
  return typical_ns.size() == tree.size() ? typical_ns : OwnTimes(tree);
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

std::vector<std::vector<double>> TimesOfProcesses(const Side& side, Basis basis) {
  const ComparisonTree& tree = TreeOf(side.trees, basis);
  std::vector<std::vector<double>> times_ns(tree.size());
  const auto add = [&](const std::vector<double>& below) {
    for (std::size_t i = 0; i < below.size(); ++i) times_ns[i].push_back(below[i]);
  };
  add(TimesBelow(tree, TypicalOwnTimes(side.trees, basis)));
  for (const SideTrees& process : side.processes) {
    const TreeAlignment alignment = AlignTrees(tree, TreeOf(process, basis));
    const std::vector<double> of_process = TypicalOwnTimes(process, basis);
    std::vector<double> own_ns(tree.size(), 0);
    for (std::size_t i = 0; i < tree.size(); ++i)
      if (const std::int32_t j = alignment.a_to_b[i]; j >= 0)
        own_ns[i] = of_process[static_cast<std::size_t>(j)];
    add(TimesBelow(tree, std::move(own_ns)));
  }
  return times_ns;
}

}  // namespace xsp::compare
