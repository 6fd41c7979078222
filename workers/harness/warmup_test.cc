#include "harness/warmup.h"

#include <gtest/gtest.h>

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
  EXPECT_FALSE(Settled(std::vector<std::uint64_t>{100, 100, 100, 100, 103, 103, 103, 103}, kRule));
  EXPECT_FALSE(Settled(std::vector<std::uint64_t>{103, 103, 103, 103, 100, 100, 100, 100}, kRule));
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

}  // namespace
}  // namespace xsp::worker
