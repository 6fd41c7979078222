#include "pipeline/text/bert_characters.h"

#include <gtest/gtest.h>

namespace xsp::pipeline {
namespace {

TEST(BertCharacters, AreSortedByCategory) {
  EXPECT_TRUE(IsSpace(0x3000));
  EXPECT_TRUE(IsSpace('\t'));
  EXPECT_FALSE(IsSpace(0x200b));
  EXPECT_TRUE(IsControl(0x200b));
  EXPECT_TRUE(IsControl(0xe000));
  EXPECT_FALSE(IsControl(0x378));  // unassigned
  EXPECT_FALSE(IsControl('\n'));
  EXPECT_TRUE(IsPunctuation('$'));
  EXPECT_TRUE(IsPunctuation(0x3002));
  EXPECT_FALSE(IsPunctuation(0x20ac));  // a currency sign is a symbol
}

TEST(BertCharacters, OfHanAreNotThoseOfHangul) {
  EXPECT_TRUE(IsHan(0x4e00));
  EXPECT_TRUE(IsHan(0x2fa1f));
  EXPECT_FALSE(IsHan(0xac00));
  EXPECT_FALSE(IsHan(0x2ceb0));
}

TEST(WithoutAccents, LeavesTheLetters) {
  EXPECT_EQ(WithoutAccents(U"\u00e9\u1ead\u00f8n\u0303"), U"ea\u00f8n");
  EXPECT_EQ(WithoutAccents(U"\ud55c"), U"\u1112\u1161\u11ab");
  EXPECT_EQ(WithoutAccents(U"\uf900"), U"\u8c48");
}

}  // namespace
}  // namespace xsp::pipeline
