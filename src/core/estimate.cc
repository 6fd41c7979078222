#include "core/estimate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/distributions.h"

namespace xsp::core {
namespace {

constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();
constexpr double kTail = 0.025;
constexpr std::size_t kFewestRanked = 6;  ///< 2 / 2^5 is above 5 %.
constexpr std::size_t kMostExact = 50;
constexpr std::size_t kMostRanked = 1000;
constexpr std::size_t kFewestBlocks = 3;
constexpr std::size_t kFewestLevels = 5;  ///< Batches of one sequence that tell its level.

double StudentQuantile(double degrees) {
  return boost::math::quantile(boost::math::complement(StudentsT(degrees), kTail));
}

double Variance(std::span<const double> values, double mean) {
  double squares = 0;
  for (double value : values) squares += (value - mean) * (value - mean);
  return squares / static_cast<double>(values.size() - 1);
}

std::vector<double> AverageNeighbours(const std::vector<double>& values) {
  std::vector<double> averages(values.size() / 2);
  for (std::size_t i = 0; i < averages.size(); ++i)
    averages[i] = 0.5 * (values[2 * i] + values[2 * i + 1]);
  return averages;
}

double LagOneAutocorrelation(std::span<const double> values) {
  const double mean = Mean(values);
  double products = 0, squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    squares += (values[i] - mean) * (values[i] - mean);
    if (i > 0) products += (values[i] - mean) * (values[i - 1] - mean);
  }
  return squares > 0 ? products / squares : 0;
}

/// The largest k with P(T < k) <= 2.5 %, T being the signed-rank statistic of n values: the
/// interval runs from the k-th smallest average of pairs to the k-th largest.
std::size_t SignedRankCut(std::size_t n) {
  const auto count = static_cast<double>(n);
  if (n > kMostExact) {
    const double mean = count * (count + 1) / 4;
    const double deviation = std::sqrt(count * (count + 1) * (2 * count + 1) / 24);
    const double z = boost::math::quantile(boost::math::complement(Normal(), kTail));
    return static_cast<std::size_t>(std::max(1.0, std::floor(mean - z * deviation)));
  }
  // ways[t]: subsets of the ranks 1 ... n with sum t.
  std::vector<double> ways(n * (n + 1) / 2 + 1, 0);
  ways[0] = 1;
  for (std::size_t rank = 1; rank <= n; ++rank)
    for (std::size_t sum = ways.size() - 1; sum >= rank; --sum) ways[sum] += ways[sum - rank];
  const double all = std::exp2(count);
  double below = 0;
  std::size_t cut = 0;
  while ((below + ways[cut]) / all <= kTail) below += ways[cut++];
  return cut;
}

/// Of one process: the log of each of its blocks.
using Logs = std::vector<double>;

std::vector<Logs> LogsOf(std::span<const std::vector<double>> processes) {
  std::vector<Logs> logs;
  for (const auto& process : processes) {
    Logs& of = logs.emplace_back();
    for (double time : process) of.push_back(std::log(time));
  }
  return logs;
}

/// Takes off each round's mean over all processes of both sides.
void SubtractRounds(std::vector<Logs>& a, std::vector<Logs>& b) {
  const std::size_t rounds = a.front().size();
  const auto same = [&](const Logs& logs) { return logs.size() == rounds; };
  if (!std::all_of(a.begin(), a.end(), same) || !std::all_of(b.begin(), b.end(), same)) return;
  for (std::size_t round = 0; round < rounds; ++round) {
    double mean_a = 0, mean_b = 0;
    for (const Logs& logs : a) mean_a += logs[round] / static_cast<double>(a.size());
    for (const Logs& logs : b) mean_b += logs[round] / static_cast<double>(b.size());
    // The same is taken off both sides: their difference stays.
    const double middle = 0.5 * (mean_a + mean_b);
    for (Logs& logs : a) logs[round] -= middle;
    for (Logs& logs : b) logs[round] -= middle;
  }
}

std::vector<double> MeansOf(const std::vector<Logs>& processes) {
  std::vector<double> means;
  for (const Logs& logs : processes) means.push_back(Mean(logs));
  return means;
}

/// How much wider the error of a mean is for what neighbours still resemble each other: that of a
/// first-order autoregression, its coefficient corrected for the few values (Marriott and Pope
/// 1954).
double Resemblance(std::span<const double> values) {
  constexpr double kMost = 0.9;
  const double r = LagOneAutocorrelation(values);
  const auto n = static_cast<double>(values.size());
  const double corrected = std::clamp(r + (1 + 4 * r) / n, 0.0, kMost);
  return std::sqrt((1 + corrected) / (1 - corrected));
}

/// Half the width of the 95 % interval of the trimmed mean of a sequence in the order of time: the
/// standard error comes from winsorised values (Tukey and McLaughlin 1963; Yuen 1974), so that what
/// the trimmed mean leaves out widens it no further.
double HalfWidthOfTrimmedMean(std::vector<double> sequence) {
  if (sequence.size() < 2) return kNotKnown;
  std::vector<double> sorted = sequence;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t all = sequence.size();
  const std::size_t cut = TrimmedAtEachEnd(all), kept = all - 2 * cut;
  for (double& value : sequence) value = std::clamp(value, sorted[cut], sorted[all - 1 - cut]);
  const std::vector<double> batches = BatchUntilUncorrelated(std::move(sequence), kFewestLevels);
  const auto n = static_cast<double>(batches.size());
  const double degrees = batches.size() == all ? static_cast<double>(kept) - 1 : n - 1;
  if (degrees < 1) return kNotKnown;
  return StudentQuantile(degrees) * std::sqrt(Variance(batches, Mean(batches)) / n) *
         Resemblance(batches) * static_cast<double>(all) / static_cast<double>(kept);
}

/// As wide on the scale of logs as `half` is at `centre`: a time is never below 0.
Interval AroundTime(double centre, double half) {
  const double log_half = half / centre;
  return {centre * std::exp(-log_half), centre * std::exp(log_half)};
}

bool AnyEmpty(std::span<const std::vector<double>> processes) {
  return processes.empty() || std::any_of(processes.begin(), processes.end(),
                                          [](const auto& process) { return process.empty(); });
}

}  // namespace

