#include "app/mcp/shortened_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "core/json_text.h"

namespace xsp::mcp {
namespace {

using nlohmann::json;
using testing::EndsWith;

json Shortened(const json& value, int level) {
  bool ignored = false;
  return ShortenedJson(value, level, ignored);
}

TEST(VisibleTextTest, PlainTextStaysAsItIs) {
  EXPECT_EQ(VisibleText("void gemm<float>(größer)\n\tnext"), "void gemm<float>(größer)\n\tnext");
  EXPECT_EQ(VisibleText("日本語 🙂"), "日本語 🙂");
}

TEST(VisibleTextTest, WhatActsOnATerminalBecomesVisible) {
  EXPECT_EQ(VisibleText("\x1b[2Jgone"), "\\u{1b}[2Jgone");
  EXPECT_EQ(VisibleText(std::string("a\0b\r\x7f", 5)), "a\\u{0}b\\u{d}\\u{7f}");
  EXPECT_EQ(VisibleText("\xc2\x9b"), "\\u{9b}");
}

TEST(VisibleTextTest, WhatHidesFromAReaderBecomesVisible) {
  EXPECT_EQ(VisibleText("a\xe2\x80\xae"
                        "b"),
            "a\\u{202e}b");
  EXPECT_EQ(VisibleText("\xe2\x80\x8b"), "\\u{200b}");
  // TAG LATIN SMALL LETTER A: an alphabet that no font shows and models read.
  EXPECT_EQ(VisibleText("\xf3\xa0\x81\xa1"), "\\u{e0061}");
}

TEST(VisibleTextTest, InvalidUtf8IsReplaced) {
  EXPECT_EQ(VisibleText("a\xff"
                        "b"),
            "a\xef\xbf\xbd"
            "b");
}

TEST(ShortenedJsonTest, NothingSmallIsCut) {
  bool was_shortened = false;
  const json value = core::ParseJson(R"({"a": [1, 2.5, null, true], "b": {"c": "d"}})");
  EXPECT_EQ(ShortenedJson(value, 0, was_shortened), value);
  EXPECT_FALSE(was_shortened);
}

TEST(ShortenedJsonTest, LongStringsAreCutBetweenCharacters) {
  bool was_shortened = false;
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "ä";
  const auto cut = ShortenedJson(text, 4, was_shortened).get<std::string>();
  EXPECT_TRUE(was_shortened);
  EXPECT_LE(cut.size(), 120U);
  EXPECT_THAT(cut, EndsWith("ä…"));
}

TEST(ShortenedJsonTest, TypesAndNumbersStayAsTheyAre) {
  const json value =
      core::ParseJson(R"({"list": [[1]], "number": 123456789.25, "object": {"a": {}}})");
  for (int level = 0; level + 1 < kShorteningLevels; ++level) {
    const json cut = Shortened(value, level);
    EXPECT_TRUE(cut["list"].is_array()) << level;
    EXPECT_EQ(cut["number"], 123456789.25) << level;
    EXPECT_TRUE(cut["object"].is_object()) << level;
  }
}

TEST(ShortenedJsonTest, TheLastLevelIsAsSmallAsItSays) {
  json worst = json::object();
  worst[std::string(1000, '"')] = std::string(1000, '\\');
  worst[std::string(1000, '\n')] = std::string(1000, '\n');
  for (const json& value : {worst, json(json::array({worst, worst})), json(std::string(1000, '"'))})
    EXPECT_LE(CompactText(Shortened(value, kShorteningLevels - 1)).size(), kMaxShortestBytes);
}

TEST(ShortenedJsonTest, NoDepthExhaustsTheStack) {
  json deep = 1;
  for (int i = 0; i < 2000; ++i) deep = json::array({std::move(deep)});
  EXPECT_LT(CompactText(Shortened(deep, 0)).size(), 100U);
}

}  // namespace
}  // namespace xsp::mcp
