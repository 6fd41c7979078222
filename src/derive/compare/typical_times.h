#ifndef XSP_DERIVE_COMPARE_TYPICAL_TIMES_H_
#define XSP_DERIVE_COMPARE_TYPICAL_TIMES_H_

#include <span>
#include <vector>

namespace xsp::compare {

/// The longest time of one node in a call that is work, ns: longer ones contain a wait. Three times
/// the trimmed mean over calls (core::TrimmedMean) and three ticks of the profiler's clock, by
/// which a short time seems longer.
double LongestTypicalTime(std::span<const double> calls_ns, double tick_ns);

/// The nodes of a tree over the calls of one process, in the tree's order.
struct TypicalTimes {
  /// Of each node with time of its own the mean over calls without those that contain a wait, ns;
  /// else 0. Where calls have two levels (a machine that changes between a fast and a slow state, a
  /// coarse clock) it grows with the share of the slow ones, as no trimmed mean does.
  std::vector<double> own_ns;
  /// By how much that time grows with the slowness of calls: mean over calls of what it differs by
  /// from `own_ns`, times CallSlowness(), ns.
  std::vector<double> with_slowness_ns;
  double slowness_squares = 0;  ///< Mean over calls of the square of CallSlowness().
};

/// `calls_ns`: of each node its time in each call, ns, 0 where the call lacks it, all of one
/// length; empty: it has no time of its own. `slowness`: of each call.
TypicalTimes FindTypicalTimes(std::span<const std::vector<double>> calls_ns,
                              std::span<const double> slowness, double tick_ns);

}  // namespace xsp::compare

#endif  // XSP_DERIVE_COMPARE_TYPICAL_TIMES_H_
