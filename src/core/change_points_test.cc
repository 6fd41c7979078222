#include "core/change_points.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <random>
#include <span>
#include <tuple>
#include <vector>

namespace xsp::core {
namespace {

/// Mean distance of all pairs of one of `a` and one of `b`.
double MeanDistance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (const double x : a)
    for (const double y : b) sum += std::abs(x - y);
  return sum / static_cast<double>(a.size() * b.size());
}

/// Every split by its definition: O(n^4).
std::optional<Split> SlowBest(std::span<const double> values, bool any_end) {
  std::optional<Split> best;
  for (std::size_t end = 2 * kMinSegment; end <= values.size(); ++end) {
    if (!any_end && end < values.size()) continue;
    for (std::size_t at = kMinSegment; at + kMinSegment <= end; ++at) {
      const auto a = values.first(at), b = values.subspan(at, end - at);
      const double size = static_cast<double>(at * (end - at)) / static_cast<double>(end);
      const double statistic =
          size * (2 * MeanDistance(a, b) - MeanDistance(a, a) - MeanDistance(b, b));
      if (!best || statistic > best->statistic) best = Split{at, end, statistic};
    }
  }
  return best;
}

/// A number in (0, 1), the same with every library.
double Uniform(std::mt19937_64& random) {
  return (static_cast<double>(random() >> 11U) + 0.5) * 0x1.0p-53;
}

double Normal(std::mt19937_64& random) {
  constexpr double kTwoPi = 6.283185307179586;
  const double radius = std::sqrt(-2 * std::log(Uniform(random)));
  return radius * std::cos(kTwoPi * Uniform(random));
}

/// Student's t with 3 degrees of freedom, of variance 1: heavy tails.
double HeavyTailed(std::mt19937_64& random) {
  double squares = 0;
  for (int i = 0; i < 3; ++i) squares += std::pow(Normal(random), 2);
  return Normal(random) / std::sqrt(squares);
}

/// `count` values of variance 1 with this lag-1 autocorrelation.
std::vector<double> Series(int count, double autocorrelation, std::mt19937_64& random) {
  constexpr int kWarmUp = 20;
  std::vector<double> values;
  double last = 0;
  for (int i = 0; i < count + kWarmUp; ++i) {
    last = autocorrelation * last +
           std::sqrt(1 - autocorrelation * autocorrelation) * HeavyTailed(random);
    if (i >= kWarmUp) values.push_back(last);
  }
  return values;
}

std::vector<std::size_t> Places(const std::vector<double>& values) {
  std::vector<std::size_t> places;
  for (const ChangePoint& point : FindChangePoints(values)) places.push_back(point.at);
  return places;
}

bool IsNear(const std::vector<std::size_t>& places, int place) {
  return std::any_of(places.begin(), places.end(), [&](std::size_t found) {
    return std::abs(static_cast<int>(found) - place) <= 1;
  });
}

TEST(ChangePoints, BestSplitIsThatOfAllSplits) {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 60; ++trial) {
    std::vector<double> values;
    const std::size_t count = random() % 24;
    // Few different values, too, so that some are equal.
    for (std::size_t i = 0; i < count; ++i)
      values.push_back(trial % 2 == 0 ? Normal(random) : static_cast<double>(random() % 4));
    for (const bool any_end : {true, false}) {
      const auto found = any_end ? BestSplit(values) : BestSplitInTwo(values);
      const auto expected = SlowBest(values, any_end);
      ASSERT_EQ(found.has_value(), expected.has_value());
      if (!found) continue;
      EXPECT_NEAR(found->statistic, expected->statistic, 1e-9);
      // Of equally good ones any.
      const std::span<const double> all(values);
      const auto own = SlowBest(all.first(found->end), false);
      EXPECT_NEAR(own->statistic, expected->statistic, 1e-9);
    }
  }
}

TEST(ChangePoints, StatisticIsThatOfThePaperOnANumericalExample) {
  // {0, 0, 0} and {1, 1, 1}: 3 * 3 / 6 * (2 * 1 - 0 - 0).
  const auto split = BestSplit(std::vector<double>{0, 0, 0, 1, 1, 1});
  ASSERT_TRUE(split);
  EXPECT_EQ(split->at, 3U);
  EXPECT_EQ(split->end, 6U);
  EXPECT_DOUBLE_EQ(split->statistic, 3);
}

