#include "answer/publish/script_text.h"

#include <gtest/gtest.h>

namespace xsp::publish {
namespace {

TEST(ScriptOf, GivesTextWhateverItHolds) {
  EXPECT_EQ(ScriptOf("a/b", std::string_view("\"\n\\")), "xspDocument(\"a/b\",\"\\\"\\n\\\\\")\n");
  EXPECT_EQ(ScriptOf("k", nlohmann::json{{"__proto__", 1}}),
            "xspDocument(\"k\",\"{\\\"__proto__\\\":1}\")\n");
}

TEST(FileNameOf, IsOnePlainPartOfAPath) {
  EXPECT_EQ(FileNameOf("resnet50-1.a_b"), "resnet50-1.a_b");
  for (const std::string name : {"..", ".", "", "a/b", "../x", "a b", "ä", ".hidden"}) {
    const std::string file = FileNameOf(name);
    EXPECT_EQ(file.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-._x"), std::string::npos)
        << file;
    EXPECT_FALSE(file.starts_with('.')) << file;
    EXPECT_GT(file.size(), 12u) << file;
  }
  EXPECT_NE(FileNameOf("a b"), FileNameOf("a/b"));
}

TEST(EscapedForMarkup, LeavesNoMarkup) {
  EXPECT_EQ(EscapedForMarkup("<a b='\"&'>\x01"), "&lt;a b=&#39;&quot;&amp;&#39;&gt;\xEF\xBF\xBD");
}

}  // namespace
}  // namespace xsp::publish
