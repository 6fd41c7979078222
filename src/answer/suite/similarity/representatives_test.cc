#include "answer/suite/similarity/representatives.h"

#include <gmock/gmock.h>

#include <limits>
#include <random>

namespace xsp::suite::similarity {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

TEST(RepresentativesTest, MemberNearestToTheCentreStandsForItsCluster) {
  const Matrix points = {{0}, {10}, {4}, {100}, {102}};
  EXPECT_THAT(Representatives(points, {1, 1, 1, 2, 2}), ElementsAre(2, 3));
}

TEST(RepresentativesTest, CoverageIsWhereTheChosenLieBetweenLeastAndGreatest) {
  const Matrix values = {{0, 5}, {20, 9}, {30, 7}, {100, 5}};
  const auto coverage = CoverageOf(values, {1, 2});
  EXPECT_DOUBLE_EQ(coverage[0].from_percent, 20);
  EXPECT_DOUBLE_EQ(coverage[0].to_percent, 30);
  EXPECT_DOUBLE_EQ(coverage[1].from_percent, 50);
  EXPECT_DOUBLE_EQ(coverage[1].to_percent, 100);
  EXPECT_DOUBLE_EQ(coverage[1].high, 9);
  EXPECT_DOUBLE_EQ(MeanPercent(coverage), 30);
  EXPECT_DOUBLE_EQ(MeanPercent(CoverageOf(values, {3})), 0);
}

TEST(RepresentativesTest, BestSubsetIsTheBestOfAll) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int round = 0; round < 20; ++round) {
    Matrix values(9, std::vector<double>(5));
    for (auto& row : values)
      for (double& value : row) value = uniform(random);
    const auto best = BestSubset(values, 3);
    ASSERT_TRUE(best.has_value());
    const double most = MeanPercent(CoverageOf(values, *best));
    for (std::size_t a = 0; a < 9; ++a)
      for (std::size_t b = a + 1; b < 9; ++b)
        for (std::size_t c = b + 1; c < 9; ++c)
          EXPECT_LE(MeanPercent(CoverageOf(values, {a, b, c})), most + 1e-8);
  }
}

TEST(RepresentativesTest, OfEqualMeansTheLeastCoveredMetricDecides) {
  // The first two cover 100 and 0 percent, the first and the third 50 and 50.
  EXPECT_THAT(BestSubset({{0, 50}, {100, 50}, {50, 0}, {50, 100}}, 2), Optional(ElementsAre(0, 2)));
  EXPECT_THAT(BestSubset({{0, 0}, {100, 0}, {50, 100}}, 1), Optional(ElementsAre(0)));
}

TEST(RepresentativesTest, TooManySubsetsAreNotTried) {
  EXPECT_EQ(Subsets(13, 4), 715);
  EXPECT_EQ(Subsets(5, 5), 1);
  EXPECT_EQ(Subsets(500, 250), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(BestSubset(Matrix(60, {1.0}), 20), std::nullopt);
}

TEST(RepresentativesTest, WorkIsSubsetsTimesTheirSizeTimesMetrics) {
  // 6 subsets of 2 workloads with 2 metrics each.
  const Matrix values = {{0, 50}, {100, 50}, {50, 0}, {50, 100}};
  EXPECT_TRUE(BestSubset(values, 2, 24).has_value());
  EXPECT_EQ(BestSubset(values, 2, 23), std::nullopt);
}

}  // namespace
}  // namespace xsp::suite::similarity
