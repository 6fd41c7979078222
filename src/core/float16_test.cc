#include "core/float16.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace xsp::core {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(Float16, EachValueIsReadBackAsItWas) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const double value = FromFloat16(half);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(FromFloat16(ToFloat16(static_cast<float>(value))))) << bits;
    } else {
      EXPECT_EQ(ToFloat16(static_cast<float>(value)), half);
    }
  }
}

TEST(Float16, RoundsToTheNearestAndToEvenBetween) {
  // The neighbours of a value are those before and behind it by their bits.
  for (std::uint16_t bits = 0; bits < 0x7bff; ++bits) {
    const auto middle = static_cast<float>((FromFloat16(bits) + FromFloat16(bits + 1)) / 2);
    EXPECT_EQ(ToFloat16(middle), bits % 2 == 0 ? bits : bits + 1) << bits;
    EXPECT_EQ(ToFloat16(std::nextafter(middle, 0.0f)), bits);
    EXPECT_EQ(ToFloat16(std::nextafter(middle, kInfinity)), bits + 1);
  }
  EXPECT_EQ(ToFloat16(65519.0f), 0x7bff);
  EXPECT_EQ(ToFloat16(65520.0f), 0x7c00);
  EXPECT_EQ(ToFloat16(-1e30f), 0xfc00);
}

TEST(Bfloat16, IsTheUpperHalfOfAFloatRoundedToEven) {
  EXPECT_EQ(ToBfloat16(1.0f), 0x3f80);
  EXPECT_EQ(ToBfloat16(1.00390625f), 0x3f80);  // Halfway to the next, which is odd.
  EXPECT_EQ(ToBfloat16(1.01171875f), 0x3f82);
  EXPECT_EQ(ToBfloat16(std::numeric_limits<float>::max()), 0x7f80);
  EXPECT_EQ(ToBfloat16(-kInfinity), 0xff80);
  EXPECT_TRUE(std::isnan(FromBfloat16(ToBfloat16(std::nanf("")))));
  EXPECT_EQ(FromBfloat16(0x3f82), 1.015625f);
}

}  // namespace
}  // namespace xsp::core
