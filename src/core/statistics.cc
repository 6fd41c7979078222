#include "core/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace xsp::core {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::vector<double> Sorted(std::span<const double> samples) {
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

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
    mean = TrimmedMeanOfCounts(sorted, counts, TrimmedAtEachEnd(n));
  }
  return means;
}

/// Pairs of a value of `a` and one of `b` in which the first is larger; a tie counts one half.
double PairsWon(std::span<const double> a, std::span<const double> b) {
  const std::vector<double> sorted = Sorted(b);
  double won = 0;
  for (const double value : a) {
    const auto [from, to] = std::equal_range(sorted.begin(), sorted.end(), value);
    won += static_cast<double>(from - sorted.begin()) + 0.5 * static_cast<double>(to - from);
  }
  return won;
}

}  // namespace

double Mean(std::span<const double> samples) {
  if (samples.empty()) return kNaN;
  return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
}

// In integers: 0.2 * 15 is above 3 in floating point, 0.2 * n elsewhere may fall below.
std::size_t TrimmedAtEachEnd(std::size_t samples) { return samples / 5; }

double TrimmedMean(std::span<const double> samples) {
  if (samples.empty()) return kNaN;
  const std::vector<double> sorted = Sorted(samples);
  const std::size_t trim = TrimmedAtEachEnd(sorted.size());
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

double CliffsDelta(std::span<const double> a, std::span<const double> b) {
  if (a.empty() || b.empty()) return kNaN;
  const double pairs = static_cast<double>(a.size()) * static_cast<double>(b.size());
  return 2 * PairsWon(a, b) / pairs - 1;
}

std::string_view CliffsMagnitude(double delta) {
  const double size = std::abs(delta);
  if (size < 0.147) return "negligible";
  if (size < 0.33) return "small";
  if (size < 0.474) return "medium";
  return "large";
}

}  // namespace xsp::core
