#include "capture/record/verbose_format.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace xsp::record {
namespace {

struct Formatted {
  bool done;
  std::size_t length = 0;
  std::string text;  ///< Up to the zero.
};

Formatted Make(std::size_t room, const char* format, ...) {
  std::array<char, 64> out;
  out.fill('#');
  Formatted made;
  va_list arguments;
  va_start(arguments, format);
  made.done = FormatText(out.data(), room, format, arguments, made.length);
  va_end(arguments);
  for (std::size_t i = room; i < out.size(); ++i) EXPECT_EQ(out[i], '#') << "beyond the room";
  if (made.done && room > 0) made.text = out.data();
  return made;
}

TEST(VerboseFormat, MakesWhatTheCLibraryMakes) {
  const char* format = "%sprimitive,exec%s,%s,%g%%%d\n";
  for (std::size_t room = 0; room <= 64; ++room) {
    std::array<char, 64> expected;
    const int length =
        std::snprintf(expected.data(), room, format, "onednn,", ",cpu", "sum", 0.0170898, -12);
    const Formatted made = Make(room, format, "onednn,", ",cpu", "sum", 0.0170898, -12);
    ASSERT_TRUE(made.done);
    EXPECT_EQ(made.length, static_cast<std::size_t>(length));
    if (room > 0) {
      EXPECT_EQ(made.text, expected.data());
    }
  }
}

TEST(VerboseFormat, NumbersAreThoseOfTheCLibrary) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-300, 300);
  std::vector<double> values = {0.0, -0.0, 1,          100000, 999999.5,
                                1e6, 1e-4, 9.99999e-5, 0.1,    5.66602};
  for (int i = 0; i < 20'000; ++i) values.push_back(std::pow(10, exponent(random) / (1 + i % 60)));
  for (const double value : values) {
    std::array<char, 64> expected;
    std::snprintf(expected.data(), expected.size(), "%g", value);
    EXPECT_EQ(Make(64, "%g", value).text, expected.data());
  }
}

TEST(VerboseFormat, LeavesTheRestToTheCLibrary) {
  EXPECT_FALSE(Make(64, "%5d", 1).done);
  EXPECT_FALSE(Make(64, "%.3f", 1.0).done);
  EXPECT_FALSE(Make(64, "%").done);
  EXPECT_FALSE(Make(64, "%s", static_cast<const char*>(nullptr)).done);
  EXPECT_FALSE(Make(64, "%g", std::numeric_limits<double>::infinity()).done);
}

TEST(VerboseFormat, KnowsTheFormatOfOneDnn) {
  EXPECT_TRUE(IsExecutionFormat("%sprimitive,exec%s,%s,%g\n"));
  EXPECT_FALSE(IsExecutionFormat("%sprimitive,create%s,%s,%g\n"));
  EXPECT_FALSE(IsExecutionFormat(""));
}

}  // namespace
}  // namespace xsp::record
