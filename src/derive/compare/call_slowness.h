#ifndef XSP_DERIVE_COMPARE_CALL_SLOWNESS_H_
#define XSP_DERIVE_COMPARE_CALL_SLOWNESS_H_

#include <span>
#include <vector>

namespace xsp::compare {

/// How much slower each call of one process is than the mean of its calls, as a share: 0.1 for 10 %
/// more. `leaves_ns`: of each piece of work its time in each call, ns, in the order of the calls; 0
/// where a call lacks it. Each call has the ratio of each of its leaves to the leaf's 20th
/// percentile over calls, and of these ratios, weighted by that percentile, the mean of the middle
/// half (interquartile mean): what single leaves wait does not count. Calls without work have 0.
/// Empty without leaves or calls. O(n log n) in times.
std::vector<double> CallSlowness(std::span<const std::span<const double>> leaves_ns);

}  // namespace xsp::compare

#endif  // XSP_DERIVE_COMPARE_CALL_SLOWNESS_H_
