#ifndef XSP_ANSWER_SUITE_SIMILARITY_HULL_H_
#define XSP_ANSWER_SUITE_SIMILARITY_HULL_H_

#include <array>
#include <vector>

namespace xsp::suite::similarity {

using Point = std::array<double, 2>;

/// The corners of the convex hull of `points`, counter-clockwise from the leftmost (of these the
/// lowest); points on an edge are no corners. One corner when all are one point, two when all lie
/// on a line. Andrew's monotone chain (1979), O(n log n).
std::vector<Point> ConvexHull(std::vector<Point> points);

}  // namespace xsp::suite::similarity

#endif  // XSP_ANSWER_SUITE_SIMILARITY_HULL_H_
