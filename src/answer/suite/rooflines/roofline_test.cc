#include "answer/suite/rooflines/roofline.h"

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

TEST(RooflineTest, CeilingIsOfTheDataTypeAndOfFloat32WhereNoneIsSaid) {
  std::vector<Roof> roofs = {{true, "DRAM", 10, "a", ""},
                             {false, "float32 vector", 100, "a", "float32"},
                             {false, "bfloat16 tensor", 1600, "a", "bfloat16"},
                             {false, "int8 tensor", 3200, "a", "int8"}};
  EXPECT_EQ(CeilingFor(roofs, "")->name, "float32 vector");
  EXPECT_EQ(CeilingFor(roofs, "bfloat16")->name, "bfloat16 tensor");
  EXPECT_FALSE(CeilingFor(roofs, "float64").has_value());
  EXPECT_EQ(SlopeFor(roofs)->value, 10);
  // What the user gives goes before, also where it is less.
  roofs.push_back({false, "given peak", 50, kGivenRoof});
  roofs.push_back({true, "given bandwidth", 5, kGivenRoof});
  EXPECT_EQ(CeilingFor(roofs, "float64")->value, 50);
  EXPECT_EQ(SlopeFor(roofs)->value, 5);
  const std::vector<Roof> only = {{false, "int8 tensor", 3200, "a", "int8"}};
  EXPECT_EQ(CeilingFor(only, "")->name, "int8 tensor");
  EXPECT_FALSE(CeilingFor({}, "").has_value());
}

TEST(RooflineTest, DataTypesHaveManyNames) {
  EXPECT_EQ(DataTypeOf("FP32"), "float32");
  EXPECT_EQ(DataTypeOf("float32"), "float32");
  EXPECT_EQ(DataTypeOf("bf16"), "bfloat16");
  EXPECT_EQ(DataTypeOf("Half"), "float16");
  EXPECT_EQ(DataTypeOf("tf32"), "tf32");
  EXPECT_EQ(DataTypeOf(""), "");
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
