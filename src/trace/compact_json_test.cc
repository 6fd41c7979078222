#include "trace/compact_json.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace xsp::trace {
namespace {

std::string Compact(std::string_view json) {
  std::string out = "what was there before";
  CompactJson(json, out);
  return out;
}

/// One character after the other.
std::string Slowly(std::string_view json) {
  std::string out;
  bool inside = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (!inside && (c == ' ' || c == '\n' || c == '\t' || c == '\r')) continue;
    out += c;
    if (inside && c == '\\' && i + 1 < json.size()) {
      out += json[++i];
    } else if (c == '"') {
      inside = !inside;
    }
  }
  return out;
}

TEST(CompactJson, DropsSpaceOutsideStringsOnly) {
  EXPECT_EQ(Compact("{ \"a b\" :\t[ 1,\r\n2 ] }"), "{\"a b\":[1,2]}");
  EXPECT_EQ(Compact(""), "");
  EXPECT_EQ(Compact(" \n"), "");
}

TEST(CompactJson, AnEscapedQuoteDoesNotEndAString) {
  EXPECT_EQ(Compact(R"({"a": "x \" y \\" , "b": 1 })"), R"({"a":"x \" y \\","b":1})");
}

TEST(CompactJson, AnOpenStringReachesToTheEnd) { EXPECT_EQ(Compact("{ \"a  b "), "{\"a  b "); }

TEST(CompactJson, LongTextIsWhatOneCharacterAfterTheOtherGives) {
  std::mt19937 random(1);
  constexpr std::string_view kAlphabet = "  \n\t\r\"\"\\ab{}1,:";
  for (int round = 0; round < 3000; ++round) {
    // Seldom backslashes, so that whole blocks go without.
    const bool escapes = round % 3 == 0;
    std::string json;
    for (std::size_t length = random() % 400; json.size() < length;) {
      const char c = kAlphabet[random() % kAlphabet.size()];
      if (c != '\\' || escapes) json.append(1 + random() % 3, c);
    }
    ASSERT_EQ(Compact(json), Slowly(json)) << json;
  }
}

}  // namespace
}  // namespace xsp::trace
