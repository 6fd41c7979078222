#include "answer/suggest/candidate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace xsp::suggest {
namespace {

constexpr double kTail = 0.01;
constexpr double kEachSide = 0.025;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Throughput of a latency, ns: items per second.
double Rate(double batch, double latency_ns) {
  return latency_ns > 0 ? batch * 1e9 / latency_ns : kInfinity;
}

}  // namespace

std::string NameOf(const Candidate& candidate) {
  const Identity& identity = candidate.identity;
  std::string name = identity.model.empty() ? candidate.experiment : identity.model;
  if (!identity.backend.empty()) name += " on " + identity.backend;
  if (!candidate.precision.empty()) name += ", " + candidate.precision;
  if (identity.batch) name += fmt::format(", batch {}", *identity.batch);
  return name;
}

void DeriveFromLatency(Candidate& candidate, std::optional<double> price_per_hour) {
  const Value& latency = candidate.Of(Metric::kLatency);
  if (!latency.is_known() || !candidate.identity.batch || *candidate.identity.batch <= 0) return;
  const auto batch = static_cast<double>(*candidate.identity.batch);
  Value& throughput = candidate.Of(Metric::kThroughput);
  throughput = {.centre = Rate(batch, latency.centre)};
  if (latency.has_interval()) {
    throughput.low = Rate(batch, latency.high);
    throughput.high = Rate(batch, latency.low);
  }
  if (!price_per_hour) return;
  constexpr double kSecondsPerHour = 3600, kItems = 1e6;
  const auto cost = [&](double rate) { return *price_per_hour / kSecondsPerHour * kItems / rate; };
  candidate.Of(Metric::kCost) = {cost(throughput.centre), cost(throughput.high),
                                 cost(throughput.low)};
}

Value ShareOf(double share, std::int64_t samples) {
  if (samples <= 0) return {.centre = share};
  constexpr double kZ = 1.959963984540054;
  const auto n = static_cast<double>(samples);
  const double whole = 1 + kZ * kZ / n;
  const double middle = (share + kZ * kZ / (2 * n)) / whole;
  const double half = kZ / whole * std::sqrt(share * (1 - share) / n + kZ * kZ / (4 * n * n));
  return {share, std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

Value PercentileOf99(const std::vector<double>& longest, std::int64_t count) {
  constexpr std::int64_t kFewest = 100;
  if (count < kFewest) return {};
  const auto n = static_cast<double>(count);
  // Of `count` calls, how many lie above the true percentile is binomial.
  double log_probability = n * std::log1p(-kTail), below = 0;  // P(exactly `above`), P(fewer).
  std::int64_t upper_rank = 0, lower_rank = 0;  // From the longest, 1-based; 0: none.
  for (std::int64_t above = 0; above < count && lower_rank == 0; ++above) {
    if (1 - below <= kEachSide) lower_rank = above;
    below += std::exp(log_probability);
    if (below <= kEachSide) upper_rank = above + 1;
    const auto k = static_cast<double>(above);
    log_probability += std::log((n - k) / (k + 1) * kTail / (1 - kTail));
  }
  const auto nearest_rank = static_cast<std::int64_t>(std::ceil((1 - kTail) * n - 1e-9));
  const auto at = [&](std::int64_t rank) {
    return rank >= 1 && rank <= static_cast<std::int64_t>(longest.size())
               ? longest[static_cast<std::size_t>(rank - 1)]
               : std::numeric_limits<double>::quiet_NaN();
  };
  return {at(count - nearest_rank + 1), at(lower_rank),
          upper_rank > 0 ? at(upper_rank) : kInfinity};
}

}  // namespace xsp::suggest
