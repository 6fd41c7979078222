#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/cli/option_fields.h"
#include "app/cli/view.h"

namespace xsp::cli {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

/// `xsp zoo make` without what makes models.
class ZooMakeViewTest : public testing::Test {
 protected:
  void Parse(std::vector<std::string> words) {
    fields_.Add("as", &formats_, {.help = "Formats", .list = core::ListStyle::kCommas});
    fields_.Add("all", &all_, {.help = "All", .excludes = {"as"}});
    fields_.Finish();
    for (const ViewSpec* view : AllViews())
      if (std::string_view(view->operation) == "zoo/make") show_ = view->declare(app_, context_);
    std::ranges::reverse(words);
    app_.parse(words);
  }

  /// What is printed of a model that was made.
  std::string Shown(Format format) const {
    testing::internal::CaptureStdout();
    const auto status = show_(
        {.content = store::Table{{"name", "state"}, {{std::string("net"), std::string("made")}}},
         .exit_status = 5},
        format);
    EXPECT_TRUE(status.ok() && status.value() == 5);
    return testing::internal::GetCapturedStdout();
  }

  CLI::App app_{"A command"};
  api::Context context_;
  OptionFields fields_{app_};
  std::vector<std::string> formats_;
  bool all_ = false;
  Show show_;
};

TEST_F(ZooMakeViewTest, PrintsAsTheGroupDoesWithoutAFormat) {
  Parse({});
  EXPECT_THAT(formats_, IsEmpty());
  EXPECT_THAT(Shown(Format::kCsv), StartsWith("name,state"));
}

TEST_F(ZooMakeViewTest, SortsTheWordsOfFormat) {
  Parse({"--as", "toy", "--format", "onnx,json,pair"});
  EXPECT_THAT(formats_, ElementsAre("toy", "onnx", "pair"));
  EXPECT_THAT(Shown(Format::kTable), StartsWith("["));
}

TEST_F(ZooMakeViewTest, TakesFormatsOfModelsWithoutAs) {
  Parse({"--format", "onnx"});
  EXPECT_THAT(formats_, ElementsAre("onnx"));
  EXPECT_THAT(Shown(Format::kTable), AllOf(HasSubstr("net"), Not(StartsWith("name,"))));
}

TEST_F(ZooMakeViewTest, IgnoresFormatsOfModelsBesideAll) {
  Parse({"--all", "--format", "onnx", "--format", "csv"});
  EXPECT_TRUE(all_);
  EXPECT_THAT(formats_, IsEmpty());
  EXPECT_THAT(Shown(Format::kTable), StartsWith("name,state"));
}

}  // namespace
}  // namespace xsp::cli
