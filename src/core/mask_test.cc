#include "core/mask.h"

#include <gmock/gmock.h>

#include <random>

namespace xsp::core {
namespace {

using ::testing::ElementsAre;

TEST(Mask, RunsGoDownTheColumns) {
  // . # #
  // # # .
  const std::vector<std::uint8_t> pixels = {0, 1, 1, 1, 255, 0};
  const Mask mask = MaskFromBitmap(2, 3, pixels).value();
  EXPECT_THAT(mask.runs, ElementsAre(1, 4, 1));
  EXPECT_EQ(MaskArea(mask), 4u);
  EXPECT_THAT(MaskFromBitmap(1, 2, std::vector<std::uint8_t>{1, 0}).value().runs,
              ElementsAre(0, 1, 1));
  EXPECT_THAT(MaskFromBitmap(1, 1, std::vector<std::uint8_t>{1}).value().runs, ElementsAre(0, 1));
}

TEST(Mask, GivesItsPixelsBack) {
  const std::vector<std::uint8_t> pixels = {0, 1, 1,  //
                                            0, 1, 0};
  EXPECT_EQ(BitmapOf(MaskFromBitmap(2, 3, pixels).value()), pixels);
  // Runs beyond the image are cut.
  EXPECT_THAT(BitmapOf({.height = 1, .width = 2, .runs = {1, 4000000000u}}), ElementsAre(0, 1));
}

// The text that pycocotools 2.0.11 makes of the same runs.
TEST(Mask, ReadsCompressedText) {
  EXPECT_THAT(MaskFromText(2, 3, "141").value().runs, ElementsAre(1, 4, 1));
  const std::string_view text = "a9??00CC9=GC9=4000000000000000000000000000000`a0Fj^O0";
  const Mask mask = MaskFromText(30, 50, text).value();
  std::vector<std::uint8_t> pixels(30 * 50);
  for (std::size_t y = 0; y < 30; ++y)
    for (std::size_t x = 0; x < 50; ++x)
      pixels[y * 50 + x] =
          (y >= 5 && y < 20 && x >= 10 && x < 30 && !(y >= 7 && y < 9 && x >= 12 && x < 14)) ||
          (y >= 25 && x >= 48);
  EXPECT_EQ(mask.runs, MaskFromBitmap(30, 50, pixels).value().runs);
  EXPECT_EQ(MaskArea(mask), 306u);
}

TEST(Mask, IntersectionCountsSharedPixels) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const auto height = static_cast<std::uint32_t>(random() % 9);
    const auto width = static_cast<std::uint32_t>(random() % 9);
    std::vector<std::uint8_t> a(std::size_t{height} * width), b = a;
    std::uint64_t shared = 0, area = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      a[i] = random() % 3 == 0;
      b[i] = random() % 2 == 0;
      shared += a[i] != 0 && b[i] != 0;
      area += a[i];
    }
    const Mask mask_a = MaskFromBitmap(height, width, a).value();
    const Mask mask_b = MaskFromBitmap(height, width, b).value();
    ASSERT_EQ(MaskIntersection(mask_a, mask_b), shared);
    ASSERT_EQ(MaskIntersection(mask_b, mask_a), shared);
    ASSERT_EQ(MaskArea(mask_a), area);
    ASSERT_TRUE(MaskFromRuns(height, width, mask_a.runs).ok());
  }
}

TEST(Mask, RunsOfZeroLengthAreHarmless) {
  const Mask a = MaskFromRuns(2, 3, {0, 0, 1, 0, 0, 3, 2, 0}).value();
  const Mask b = MaskFromRuns(2, 3, {2, 4}).value();
  EXPECT_EQ(MaskArea(a), 3u);
  EXPECT_EQ(MaskIntersection(a, b), 2u);
}

TEST(Mask, SaysWhatIsDamaged) {
  EXPECT_EQ(MaskFromRuns(2, 3, {1, 4}).error().what,
            "a mask's run lengths do not fill its image: 5 of 2 x 3 pixels");
  EXPECT_FALSE(MaskFromBitmap(2, 3, std::vector<std::uint8_t>(5)).ok());
  EXPECT_EQ(MaskFromText(2, 3, "14").error().what,
            "a mask's run lengths do not fill its image: 5 of 2 x 3 pixels");
  EXPECT_EQ(MaskFromText(2, 3, "1 1").error().what,
            "a mask's compressed run lengths are damaged: byte 1 of 3");
  EXPECT_FALSE(MaskFromText(2, 3, "1P").ok());            // Ends within a number.
  EXPECT_FALSE(MaskFromText(2, 3, "oooooooooooo").ok());  // A number without end.
  EXPECT_FALSE(MaskFromText(2, 3, "O").ok());             // Negative.
}

TEST(Mask, AnyTextIsSafe) {
  std::mt19937 random(2);
  for (int round = 0; round < 20000; ++round) {
    std::string text(random() % 12, ' ');
    for (char& byte : text) byte = static_cast<char>(48 + random() % 65);
    const auto mask = MaskFromText(3, 4, text);
    if (mask.ok()) {
      ASSERT_LE(MaskArea(mask.value()), 12u);
    }
  }
}

}  // namespace
}  // namespace xsp::core
