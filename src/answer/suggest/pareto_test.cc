#include "answer/suggest/pareto.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace xsp::suggest {
namespace {

using testing::ElementsAre;

constexpr auto kLow = Direction::kLowIsBetter;
constexpr auto kHigh = Direction::kHighIsBetter;

Value Around(double centre, double half) { return {centre, centre - half, centre + half}; }

TEST(ParetoTest, KeepsWhatIsBestInOneObjective) {
  const auto front = FindFront(
      {{Exact(1), Exact(10)}, {Exact(2), Exact(30)}, {Exact(3), Exact(20)}}, {kLow, kHigh});
  EXPECT_THAT(front.on_front, ElementsAre(true, true, false));
  EXPECT_EQ(front.dominated_by[2], 1U);
}

TEST(ParetoTest, DoesNotDropACandidateForADifferenceWithinTheNoise) {
  const auto front = FindFront({{Around(10, 2)}, {Around(11, 2)}, {Around(20, 2)}}, {kLow});
  EXPECT_THAT(front.on_front, ElementsAre(true, true, false));
  EXPECT_TRUE(AreTied({Around(10, 2)}, {Around(11, 2)}, {kLow}));
}

TEST(ParetoTest, DoesNotKeepACandidateForAnAdvantageWithinTheNoise) {
  const auto front =
      FindFront({{Around(10, 1), Around(5, 1)}, {Around(20, 1), Around(4.9, 1)}}, {kLow, kLow});
  EXPECT_THAT(front.on_front, ElementsAre(true, false));
}

TEST(ParetoTest, TakesAValueWithoutAnIntervalAsItsCentre) {
  const Value no_noise{.centre = 5};
  EXPECT_TRUE(IsBetter(no_noise, Around(10, 2), kLow));
  EXPECT_FALSE(IsBetter(no_noise, Around(6, 2), kLow));
  EXPECT_FALSE(IsBetter(Value{}, Exact(1), kLow)) << "not known";
  EXPECT_FALSE(IsBetter(Exact(1), Value{}, kLow)) << "not known";
}

TEST(ParetoTest, KeepsCandidatesThatDominateEachOtherInACircle) {
  // Each is better than the next in one objective, and tied in the other two.
  const Value low = Around(1, 0.5), wide = Around(2.25, 2), high = Around(3, 0.5);
  const std::vector<ObjectiveValues> circle = {
      {low, wide, high}, {high, low, wide}, {wide, high, low}};
  ASSERT_TRUE(Dominates(circle[0], circle[1], {kLow, kLow, kLow}));
  ASSERT_TRUE(Dominates(circle[1], circle[2], {kLow, kLow, kLow}));
  ASSERT_TRUE(Dominates(circle[2], circle[0], {kLow, kLow, kLow}));
  EXPECT_THAT(FindFront(circle, {kLow, kLow, kLow}).on_front, ElementsAre(true, true, true));
  std::vector<ObjectiveValues> below = circle;
  below.push_back({Exact(0), Exact(0), Exact(0)});
  EXPECT_THAT(FindFront(below, {kLow, kLow, kLow}).on_front,
              ElementsAre(false, false, false, true));
}

TEST(ParetoTest, HasNoFrontOfNothing) { EXPECT_TRUE(FindFront({}, {kLow}).on_front.empty()); }

struct RandomCandidates {
  std::vector<ObjectiveValues> candidates;
  std::vector<Direction> directions;
};

RandomCandidates MakeRandom(std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t n) { return random() % n; };
  RandomCandidates made;
  const std::size_t objectives = 1 + below(4), count = 1 + below(14);
  for (std::size_t i = 0; i < objectives; ++i) made.directions.push_back(below(2) ? kLow : kHigh);
  for (std::size_t i = 0; i < count; ++i) {
    ObjectiveValues& values = made.candidates.emplace_back();
    for (std::size_t k = 0; k < objectives; ++k) {
      const double centre = below(8), half = below(4) / 2.0;
      values.push_back(below(5) == 0 ? Value{.centre = centre} : Around(centre, half));
    }
  }
  return made;
}

/// Slowly: a candidate is on the front if it reaches everything that reaches it.
std::vector<bool> SlowFront(const RandomCandidates& made) {
  const std::size_t count = made.candidates.size();
  std::vector<std::vector<bool>> reaches(count, std::vector<bool>(count));
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = 0; b < count; ++b)
      reaches[a][b] = Dominates(made.candidates[a], made.candidates[b], made.directions);
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t b = 0; b < count; ++b)
        if (reaches[a][k] && reaches[k][b]) reaches[a][b] = true;
  std::vector<bool> on_front(count, true);
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = 0; b < count; ++b)
      if (reaches[a][b] && !reaches[b][a]) on_front[b] = false;
  return on_front;
}

TEST(ParetoTest, AgreesWithASlowSearchOnRandomCandidates) {
  for (std::uint32_t seed = 0; seed < 3000; ++seed) {
    const RandomCandidates made = MakeRandom(seed);
    const ParetoFront front = FindFront(made.candidates, made.directions);
    ASSERT_EQ(front.on_front, SlowFront(made)) << seed;
    EXPECT_NE(std::ranges::find(front.on_front, true), front.on_front.end()) << seed;
    for (std::size_t i = 0; i < made.candidates.size(); ++i) {
      ASSERT_NE(front.on_front[i], front.dominated_by[i].has_value()) << seed;
      if (!front.dominated_by[i]) continue;
      const auto& by = made.candidates[*front.dominated_by[i]];
      EXPECT_TRUE(Dominates(by, made.candidates[i], made.directions)) << seed;
    }
  }
}

TEST(ParetoTest, DoesNotDependOnTheOrder) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    const RandomCandidates made = MakeRandom(seed);
    RandomCandidates turned = made;
    std::ranges::reverse(turned.candidates);
    auto other = FindFront(turned.candidates, made.directions).on_front;
    std::reverse(other.begin(), other.end());
    EXPECT_EQ(FindFront(made.candidates, made.directions).on_front, other) << seed;
  }
}

}  // namespace
}  // namespace xsp::suggest
