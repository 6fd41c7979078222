#include "derive/roofs/roofline_picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <utility>

namespace xsp::roofs {
namespace {

using testing::HasSubstr;
using testing::Not;

RooflinePicture Sample() {
  RooflinePicture picture;
  picture.title = "A CPU <&\" of 8 cores";
  picture.measured = {
      {"flops", "float32 vector", "float32", "vector", 1, 90e9, "measured:xsp", "one", false},
      {"flops", "float32 vector", "float32", "vector", 8, 700e9, "measured:xsp", "AVX2", true},
      {"bandwidth", "L2 read", "", "", 8, 900e9, "measured:xsp", "loads", false},
      {"bandwidth", "L2 write", "", "", 8, 1900e9, "measured:xsp", "stores", false},
      {"bandwidth", "L2 triad", "", "", 8, 950e9, "measured:xsp", "both", false},
      {"bandwidth", "DRAM read", "", "", 8, 35e9, "measured:xsp", "1 GiB", true},
      {"bandwidth", "DRAM write", "", "", 8, 36e9, "measured:xsp", "1 GiB", false}};
  picture.sheet = {
      {"flops", "float32 vector", "float32", "vector", 8, 800e9, "data_sheet", "8 x 32", true},
      {"bandwidth", "DRAM", "", "", 0, 50e9, "data_sheet", "2 channels", true}};
  return picture;
}

std::size_t Count(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(RooflinePictureTest, DrawsMeasuredSolidAndDataSheetsDashed) {
  const std::string svg = RooflineSvg(Sample());
  // A line in the plot and one in the legend: a ceiling, L2 and DRAM; a ceiling and DRAM.
  EXPECT_EQ(Count(svg, "<path class='measured'"), 6U);
  EXPECT_EQ(Count(svg, "<path class='sheet'"), 4U);
  EXPECT_THAT(svg, HasSubstr("float32 vector  700 GFLOP/s, ridge 20<"));
  EXPECT_THAT(svg, HasSubstr("float32 vector  800 GFLOP/s, ridge 16 (sheet)"));
  EXPECT_THAT(svg, HasSubstr("measured:xsp: AVX2"));
  EXPECT_THAT(svg, HasSubstr("data_sheet: 8 x 32"));
}

TEST(RooflinePictureTest, ShowsTheMostCoresOneLineALevelAndTheDramRoofInUse) {
  const std::string svg = RooflineSvg(Sample());
  EXPECT_THAT(svg, HasSubstr("L2 triad  950 GB/s"));
  EXPECT_THAT(svg, HasSubstr("DRAM read  35.0 GB/s"));
  EXPECT_THAT(svg, Not(HasSubstr("L2 write")));
  EXPECT_THAT(svg, Not(HasSubstr("DRAM write")));
  EXPECT_THAT(svg, Not(HasSubstr("90.0 GFLOP/s")));
}

TEST(RooflinePictureTest, ARidgeLiesWhereItsCeilingMeetsTheDramSlope) {
  RooflinePicture picture = Sample();
  picture.sheet.clear();
  const std::string svg = RooflineSvg(picture);
  const std::size_t title = svg.find("'><title>DRAM read");
  ASSERT_NE(title, std::string::npos);
  double slope_x = -1, slope_y = -1, ridge_x = -2, ridge_y = -2;
  ASSERT_EQ(std::sscanf(svg.c_str() + svg.rfind('L', title), "L%lf %lf", &slope_x, &slope_y), 2);
  const std::size_t ridge = svg.find("cx='");
  ASSERT_NE(ridge, std::string::npos);
  ASSERT_EQ(std::sscanf(svg.c_str() + ridge, "cx='%lf' cy='%lf'", &ridge_x, &ridge_y), 2);
  EXPECT_NEAR(slope_x, ridge_x, 0.11);
  EXPECT_NEAR(slope_y, ridge_y, 0.11);
}

TEST(RooflinePictureTest, NoTextCanEndItsElement) {
  EXPECT_THAT(RooflineSvg(Sample()), HasSubstr("A CPU &lt;&amp;&quot; of 8 cores"));
  EXPECT_THAT(RooflinePage(Sample()), Not(HasSubstr("<&\"")));
}

TEST(RooflinePictureTest, EverythingLiesWithinThePlotWhateverIsKnown) {
  RooflinePicture slopes = Sample(), ceilings = Sample();
  std::erase_if(slopes.measured, [](const Roof& roof) { return roof.kind == "flops"; });
  slopes.sheet.clear();
  std::erase_if(ceilings.measured, [](const Roof& roof) { return roof.kind == "bandwidth"; });
  ceilings.sheet.clear();
  for (const RooflinePicture& picture : {Sample(), slopes, ceilings}) {
    const std::string svg = RooflineSvg(picture);
    ASSERT_FALSE(svg.empty());
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
    EXPECT_THAT(svg, Not(HasSubstr("inf")));
    int points = 0;
    for (std::size_t at = svg.find_first_of("ML"); at != std::string::npos;
         at = svg.find_first_of("ML", at + 1)) {
      double x = 0, y = 0;
      if (std::sscanf(svg.c_str() + at + 1, "%lf %lf", &x, &y) != 2) continue;
      ++points;
      EXPECT_GE(x, 0);
      EXPECT_LE(x, 1120);
      EXPECT_GE(y, 0) << svg.substr(at, 30);
    }
    EXPECT_GT(points, 0);
  }
  EXPECT_EQ(RooflineSvg({}), "");
  EXPECT_EQ(RooflinePage({}), "");
}

TEST(RooflinePictureTest, ThePageHoldsEverySourceInFull) {
  RooflinePicture picture = Sample();
  picture.measured[1].how = std::string(400, 'x');
  EXPECT_THAT(RooflinePage(picture), HasSubstr("<td>" + std::string(400, 'x') + "</td>"));
  EXPECT_THAT(RooflineSvg(picture), HasSubstr("xxx..."));
}

}  // namespace
}  // namespace xsp::roofs
