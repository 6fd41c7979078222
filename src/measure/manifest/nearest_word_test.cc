#include "measure/manifest/nearest_word.h"

#include <gtest/gtest.h>

#include <array>

namespace xsp::manifest {
namespace {

constexpr std::array<std::string_view, 6> kKnown = {"name",  "shape",  "dtype",
                                                    "range", "inputs", "x"};

TEST(NearestWordTest, FindsWhatWasMeant) {
  EXPECT_EQ(NearestWord("shpae", kKnown), "shape");
  EXPECT_EQ(NearestWord("input", kKnown), "inputs");
  EXPECT_EQ(NearestWord("Name", kKnown), "name");
  EXPECT_EQ(NearestWord("typed", kKnown), "");
  EXPECT_EQ(NearestWord("", kKnown), "x");
  EXPECT_EQ(NearestWord(std::string(100'000, 'a'), kKnown), "");
}

TEST(NearestWordTest, PrefersTheNearerOne) {
  constexpr std::array<std::string_view, 3> kNear = {"outputs", "inputs", "input"};
  EXPECT_EQ(NearestWord("inputt", kNear), "inputs");
  EXPECT_EQ(NearestWord("input", kNear), "input");
}

}  // namespace
}  // namespace xsp::manifest
