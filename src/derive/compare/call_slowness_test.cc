#include "derive/compare/call_slowness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>
#include <vector>

namespace xsp::compare {
namespace {

using testing::DoubleNear;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr double kExact = 1e-12;

std::vector<double> Slowness(const std::vector<std::vector<double>>& leaves_ns) {
  return CallSlowness(std::vector<std::span<const double>>(leaves_ns.begin(), leaves_ns.end()));
}

TEST(CallSlowness, IsWhatTheWorkOfACallTakesMore) {
  // Calls of 1, 1, 1 and 2 times as much: 1.25 in the mean.
  EXPECT_THAT(Slowness({{100, 100, 100, 200}, {10, 10, 10, 20}}),
              ElementsAre(DoubleNear(-0.2, kExact), DoubleNear(-0.2, kExact),
                          DoubleNear(-0.2, kExact), DoubleNear(0.6, kExact)));
}

TEST(CallSlowness, DoesNotCountWhatASingleLeafWaits) {
  const std::vector<double> even(5, 100), waits = {100, 100, 9000, 100, 100};
  EXPECT_THAT(Slowness({even, even, waits, even, even}), Each(DoubleNear(0, kExact)));
}

TEST(CallSlowness, CountsLeavesByTheirTime) {
  // The short leaves are twice as slow in the second call, and have a tenth of the time.
  EXPECT_THAT(Slowness({{900, 900}, {50, 100}, {50, 100}}), Each(DoubleNear(0, kExact)));
}

TEST(CallSlowness, OfCallsThatLackLeavesIsThatOfTheOthers) {
  EXPECT_THAT(Slowness({{100, 100, 0}, {0, 100, 0}}), Each(DoubleNear(0, kExact)));
}

TEST(CallSlowness, OfNothingIsNothing) {
  EXPECT_THAT(Slowness({}), IsEmpty());
  EXPECT_THAT(Slowness({{}}), IsEmpty());
  EXPECT_THAT(Slowness({{0, 0}, {-5, -7}}), ElementsAre(0, 0));
}

}  // namespace
}  // namespace xsp::compare
