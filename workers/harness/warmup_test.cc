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

}  // namespace
}  // namespace xsp::worker
