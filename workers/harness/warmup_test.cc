#include "harness/warmup.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace xsp::worker {
namespace {

constexpr WarmupRule kRule = {.window = 4, .tolerance = 0.02, .max_calls = 100};

TEST(Warmup, NeedsTwoWindows) {
  EXPECT_FALSE(Settled(std::vector<std::uint64_t>(7, 100), kRule));
  EXPECT_TRUE(Settled(std::vector<std::uint64_t>(8, 100), kRule));
}

TEST(Warmup, ComparesMediansOfTheLastTwoWindows) {
  EXPECT_TRUE(
      Settled(std::vector<std::uint64_t>{900, 900, 100, 100, 100, 100, 102, 102, 102, 102}, kRule));
  EXPECT_FALSE(Settled(std::vector<std::uint64_t>{103, 103, 103, 103, 100, 100, 100, 100}, kRule));
}

TEST(Warmup, SlowerCallsAreNoWarmUp) {
  EXPECT_TRUE(Settled(std::vector<std::uint64_t>{100, 100, 100, 100, 130, 130, 130, 130}, kRule));
}

TEST(Warmup, WhatIsGainedMustExceedTheNoise) {
  // 5 % less, of calls that scatter by 10 %.
  EXPECT_TRUE(Settled(std::vector<std::uint64_t>{110, 95, 105, 120, 90, 112, 93, 110}, kRule));
  // The same of calls that scatter by 1 %.
  EXPECT_FALSE(Settled(std::vector<std::uint64_t>{107, 106, 108, 107, 101, 102, 102, 103}, kRule));
}

TEST(Warmup, WindowsOfSlowModelsAreShorter) {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  EXPECT_FALSE(Settled(std::vector<std::uint64_t>{5 * kSecond, kSecond, kSecond, kSecond}, kRule));
  EXPECT_TRUE(
      Settled(std::vector<std::uint64_t>{5 * kSecond, kSecond, kSecond, kSecond, kSecond}, kRule));
  // Three calls a second: windows of three.
  EXPECT_FALSE(Settled(std::vector<std::uint64_t>(5, kSecond / 3), kRule));
  EXPECT_TRUE(Settled(std::vector<std::uint64_t>(6, kSecond / 3), kRule));
}

// Calls that scatter and wander, as beside busy loops. Two medians within 2 % of each other, the
// rule before this one, need 32 calls on average; 20 are two windows.
TEST(Warmup, EndsSoonOnABusyMachine) {
  std::mt19937 random(7);
  std::lognormal_distribution<double> noise(0, 0.3);
  double calls = 0;
  constexpr int kTrials = 200;
  for (int trial = 0; trial < kTrials; ++trial) {
    const WarmupRule rule = {.window = 10, .tolerance = 0.02, .max_calls = 100};
    std::vector<std::uint64_t> durations_ns = {4'000'000, 3'000'000};
    double drift = 1;
    while (!Settled(durations_ns, rule) && !LimitReached(durations_ns, rule)) {
      drift = 0.9 * drift + 0.1 * noise(random);
      durations_ns.push_back(static_cast<std::uint64_t>(1e6 * drift * noise(random)));
    }
    calls += static_cast<double>(durations_ns.size());
  }
  EXPECT_LT(calls / kTrials, 25);
}

TEST(Warmup, OneOutlierDoesNotMatter) {
  EXPECT_TRUE(Settled(std::vector<std::uint64_t>{100, 100, 5000, 100, 101, 101, 101, 9000}, kRule));
}

TEST(Warmup, EndsAfterTheMostCalls) {
  EXPECT_FALSE(LimitReached(std::vector<std::uint64_t>(99, 100), kRule));
  EXPECT_TRUE(LimitReached(std::vector<std::uint64_t>(100, 100), kRule));
  EXPECT_TRUE(LimitReached({}, {.max_calls = 0}));
}

TEST(Warmup, EndsAfterTheMostSecondsButNotBeforeTheThirdCall) {
  const WarmupRule rule = {.window = 4, .tolerance = 0.02, .max_calls = 100, .max_seconds = 2};
  EXPECT_FALSE(LimitReached(std::vector<std::uint64_t>(2, 5'000'000'000), rule));
  EXPECT_TRUE(LimitReached(std::vector<std::uint64_t>(3, 5'000'000'000), rule));
  EXPECT_FALSE(LimitReached(std::vector<std::uint64_t>(3, 600'000'000), rule));
  EXPECT_TRUE(LimitReached(std::vector<std::uint64_t>(4, 600'000'000), rule));
}

TEST(Warmup, LatencyIsThatOfTheLastWindow) {
  WarmupRule rule;
  rule.window = 3;
  EXPECT_EQ(WarmLatency({}, rule), 0u);
  const std::vector<std::uint64_t> two = {9, 5};
  EXPECT_EQ(WarmLatency(two, rule), 7u);
  const std::vector<std::uint64_t> calls = {90, 70, 10, 30, 20};
  EXPECT_EQ(WarmLatency(calls, rule), 20u);
}

}  // namespace
}  // namespace xsp::worker
