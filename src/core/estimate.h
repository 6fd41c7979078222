#ifndef XSP_CORE_ESTIMATE_H_
#define XSP_CORE_ESTIMATE_H_

#include <cstddef>
#include <span>
#include <vector>

#include "core/statistics.h"

namespace xsp::core {

// Centres and 95 % intervals of samples that follow one another on a machine that drifts: what is
// resampled is what was randomised (a pair of calls, a block, a process), never the single call,
// whose neighbours resemble it (lag-1 autocorrelation 0.5 to 0.6 on shared machines). Pure
// functions, any thread. NaN where the units are too few for an interval.

/// A centre with its 95 % interval.
struct Estimate {
  double centre;
  Interval interval;
  std::size_t units;  ///< Independent units that the interval rests on.
};

/// Hodges-Lehmann estimate: the median of the averages of all pairs of values, each with itself
/// too, and the interval of Wilcoxon's signed-rank test (Hollander and Wolfe 1999, sections 3.2 and
/// 3.3; exact up to 50 values, normal approximation above). Up to 29 % of outliers do not carry
/// the centre away. Fewer than 6 values have no such interval at 95 %: theirs is StudentMean's.
/// Of more than 1,000 values neighbours are averaged first. O(n^2) of at most 1,000.
Estimate HodgesLehmann(std::span<const double> values);

/// Arithmetic mean with Student's t interval. The interval is NaN below 2 values.
Estimate StudentMean(std::span<const double> values);

/// `values` in the order of time, with neighbours averaged (each time two by two, a last odd one
/// dropped) until their lag-1 autocorrelation is no longer significant (one-sided, 5 %) or
/// fewer than `min_batches` would be left: batch means (Conway 1963). Independent values come back
/// as they are.
std::vector<double> BatchUntilUncorrelated(std::vector<double> values,
                                           std::size_t min_batches = 20);

/// Ratio a / b of positive values that were measured in pairs, in the order of time: Hodges-Lehmann
/// estimate of the log ratios, batched as above. Both have the same size.
Estimate PairedRatio(std::span<const double> a, std::span<const double> b);

/// 95 % interval around `centre`, a trimmed mean of times, for the level of a sequence that was
/// measured in blocks apart in time: Student's t of the blocks' trimmed means, or, with fewer than
/// 3 blocks, of their winsorised calls as one sequence (Yuen 1974). Either is in the order of time
/// and batched as above, down to 5; what single calls still resemble each other then widens it. It
/// is set off on the scale of logs, so that it holds no time below 0. NaN where there are fewer
/// than 2 calls that are not cut off.
Interval BlockedInterval(double centre, std::span<const std::vector<double>> blocks);

struct ProcessRatio {
  Estimate ratio;  ///< a / b.
  double p;        ///< Two-sided, that it is 1; NaN without an interval.
};

/// Ratio of the times of two programs of which several processes each were measured:
/// `a[process][block]` are the times of one block, ns. Two stages: a process's value is the mean of
/// the logs of its blocks, and the processes' values are compared by Welch's t test (1947), so that
/// what two processes of one program differ by widens the interval. Where all processes have the
/// same number of blocks, measured alternately, the mean of each round is taken off first: drift of
/// the machine cancels. The interval is NaN where a side has one process.
ProcessRatio CompareProcesses(std::span<const std::vector<double>> a,
                              std::span<const std::vector<double>> b);

}  // namespace xsp::core

#endif  // XSP_CORE_ESTIMATE_H_
