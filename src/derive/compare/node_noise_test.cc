#include "derive/compare/node_noise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "derive/compare/latency.h"

namespace xsp::compare {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(CommonFactors, AreWhatMostOfTheTimeOfAProcessDiffersBy) {
  // The second process of b is slower by 3 % throughout; of the first only one leaf of 40 % is.
  const std::vector<NodeProcesses> nodes = {
      {{400, 400}, {800, 412}}, {{350, 350}, {350, 360.5}}, {{250, 250}, {250, 257.5}}};
  const CommonFactors factors = FindCommonFactors(nodes);
  EXPECT_NEAR(factors.b[1] / factors.b[0], 1.03, 1e-9);
  EXPECT_NEAR(factors.a[0], factors.a[1], 1e-12);
  const NodeProcesses rest = WithoutCommonFactors(nodes[1], factors);
  EXPECT_NEAR(rest.b[0], rest.b[1], 1e-9);
  EXPECT_NEAR(rest.a[0], rest.b[0], 1e-9);
  const NodeProcesses slow = WithoutCommonFactors(nodes[0], factors);
  EXPECT_NEAR(slow.b[0] / slow.a[0], 2, 1e-9);
}

TEST(CommonFactors, LeaveOutWhatIsPartOfANodeThatChanged) {
  // No operator of the module stands out of its noise; their sum does.
  const std::vector<NodeProcesses> nodes = {{{40, 40.2}, {44, 44.2}, false},
                                            {{18, 22.2}, {20, 24}, true, 0},
                                            {{22, 18}, {24, 20.2}, true, 0},
                                            {{30, 30}, {30.1, 30}},
                                            {{30, 30.2}, {30.2, 30}}};
  const CommonFactors factors = FindCommonFactors(nodes);
  for (const double factor : {factors.a[0], factors.a[1], factors.b[0], factors.b[1]})
    EXPECT_NEAR(factor, 1, 0.005);
}

TEST(CommonFactors, RestOnLeavesThatAllProcessesHave) {
  const std::vector<NodeProcesses> nodes = {{{1000, 1000}, {2000, 2000}, false},  // A module.
                                            {{900, 0}, {9000, 9000}},
                                            {{900, 900}, {}},
                                            {{100, 100}, {110, 110}}};
  const CommonFactors factors = FindCommonFactors(nodes);
  EXPECT_NEAR(factors.b[0] / factors.a[0], 1.1, 1e-9);
}

TEST(CommonFactors, CountForEachNodeByItsSlope) {
  // The processes of each side are faster and slower than the mean by 5 %: the first leaf follows
  // by half, the third not at all, and the last one changed.
  const std::vector<NodeProcesses> nodes = {{{292.5, 307.5}, {292.5, 307.5}, true, -1, 0.5},
                                            {{285, 315}, {285, 315}},
                                            {{50, 50}, {50, 50}, true, -1, 0},
                                            {{95, 105}, {123.5, 136.5}}};
  const CommonFactors factors = FindCommonFactors(nodes);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const NodeProcesses rest = WithoutCommonFactors(nodes[i], factors);
    EXPECT_NEAR(rest.a[1] / rest.a[0], 1, 1e-9) << i;
    EXPECT_NEAR(rest.b[1] / rest.b[0], 1, 1e-9) << i;
    EXPECT_NEAR(rest.b[0] / rest.a[0], i == 3 ? 1.3 : 1, 1e-9) << i;
  }
}

TEST(CommonFactors, OfNothingChangeNothing) {
  const CommonFactors factors = FindCommonFactors({});
  EXPECT_THAT(factors.a, IsEmpty());
  EXPECT_THAT(WithoutCommonFactors({{5}, {7}}, factors).b, ElementsAre(7));
}

TEST(Slope, IsThatOfTheCallsWhereTheyVaryAndOneWhereTheyDoNot) {
  EXPECT_EQ(SlopeOf(0, 0), 1);
  EXPECT_NEAR(SlopeOf(0.6 * 10, 10), 0.6, 0.01);
  EXPECT_NEAR(SlopeOf(0.6 * 0.01, 0.01), 0.8, 1e-12);  // Half way.
  EXPECT_NEAR(SlopeOf(0.6 * 0.0001, 0.0001), 1, 0.01);
}

TEST(Slope, IsWithinBounds) {
  EXPECT_EQ(SlopeOf(-50, 10), 0);
  EXPECT_EQ(SlopeOf(50, 10), 2);
}

TEST(WeightedHolm, IsHolmsAdjustmentWithEqualWeights) {
  const std::vector<double> p = {0.01, 0.04, 0.03, 0.005, 0.5};
  const std::vector<double> adjusted =
      AdjustedByWeightedHolm(p, std::vector<double>(p.size(), 7.0));
  const std::vector<double> expected = AdjustedByHolm(p);
  for (std::size_t i = 0; i < p.size(); ++i) EXPECT_DOUBLE_EQ(adjusted[i], expected[i]) << i;
}

TEST(WeightedHolm, GivesALargeNodeMostOfTheLevel) {
  // 0.04 / 8 is the smaller share: it is tested at 8/10 of the level, then the other at all of it.
  EXPECT_THAT(AdjustedByWeightedHolm(std::vector<double>{0.04, 0.02}, std::vector<double>{8, 2}),
              ElementsAre(DoubleNear(0.05, 1e-12), DoubleNear(0.05, 1e-12)));
  EXPECT_THAT(AdjustedByWeightedHolm(std::vector<double>{0.04, 0.02}, std::vector<double>{2, 8}),
              ElementsAre(DoubleNear(0.04, 1e-12), DoubleNear(0.025, 1e-12)));
  EXPECT_THAT(AdjustedByWeightedHolm({}, {}), IsEmpty());
}

TEST(WeightedHolm, IsMonotoneAndAtMostOne) {
  const std::vector<double> adjusted = AdjustedByWeightedHolm(std::vector<double>{0.9, 0.8, 0.001},
                                                              std::vector<double>{0.5, 100, 1});
  EXPECT_THAT(adjusted, ElementsAre(DoubleNear(0.9, 1e-12), DoubleNear(0.804, 1e-12),
                                    DoubleNear(0.1015, 1e-12)));
  EXPECT_THAT(AdjustedByWeightedHolm(std::vector<double>{0.9, 0.9}, std::vector<double>{1, 1}),
              ElementsAre(1, 1));
}

}  // namespace
}  // namespace xsp::compare
