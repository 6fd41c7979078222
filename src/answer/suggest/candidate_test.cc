#include "answer/suggest/candidate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include <algorithm>
#include <functional>

namespace xsp::suggest {
namespace {

TEST(CandidateTest, DerivesThroughputAndCostFromTheLatency) {
  Candidate candidate;
  candidate.identity.batch = 4;
  candidate.Of(Metric::kLatency) = {2e6, 1e6, 4e6};
  DeriveFromLatency(candidate, 3.6);
  EXPECT_DOUBLE_EQ(candidate.Of(Metric::kThroughput).centre, 2000);
  EXPECT_DOUBLE_EQ(candidate.Of(Metric::kThroughput).low, 1000);
  EXPECT_DOUBLE_EQ(candidate.Of(Metric::kThroughput).high, 4000);
  // 0.001 per second, 500 seconds for a million.
  EXPECT_DOUBLE_EQ(candidate.Of(Metric::kCost).centre, 0.5);
  EXPECT_DOUBLE_EQ(candidate.Of(Metric::kCost).low, 0.25);
  EXPECT_DOUBLE_EQ(candidate.Of(Metric::kCost).high, 1);
}

TEST(CandidateTest, HasNoThroughputWithoutABatchSizeAndNoCostWithoutAPrice) {
  Candidate candidate;
  candidate.Of(Metric::kLatency) = {2e6, 1e6, 4e6};
  DeriveFromLatency(candidate, 1.0);
  EXPECT_FALSE(candidate.Of(Metric::kThroughput).is_known());
  candidate.identity.batch = 1;
  DeriveFromLatency(candidate, {});
  EXPECT_TRUE(candidate.Of(Metric::kThroughput).is_known());
  EXPECT_FALSE(candidate.Of(Metric::kCost).is_known());
}

TEST(CandidateTest, HasNoUpperEndOfThroughputWhereTheIntervalReachesZero) {
  Candidate candidate;
  candidate.identity.batch = 1;
  candidate.Of(Metric::kLatency) = {2e6, 0, 4e6};
  DeriveFromLatency(candidate, 1.0);
  EXPECT_TRUE(std::isinf(candidate.Of(Metric::kThroughput).high));
  EXPECT_EQ(candidate.Of(Metric::kCost).low, 0);
}

TEST(CandidateTest, GivesSharesTheirWilsonInterval) {
  // scipy.stats.binomtest(81, 263).proportion_ci(method="wilson") = 0.2553, 0.3662 (Newcombe 1998).
  const Value share = ShareOf(81.0 / 263, 263);
  EXPECT_NEAR(share.low, 0.2553, 5e-5);
  EXPECT_NEAR(share.high, 0.3662, 5e-5);
  EXPECT_EQ(ShareOf(1, 20).high, 1);
  EXPECT_LT(ShareOf(1, 20).low, 1);
}

TEST(CandidateTest, NeedsEnoughCallsForAPercentile) {
  std::vector<double> calls(400);
  std::iota(calls.rbegin(), calls.rend(), 1);  // 400 ... 1
  EXPECT_FALSE(PercentileOf99(calls, 99).is_known());
  const Value few = PercentileOf99({calls.end() - 100, calls.end()}, 100);
  EXPECT_EQ(few.centre, 99);
  EXPECT_TRUE(std::isinf(few.high));
  EXPECT_TRUE(std::isinf(PercentileOf99({calls.end() - 367, calls.end()}, 367).high));
  const Value enough = PercentileOf99(calls, 400);
  EXPECT_EQ(enough.centre, 396);
  EXPECT_EQ(enough.high, 400);
  EXPECT_LT(enough.low, 396);
}

TEST(CandidateTest, ContainsTheTruePercentileInNinetyFivePerCentOfTrials) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(0, 1);
  int contained = 0;
  constexpr int kTrials = 2000;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<double> calls(1000);
    for (double& call : calls) call = uniform(random);
    std::ranges::sort(calls, std::greater<>());
    const Value value = PercentileOf99(calls, 1000);
    contained += value.low <= 0.99 && 0.99 <= value.high ? 1 : 0;
  }
  EXPECT_GE(contained, kTrials * 0.94);
  EXPECT_LE(contained, kTrials * 0.99);
}

}  // namespace
}  // namespace xsp::suggest
