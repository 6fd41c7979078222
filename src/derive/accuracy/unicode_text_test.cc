#include "derive/accuracy/unicode_text.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <random>

namespace xsp::accuracy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(UnicodeText, LowersEveryScript) {
  EXPECT_EQ(Lowercase("AbC 9"), "abc 9");
  EXPECT_EQ(Lowercase("ÀÉÜ ŽŁ ΑΩ ЖЯ Ⴀ Ａ"), "àéü žł αω жя ⴀ ａ");
  EXPECT_EQ(Lowercase("İ"), "i\u0307");
  EXPECT_EQ(Lowercase("ΟΔΟΣ"), "οδοσ");
  EXPECT_EQ(Lowercase("日本 ß"), "日本 ß");
}

TEST(UnicodeText, SplitsAtEveryWhiteSpace) {
  EXPECT_THAT(SplitWords(" a\tb\u00a0c\u3000d\u2028\x1c e\n"),
              ElementsAre("a", "b", "c", "d", "e"));
  EXPECT_THAT(SplitWords("\u200b"), ElementsAre("\u200b"));  // Zero width: no white space.
  EXPECT_THAT(SplitWords(" \t "), IsEmpty());
  EXPECT_THAT(SplitWords(""), IsEmpty());
}

TEST(UnicodeText, KnowsWordCharacters) {
  for (const std::uint32_t character : {0x61u, 0x5au, 0x30u, 0x5fu, 0xe9u, 0x4e00u, 0x660u, 0xbdu})
    EXPECT_TRUE(IsWordCharacter(character)) << character;
  for (const std::uint32_t character : {0x20u, 0x2du, 0x7fu, 0x2013u, 0x301u, 0x20acu, 0xfffdu})
    EXPECT_FALSE(IsWordCharacter(character)) << character;
}

TEST(UnicodeText, BytesThatAreNoTextCountAsReplacement) {
  EXPECT_EQ(Lowercase("A\xff\xc3(\xed\xa0\x80"), "a\ufffd\ufffd(\ufffd\ufffd\ufffd");
  std::mt19937 random(3);
  for (int round = 0; round < 5000; ++round) {
    std::string text(random() % 12, ' ');
    for (char& byte : text) byte = static_cast<char>(random());
    const std::string once = Lowercase(text);
    ASSERT_EQ(Lowercase(once), once);
    for (const std::string_view word : SplitWords(text)) ASSERT_FALSE(word.empty());
  }
}

}  // namespace
}  // namespace xsp::accuracy
