#include "trace/arguments.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace xsp::trace {
namespace {

std::vector<std::string> Texts(const ArgumentTable& table, const StringPool& strings) {
  std::vector<std::string> texts(table.size());
  ArgumentTable::Cursor cursor(table);
  for (std::string& text : texts) cursor.Next(strings, text);
  return texts;
}

std::string RoundTrip(std::string_view json) {
  ArgumentTable table;
  StringPool strings;
  table.Add(7, json, strings);
  EXPECT_EQ(table.span(0), 7u);
  return Texts(table, strings).at(0);
}

TEST(ArgumentTable, GivesBackEveryCharacterOfANumber) {
  for (const char* text :
       {R"({"a":0,"b":-1,"c":123456789012345678})", R"({"a":10159970886766084423})",
        R"({"a":0.05,"b":-0.5,"c":12.50,"d":1.0})",
        R"({"a":-0,"b":-0.0,"c":00,"d":1e5,"e":1.5E-3})",
        R"({"a":1.,"b":.5,"c":1.2.3,"d":--1,"e":1-2})", R"([[1,3,224,224],[],[64]])",
        R"({"a":true,"b":null,"c":"x 1 2","d":"q\"1\" 2"})", "", "{", "{\"a", "\"\\", "-"}) {
    EXPECT_EQ(RoundTrip(text), text);
  }
}

TEST(ArgumentTable, LeavesOutWhiteSpaceOutsideStrings) {
  EXPECT_EQ(RoundTrip("{\n  \"a b\": 1,\t\"c\": [ 2 , 3 ]\r\n}"), R"({"a b":1,"c":[2,3]})");
}

TEST(ArgumentTable, KeepsTextThatHoldsItsOwnMarks) {
  EXPECT_EQ(RoundTrip("{\"a\": \"\x01\", \"b\": 5}"), "{\"a\": \"\x01\", \"b\": 5}");
}

TEST(ArgumentTable, TakesFewBytesWhereOnlyNumbersDiffer) {
  ArgumentTable table;
  StringPool strings;
  constexpr std::uint32_t kRows = 10'000;
  for (std::uint32_t i = 0; i < kRows; ++i) {
    table.Add(i + 1,
              R"({"External id":)" + std::to_string(i) +
                  R"(,"stream":7,"occupancy":12.5,"grid":[1,2,)" + std::to_string(i % 7) + "]}",
              strings);
  }
  EXPECT_LE(strings.size(), 3u);
  EXPECT_LT(table.MemoryBytes(), 40u * kRows);  // Vectors may hold twice what they need.
}

TEST(ArgumentTable, ReadsFromAnyRowOn) {
  ArgumentTable table;
  StringPool strings;
  std::vector<std::string> texts;
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) {
    std::string text = "{";
    for (unsigned j = random() % 5; j > 0; --j)
      text += "\"k" + std::to_string(random() % 3) + "\":" + std::to_string(random()) + ",";
    texts.push_back(text + "}");
    table.Add(1, texts.back(), strings);
  }
  EXPECT_EQ(Texts(table, strings), texts);
  for (const std::size_t row : {0, 1, 127, 128, 129, 555, 999}) {
    ArgumentTable::Cursor cursor(table, row);
    std::string text;
    cursor.Next(strings, text);
    EXPECT_EQ(text, texts[row]);
  }
}

/// Whatever the text: it comes back, but for white space outside strings.
TEST(ArgumentTable, RandomTextComesBack) {
  std::mt19937 random(2);
  const std::string alphabet = "0123456789-.eE\"\\{}[],:x\x01\x02\x03";
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (unsigned n = random() % 24; n > 0; --n) text += alphabet[random() % alphabet.size()];
    EXPECT_EQ(RoundTrip(text), text);
  }
}

}  // namespace
}  // namespace xsp::trace
