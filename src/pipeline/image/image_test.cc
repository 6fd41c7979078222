#include "pipeline/image/image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace xsp::pipeline {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Image Grey(int width, int height, std::vector<std::uint8_t> pixels) {
  return {width, height, 1, std::move(pixels)};
}

TEST(MakeImage, RefusesSizesThatAreZeroOrBeyondTheLimits) {
  Image image;
  for (const auto& [width, height] :
       {std::pair(0, 5), std::pair(5, -1), std::pair(65536, 1), std::pair(9000, 9000)}) {
    const Status status = MakeImage(width, height, 3, image);
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().kind, ErrorKind::kBadInput);
  }
  EXPECT_TRUE(MakeImage(8192, 8192, 1, image).ok());
}

TEST(Crop, TakesTheRectangle) {
  const Image image = Grey(3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  Image crop;
  ASSERT_TRUE(Crop(image, 1, 0, 2, 2, crop).ok());
  EXPECT_THAT(crop.pixels, ElementsAre(2, 3, 5, 6));
  EXPECT_THAT(Crop(image, 2, 0, 2, 2, crop).error().what, HasSubstr("not inside the image"));
  EXPECT_FALSE(Crop(image, 2147483647, 0, 2147483647, 2, crop).ok());
}

TEST(Pad, FillsAroundTheImage) {
  Image padded;
  ASSERT_TRUE(Pad(Grey(1, 1, {5}), 1, 0, 3, 2, 9, padded).ok());
  EXPECT_THAT(padded.pixels, ElementsAre(9, 5, 9, 9, 9, 9));
  EXPECT_FALSE(Pad(Grey(2, 1, {5, 6}), 0, 0, 1, 1, 9, padded).ok());
}

TEST(Resize, LikePilAveragesWhatIsScaledDown) {
  // Down by 2: a triangle of support 2 around each centre, weights 1 3 3 1 (cut at the border: 3 3
  // 1 of 7): (3 * 0 + 3 * 80 + 160) / 7 = 57.1, (80 + 3 * 160 + 3 * 240) / 7 = 182.9.
  Image small;
  ASSERT_TRUE(Resize(Grey(4, 1, {0, 80, 160, 240}), 2, 1, ResizeLike::kPil, small).ok());
  EXPECT_THAT(small.pixels, ElementsAre(57, 183));
}

TEST(Resize, LikeOpenCvLooksAtTwoNeighboursOnly) {
  Image small;
  // Centres at 1 and 4 of 6: between nothing, so those pixels themselves.
  ASSERT_TRUE(
      Resize(Grey(6, 1, {0, 10, 200, 200, 60, 200}), 2, 1, ResizeLike::kOpenCv, small).ok());
  EXPECT_THAT(small.pixels, ElementsAre(10, 60));
}

TEST(Resize, BothInterpolateAlikeWhenScalingUp) {
  // Centres at -0.25, 0.25, 0.75, 1.25.
  for (const ResizeLike like : {ResizeLike::kPil, ResizeLike::kOpenCv}) {
    Image large;
    ASSERT_TRUE(Resize(Grey(2, 1, {0, 100}), 4, 1, like, large).ok());
    EXPECT_THAT(large.pixels, ElementsAre(0, 25, 75, 100));
    ASSERT_TRUE(Resize(Grey(1, 2, {0, 100}), 1, 4, like, large).ok());
    EXPECT_THAT(large.pixels, ElementsAre(0, 25, 75, 100));
  }
}

TEST(Resize, KeepsAConstantImageConstant) {
  Image image;
  ASSERT_TRUE(MakeImage(37, 23, 3, image).ok());
  image.pixels.assign(image.pixels.size(), 201);
  for (const ResizeLike like : {ResizeLike::kPil, ResizeLike::kOpenCv}) {
    for (const auto& [width, height] : {std::pair(5, 7), std::pair(80, 61), std::pair(1, 1)}) {
      Image resized;
      ASSERT_TRUE(Resize(image, width, height, like, resized).ok());
      EXPECT_EQ(resized.pixels, std::vector<std::uint8_t>(width * height * 3u, 201));
    }
  }
}

TEST(Resize, RefusesAnIntermediateImageBeyondTheLimit) {
  Image image;
  ASSERT_TRUE(MakeImage(1, 65535, 3, image).ok());
  Image resized;
  const Status status = Resize(image, 65535, 1, ResizeLike::kPil, resized);
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(status.error().what, HasSubstr("too large"));
}

}  // namespace
}  // namespace xsp::pipeline
