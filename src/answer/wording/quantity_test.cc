#include "answer/wording/quantity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace xsp::wording {
namespace {

TEST(QuantityTest, ShowsThreeSignificantDigits) {
  EXPECT_EQ(FormatQuantity(39'612'345, "ns"), "39.6 ms");
  EXPECT_EQ(FormatQuantity(8.178e9, "flop"), "8.18 GFLOP");
  EXPECT_EQ(FormatQuantity(1'000, "ns"), "1.00 \u00b5s");
  EXPECT_EQ(FormatQuantity(102.8e6, "byte"), "103 MB");
  EXPECT_EQ(FormatQuantity(0.7134, "1", true), "71.3 %");
  EXPECT_EQ(FormatQuantity(17.44, "flop/byte"), "17.4 FLOP/B");
  EXPECT_EQ(FormatQuantity(0.0123, "1"), "0.0123");
}

TEST(QuantityTest, RoundingNeverLeavesAFourthDigit) {
  EXPECT_EQ(FormatQuantity(999.9, "ns"), "1.00 \u00b5s");
  EXPECT_EQ(FormatQuantity(9.999, "flop/byte"), "10.0 FLOP/B");
  EXPECT_EQ(FormatQuantity(99.96, "flop/byte"), "100 FLOP/B");
}

TEST(QuantityTest, WhatIsNoNumberIsADash) {
  EXPECT_EQ(FormatQuantity(std::nan(""), "ns"), "-");
  EXPECT_EQ(FormatQuantity(std::numeric_limits<double>::infinity(), "byte"), "-");
}

TEST(QuantityTest, AColumnHasOnePrefix) {
  const std::vector<double> values = {1.5e6, 3e6, 2e9, 0};
  const Scale scale = ChooseScale(values, "ns");
  EXPECT_EQ(scale.unit, "ms");
  EXPECT_EQ(Format(2e9, scale), "2000");
  EXPECT_EQ(Format(0, scale), "0");
}

TEST(QuantityTest, KeepsNegativeNumbersAsTheyAre) {
  EXPECT_EQ(FormatQuantity(-1500, "ns"), "-1.50 \u00b5s");
}

TEST(QuantityTest, ARatioHasFourDigitsAndNeverAPowerOfTen) {
  EXPECT_EQ(FormatRatio(0.78706), "0.7871");
  EXPECT_EQ(FormatRatio(2.5), "2.5");
  EXPECT_EQ(FormatRatio(2767.2), "2767");
  EXPECT_EQ(FormatRatio(12730.6), "12731");
}

TEST(QuantityTest, KnowsSharesByName) {
  EXPECT_TRUE(IsShare("latency_share"));
  EXPECT_FALSE(IsShare("intensity"));
}

}  // namespace
}  // namespace xsp::wording
