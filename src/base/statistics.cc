#include "base/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace xsp::base {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kExactSmaller = 8;
constexpr std::size_t kExactLarger = 64;

std::vector<double> Sorted(std::span<const double> samples) {
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

// In integers: 0.2 * 15 is above 3 in floating point, 0.2 * n elsewhere may fall below.
std::size_t TrimCount(std::size_t n) { return n / 5; }

/// 0-based index of the nearest rank among n > 0 sorted samples.
std::size_t NearestRank(std::size_t n, double percent) {
  const double share = std::clamp(percent, 0.0, 100.0) / 100.0;
  // The small slack keeps 0.95 * 20 = 19.000000000000004 at rank 19.
  const double rank = std::ceil(share * static_cast<double>(n) - 1e-9);
  return static_cast<std::size_t>(std::clamp(rank, 1.0, static_cast<double>(n))) - 1;
}

/// SplitMix64 (Steele, Lea and Flood 2014): one multiply chain per 64 bits, any seed is good.
class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}
  std::uint64_t Next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

/// Trimmed mean of a resample given how often each of the sorted values was drawn.
double TrimmedMeanOfCounts(const std::vector<double>& sorted,
                           const std::vector<std::uint32_t>& counts, std::size_t trim) {
  const std::size_t kept = sorted.size() - 2 * trim;
  std::size_t skip = trim;
  std::size_t left = kept;
  double sum = 0;
  for (std::size_t i = 0; left > 0; ++i) {
    std::size_t count = counts[i];
    const std::size_t skipped = std::min(skip, count);
    skip -= skipped;
    count = std::min(count - skipped, left);
    left -= count;
    sum += static_cast<double>(count) * sorted[i];
  }
  return sum / static_cast<double>(kept);
}

/// Trimmed means of `resamples` >= 1 resamples with replacement of n >= 1 samples.
std::vector<double> ResampledTrimmedMeans(std::span<const double> samples, SplitMix64& random,
                                          int resamples) {
  const std::size_t n = samples.size();
  const std::vector<double> sorted = Sorted(samples);
  // Drawing counts of sorted values instead of values: no resample needs sorting.
  std::vector<std::uint32_t> counts(n);
  std::vector<double> means(static_cast<std::size_t>(resamples));
  const auto index = [n](std::uint64_t bits32) { return (bits32 * n) >> 32; };
  for (double& mean : means) {
    std::fill(counts.begin(), counts.end(), 0);
    for (std::size_t drawn = 0; drawn + 1 < n; drawn += 2) {
      const std::uint64_t bits = random.Next();
      ++counts[index(bits >> 32)];
      ++counts[index(bits & 0xffffffff)];
    }
    if (n % 2 == 1) ++counts[index(random.Next() >> 32)];
    mean = TrimmedMeanOfCounts(sorted, counts, TrimCount(n));
  }
  return means;
}

struct PooledRanks {
  double u = 0;         ///< U of the first sample.
  double tie_term = 0;  ///< Sum of t^3 - t over groups of t equal values.
};

PooledRanks RankPooled(std::span<const double> a, std::span<const double> b) {
  struct Item {
    double value;
    bool first;
  };
  std::vector<Item> items;
  items.reserve(a.size() + b.size());
  for (double value : a) items.push_back({value, true});
  for (double value : b) items.push_back({value, false});
  std::sort(items.begin(), items.end(),
            [](const Item& x, const Item& y) { return x.value < y.value; });

  PooledRanks result;
  double b_below = 0;
  for (std::size_t start = 0; start < items.size();) {
    std::size_t end = start;
    double a_here = 0, b_here = 0;
    for (; end < items.size() && items[end].value == items[start].value; ++end)
      (items[end].first ? a_here : b_here) += 1;
    result.u += a_here * (b_below + 0.5 * b_here);
    const double t = a_here + b_here;
    result.tie_term += t * t * t - t;
    b_below += b_here;
    start = end;
  }
  return result;
}

/// Share of the arrangements of m and n distinct values whose U is >= u. Counts partitions of U
/// into at most m parts of at most n: c(m, n, u) = c(m - 1, n, u - n) + c(m, n - 1, u).
double ExactTail(std::size_t m, std::size_t n, double u) {
  const std::size_t largest = m * n;
  std::vector<std::vector<double>> count(m + 1, std::vector<double>(largest + 1, 0));
  for (std::size_t i = 0; i <= m; ++i) count[i][0] = 1;  // n = 0: only U = 0.
  for (std::size_t part = 1; part <= n; ++part)
    for (std::size_t i = 1; i <= m; ++i)
      for (std::size_t v = part; v <= i * part; ++v) count[i][v] += count[i - 1][v - part];
  const std::vector<double>& ways = count[m];
  const auto from = static_cast<std::ptrdiff_t>(std::ceil(u));
  const double tail = std::accumulate(ways.begin() + from, ways.end(), 0.0);
  return tail / std::accumulate(ways.begin(), ways.end(), 0.0);
}

}  // namespace

