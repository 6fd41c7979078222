#include "core/utf8.h"

#include <gtest/gtest.h>

namespace xsp::core {
namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;

TEST(Utf8Test, PassesWellFormedText) {
  for (const std::string_view text :
       {""sv, "aten::conv2d"sv, "\xc3\xa9"sv, "\xe2\x82\xac"sv, "\xf0\x9f\x98\x80"sv}) {
    EXPECT_TRUE(IsCleanUtf8(text)) << text;
    EXPECT_EQ(ToCleanUtf8(text), text);
  }
}

TEST(Utf8Test, ReplacesWhatIsNot) {
  EXPECT_EQ(ToCleanUtf8("a\xff"
                        "b"sv),
            "a\xef\xbf\xbd"
            "b");
  for (const std::string_view text :
       {"\0"sv, "\x80"sv, "\xc0\x80"sv, "\xe0\x80\x80"sv, "\xed\xa0\x80"sv, "\xf4\x90\x80\x80"sv,
        "\xf5\x80\x80\x80"sv, "\xe2\x82"sv, "\xc3"sv}) {
    EXPECT_FALSE(IsCleanUtf8(text));
    EXPECT_TRUE(IsCleanUtf8(ToCleanUtf8(text)));
  }
}

TEST(Utf8Test, RoundTripsEveryLengthOfSequence) {
  const std::string text = "a\u00e9\u4e2d\U0001f600\0"s;
  EXPECT_EQ(FromUtf8(text), U"a\u00e9\u4e2d\U0001f600\0"s);
  EXPECT_EQ(ToUtf8(FromUtf8(text)), text);
}

TEST(Utf8Test, CountsEachByteOfNoSequenceAsOneReplacement) {
  EXPECT_EQ(FromUtf8("a\xff"
                     "b"),
            U"a\ufffd"
            "b");
  EXPECT_EQ(FromUtf8("\xc3"), U"\ufffd");            // cut off
  EXPECT_EQ(FromUtf8("\xc0\xaf"), U"\ufffd\ufffd");  // overlong
  EXPECT_EQ(FromUtf8("\xe0\x80\xaf").size(), 3u);
  EXPECT_EQ(FromUtf8("\xed\xa0\x80").size(), 3u);      // surrogate
  EXPECT_EQ(FromUtf8("\xf4\x90\x80\x80").size(), 4u);  // beyond U+10FFFF
}

TEST(Utf8Test, WalksFromCharacterToCharacter) {
  const std::string_view text = "\u00e9\xe2\x82z";
  std::size_t at = 0;
  EXPECT_EQ(NextCharacter(text, at), U'\u00e9');
  EXPECT_EQ(at, 2u);
  EXPECT_EQ(NextCharacter(text, at), U'\ufffd');
  EXPECT_EQ(at, 3u);
  EXPECT_EQ(NextCharacter(text, at), U'\ufffd');
  EXPECT_EQ(NextCharacter(text, at), U'z');
  EXPECT_EQ(at, text.size());
}

}  // namespace
}  // namespace xsp::core
