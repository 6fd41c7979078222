#include "app/cli/option_fields.h"

#include <gmock/gmock.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/cli/program_arguments.h"

namespace xsp::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// The words as CLI11 wants them: the last one first.
void Parse(CLI::App& app, std::vector<std::string> words) {
  std::ranges::reverse(words);
  app.parse(words);
}

TEST(OptionFieldsTest, ListsInOneWordLeaveWhatStandsBehindThemAlone) {
  const std::vector<std::vector<std::string>> ways = {
      {"--label", "job,width", "--metric", "w=1", "file"},
      {"--label", "job", "--metric", "w=1", "--label", "width", "file"}};
  for (const auto& words : ways) {
    CLI::App app;
    OptionFields fields(app);
    std::vector<std::string> sources, labels, metrics;
    fields.Add("source", &sources, {.help = "", .value_name = "SOURCE", .positional = true});
    fields.Add("label", &labels, {.help = "", .list = core::ListStyle::kOneWord});
    fields.Add("metric", &metrics, {.help = "", .list = core::ListStyle::kRepeated});
    fields.Finish();
    Parse(app, words);
    EXPECT_THAT(sources, ElementsAre("file"));
    EXPECT_THAT(labels, ElementsAre("job", "width"));
    EXPECT_THAT(metrics, ElementsAre("w=1"));
  }
}

/// A command with a file that may be missing and a program.
class FileOrProgramTest : public ::testing::Test {
 protected:
  FileOrProgramTest() {
    fields_.Add("file", &file_, {.help = "", .value_name = "FILE", .positional = true});
    fields_.Add("copies", &copies_, {.help = ""});
    fields_.Add("program", &program_, {.help = "", .program = true});
    fields_.Finish();
  }
  ~FileOrProgramTest() override { ProgramArguments().clear(); }

  CLI::App app_;
  OptionFields fields_{app_};
  std::string file_;
  int copies_ = 0;
  std::vector<std::string> program_;
};

TEST_F(FileOrProgramTest, FirstWordIsTheFile) {
  Parse(app_, {"--copies", "3", "jobs.yaml"});
  EXPECT_EQ(file_, "jobs.yaml");
  EXPECT_EQ(copies_, 3);
  EXPECT_THAT(program_, IsEmpty());
  EXPECT_TRUE(fields_.Complete("suite jobs", true).ok());
}

TEST_F(FileOrProgramTest, ProgramThatIsNotBehindTheDashesIsRefused) {
  Parse(app_, {"jobs.yaml", "python3"});
  const Status complete = fields_.Complete("suite jobs", true);
  ASSERT_FALSE(complete.ok());
  EXPECT_THAT(complete.error().what, HasSubstr("program is not after `--`: python3"));
}

TEST(OptionFieldsTest, NumbersOutOfTheirRangeAreRefusedInFewWords) {
  const struct {
    core::NumberRange range;
    const char* word;
    const char* error;
  } cases[] = {{core::kPositive, "0", "not a positive number: 0"},
               {core::kPositive, "inf", "not a positive number: inf"},
               {core::kNonNegative, "nan", "not a number of at least 0: nan"},
               {core::Between(0, 1), "1.1", "not a number of at least 0 and of at most 1: 1.1"}};
  for (const auto& [range, word, error] : cases) {
    CLI::App app;
    OptionFields fields(app);
    double share = 0;
    fields.Add("share", &share, {.help = "", .range = range});
    fields.Finish();
    try {
      Parse(app, {std::string("--share=") + word});
      ADD_FAILURE() << word;
    } catch (const CLI::ParseError& refused) {
      EXPECT_THAT(refused.what(), HasSubstr(error));
    }
  }
}

}  // namespace
}  // namespace xsp::cli
