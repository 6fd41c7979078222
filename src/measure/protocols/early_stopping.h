#ifndef XSP_MEASURE_PROTOCOLS_EARLY_STOPPING_H_
#define XSP_MEASURE_PROTOCOLS_EARLY_STOPPING_H_

#include <cstdint>
#include <optional>
#include <span>

namespace xsp::protocols {

// What a few queries can say about a percentile of latency, by the early-stopping criterion of
// MLPerf Inference (inference_rules.adoc, appendix "Early Stopping Criterion"; LoadGen,
// early_stopping.cc, tolerance d = 0, confidence c = 0.99). It is a one-sided Clopper-Pearson bound
// (1934): were the true share of queries above a latency 1 - p or more, as few above it as were
// seen would come up with a probability of at most 1 - c. Pure functions, any thread.

inline constexpr double kEarlyStoppingConfidence = 0.99;

/// P(X <= successes) of a binomial X with `trials` trials of probability `probability` in (0, 1).
/// 0 for negative `successes`. O(successes).
double BinomialCdf(std::int64_t successes, std::int64_t trials, double probability);

/// The most of `queries` that may lie above a bound so that it holds for the `percentile` (in (0,
/// 100)) with kEarlyStoppingConfidence; -1: so few queries say nothing. O(queries).
std::int64_t AllowedAbove(std::int64_t queries, double percentile);

/// The fewest queries with which `above` of them may lie above the bound. `above` >= 0. LoadGen's
/// h + t.
std::int64_t FewestQueries(std::int64_t above, double percentile);

/// The latency that the `percentile` does not exceed, with kEarlyStoppingConfidence: where t may
/// lie above, the t-th largest. Nothing when t is below 1. In the unit of `latencies`, which come
/// in any order.
std::optional<double> EarlyStoppingEstimate(std::span<const double> latencies, double percentile);

}  // namespace xsp::protocols

#endif  // XSP_MEASURE_PROTOCOLS_EARLY_STOPPING_H_
