#ifndef XSP_CORE_BOX_H_
#define XSP_CORE_BOX_H_

#include <algorithm>

namespace xsp::core {

// Rectangles in a picture. Pixels are areas, so there is no "+ 1". All pure; any thread.

/// Corners, in any unit.
struct Box {
  double x1 = 0, y1 = 0, x2 = 0, y2 = 0;

  /// 0 where corners are swapped.
  double Area() const { return std::max(x2 - x1, 0.0) * std::max(y2 - y1, 0.0); }
};

/// COCO's box: upper left corner and size, in pixels. A type of its own because a size that is
/// computed from corners is rounded, and an IoU at a threshold would fall on its other side.
struct CocoBox {
  double x = 0, y = 0, width = 0, height = 0;

  double Area() const { return width * height; }
  Box Corners() const { return {x, y, x + width, y + height}; }
};

/// Area of the overlap; 0 where there is none.
inline double Intersection(const Box& a, const Box& b) {
  const double width = std::min(a.x2, b.x2) - std::max(a.x1, b.x1);
  const double height = std::min(a.y2, b.y2) - std::max(a.y1, b.y1);
  return width > 0 && height > 0 ? width * height : 0;
}

/// Intersection over union of two boxes; 0 when both are empty.
inline double IntersectionOverUnion(const Box& a, const Box& b) {
  const double common = Intersection(a, b);
  const double whole = a.Area() + b.Area() - common;
  return whole > 0 ? common / whole : 0;
}

}  // namespace xsp::core

#endif  // XSP_CORE_BOX_H_
