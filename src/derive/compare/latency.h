#ifndef XSP_DERIVE_COMPARE_LATENCY_H_
#define XSP_DERIVE_COMPARE_LATENCY_H_

#include <span>
#include <vector>

#include "core/estimate.h"
#include "derive/compare/measured_points.h"
#include "store/rows/comparison_row.h"

namespace xsp::compare {

/// Of one point: calls by process and block, as MeasuredPoint has them.
using Processes = std::span<const std::vector<std::vector<double>>>;

/// Mean over processes of their trimmed means, ns. NaN without a sample.
double Latency(Processes processes);

/// Latency of a over that of b, with a 95 % interval that holds what two processes of one program
/// differ in (memory placement; 10 % and more were seen, ADR 9): core::CompareProcesses() of the
/// blocks' trimmed means.
core::ProcessRatio LatencyRatio(Processes a, Processes b);

/// Holm's adjustment of p values for testing them all at once (Holm 1979): in the given order.
std::vector<double> AdjustedByHolm(std::span<const double> p_values);

/// Rows of the table `comparison`: for each pair of points of each group the earlier one against
/// the later one, then the reverse. `faster` or `slower` only where the adjusted p value of
/// LatencyRatio() is below 0.05; else `no difference found`. `not told (one process)` where a point
/// has no second process, so that what two processes of it differ in is not known.
std::vector<store::ComparisonRow> CompareLatencies(const std::vector<Group>& groups);

}  // namespace xsp::compare

#endif  // XSP_DERIVE_COMPARE_LATENCY_H_
