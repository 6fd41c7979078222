#include "measure/protocols/early_stopping.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace xsp::protocols {
namespace {

/// Logarithms, because terms of many trials are too small for a double.
double BinomialTerm(std::int64_t successes, std::int64_t trials, double probability) {
  const auto k = static_cast<double>(successes), n = static_cast<double>(trials);
  return std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) +
                  k * std::log(probability) + (n - k) * std::log1p(-probability));
}

double ShareAbove(double percentile) { return 1 - percentile / 100; }

/// Rounding must not decide where a probability is the limit itself.
constexpr double kMostLikely = 1 - kEarlyStoppingConfidence + 1e-12;

}  // namespace

double BinomialCdf(std::int64_t successes, std::int64_t trials, double probability) {
  double sum = 0;
  for (std::int64_t k = 0; k <= std::min(successes, trials); ++k)
    sum += BinomialTerm(k, trials, probability);
  return std::min(1.0, sum);
}

std::int64_t AllowedAbove(std::int64_t queries, double percentile) {
  double sum = 0;
  for (std::int64_t above = 0; above <= queries; ++above) {
    sum += BinomialTerm(above, queries, ShareAbove(percentile));
    if (sum > kMostLikely) return above - 1;
  }
  return queries;
}

std::int64_t FewestQueries(std::int64_t above, double percentile) {
  const auto enough = [&](std::int64_t queries) {
    return BinomialCdf(above, queries, ShareAbove(percentile)) <= kMostLikely;
  };
  std::int64_t too_few = above, high = above + 1;
  while (!enough(high)) {
    too_few = high;
    high *= 2;
  }
  while (high - too_few > 1) {
    const std::int64_t middle = too_few + (high - too_few) / 2;
    (enough(middle) ? high : too_few) = middle;
  }
  return high;
}

std::optional<double> EarlyStoppingEstimate(std::span<const double> latencies, double percentile) {
  const std::int64_t above = AllowedAbove(static_cast<std::int64_t>(latencies.size()), percentile);
  if (above < 1) return std::nullopt;
  std::vector<double> sorted(latencies.begin(), latencies.end());
  const auto at = sorted.begin() + (above - 1);
  std::nth_element(sorted.begin(), at, sorted.end(), std::greater<>());
  return *at;
}

}  // namespace xsp::protocols
