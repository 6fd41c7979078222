#include "core/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

namespace xsp::core {
namespace {

std::vector<double> OneTo(int n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

TEST(TrimmedMeanTest, CutsAFifthOffEachEnd) {
  // floor(0.2 * 9) = 1: 100 and 0 go.
  EXPECT_DOUBLE_EQ(TrimmedMean(std::vector<double>{100, 3, 4, 5, 1, 2, 6, 7, 0}), 4);
  // floor(0.2 * 10) = 2.
  EXPECT_DOUBLE_EQ(TrimmedMean(std::vector<double>{1000, 900, 3, 4, 5, 6, 7, 8, -5, -6}), 5.5);
}

TEST(TrimmedMeanTest, KeepsAllOfASmallSample) {
  EXPECT_DOUBLE_EQ(TrimmedMean(std::vector<double>{1, 2, 3, 10}), 4);
  EXPECT_DOUBLE_EQ(TrimmedMean(std::vector<double>{7}), 7);
  EXPECT_TRUE(std::isnan(TrimmedMean({})));
}

TEST(PercentileTest, IsTheNearestRank) {
  // The worked example of the nearest-rank definition: 15, 20, 35, 40, 50.
  const std::vector<double> samples = {35, 20, 15, 50, 40};
  EXPECT_EQ(Percentile(samples, 5), 15);
  EXPECT_EQ(Percentile(samples, 30), 20);
  EXPECT_EQ(Percentile(samples, 40), 20);
  EXPECT_EQ(Percentile(samples, 50), 35);
  EXPECT_EQ(Percentile(samples, 100), 50);
}

TEST(PercentileTest, IsNotMovedByRounding) {
  for (int n = 1; n <= 200; ++n)
    for (int percent : {1, 5, 50, 95, 99})
      EXPECT_EQ(Percentile(OneTo(n), percent), std::max(1, (percent * n + 99) / 100)) << n;
}

TEST(PercentileTest, ClampsItsArgument) {
  EXPECT_EQ(Percentile(OneTo(3), -1), 1);
  EXPECT_EQ(Percentile(OneTo(3), 200), 3);
  EXPECT_TRUE(std::isnan(Percentile({}, 50)));
}

TEST(MedianTest, AveragesTheMiddleTwo) {
  EXPECT_EQ(Median(std::vector<double>{9, 1, 5}), 5);
  EXPECT_EQ(Median(std::vector<double>{9, 1, 5, 6}), 5.5);
}

TEST(CoefficientOfVariationTest, IsSampleDeviationOverMean) {
  // Mean 5, squares 9+1+1+1+0+0+4+16 = 32, / 7.
  EXPECT_DOUBLE_EQ(CoefficientOfVariation(std::vector<double>{2, 4, 4, 4, 5, 5, 7, 9}),
                   std::sqrt(32.0 / 7) / 5);
  EXPECT_EQ(CoefficientOfVariation(std::vector<double>{3}), 0);
  EXPECT_TRUE(std::isnan(CoefficientOfVariation(std::vector<double>{-1, 1})));
}

TEST(TrimmedMeanIntervalTest, IsTheSameForTheSameSamples) {
  std::vector<double> samples = {5, 3, 8, 1, 9, 2, 7, 7, 4, 6, 3};
  const Interval first = TrimmedMeanInterval(samples);
  std::reverse(samples.begin(), samples.end());
  const Interval second = TrimmedMeanInterval(samples);
  EXPECT_EQ(first.low, second.low);
  EXPECT_EQ(first.high, second.high);
}

TEST(TrimmedMeanIntervalTest, OfEqualSamplesIsAPoint) {
  const Interval interval = TrimmedMeanInterval(std::vector<double>(7, 4.0));
  EXPECT_EQ(interval.low, 4);
  EXPECT_EQ(interval.high, 4);
}

TEST(TrimmedMeanIntervalTest, AgreesWithAPlainBootstrap) {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> distribution(0, 0.3);
  std::vector<double> samples(40);
  for (double& sample : samples) sample = distribution(random);

  std::uniform_int_distribution<std::size_t> pick(0, samples.size() - 1);
  std::vector<double> means(20000), resample(samples.size());
  for (double& mean : means) {
    for (double& value : resample) value = samples[pick(random)];
    mean = TrimmedMean(resample);
  }
  const Interval interval = TrimmedMeanInterval(samples);
  const double width = Percentile(means, 97.5) - Percentile(means, 2.5);
  EXPECT_NEAR(interval.low, Percentile(means, 2.5), 0.05 * width);
  EXPECT_NEAR(interval.high, Percentile(means, 97.5), 0.05 * width);
}

TEST(TrimmedMeanIntervalTest, HoldsTheTrueMeanAboutNineteenTimesInTwenty) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> distribution(10, 2);
  int held = 0;
  for (int trial = 0; trial < 400; ++trial) {
    std::vector<double> samples(30);
    for (double& sample : samples) sample = distribution(random);
    const Interval interval = TrimmedMeanInterval(samples, 1, 1000);
    if (interval.low <= 10 && 10 <= interval.high) ++held;
  }
  EXPECT_GE(held, 360);  // 90 %: percentile intervals of 30 samples are a little narrow.
  EXPECT_LE(held, 396);
}

TEST(TrimmedMeanRatioIntervalTest, HoldsTheRatioOfItsTrimmedMeans) {
  std::mt19937 random(3);
  std::normal_distribution<double> noise(0, 1);
  std::vector<double> a, b;
  for (int i = 0; i < 40; ++i) {
    a.push_back(103 + noise(random));
    b.push_back(100 + noise(random));
  }
  const Interval interval = TrimmedMeanRatioInterval(a, b);
  const double ratio = TrimmedMean(a) / TrimmedMean(b);
  EXPECT_LT(interval.low, ratio);
  EXPECT_GT(interval.high, ratio);
  // The standard error of a ratio of such means is about sqrt(2 / 40) % (delta method); trimming
  // adds a little.
  EXPECT_NEAR(interval.high - interval.low, 2 * 1.96 * 0.01 * std::sqrt(2.0 / 40), 0.003);
  // Turned round, it is the same interval turned round, but for the draws.
  const Interval inverse = TrimmedMeanRatioInterval(b, a);
  EXPECT_NEAR(inverse.low, 1 / interval.high, 0.001);
  EXPECT_TRUE(std::isnan(TrimmedMeanRatioInterval(a, {}).low));
}

TEST(CliffsDeltaTest, IsTheDifferenceOfPairShares) {
  std::mt19937_64 random(9);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<double> a(1 + random() % 12), b(1 + random() % 12);
    for (double& value : a) value = static_cast<double>(random() % 7);
    for (double& value : b) value = static_cast<double>(random() % 9);
    double balance = 0;
    for (double x : a)
      for (double y : b) balance += x > y ? 1 : x < y ? -1 : 0;
    const auto pairs = static_cast<double>(a.size() * b.size());
    EXPECT_NEAR(CliffsDelta(a, b), balance / pairs, 1e-12);
  }
}

TEST(CliffsDeltaTest, HasNamesForItsSize) {
  EXPECT_EQ(CliffsMagnitude(-0.1), "negligible");
  EXPECT_EQ(CliffsMagnitude(0.2), "small");
  EXPECT_EQ(CliffsMagnitude(-0.4), "medium");
  EXPECT_EQ(CliffsMagnitude(0.5), "large");
}

}  // namespace
}  // namespace xsp::core
