#include "core/number_check.h"

#include <gtest/gtest.h>

namespace xsp::core {
namespace {

TEST(NumberCheckTest, WhatIsNoSuchNumberIsNamedInFewWords) {
  for (const char* right : {"1", "0.5", "1e300", "4096"}) {
    EXPECT_EQ(PositiveNumber(right), "");
    EXPECT_EQ(NonNegativeNumber(right), "");
  }
  EXPECT_EQ(NonNegativeNumber("0"), "");
  EXPECT_EQ(PositiveNumber("0"), "not a positive number: 0");
  for (const char* wrong : {"-1", "many", "", "3x", "inf", "nan", "1e999"}) {
    EXPECT_EQ(PositiveNumber(wrong), std::string("not a positive number: ") + wrong);
    EXPECT_EQ(NonNegativeNumber(wrong), std::string("not a number of at least 0: ") + wrong);
  }
}

}  // namespace
}  // namespace xsp::core
