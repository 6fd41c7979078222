#include "core/box.h"

#include <gtest/gtest.h>

#include <cmath>

namespace xsp::core {
namespace {

TEST(Box, OverlapsAreOverTheUnion) {
  EXPECT_DOUBLE_EQ(IntersectionOverUnion({0, 0, 2, 2}, {1, 1, 3, 3}), 1.0 / 7);
  EXPECT_EQ(IntersectionOverUnion({0, 0, 1, 1}, {2, 2, 3, 3}), 0);
  EXPECT_EQ(IntersectionOverUnion({0, 0, 0, 0}, {0, 0, 0, 0}), 0);
  EXPECT_EQ(IntersectionOverUnion({0, 0, NAN, 1}, {0, 0, 1, 1}), 0);
}

TEST(Box, WithSwappedCornersIsEmpty) {
  EXPECT_EQ((Box{3, 3, 1, 1}).Area(), 0);
  EXPECT_EQ(IntersectionOverUnion({3, 3, 1, 1}, {0, 0, 4, 4}), 0);
}

TEST(CocoBox, KeepsItsSize) {
  const CocoBox box{0.1, 0.2, 0.3, 0.7};
  EXPECT_EQ(box.Area(), 0.3 * 0.7);
  EXPECT_EQ(box.Corners().x2, 0.1 + 0.3);
  EXPECT_EQ(Intersection(box.Corners(), {0, 0, 0.2, 10}), (0.2 - 0.1) * ((0.2 + 0.7) - 0.2));
}

}  // namespace
}  // namespace xsp::core
