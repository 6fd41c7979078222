#include "pipeline/text/vocabulary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/base/sample_testing.h"

namespace xsp::pipeline {
namespace {

using testing::ElementsAre;

TEST(BertWords, SplitsAtSpaceAndPunctuation) {
  EXPECT_THAT(BertWords("Hello,  World!\tok", {}), ElementsAre("hello", ",", "world", "!", "ok"));
  EXPECT_THAT(BertWords("Hello", {false, false}), ElementsAre("Hello"));
  EXPECT_THAT(BertWords("Caf\u00e9", {}), ElementsAre("cafe"));
  EXPECT_THAT(BertWords("Caf\u00e9", {true, false}), ElementsAre("caf\u00e9"));
  EXPECT_THAT(BertWords("x\u4e2d\u56fdy", {}), ElementsAre("x", "\u4e2d", "\u56fd", "y"));
  EXPECT_THAT(BertWords("a\u200b"
                        "b\xff"
                        "c",
                        {}),
              ElementsAre("abc"));
  EXPECT_TRUE(BertWords(" \n ", {}).empty());
}

TEST(SpacedWords, KeepPunctuation) {
  EXPECT_THAT(SpacedWords(" Hello, World! ", {true, false}), ElementsAre("hello,", "world!"));
}

TEST(AppendPieces, TakesTheLongestFirst) {
  Vocabulary vocabulary;
  ASSERT_TRUE(vocabulary.Load(kSamples + "/vocabulary.txt").ok());
  const auto tokens = [&](std::string_view word) {
    std::vector<std::int64_t> ids;
    AppendPieces(vocabulary, word, 1, ids);
    std::string text;
    for (const std::int64_t id : ids) text += std::string(*vocabulary.Token(id)) + " ";
    return text;
  };
  EXPECT_EQ(tokens("unwantable"), "un ##want ##able ");
  EXPECT_EQ(tokens("jumped"), "jump ##ed ");
  EXPECT_EQ(tokens("lazier"), "[UNK] ");
  EXPECT_EQ(tokens("\u4e2d"), "\u4e2d ");
  EXPECT_EQ(tokens("a" + std::string(99, 'b')).substr(0, 6), "a ##b ");
  EXPECT_EQ(tokens("a" + std::string(100, 'b')), "[UNK] ");
}

TEST(Vocabulary, SaysWhatIsMissing) {
  Vocabulary vocabulary;
  EXPECT_THAT(vocabulary.Load(kSamples + "/none.txt").error().what,
              testing::HasSubstr("cannot open"));
  EXPECT_THAT(vocabulary.Load(kSamples).error().what, testing::HasSubstr("not a file"));
  EXPECT_FALSE(vocabulary.Token(0));
  EXPECT_FALSE(vocabulary.Find("x"));
}

}  // namespace
}  // namespace xsp::pipeline