double Mean(std::span<const double> samples) {
  if (samples.empty()) return kNaN;
  return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
}

double TrimmedMean(std::span<const double> samples) {
  if (samples.empty()) return kNaN;
  const std::vector<double> sorted = Sorted(samples);
  const std::size_t trim = TrimCount(sorted.size());
  return Mean(std::span(sorted).subspan(trim, sorted.size() - 2 * trim));
}

double Percentile(std::span<const double> samples, double percent) {
  if (samples.empty()) return kNaN;
  std::vector<double> values(samples.begin(), samples.end());
  const auto rank =
      values.begin() + static_cast<std::ptrdiff_t>(NearestRank(values.size(), percent));
  std::nth_element(values.begin(), rank, values.end());
  return *rank;
}

double Median(std::span<const double> samples) {
  if (samples.empty()) return kNaN;
  const std::vector<double> sorted = Sorted(samples);
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : 0.5 * (sorted[half - 1] + sorted[half]);
}

double CoefficientOfVariation(std::span<const double> samples) {
  const double mean = Mean(samples);
  if (samples.empty() || mean == 0) return kNaN;
  if (samples.size() == 1) return 0;
  double squares = 0;
  for (double sample : samples) squares += (sample - mean) * (sample - mean);
  return std::sqrt(squares / static_cast<double>(samples.size() - 1)) / mean;
}

Interval TrimmedMeanInterval(std::span<const double> samples, std::uint64_t seed, int resamples) {
  if (samples.empty() || resamples < 1) return {kNaN, kNaN};
  SplitMix64 random(seed);
  const std::vector<double> means = ResampledTrimmedMeans(samples, random, resamples);
  return {Percentile(means, 2.5), Percentile(means, 97.5)};
}

Interval TrimmedMeanRatioInterval(std::span<const double> a, std::span<const double> b,
                                  std::uint64_t seed, int resamples) {
  if (a.empty() || b.empty() || resamples < 1) return {kNaN, kNaN};
  SplitMix64 random(seed);
  std::vector<double> ratios = ResampledTrimmedMeans(a, random, resamples);
  const std::vector<double> below = ResampledTrimmedMeans(b, random, resamples);
  for (std::size_t i = 0; i < ratios.size(); ++i) ratios[i] /= below[i];
  return {Percentile(ratios, 2.5), Percentile(ratios, 97.5)};
}

MannWhitney MannWhitneyU(std::span<const double> a, std::span<const double> b) {
  if (a.empty() || b.empty()) return {kNaN, 1, false};
  const PooledRanks ranks = RankPooled(a, b);
  const auto na = static_cast<double>(a.size());
  const auto nb = static_cast<double>(b.size());
  const double larger_u = std::max(ranks.u, na * nb - ranks.u);
  // By value: minmax(x, y) of temporaries returns references that dangle.
  const auto [smaller, larger] = std::minmax({a.size(), b.size()});
  if (ranks.tie_term == 0 && smaller <= kExactSmaller && larger <= kExactLarger)
    return {ranks.u, std::min(1.0, 2 * ExactTail(smaller, larger, larger_u)), true};

  const double n = na + nb;
  const double variance = na * nb / 12 * (n + 1 - ranks.tie_term / (n * (n - 1)));
  if (variance <= 0) return {ranks.u, 1, false};
  const double z = (larger_u - na * nb / 2 - 0.5) / std::sqrt(variance);
  return {ranks.u, std::min(1.0, std::erfc(z / std::sqrt(2.0))), false};
}

double CliffsDelta(std::span<const double> a, std::span<const double> b) {
  if (a.empty() || b.empty()) return kNaN;
  const double pairs = static_cast<double>(a.size()) * static_cast<double>(b.size());
  return 2 * RankPooled(a, b).u / pairs - 1;
}

std::string_view CliffsMagnitude(double delta) {
  const double size = std::abs(delta);
  if (size < 0.147) return "negligible";
  if (size < 0.33) return "small";
  if (size < 0.474) return "medium";
  return "large";
}

}  // namespace xsp::base
