#include "pipeline/mask.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace xsp::pipeline {
namespace {

using testing::ElementsAre;

TEST(EncodeMask, CountsColumnByColumnZerosFirst) {
  const std::vector<std::uint8_t> bitmap = {0, 1, 1,  //
                                            0, 1, 0};
  const Mask mask = EncodeMask(bitmap, 3, 2);
  EXPECT_THAT(mask.counts, ElementsAre(2, 3, 1));
  EXPECT_EQ(DecodeMask(mask), bitmap);
  EXPECT_THAT(EncodeMask(std::vector<std::uint8_t>{1}, 1, 1).counts, ElementsAre(0, 1));
}

TEST(DecodeMask, CutsRunsBeyondTheImage) {
  EXPECT_THAT(DecodeMask({2, 1, {1, 4000000000u}}), ElementsAre(0, 1));
}

TEST(PasteMask, FillsTheBoxInsideTheImage) {
  const MaskMap map{2, 2, {1, 1, 1, 1}};
  const std::vector<std::uint8_t> bitmap = DecodeMask(PasteMask(map, {2, 1, 6, 5}, 8, 6, 0.5));
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
  for (const Box& box : {Box{-1e300, -1e300, 1e300, 1e300}, Box{0.0 / 1.0, 5, -3, -4},
                         Box{100, 100, 200, 200}, Box{NAN, NAN, NAN, NAN}}) {
    EXPECT_EQ(DecodeMask(PasteMask(map, box, 4, 3, 0.5)).size(), 12u);
  }
}

TEST(StretchMask, InterpolatesOverTheImage) {
  const MaskMap map{2, 1, {0, 1}};
  // Four pixels lie at -0.25, 0.25, 0.75 and 1.25 of the map: 0, 0.25, 0.75, 1.
  EXPECT_THAT(DecodeMask(StretchMask(map, {0.5f, 0}, {1, 0}, 4, 1, 0.5)), ElementsAre(0, 0, 1, 1));
}

}  // namespace
}  // namespace xsp::pipeline
