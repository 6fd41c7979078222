#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/base/random.h"
#include "pipeline/image/decoders.h"
#include "pipeline/image/encoders.h"
#include "pipeline/image/sample_image_testing.h"

namespace xsp::pipeline {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string WhyNotDecoded(std::string_view bytes) {
  Image image;
  const Status status = DecodeImage(bytes, {}, image);
  if (status.ok()) return "";
  EXPECT_EQ(status.error().kind, ErrorKind::kBadInput);
  return status.error().what;
}

TEST(DecodeImage, GivesThePixelsThatPillowGives) {
  // Written by sample/make_samples.py; another libjpeg may round a little differently.
  EXPECT_LE(Difference(SampleImage("photo.jpg"), SampleImage("photo_decoded.png")), 2);
  EXPECT_LE(Difference(SampleImage("progressive.jpg"), SampleImage("progressive_decoded.png")), 2);
  EXPECT_LE(Difference(SampleImage("cmyk.jpg"), SampleImage("cmyk_decoded.png")), 3);
}

TEST(DecodeImage, MakesRgbOfEveryKindOfPng) {
  const Image rgb = SampleImage("rgb.png");
  EXPECT_EQ(rgb.width, 16);
  EXPECT_EQ(rgb.height, 12);
  EXPECT_EQ(SampleImage("alpha.png").pixels, rgb.pixels);
  EXPECT_EQ(SampleImage("palette.png").pixels, SampleImage("palette_decoded.png").pixels);
  const Image bits = SampleImage("bits.png");
  EXPECT_TRUE(std::all_of(bits.pixels.begin(), bits.pixels.end(),
                          [](std::uint8_t v) { return v == 0 || v == 255; }));
  // Value i * 341 at pixel i: the upper byte stays, three times.
  const Image deep = SampleImage("grey16.png");
  for (int i = 0; i < 16 * 12; ++i) {
    for (int c = 0; c < 3; ++c) ASSERT_EQ(deep.pixels[i * 3 + c], i * 341 / 256) << i;
  }
}

TEST(DecodeImage, MakesGreyWhenAsked) {
  const Image rgb = SampleImage("rgb.png");
  const Image grey = SampleImage("rgb.png", {Orientation::kIgnore, Colour::kGrey});
  ASSERT_EQ(grey.channels, 1);
  for (std::size_t i = 0; i < grey.pixels.size(); ++i) {
    const double expected =
        0.299 * rgb.pixels[i * 3] + 0.587 * rgb.pixels[i * 3 + 1] + 0.114 * rgb.pixels[i * 3 + 2];
    ASSERT_NEAR(grey.pixels[i], expected, 0.51);
  }
}

TEST(DecodeImage, TurnsByExifOnlyWhenAsked) {
  const Image plain = SampleImage("turned.jpg");
  EXPECT_EQ(plain.width, 64);
  EXPECT_EQ(plain.pixels, SampleImage("photo.jpg").pixels);
  const Image upright = SampleImage("turned.jpg", {Orientation::kApply, Colour::kRgb});
  ASSERT_EQ(upright.width, 48);
  ASSERT_EQ(upright.height, 64);
  // Orientation 6: the stored left column, read upwards, is the upper row.
  for (int c = 0; c < 3; ++c) {
    EXPECT_EQ(upright.Row(0)[c], plain.Row(47)[c]);
    EXPECT_EQ(upright.Row(63)[47 * 3 + c], plain.Row(0)[63 * 3 + c]);
  }
}

TEST(Upright, KnowsAllEightOrientations) {
  const Image image{3, 2, 1, {1, 2, 3, 4, 5, 6}};
  const std::vector<std::vector<std::uint8_t>> expected = {
      {1, 2, 3, 4, 5, 6}, {3, 2, 1, 6, 5, 4}, {6, 5, 4, 3, 2, 1}, {4, 5, 6, 1, 2, 3},
      {1, 4, 2, 5, 3, 6}, {4, 1, 5, 2, 6, 3}, {6, 3, 5, 2, 4, 1}, {3, 6, 2, 5, 1, 4}};
  for (int orientation = 1; orientation <= 8; ++orientation) {
    Image upright;
    ASSERT_TRUE(Upright(image, orientation, upright).ok());
    EXPECT_EQ(upright.pixels, expected[orientation - 1]) << orientation;
    EXPECT_EQ(upright.width, orientation >= 5 ? 2 : 3);
  }
}

TEST(ExifOrientation, SurvivesDamage) {
  std::string exif("Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0", 28);
  EXPECT_EQ(ExifOrientation(exif), 6);
  for (std::size_t length = 0; length < exif.size(); ++length) {
    const int orientation = ExifOrientation(exif.substr(0, length));
    EXPECT_TRUE(orientation == 1 || orientation == 6);
  }
  exif[10] = '\xff';  // the directory is far away
  EXPECT_EQ(ExifOrientation(exif), 1);
}

TEST(DecodeImage, EveryTruncationIsAFailure) {
  for (const char* name : {"photo.jpg", "progressive.jpg", "cmyk.jpg", "rgb.png", "grey16.png"}) {
    const std::string bytes = SampleBytes(name);
    for (std::size_t length = 0; length + 2 < bytes.size(); length += 7) {
      EXPECT_NE(WhyNotDecoded(std::string_view(bytes).substr(0, length)), "")
          << name << " " << length;
    }
  }
}

TEST(DecodeImage, NoiseNeverCrashes) {
  Random random(1, 0);
  for (const char* name : {"photo.jpg", "progressive.jpg", "palette.png", "grey16.png"}) {
    const std::string bytes = SampleBytes(name);
    for (int i = 0; i < 300; ++i) {
      std::string noisy = bytes;
      for (int n = 0; n < 3; ++n) {
        noisy[random.Below(static_cast<std::int64_t>(noisy.size()))] =
            static_cast<char>(random.Bits());
      }
      Image image;
      if (DecodeImage(noisy, {}, image).ok()) {
        EXPECT_EQ(image.pixels.size(), image.RowBytes() * image.height);
      }
    }
  }
}

TEST(DecodeImage, RefusesDeclaredSizesBeyondTheLimitsBeforeItTakesMemory) {
  std::string png = SampleBytes("rgb.png");
  // Width and height of IHDR, whose check sum is then wrong as well: libpng looks at that first.
  for (int i = 16; i < 24; ++i) png[i] = '\x7f';
  EXPECT_THAT(WhyNotDecoded(png), HasSubstr("PNG"));
  std::string jpeg = SampleBytes("photo.jpg");
  const std::size_t frame = jpeg.find("\xff\xc0");
  ASSERT_NE(frame, std::string::npos);
  for (std::size_t i = frame + 5; i < frame + 9; ++i) jpeg[i] = '\x3e';  // 15934 x 15934
  EXPECT_THAT(WhyNotDecoded(jpeg), HasSubstr("too large, more than 67108864 pixels"));
  for (std::size_t i = frame + 7; i < frame + 9; ++i) jpeg[i] = '\0';
  EXPECT_THAT(WhyNotDecoded(jpeg), HasSubstr("the JPEG is damaged"));
}

TEST(DecodeImage, NamesWhatIsNoPicture) {
  EXPECT_EQ(WhyNotDecoded(""), "the file is empty");
  EXPECT_THAT(WhyNotDecoded("GIF89a"), HasSubstr("neither a JPEG nor a PNG"));
}

TEST(Encode, IsReadBack) {
  const Image image = SampleImage("photo_decoded.png");
  std::string bytes;
  Image back;
  ASSERT_TRUE(EncodePng(image, bytes).ok());
  ASSERT_TRUE(DecodeImage(bytes, {}, back).ok());
  EXPECT_EQ(back.pixels, image.pixels);
  ASSERT_TRUE(EncodeJpeg(image, 100, bytes).ok());
  ASSERT_TRUE(DecodeImage(bytes, {}, back).ok());
  EXPECT_EQ(back.width, image.width);
}

TEST(Resize, IsExactlyPillowsAndOpenCvs) {
  const Image image = SampleImage("photo_decoded.png");
  for (const auto& [width, height] : {std::pair(24, 31), std::pair(80, 40)}) {
    const std::string size = std::to_string(width) + "x" + std::to_string(height);
    Image resized;
    ASSERT_TRUE(Resize(image, width, height, ResizeLike::kPil, resized).ok());
    EXPECT_EQ(Difference(resized, SampleImage("pil_" + size + ".png")), 0);
    ASSERT_TRUE(Resize(image, width, height, ResizeLike::kOpenCv, resized).ok());
    EXPECT_LE(Difference(resized, SampleImage("opencv_" + size + ".png")), 1);
  }
}

}  // namespace
}  // namespace xsp::pipeline
