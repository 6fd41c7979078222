#ifndef XSP_DERIVE_ACCURACY_BOX_H_
#define XSP_DERIVE_ACCURACY_BOX_H_

#include <algorithm>

namespace xsp::accuracy {

/// COCO's box: upper left corner and size, in pixels; pixels are areas, so there is no "+ 1".
struct Box {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;

  double Area() const { return width * height; }
};

/// Area of the overlap; 0 where there is none.
inline double BoxIntersection(const Box& a, const Box& b) {
  const double width = std::min(a.x + a.width, b.x + b.width) - std::max(a.x, b.x);
  const double height = std::min(a.y + a.height, b.y + b.height) - std::max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}

}  // namespace xsp::accuracy

#endif  // XSP_DERIVE_ACCURACY_BOX_H_
