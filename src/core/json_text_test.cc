#include "core/json_text.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace xsp::core {
namespace {

using nlohmann::json;

TEST(JsonText, DocumentsComeBackFromTheirTexts) {
  const json document = {{"a", {1, -2, 0.1, 1e300}}, {"b", nullptr}, {"c", "\"\\\n\xC3\xA9"}};
  for (const int indent : {-1, 0, 2}) {
    EXPECT_EQ(ParseJson(JsonText(document, indent)), document) << indent;
    EXPECT_EQ(ParseJson(AsciiJsonText(document, indent)), document) << indent;
  }
}

TEST(JsonText, OneLineOrIndented) {
  EXPECT_EQ(JsonText({{"a", {1, 2}}}), R"({"a":[1,2]})");
  EXPECT_EQ(JsonText({{"a", 1}}, 2), "{\n  \"a\": 1\n}");
}

TEST(JsonText, OtherCharactersAreEscapedInAscii) {
  EXPECT_EQ(JsonText("\xC3\xA9"), "\"\xC3\xA9\"");
  EXPECT_EQ(AsciiJsonText("\xC3\xA9"), R"("\u00e9")");
}

TEST(JsonText, WhatIsNotUtf8IsReplaced) {
  EXPECT_EQ(JsonText(std::string("a\xFFz")), "\"a\xEF\xBF\xBDz\"");
  EXPECT_EQ(AsciiJsonText(std::string("a\xFFz")), R"("a\ufffdz")");
}

TEST(JsonText, WhatIsNoJsonIsDiscarded) {
  for (const std::string text : {"", "{", "[1,]", "{} {}", "nul", "\"\xFF\"", "{\"a\":1"}) {
    EXPECT_TRUE(ParseJson(text).is_discarded()) << text;
    EXPECT_FALSE(IsJson(text)) << text;
  }
  EXPECT_TRUE(IsJson(" [1, {}] "));
}

TEST(JsonText, StreamsAreReadToTheirEnds) {
  EXPECT_EQ(ParseJson(std::istringstream("[1, 2]\n")), json({1, 2}));
  EXPECT_TRUE(ParseJson(std::istringstream("[1, 2] 3")).is_discarded());
}

}  // namespace
}  // namespace xsp::core
