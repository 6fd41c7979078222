#include "suite/rooflines/roofline.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace xsp::suite::rooflines {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(RooflineTest, BelowTheRidgeBytesCountAboveItFlops) {
  // Ridge: 1000 / 100 = 10 FLOP/byte.
  const Place memory = PlaceOf({200, 40, 1}, 1000, 100);
  EXPECT_DOUBLE_EQ(memory.intensity, 5);
  EXPECT_EQ(memory.bound, "memory");
  EXPECT_DOUBLE_EQ(memory.roof_fraction, 0.4);
  const Place compute = PlaceOf({500, 50, 1}, 1000, 100);
  EXPECT_EQ(compute.bound, "compute");
  EXPECT_DOUBLE_EQ(compute.roof_fraction, 0.5);
  EXPECT_DOUBLE_EQ(PlaceOf({0, 50, 1}, 1000, 100).roof_fraction, 0.5);
}

TEST(RooflineTest, WithoutTrafficOrRoofsNothingIsSaid) {
  EXPECT_TRUE(std::isnan(PlaceOf({5, 0, 1}, 1000, 100).intensity));
  EXPECT_EQ(PlaceOf({5, kNaN, 1}, 1000, 100).bound, "");
  const Place place = PlaceOf({6, 3, 2}, kNaN, 100);
  EXPECT_DOUBLE_EQ(place.throughput, 3);
  EXPECT_EQ(place.bound, "");
  EXPECT_TRUE(std::isnan(place.roof_fraction));
}

TEST(RooflineTest, RoofsOfOneNameAreOneAndDifferencesAreSaid) {
  std::vector<std::string> differing;
  const auto roofs = Merged({{false, "float32", 95, "a"},
                             {false, "float32", 100, "b"},
                             {true, "DRAM", 10, "a"},
                             {true, "DRAM", 8, "b"}},
                            &differing);
  ASSERT_EQ(roofs.size(), 2U);
  EXPECT_EQ(roofs[0].value, 100);
  EXPECT_EQ(roofs[0].provenance, "b");
  EXPECT_THAT(differing, ::testing::ElementsAre("DRAM"));
}

TEST(RooflineTest, LinesMeetAtTheRidge) {
  const std::vector<Roof> roofs = {
      {true, "DRAM", 10, ""}, {false, "float32", 100, ""}, {false, "float64", 50, ""}};
  const auto slope = LineOf(roofs[0], roofs, 1, 1000);
  ASSERT_TRUE(slope.has_value());
  EXPECT_DOUBLE_EQ(slope->to_intensity, 10);
  EXPECT_DOUBLE_EQ(slope->to_throughput, 100);
  const auto ceiling = LineOf(roofs[2], roofs, 1, 1000);
  ASSERT_TRUE(ceiling.has_value());
  EXPECT_DOUBLE_EQ(ceiling->from_intensity, 5);
  EXPECT_FALSE(LineOf(roofs[0], roofs, 20, 1000).has_value());
}

}  // namespace
}  // namespace xsp::suite::rooflines
