#include "answer/trace_formats/text_numbers.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace xsp::trace_formats {
namespace {

TEST(TextNumbers, NumbersEachTextOnce) {
  TextNumbers numbers;
  for (int round = 0; round < 2; ++round)
    for (std::uint32_t i = 0; i < 1000; ++i)
      EXPECT_EQ(numbers.NumberOf("text " + std::to_string(i)), i);
  EXPECT_EQ(numbers.NumberOf(""), 1000u);
  EXPECT_EQ(numbers.texts().size(), 1001u);
  EXPECT_EQ(numbers.texts()[7], "text 7");
}

}  // namespace
}  // namespace xsp::trace_formats
