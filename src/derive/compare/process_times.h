#ifndef XSP_DERIVE_COMPARE_PROCESS_TIMES_H_
#define XSP_DERIVE_COMPARE_PROCESS_TIMES_H_

#include <vector>

#include "derive/compare/comparison_tree.h"
#include "derive/compare/side.h"

namespace xsp::compare {

/// The tree whose leaves add up to the total of `basis`.
const ComparisonTree& TreeOf(const SideTrees& trees, Basis basis);

/// The own time of each node, ns: the mean per call.
std::vector<double> OwnTimes(const ComparisonTree& tree);

/// Sums own times, one for each node, up the tree: the time in and below each node.
std::vector<double> TimesBelow(const ComparisonTree& tree, std::vector<double> times_ns);

/// The nodes of a side's tree, in its order, over the processes of the side.
struct TimesByProcess {
  /// Of each node the typical time per call in and below it in each process (TypicalTimes; where
  /// these were not read, means), ns: that of the side's run first. 0: the process has no such
  /// node.
  std::vector<std::vector<double>> times_ns;
  /// Of each node the sum over processes of TypicalTimes::with_slowness_ns in and below it, as a
  /// share of its time in the process.
  std::vector<double> with_slowness;
  double slowness_squares = 0;  ///< Sum over processes of TypicalTimes::slowness_squares.
};

/// Aligns the trees of all processes with that of the side's run.
TimesByProcess TimesOfProcesses(const Side& side, Basis basis);

}  // namespace xsp::compare

#endif  // XSP_DERIVE_COMPARE_PROCESS_TIMES_H_
