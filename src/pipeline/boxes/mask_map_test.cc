#include "pipeline/boxes/mask_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace xsp::pipeline {
namespace {

using testing::ElementsAre;

TEST(PasteMask, FillsTheBoxInsideTheImage) {
  const MaskMap map{2, 2, {1, 1, 1, 1}};
  const std::vector<std::uint8_t> bitmap = core::BitmapOf(PasteMask(map, {2, 1, 6, 5}, 8, 6, 0.5));
  int set = 0;
  for (int y = 0; y < 6; ++y) {
    for (int x = 0; x < 8; ++x) {
      set += bitmap[y * 8 + x];
      const bool inside = x >= 3 && x < 6 && y >= 2 && y < 5;
      const bool outside = x < 1 || x > 7;
      if (inside || outside) {
        EXPECT_EQ(bitmap[y * 8 + x], inside ? 1 : 0) << x << "," << y;
      }
    }
  }
  EXPECT_GE(set, 9);
  EXPECT_LE(set, 25);
}

TEST(PasteMask, TakesAbsurdBoxes) {
  const MaskMap map{1, 1, {1}};
  for (const core::Box& box :
       {core::Box{-1e300, -1e300, 1e300, 1e300}, core::Box{0.0 / 1.0, 5, -3, -4},
        core::Box{100, 100, 200, 200}, core::Box{NAN, NAN, NAN, NAN}}) {
    EXPECT_EQ(core::BitmapOf(PasteMask(map, box, 4, 3, 0.5)).size(), 12u);
  }
}

TEST(StretchMask, InterpolatesOverTheImage) {
  const MaskMap map{2, 1, {0, 1}};
  // Four pixels lie at -0.25, 0.25, 0.75 and 1.25 of the map: 0, 0.25, 0.75, 1.
  EXPECT_THAT(core::BitmapOf(StretchMask(map, {0.5f, 0}, {1, 0}, 4, 1, 0.5)),
              ElementsAre(0, 0, 1, 1));
}

}  // namespace
}  // namespace xsp::pipeline
