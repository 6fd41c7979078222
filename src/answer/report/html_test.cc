#include "answer/report/html.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "core/json_text.h"

namespace xsp::report {
namespace {

namespace fs = std::filesystem;

/// A folder that stands for DataRoot(), gone with the test.
class HtmlTest : public testing::Test {
 protected:
  HtmlTest() : root_(fs::temp_directory_path() / ("xsp_html_test." + std::to_string(getpid()))) {
    fs::create_directories(root_ / "web" / "dist");
    setenv("XSP_HOME", root_.c_str(), 1);
  }
  ~HtmlTest() override {
    unsetenv("XSP_HOME");
    fs::remove_all(root_);
  }
  void WritePage(const std::string& text) const {
    std::ofstream(root_ / "web" / "dist" / "report.html") << text;
  }
  fs::path root_;
};

TEST_F(HtmlTest, PutsTheDocumentInPlaceOfTheMarker) {
  WritePage("<script id=\"report-data\">__XSP_REPORT_DATA__</script>");
  const auto page = Page(R"({"a":1})");
  ASSERT_TRUE(page.ok()) << page.error().what;
  EXPECT_EQ(page.value(), "<script id=\"report-data\">{\"a\":1}</script>");
}

TEST_F(HtmlTest, NamesTheCommandThatBuildsAMissingPage) {
  const auto page = Page("{}");
  ASSERT_FALSE(page.ok());
  EXPECT_EQ(page.error().kind, ErrorKind::kNotPossible);
  EXPECT_NE(page.error().hint.find("tools/setup && tools/build"), std::string::npos);
}

TEST_F(HtmlTest, RefusesAPageWithoutOrWithTwoMarkers) {
  EXPECT_EQ(FilledPage("no place", "{}").error().kind, ErrorKind::kInternal);
  EXPECT_EQ(FilledPage("__XSP_REPORT_DATA____XSP_REPORT_DATA__", "{}").error().kind,
            ErrorKind::kInternal);
}

TEST_F(HtmlTest, DoesNotLookForTheMarkerInTheDocument) {
  const auto page = FilledPage("[__XSP_REPORT_DATA__]", R"("__XSP_REPORT_DATA__")");
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(page.value(), "[\"__XSP_REPORT_DATA__\"]");
}

TEST_F(HtmlTest, LetsNoNameEndTheScriptElement) {
  const nlohmann::json document = {{"name", "</script><script>alert(1)</script><!-- & \" \\"},
                                   {"<!--", {"<", "<<", "</SCRIPT "}}};
  const std::string escaped = EscapedForScript(core::JsonText(document));
  EXPECT_EQ(escaped.find('<'), std::string::npos);
  EXPECT_EQ(core::ParseJson(escaped), document);
}

TEST_F(HtmlTest, KeepsABackslashBeforeABracketApart) {
  // The JSON text is "\\<": an escaped backslash, then a bracket.
  EXPECT_EQ(core::ParseJson(EscapedForScript(R"("\\<")")), "\\<");
}

}  // namespace
}  // namespace xsp::report
