#include "answer/suite/similarity/hull.h"

#include <algorithm>

namespace xsp::suite::similarity {
namespace {

/// Positive when the way from a over b to c turns left.
double Turn(const Point& a, const Point& b, const Point& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

}  // namespace

std::vector<Point> ConvexHull(std::vector<Point> points) {
  std::ranges::sort(points);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.size() < 3) return points;
  std::vector<Point> hull;
  const auto add = [&hull](const Point& point, std::size_t fixed) {
    while (hull.size() > fixed && Turn(hull[hull.size() - 2], hull.back(), point) <= 0)
      hull.pop_back();
    hull.push_back(point);
  };
  for (const Point& point : points) add(point, 1);
  const std::size_t lower = hull.size();
  for (std::size_t i = points.size() - 1; i-- > 0;) add(points[i], lower);
  hull.pop_back();  // The first point again.
  return hull;
}

}  // namespace xsp::suite::similarity
