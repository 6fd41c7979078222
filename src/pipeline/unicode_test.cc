#include "pipeline/unicode.h"

#include <gtest/gtest.h>

namespace xsp::pipeline {
namespace {

TEST(Utf8, RoundTripsEveryLengthOfSequence) {
  const std::string text = "a\u00e9\u4e2d\U0001f600";
  EXPECT_EQ(FromUtf8(text), U"a\u00e9\u4e2d\U0001f600");
  EXPECT_EQ(ToUtf8(FromUtf8(text)), text);
}

TEST(Utf8, ReplacesWhatIsNoValidSequence) {
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

TEST(Categories, AreThoseOfUnicode) {
  EXPECT_TRUE(IsSpace(0x3000));
  EXPECT_FALSE(IsSpace(0x200b));
  EXPECT_TRUE(IsControl(0x200b));
  EXPECT_FALSE(IsControl('\n'));
  EXPECT_TRUE(IsPunctuation('$'));
  EXPECT_TRUE(IsPunctuation(0x3002));
  EXPECT_FALSE(IsPunctuation(0x20ac));  // a currency sign is a symbol
  EXPECT_TRUE(IsHan(0x4e00));
  EXPECT_FALSE(IsHan(0xac00));
}

TEST(Lower, KnowsMoreThanAscii) {
  EXPECT_EQ(Lower(U"AZaz\u00c4\u0416\u03a3\u1e9e"), U"azaz\u00e4\u0436\u03c3\u00df");
  EXPECT_EQ(Lower(U"\u0130"), U"i\u0307");
}

TEST(WithoutAccents, LeavesTheLetters) {
  EXPECT_EQ(WithoutAccents(U"\u00e9\u1ead\u00f8n\u0303"), U"ea\u00f8n");
  EXPECT_EQ(WithoutAccents(U"\ud55c"), U"\u1112\u1161\u11ab");
  EXPECT_EQ(WithoutAccents(U"\uf900"), U"\u8c48");
}

}  // namespace
}  // namespace xsp::pipeline
