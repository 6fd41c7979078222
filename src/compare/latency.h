#ifndef XSP_COMPARE_LATENCY_H_
#define XSP_COMPARE_LATENCY_H_

#include <span>
#include <vector>

#include "base/statistics.h"
#include "compare/measured_points.h"
#include "store/table.h"

namespace xsp::compare {

/// Mean over processes of their trimmed means, ns. NaN without a sample.
double Latency(std::span<const std::vector<double>> processes);

/// 95 % interval of Latency(a) / Latency(b) by a two-stage bootstrap (Davison and Hinkley 1997,
/// section 3.8): each resample draws processes with replacement and then calls within each. So the
/// difference that two processes of the same program show (memory placement; 10 % and more were
/// seen, ADR 9) widens it, which calls of one process cannot tell. Seeded: the same samples give
/// the same interval. NaN when one is empty.
base::Interval LatencyRatioInterval(std::span<const std::vector<double>> a,
                                    std::span<const std::vector<double>> b);

/// Holm's adjustment of p values for testing them all at once (Holm 1979): in the given order.
std::vector<double> AdjustedByHolm(std::span<const double> p_values);

/// Rows of the table `comparison`: each ordered pair of points of each group. `faster` or `slower`
/// only where the adjusted Mann-Whitney test is below 0.05 and the interval of the ratio leaves out
/// 1; else `no difference found`. `not told (one process)` where a point has no second process, so
/// that what two processes of it differ in is not known.
store::Table CompareLatencies(const std::vector<Group>& groups);

}  // namespace xsp::compare

#endif  // XSP_COMPARE_LATENCY_H_
