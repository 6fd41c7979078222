#include "answer/suite/error_excerpt.h"

#include <gtest/gtest.h>

namespace xsp::suite {
namespace {

TEST(ErrorExcerptTest, TheLastErrorIsTold) {
  EXPECT_EQ(ErrorExcerpt("error: first\nthen\nerror: no such model: x\nhint: y\n"),
            "no such model: x\nhint: y");
  EXPECT_EQ(ErrorExcerpt("out of luck\n"), "out of luck");
  EXPECT_EQ(ErrorExcerpt(" \n"), "");
}

TEST(ErrorExcerptTest, OfMuchTheEnd) {
  const std::string words = ErrorExcerpt(std::string(5000, 'a') + "the end");
  EXPECT_EQ(words.size(), 603U);
  EXPECT_TRUE(words.starts_with("...a"));
  EXPECT_TRUE(words.ends_with("the end"));
}

TEST(ErrorExcerptTest, NothingInThemCommandsATerminal) {
  EXPECT_EQ(ErrorExcerpt("\x1b]0;title\x07 bad\x7f\nline"), " ]0;title  bad \nline");
}

}  // namespace
}  // namespace xsp::suite
