#include "answer/suite/last_words.h"

#include <gtest/gtest.h>

namespace xsp::suite {
namespace {

TEST(LastWordsTest, TheLastErrorIsTold) {
  EXPECT_EQ(LastWords("error: first\nthen\nerror: no such model: x\nhint: y\n"),
            "no such model: x\nhint: y");
  EXPECT_EQ(LastWords("out of luck\n"), "out of luck");
  EXPECT_EQ(LastWords(" \n"), "");
}

TEST(LastWordsTest, OfMuchTheEnd) {
  const std::string words = LastWords(std::string(5000, 'a') + "the end");
  EXPECT_EQ(words.size(), 603U);
  EXPECT_TRUE(words.starts_with("...a"));
  EXPECT_TRUE(words.ends_with("the end"));
}

TEST(LastWordsTest, NothingInThemCommandsATerminal) {
  EXPECT_EQ(LastWords("\x1b]0;title\x07 bad\x7f\nline"), " ]0;title  bad \nline");
}

}  // namespace
}  // namespace xsp::suite
