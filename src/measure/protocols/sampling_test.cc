#include "measure/protocols/sampling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace xsp::protocols {
namespace {

std::vector<double> Block(std::mt19937_64& random, int calls, double noise) {
  std::normal_distribution<double> normal(0, noise);
  std::vector<double> block;
  for (int i = 0; i < calls; ++i) block.push_back(1e6 * (1 + normal(random)));
  return block;
}

/// Calls made until the run is complete.
int CallsUntilComplete(Sampling& sampling, double call_s, double noise) {
  std::mt19937_64 random(7);
  for (int block = 0; block < 10'000; ++block) {
    const int calls = sampling.NextBlock(call_s);
    if (calls == 0) break;
    sampling.AddBlock(Block(random, calls, noise), calls, call_s * calls);
  }
  return sampling.calls();
}

TEST(SamplingTest, WithoutTargetMakesExactlyTheCallsAskedForInSeveralBlocks) {
  Sampling sampling({.iterations = 31});
  EXPECT_EQ(sampling.NextBlock(0.001), 11);
  EXPECT_EQ(CallsUntilComplete(sampling, 0.001, 0.1), 31);
}

TEST(SamplingTest, ABlockLastsThreeTenthsOfASecond) {
  const Sampling sampling({.iterations = 1000, .precision_target = 0.05});
  EXPECT_EQ(sampling.NextBlock(0.040), 8);
  EXPECT_EQ(sampling.NextBlock(2.0), 1);
  EXPECT_EQ(sampling.NextBlock(1e-5), 100);
}

TEST(SamplingTest, EndsSoonerWhereLatenciesAreSteady) {
  Sampling steady({.precision_target = 0.05, .time_limit_s = 1000});
  Sampling noisy({.precision_target = 0.05, .time_limit_s = 1000});
  const int few = CallsUntilComplete(steady, 0.1, 0.01);
  const int many = CallsUntilComplete(noisy, 0.1, 0.4);
  EXPECT_GE(few, 10);
  EXPECT_LT(few, 25);
  EXPECT_GT(many, 2 * few);
  EXPECT_LE(noisy.relative_half_width(), 0.05);
  EXPECT_FALSE(noisy.ended_by_time());
}

TEST(SamplingTest, EndsAtTheLimitOfTimeAndSaysSo) {
  Sampling sampling({.precision_target = 0.0001, .time_limit_s = 3});
  EXPECT_EQ(CallsUntilComplete(sampling, 0.1, 0.3), 30);
  EXPECT_TRUE(sampling.ended_by_time());
}

TEST(SamplingTest, ASlowModelGetsThreeBlocksWhateverTheLimit) {
  Sampling sampling({.precision_target = 0.05, .time_limit_s = 1});
  EXPECT_EQ(CallsUntilComplete(sampling, 20, 0.3), 3);
}

TEST(SamplingTest, AWorkerThatSendsNoLatenciesMakesTheCallsAskedFor) {
  Sampling sampling({.iterations = 30, .precision_target = 0.05});
  int rounds = 0;
  while (const int calls = sampling.NextBlock(0.01)) {
    sampling.AddBlock({}, calls, 0.01 * calls);
    ASSERT_LT(++rounds, 10);
  }
  EXPECT_GE(sampling.calls(), 30);
  EXPECT_TRUE(std::isnan(sampling.latency_ns()));
}

/// Calls before each time that the model is loaded anew, and all calls at the end.
std::vector<int> CallsOfLoads(Sampling& sampling, double call_s, double noise) {
  std::mt19937_64 random(7);
  std::vector<int> calls;
  while (const int block = sampling.NextBlock(call_s)) {
    if (sampling.LoadsNext()) calls.push_back(sampling.calls());
    sampling.AddBlock(Block(random, block, noise), block, call_s * block);
  }
  calls.push_back(sampling.calls());
  return calls;
}

TEST(SamplingTest, LoadsTheModelForEqualPartsOfTheCalls) {
  Sampling one({.iterations = 30});
  EXPECT_THAT(CallsOfLoads(one, 0.001, 0.1), testing::ElementsAre(30));
  Sampling quick({.iterations = 50, .loads = 5});
  EXPECT_THAT(CallsOfLoads(quick, 0.001, 0.1), testing::ElementsAre(10, 20, 30, 40, 50));
  // A block of a slow model is one call, and not each block loads it.
  Sampling slow({.iterations = 12, .loads = 3});
  EXPECT_THAT(CallsOfLoads(slow, 0.2, 0.1), testing::ElementsAre(4, 8, 12));
  Sampling uneven({.iterations = 10, .loads = 4});
  EXPECT_THAT(CallsOfLoads(uneven, 0.001, 0.1), testing::ElementsAre(3, 6, 9, 10));
}

TEST(SamplingTest, WithATargetEveryLoadIsMadeAtLeast) {
  Sampling steady({.iterations = 100, .precision_target = 0.05, .time_limit_s = 1000, .loads = 10});
  EXPECT_THAT(CallsOfLoads(steady, 0.001, 0.001),
              testing::ElementsAre(10, 20, 30, 40, 50, 60, 70, 80, 90, 100));
  Sampling noisy({.iterations = 30, .precision_target = 0.05, .time_limit_s = 1000, .loads = 3});
  const std::vector<int> calls = CallsOfLoads(noisy, 0.001, 0.5);
  EXPECT_GT(calls.back(), 30);
  for (std::size_t i = 0; i + 1 < calls.size(); ++i)
    EXPECT_EQ(calls[i], 10 * static_cast<int>(i + 1));
}

TEST(ShuffledTest, NoMemberIsAlwaysFirst) {
  std::mt19937_64 random(7);
  std::set<std::size_t> first;
  for (int round = 0; round < 50; ++round) first.insert(Shuffled({0, 1, 2}, random).front());
  EXPECT_EQ(first.size(), 3u);
}

TEST(ShuffledTest, TheSameSeedGivesTheSameOrder) {
  std::mt19937_64 a(3), b(3);
  EXPECT_EQ(Shuffled({0, 1, 2, 3, 4}, a), Shuffled({0, 1, 2, 3, 4}, b));
  EXPECT_THAT(Shuffled({0, 1, 2, 3, 4}, a), testing::UnorderedElementsAre(0, 1, 2, 3, 4));
}

}  // namespace
}  // namespace xsp::protocols
