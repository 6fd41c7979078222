#include "measure/protocols/early_stopping.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

namespace xsp::protocols {
namespace {

TEST(BinomialCdf, AddsUpWhatMultiplicationGives) {
  EXPECT_DOUBLE_EQ(BinomialCdf(0, 4, 0.5), 1.0 / 16);
  EXPECT_NEAR(BinomialCdf(2, 4, 0.5), 11.0 / 16, 1e-14);
  EXPECT_NEAR(BinomialCdf(4, 4, 0.25), 1, 1e-14);
  EXPECT_EQ(BinomialCdf(-1, 4, 0.5), 0);
  EXPECT_NEAR(BinomialCdf(0, 459, 0.01), std::pow(0.99, 459), 1e-12);
}

TEST(FewestQueries, AreThoseThatLoadGenNames) {
  // From LoadGen's own messages in published results: "at least 64 queries" (90th percentile),
  // "662" (99th), and for a server run without a late query "21 queries ... at least 438 more".
  EXPECT_EQ(FewestQueries(1, 90), 64);
  EXPECT_EQ(FewestQueries(1, 99), 662);
  EXPECT_EQ(FewestQueries(0, 99), 21 + 438);
}

TEST(AllowedAbove, IsWhatLoadGenDiscards) {
  // "Processed at least 64 queries (2048). Would discard 172 highest latency queries.", and others
  // of MLPerf Inference's published logs. The estimate is the largest that is left.
  EXPECT_EQ(AllowedAbove(2048, 90) - 1, 172);
  EXPECT_EQ(AllowedAbove(2116, 90) - 1, 178);
  EXPECT_EQ(AllowedAbove(7469, 90) - 1, 685);
  EXPECT_EQ(AllowedAbove(1179125, 99) - 1, 11539);
  EXPECT_EQ(AllowedAbove(2091550, 99) - 1, 20579);
  EXPECT_EQ(AllowedAbove(458, 99), -1);
  EXPECT_EQ(AllowedAbove(459, 99), 0);
  EXPECT_EQ(AllowedAbove(0, 99), -1);
}

TEST(AllowedAbove, GrowsWhereFewestQueriesSays) {
  for (const double percentile : {50.0, 90.0, 97.0, 99.0, 99.9}) {
    for (std::int64_t above = 0; above < 12; ++above) {
      const std::int64_t fewest = FewestQueries(above, percentile);
      EXPECT_EQ(AllowedAbove(fewest, percentile), above) << percentile;
      EXPECT_LT(AllowedAbove(fewest - 1, percentile), above) << percentile;
    }
  }
}

TEST(EarlyStoppingEstimate, IsTheTthLargest) {
  std::vector<double> latencies(662);
  std::iota(latencies.begin(), latencies.end(), 1);
  std::shuffle(latencies.begin(), latencies.end(), std::mt19937(1));
  EXPECT_EQ(EarlyStoppingEstimate(latencies, 99), 662);  // One may lie above.
  latencies.pop_back();
  EXPECT_EQ(EarlyStoppingEstimate(latencies, 99), std::nullopt);
  latencies.resize(2048);
  std::iota(latencies.begin(), latencies.end(), 1);
  EXPECT_EQ(EarlyStoppingEstimate(latencies, 90), 2048 - 172);
}

TEST(EarlyStoppingEstimate, IsTooLowOnceInAHundred) {
  // Uniform on (0, 1): the true 90th percentile is 0.9. 2000 trials, expected at most 20 too low;
  // the criterion is conservative, and 40 would be more than four standard deviations off.
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(0, 1);
  int too_low = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<double> latencies(200);
    for (double& latency : latencies) latency = uniform(random);
    too_low += *EarlyStoppingEstimate(latencies, 90) < 0.9 ? 1 : 0;
  }
  EXPECT_LE(too_low, 40);
  EXPECT_GE(too_low, 1);
}

}  // namespace
}  // namespace xsp::protocols
