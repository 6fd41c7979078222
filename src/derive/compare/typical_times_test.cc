#include "derive/compare/typical_times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace xsp::compare {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr double kRounding = 1e-9;

TypicalTimes Typical(const std::vector<std::vector<double>>& calls_ns,
                     const std::vector<double>& slowness = {}, double tick_ns = 1) {
  return FindTypicalTimes(calls_ns, slowness, tick_ns);
}

TEST(TypicalTimes, LeaveOutCallsThatWait) {
  EXPECT_THAT(Typical({{100, 110, 90, 100, 50'000}}).own_ns,
              ElementsAre(DoubleNear(100, kRounding)));
}

// Trimmed means would be 100, 116.7 and 150.
TEST(TypicalTimes, GrowWithTheShareOfCallsThatAreSlow) {
  std::vector<double> one(10, 100), four(10, 100), nine(10, 150);
  one[3] = 150;
  for (const std::size_t call : {1, 4, 5, 8}) four[call] = 150;
  nine[6] = 100;
  EXPECT_THAT(Typical({one, four, nine}).own_ns,
              ElementsAre(DoubleNear(105, kRounding), DoubleNear(120, kRounding),
                          DoubleNear(145, kRounding)));
}

// Work of 1.2 us by a clock of whole microseconds that starts anywhere within its tick.
TEST(TypicalTimes, OfACoarseClockAreMeans) {
  EXPECT_THAT(Typical({{1000, 1000, 2000, 1000, 1000}}, {}, 1000).own_ns,
              ElementsAre(DoubleNear(1200, kRounding)));
  // 0.2 us: no trimmed mean has it.
  EXPECT_THAT(Typical({{0, 0, 1000, 0, 0}}, {}, 1000).own_ns,
              ElementsAre(DoubleNear(200, kRounding)));
}

TEST(TypicalTimes, GrowWithTheSlownessOfCallsInProportionToTheSlope) {
  // 100 ns per unit of slowness; half as much; none. Squares: 0.04.
  const std::vector<double> slowness = {-0.2, 0.2, -0.2, 0.2};
  const TypicalTimes times =
      Typical({{80, 120, 80, 120}, {90, 110, 90, 110}, {70, 70, 70, 70}}, slowness);
  EXPECT_NEAR(times.slowness_squares, 0.04, kRounding);
  EXPECT_THAT(
      times.with_slowness_ns,
      ElementsAre(DoubleNear(4, kRounding), DoubleNear(2, kRounding), DoubleNear(0, kRounding)));
}

TEST(TypicalTimes, DoNotTakeAWaitInASlowCallForASlope) {
  const TypicalTimes times = Typical({{100, 100, 100, 100, 9000}}, {-0.1, -0.1, -0.1, -0.1, 0.4});
  EXPECT_NEAR(times.with_slowness_ns[0], 0, kRounding);
}

TEST(TypicalTimes, OfNodesWithoutTimeOfTheirOwnAreNone) {
  EXPECT_THAT(Typical({{}, {5, 5}}, {0.5, -0.5}).own_ns, ElementsAre(0, 5));
  EXPECT_THAT(Typical({}).own_ns, IsEmpty());
  EXPECT_EQ(Typical({}).slowness_squares, 0);
}

}  // namespace
}  // namespace xsp::compare
