#include "answer/suite/similarity/hull.h"

#include <gmock/gmock.h>

#include <random>

namespace xsp::suite::similarity {
namespace {

using ::testing::ElementsAre;

TEST(HullTest, CornersGoAroundWithoutPointsOnEdges) {
  EXPECT_THAT(ConvexHull({{1, 1}, {0, 0}, {2, 0}, {1, 0}, {2, 2}, {0, 2}}),
              ElementsAre(Point{0, 0}, Point{2, 0}, Point{2, 2}, Point{0, 2}));
}

TEST(HullTest, PointsOnALineHaveTwoCorners) {
  EXPECT_THAT(ConvexHull({{1, 1}, {0, 0}, {3, 3}}), ElementsAre(Point{0, 0}, Point{3, 3}));
  EXPECT_THAT(ConvexHull({{1, 1}, {1, 1}, {1, 1}}), ElementsAre(Point{1, 1}));
  EXPECT_TRUE(ConvexHull({}).empty());
}

TEST(HullTest, EveryPointLiesWithin) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (int round = 0; round < 50; ++round) {
    std::vector<Point> points(static_cast<std::size_t>(3 + round));
    for (Point& point : points) point = {normal(random), normal(random)};
    const auto hull = ConvexHull(points);
    for (std::size_t i = 0; i < hull.size(); ++i) {
      const Point& a = hull[i];
      const Point& b = hull[(i + 1) % hull.size()];
      for (const Point& p : points)
        EXPECT_GE((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]), -1e-12);
    }
  }
}

}  // namespace
}  // namespace xsp::suite::similarity