Estimate StudentMean(std::span<const double> values) {
  const double mean = Mean(values);
  if (values.size() < 2) return {mean, {kNotKnown, kNotKnown}, values.size()};
  const auto n = static_cast<double>(values.size());
  const double half = StudentQuantile(n - 1) * std::sqrt(Variance(values, mean) / n);
  return {mean, {mean - half, mean + half}, values.size()};
}

Estimate HodgesLehmann(std::span<const double> values) {
  if (values.size() < kFewestRanked) return StudentMean(values);
  std::vector<double> ranked(values.begin(), values.end());
  while (ranked.size() > kMostRanked) ranked = AverageNeighbours(ranked);
  std::vector<double> averages;
  averages.reserve(ranked.size() * (ranked.size() + 1) / 2);
  for (std::size_t i = 0; i < ranked.size(); ++i)
    for (std::size_t j = i; j < ranked.size(); ++j)
      averages.push_back(0.5 * (ranked[i] + ranked[j]));
  const double centre = Median(averages);
  const std::size_t cut = SignedRankCut(ranked.size()) - 1;
  const auto nth = [&](std::size_t index) {
    const auto at = averages.begin() + static_cast<std::ptrdiff_t>(index);
    std::nth_element(averages.begin(), at, averages.end());
    return *at;
  };
  const double low = nth(cut);
  return {centre, {low, nth(averages.size() - 1 - cut)}, ranked.size()};
}

std::vector<double> BatchUntilUncorrelated(std::vector<double> values, std::size_t min_batches) {
  constexpr double kOneSided = 1.645;
  while (values.size() >= 2 * min_batches &&
         LagOneAutocorrelation(values) > kOneSided / std::sqrt(static_cast<double>(values.size())))
    values = AverageNeighbours(values);
  return values;
}

Estimate PairedRatio(std::span<const double> a, std::span<const double> b) {
  std::vector<double> logs;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    logs.push_back(std::log(a[i] / b[i]));
  const Estimate log = HodgesLehmann(BatchUntilUncorrelated(std::move(logs)));
  return {
      std::exp(log.centre), {std::exp(log.interval.low), std::exp(log.interval.high)}, log.units};
}

Interval BlockedInterval(double centre, std::span<const std::vector<double>> blocks) {
  std::vector<double> means;
  for (const auto& block : blocks)
    if (!block.empty()) means.push_back(TrimmedMean(block));
  if (means.size() < kFewestBlocks) {
    std::vector<double> sequence;
    for (const auto& block : blocks) sequence.insert(sequence.end(), block.begin(), block.end());
    return AroundTime(centre, HalfWidthOfTrimmedMean(std::move(sequence)));
  }
  means = BatchUntilUncorrelated(std::move(means), kFewestLevels);
  const Estimate level = StudentMean(means);
  return AroundTime(centre, 0.5 * (level.interval.high - level.interval.low));
}

ProcessRatio CompareProcesses(std::span<const std::vector<double>> a,
                              std::span<const std::vector<double>> b) {
  if (AnyEmpty(a) || AnyEmpty(b)) return {{kNotKnown, {kNotKnown, kNotKnown}, 0}, kNotKnown};
  std::vector<Logs> logs_a = LogsOf(a), logs_b = LogsOf(b);
  SubtractRounds(logs_a, logs_b);
  const std::vector<double> means_a = MeansOf(logs_a), means_b = MeansOf(logs_b);
  const double mean_a = Mean(means_a), mean_b = Mean(means_b);
  const double difference = mean_a - mean_b;
  ProcessRatio result = {{std::exp(difference), {kNotKnown, kNotKnown}, a.size() + b.size()},
                         kNotKnown};
  if (a.size() < 2 || b.size() < 2) return result;
  const double error_a = Variance(means_a, mean_a) / static_cast<double>(a.size());
  const double error_b = Variance(means_b, mean_b) / static_cast<double>(b.size());
  const double error = error_a + error_b;
  if (error <= 0) {
    result.ratio.interval = {result.ratio.centre, result.ratio.centre};
    result.p = difference == 0 ? 1 : 0;
    return result;
  }
  // Welch-Satterthwaite degrees of freedom.
  const double degrees = error * error /
                         (error_a * error_a / static_cast<double>(a.size() - 1) +
                          error_b * error_b / static_cast<double>(b.size() - 1));
  const double half = StudentQuantile(degrees) * std::sqrt(error);
  result.ratio.interval = {std::exp(difference - half), std::exp(difference + half)};
  result.p = 2 * boost::math::cdf(boost::math::complement(StudentsT(degrees),
                                                          std::abs(difference) / std::sqrt(error)));
  return result;
}

}  // namespace xsp::core
