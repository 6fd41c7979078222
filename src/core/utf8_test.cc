#include "core/utf8.h"

#include <gtest/gtest.h>

namespace xsp::core {
namespace {

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

}  // namespace
}  // namespace xsp::core