/// The figures of SciPy 1.17.1 (5 * energy_distance(x[:10], x[10:20])**2 is 18.4) and of
/// signal-processing-algorithms 2.1.6 (MongoDB; e_divisive(x, 0.05, 199) is [10, 20]).
TEST(ChangePoints, AgreesWithPublishedProgramsOnAWrittenSeries) {
  const std::vector<double> x = {10.0, 10.2, 9.9,  10.1, 10.0, 10.3, 9.8,  10.1, 10.2, 10.0,
                                 12.1, 12.0, 12.3, 11.9, 12.2, 12.0, 12.1, 11.8, 12.2, 12.0,
                                 10.1, 10.0, 9.9,  10.2, 10.1, 10.0, 10.3, 9.9};
  EXPECT_EQ(Places(x), (std::vector<std::size_t>{10, 20}));
  const auto split = BestSplit(x);
  ASSERT_TRUE(split);
  EXPECT_EQ(split->at, 10U);
  EXPECT_EQ(split->end, 20U);
  EXPECT_NEAR(split->statistic, 18.4, 1e-9);
}

TEST(ChangePoints, FewOrEqualValuesHaveNone) {
  EXPECT_TRUE(Places({}).empty());
  EXPECT_TRUE(Places({1, 1, 1, 9, 9, 9, 9}).empty());
  EXPECT_TRUE(Places(std::vector<double>(50, 3.5)).empty());
}

TEST(ChangePoints, EightValuesCanShowOne) {
  EXPECT_EQ(Places({1, 1.01, 0.99, 1.02, 5, 5.03, 5.01, 4.98}), (std::vector<std::size_t>{4}));
}

TEST(ChangePoints, OneOutlierIsNone) {
  std::mt19937_64 random(4);
  std::vector<double> values = Series(30, 0, random);
  values[12] = 40;
  EXPECT_TRUE(Places(values).empty());
}

TEST(ChangePoints, ShiftAndScaleChangeNothing) {
  std::mt19937_64 random(5);
  std::vector<double> values = Series(40, 0.2, random);
  for (std::size_t i = 25; i < values.size(); ++i) values[i] += 4;
  const auto places = Places(values);
  ASSERT_TRUE(IsNear(places, 25));
  for (double& value : values) value = 8 * value - 1000;
  EXPECT_EQ(Places(values), places);
}

/// At least nine of ten, at the place itself or next to it.
TEST(ChangePoints, FindsAStepOfThreeDeviationsBetweenEightValues) {
  constexpr int kTrials = 200;
  for (const double autocorrelation : {0.0, 0.2}) {
    std::mt19937_64 random(6);
    int found = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      std::vector<double> values = Series(16, autocorrelation, random);
      for (std::size_t i = 8; i < values.size(); ++i) values[i] += 3;
      if (IsNear(Places(values), 8)) ++found;
    }
    EXPECT_GE(found, 180) << autocorrelation;
  }
}

TEST(ChangePoints, FindsBothEndsOfAChangeThatWasTakenBack) {
  constexpr int kTrials = 100;
  std::mt19937_64 random(7);
  int found = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<double> values = Series(40, 0, random);
    for (std::size_t i = 15; i < 21; ++i) values[i] += 4;
    const auto places = Places(values);
    if (IsNear(places, 15) && IsNear(places, 21)) ++found;
  }
  EXPECT_GE(found, 90);
}

/// The same thing measured again and again, as experiments of a shared machine vary: heavy tails,
/// and neighbours that resemble each other.
TEST(ChangePoints, FindsNoneInFiveOfAHundredSeriesOfTheSame) {
  constexpr int kTrials = 200;
  for (const auto& [count, autocorrelation, most] :
       {std::tuple(30, 0.0, 10), std::tuple(16, 0.2, 16), std::tuple(30, 0.2, 16)}) {
    std::mt19937_64 random(8);
    int claimed = 0;
    for (int trial = 0; trial < kTrials; ++trial)
      if (!Places(Series(count, autocorrelation, random)).empty()) ++claimed;
    EXPECT_LE(claimed, most) << count << " values, autocorrelation " << autocorrelation;
  }
}

TEST(ChangePoints, OfManyValuesFindsAllSteps) {
  std::mt19937_64 random(9);
  std::vector<double> values = Series(400, 0, random);
  for (std::size_t i = 130; i < 200; ++i) values[i] += 3;
  for (std::size_t i = 320; i < 400; ++i) values[i] -= 2;
  const auto places = Places(values);
  for (const int place : {130, 200, 320})
    EXPECT_TRUE(std::any_of(places.begin(), places.end(), [&](std::size_t found) {
      return std::abs(static_cast<int>(found) - place) <= 3;
    })) << place;
  EXPECT_LE(places.size(), 4U);
}

}  // namespace
}  // namespace xsp::core
