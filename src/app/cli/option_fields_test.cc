#include "app/cli/option_fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>

#include "app/cli/program_arguments.h"

namespace xsp::cli {
namespace {

using core::ListStyle;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class OptionFieldsTest : public testing::Test {
 protected:
  void TearDown() override { ProgramArguments().clear(); }

  /// Reads a command line, once. Empty: it was read; else why not.
  std::string Parse(std::vector<std::string> words) {
    fields_.Finish();
    std::ranges::reverse(words);
    try {
      app_.parse(words);
    } catch (const CLI::ParseError& error) {
      return error.get_name() + ": " + error.what();
    }
    return "";
  }

  std::string Help() {
    fields_.Finish();
    return app_.help();
  }

  void AddList(ListStyle style, int max_items = 0) {
    fields_.Add("names", &names_,
                {.help = "Names", .value_name = "NAME", .list = style, .max_items = max_items});
  }

  CLI::App app_{"A command"};
  OptionFields fields_{app_};
  std::vector<std::string> names_;
};

TEST_F(OptionFieldsTest, ReadOptionsOfEveryType) {
  bool flag = false;
  int count = 3;
  std::uint64_t seed = 1;
  double share = 0;
  std::string mode;
  std::filesystem::path file;
  std::optional<int> rounds;
  std::vector<double> points;
  fields_.Add("dry_run", &flag, {.help = "A flag"});
  fields_.Add("count", &count, {.help = "A count"});
  fields_.Add("seed", &seed, {.help = "A seed"});
  fields_.Add("share", &share, {.help = "A share"});
  fields_.Add("mode", &mode, {.help = "A mode"});
  fields_.Add("output", &file, {.help = "A file", .letter = 'o'});
  fields_.Add("rounds", &rounds, {.help = "A number"});
  fields_.Add("points", &points, {.help = "Points"});
  ASSERT_EQ(Parse({"--dry-run", "--count", "-4", "--seed", "18446744073709551615", "--share=0.25",
                   "--mode", "a b", "-o", "out.svg", "--rounds", "2", "--points", "1", "2.5"}),
            "");
  EXPECT_TRUE(flag);
  EXPECT_EQ(count, -4);
  EXPECT_EQ(seed, 18446744073709551615U);
  EXPECT_EQ(share, 0.25);
  EXPECT_EQ(mode, "a b");
  EXPECT_EQ(file.string(), "out.svg");
  EXPECT_EQ(rounds, 2);
  EXPECT_THAT(points, ElementsAre(1, 2.5));
}

TEST_F(OptionFieldsTest, KeepDefaultsOfWhatIsNotGiven) {
  bool flag = false;
  int count = 3;
  std::optional<double> rate;
  names_ = {"a"};
  fields_.Add("dry_run", &flag, {.help = "A flag"});
  fields_.Add("count", &count, {.help = "A count"});
  fields_.Add("rate", &rate, {.help = "A rate"});
  AddList(ListStyle::kWords);
  ASSERT_EQ(Parse({}), "");
  EXPECT_FALSE(flag);
  EXPECT_EQ(count, 3);
  EXPECT_EQ(rate, std::nullopt);
  EXPECT_THAT(names_, ElementsAre("a"));
}

TEST_F(OptionFieldsTest, ReadAListOfWords) {
  AddList(ListStyle::kWords);
  ASSERT_EQ(Parse({"--names", "a", "b,c", "--names", "d"}), "");
  EXPECT_THAT(names_, ElementsAre("a", "b,c", "d"));
}

TEST_F(OptionFieldsTest, ReadAListWithCommas) {
  AddList(ListStyle::kCommas);
  ASSERT_EQ(Parse({"--names", "a,b", "c"}), "");
  EXPECT_THAT(names_, ElementsAre("a", "b", "c"));
}

TEST_F(OptionFieldsTest, ReadARepeatedOption) {
  AddList(ListStyle::kRepeated);
  ASSERT_EQ(Parse({"--names", "a,b", "--names", "c"}), "");
  EXPECT_THAT(names_, ElementsAre("a,b", "c"));
}

TEST_F(OptionFieldsTest, ReadAListInOneWord) {
  AddList(ListStyle::kOneWord);
  ASSERT_EQ(Parse({"--names", "a,b", "--names", "c"}), "");
  EXPECT_THAT(names_, ElementsAre("a", "b", "c"));
}

TEST_F(OptionFieldsTest, LeaveTheWordAfterARepeatedOptionToOthers) {
  AddList(ListStyle::kRepeated);
  EXPECT_NE(Parse({"--names", "a", "b"}), "");
}

TEST_F(OptionFieldsTest, LeaveTheWordAfterAListInOneWordToOthers) {
  AddList(ListStyle::kOneWord);
  EXPECT_NE(Parse({"--names", "a", "b"}), "");
}

TEST_F(OptionFieldsTest, TakeAsManyElementsAsAListMayHave) {
  AddList(ListStyle::kWords, 2);
  ASSERT_EQ(Parse({"--names", "a", "b"}), "");
  EXPECT_THAT(names_, ElementsAre("a", "b"));
}

TEST_F(OptionFieldsTest, RefuseMoreElementsThanAListMayHave) {
  AddList(ListStyle::kWords, 2);
  EXPECT_NE(Parse({"--names", "a", "b", "c"}), "");
}

/// Why `value` is refused of a number in `range`; empty: it is not.
std::string RefusalOf(const std::string& value, const core::NumberRange& range) {
  double number = 0;
  CLI::App app{"A command"};
  OptionFields fields(app);
  fields.Add("share", &number, {.help = "A share", .range = range});
  fields.Finish();
  std::vector<std::string> words = {value, "--share"};
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    return error.what();
  }
  return "";
}

TEST(OptionRanges, IncludeTheirLimitsUnlessTheySayOtherwise) {
  EXPECT_EQ(RefusalOf("1", core::Between(1, 10)), "");
  EXPECT_EQ(RefusalOf("10", core::Between(1, 10)), "");
  EXPECT_THAT(RefusalOf("11", core::Between(1, 10)),
              HasSubstr("not a number of at least 1 and of at most 10: 11"));
  const core::NumberRange open = {.low = 0, .high = 1, .above_low = true, .below_high = true};
  EXPECT_EQ(RefusalOf("0.5", open), "");
  EXPECT_THAT(RefusalOf("0", open), HasSubstr("not a number above 0 and below 1: 0"));
  EXPECT_THAT(RefusalOf("1", open), HasSubstr("not a number above 0 and below 1: 1"));
}

TEST(OptionRanges, WithoutAnUpperLimitTakeAnyFiniteNumber) {
  EXPECT_EQ(RefusalOf("1e300", core::kPositive), "");
  EXPECT_THAT(RefusalOf("0", core::kPositive), HasSubstr("not a positive number: 0"));
  EXPECT_EQ(RefusalOf("0", core::kNonNegative), "");
  EXPECT_THAT(RefusalOf("-1", core::kNonNegative), HasSubstr("not a number of at least 0: -1"));
  EXPECT_THAT(RefusalOf("inf", core::kPositive), HasSubstr("not a positive number: inf"));
}

TEST_F(OptionFieldsTest, RefuseAWordThatIsNotAllowed) {
  std::string mode;
  fields_.Add("mode", &mode, {.help = "A mode", .allowed = {"fast", "exact"}});
  EXPECT_THAT(Parse({"--mode", "slow"}), HasSubstr("--mode"));
}

TEST_F(OptionFieldsTest, RefuseAnOptionBesideOneThatItExcludes) {
  bool all = false;
  int count = 0, seed = 0;
  fields_.Add("count", &count, {.help = "A count"});
  fields_.Add("seed", &seed, {.help = "A seed"});
  fields_.Add("all", &all, {.help = "All", .excludes = {"count", "seed"}});
  EXPECT_THAT(Parse({"--seed", "1", "--all"}), HasSubstr("ExcludesError"));
}

TEST_F(OptionFieldsTest, RefuseAnOptionWithoutTheOneThatItNeeds) {
  bool all = false;
  AddList(ListStyle::kWords);
  fields_.Add("all", &all, {.help = "All", .needs = "names"});
  EXPECT_THAT(Parse({"--all"}), HasSubstr("RequiresError"));
}

TEST_F(OptionFieldsTest, RefuseACommandLineWithoutWhatIsRequired) {
  fields_.Add("name", &names_, {.help = "Names", .required = true, .positional = true});
  EXPECT_THAT(Parse({}), AllOf(HasSubstr("RequiredError"), HasSubstr("NAME")));
}

TEST_F(OptionFieldsTest, TakeTheValueOfAnOptionThatStandsAlone) {
  std::optional<double> rate;
  int count = 0;
  fields_.Add("rate", &rate, {.help = "A rate", .if_bare = "99"});
  fields_.Add("count", &count, {.help = "A count"});
  ASSERT_EQ(Parse({"--rate", "--count", "1"}), "");
  EXPECT_EQ(rate, 99);
}

TEST_F(OptionFieldsTest, TakeTheValueAfterAnOptionThatMayStandAlone) {
  std::optional<double> rate;
  fields_.Add("rate", &rate, {.help = "A rate", .if_bare = "99"});
  ASSERT_EQ(Parse({"--rate", "5"}), "");
  EXPECT_EQ(rate, 5);
}

/// `xsp query [RUN] SQL`.
class PairTest : public OptionFieldsTest {
 protected:
  PairTest() {
    fields_.Add("run", &run_, {.help = "A run", .value_name = "RUN", .positional = true});
    fields_.Add("sql", &sql_,
                {.help = "A query", .value_name = "SQL", .required = true, .positional = true});
  }
  std::string run_, sql_;
};

TEST_F(PairTest, TakesOneWordForTheSecond) {
  ASSERT_EQ(Parse({"SELECT 1"}), "");
  EXPECT_EQ(run_, "");
  EXPECT_EQ(sql_, "SELECT 1");
}

TEST_F(PairTest, TakesTwoWordsInOrder) {
  ASSERT_EQ(Parse({"latest", "SELECT 1"}), "");
  EXPECT_EQ(run_, "latest");
  EXPECT_EQ(sql_, "SELECT 1");
}

TEST_F(PairTest, NeedsTheSecond) { EXPECT_THAT(Parse({}), HasSubstr("RequiredError")); }

TEST_F(PairTest, TakesNoThirdWord) { EXPECT_NE(Parse({"latest", "SELECT 1", "more"}), ""); }

TEST_F(PairTest, AreBothInTheHelp) {
  EXPECT_THAT(Help(), AllOf(HasSubstr("[RUN] SQL"), HasSubstr("A run"), HasSubstr("A query")));
}

TEST_F(OptionFieldsTest, TakeAWordThatMayBeMissing) {
  std::string run;
  fields_.Add("run", &run, {.help = "A run", .value_name = "RUN", .positional = true});
  ASSERT_EQ(Parse({"latest"}), "");
  EXPECT_EQ(run, "latest");
}

TEST_F(OptionFieldsTest, TakeAProgramAfterDashes) {
  ProgramArguments() = {"make", "-j", "[a,b]"};
  std::vector<std::string> program;
  fields_.Add("program", &program, {.help = "A program", .program = true});
  ASSERT_EQ(Parse({}), "");
  EXPECT_TRUE(fields_.takes_program());
  EXPECT_TRUE(fields_.Complete("record", true).ok());
  EXPECT_THAT(program, ElementsAre("make", "-j", "[a,b]"));
}

TEST_F(OptionFieldsTest, SayWhereAMisplacedProgramBelongs) {
  std::vector<std::string> program;
  fields_.Add("program", &program, {.help = "A program", .program = true});
  ASSERT_EQ(Parse({"make", "all"}), "");
  const Status status = fields_.Complete("record", true);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().kind, ErrorKind::kUsage);
  EXPECT_EQ(status.error().what, "program is not after `--`: make");
  EXPECT_EQ(status.error().hint, "xsp record -- make all");
}

TEST_F(OptionFieldsTest, HaveAnotherDefaultForPeople) {
  int rows = 0, lines = 0;
  fields_.Add("rows", &rows, {.help = "Rows", .for_people = 20});
  fields_.Add("lines", &lines, {.help = "Lines", .for_people = 20});
  ASSERT_EQ(Parse({"--lines", "0"}), "");
  EXPECT_TRUE(fields_.Complete("analyze", false).ok());
  EXPECT_EQ(rows, 0);
  EXPECT_TRUE(fields_.Complete("analyze", true).ok());
  EXPECT_EQ(rows, 20);
  EXPECT_EQ(lines, 0);
}

TEST_F(OptionFieldsTest, ShowDefaultsInTheHelp) {
  int count = 3, batch = 1, rows = 0, threads = 0;
  std::string mode = "fast", empty;
  fields_.Add("count", &count, {.help = "A count", .value_name = "N"});
  fields_.Add("batch", &batch, {.help = "Batch", .value_name = "N", .or_default = "as the model"});
  fields_.Add("rows", &rows, {.help = "Rows", .value_name = "N", .for_people = 20});
  fields_.Add("threads", &threads, {.help = "Threads (default: all)", .value_name = "THREADS"});
  fields_.Add("mode", &mode, {.help = "A mode", .value_name = "MODE"});
  fields_.Add("empty", &empty, {.help = "A text", .value_name = "TEXT"});
  const std::string help = Help();
  for (const char* shown : {"N=3", "N=as the model", "N=20", "MODE=fast"})
    EXPECT_THAT(help, HasSubstr(shown));
  EXPECT_THAT(help, Not(HasSubstr("THREADS=")));
  EXPECT_THAT(help, Not(HasSubstr("TEXT=")));
}

TEST_F(OptionFieldsTest, ShowWhatAValueIsInTheHelp) {
  int count = 3;
  double time_s = 10, size_gb = 8;
  std::string mode = "fast", kind = "kind_of_some_length_0";
  std::vector<std::string> kinds;
  for (int i = 0; i < 9; ++i) kinds.push_back("kind_of_some_length_" + std::to_string(i));
  fields_.Add("count", &count, {.help = "A count"});
  fields_.Add("time", &time_s, {.help = "A time", .unit = "s"});
  fields_.Add("size", &size_gb, {.help = "A size", .unit = "GB"});
  fields_.Add("mode", &mode, {.help = "A mode", .allowed = {"fast", "exact"}});
  fields_.Add("kind", &kind, {.help = "A kind", .allowed = kinds});
  const std::string help = Help();
  for (const char* shown : {"--count N=3", "--time S=10", "--size GB=8", "--mode fast|exact=fast",
                            "--kind NAME=kind_of_some_length_0"})
    EXPECT_THAT(help, HasSubstr(shown));
}

TEST_F(OptionFieldsTest, HideAnOptionFromTheHelpAndStillReadIt) {
  int secret = 0;
  fields_.Add("secret", &secret, {.help = "A secret", .hidden = true});
  EXPECT_THAT(app_.help(), Not(HasSubstr("secret")));
  ASSERT_EQ(Parse({"--secret", "1"}), "");
  EXPECT_EQ(secret, 1);
}

/// A command with a file that may be missing and a program.
class FileOrProgramTest : public OptionFieldsTest {
 protected:
  FileOrProgramTest() {
    fields_.Add("file", &file_, {.help = "A file", .value_name = "FILE", .positional = true});
    fields_.Add("copies", &copies_, {.help = "Copies"});
    fields_.Add("program", &program_, {.help = "A program", .program = true});
  }

  std::string file_;
  int copies_ = 0;
  std::vector<std::string> program_;
};

TEST_F(FileOrProgramTest, TakesTheFirstWordAsTheFile) {
  ASSERT_EQ(Parse({"--copies", "3", "jobs.yaml"}), "");
  EXPECT_EQ(file_, "jobs.yaml");
  EXPECT_EQ(copies_, 3);
  EXPECT_TRUE(program_.empty());
  EXPECT_TRUE(fields_.Complete("suite jobs", true).ok());
}

TEST_F(FileOrProgramTest, RefusesAProgramThatIsNotAfterDashes) {
  ASSERT_EQ(Parse({"jobs.yaml", "python3"}), "");
  const Status complete = fields_.Complete("suite jobs", true);
  ASSERT_FALSE(complete.ok());
  EXPECT_THAT(complete.error().what, HasSubstr("program is not after `--`: python3"));
}

TEST_F(OptionFieldsTest, TakeAListOfWordsBesideAProgram) {
  std::vector<std::string> program;
  fields_.Add("source", &names_, {.help = "Sources", .value_name = "SOURCE", .positional = true});
  fields_.Add("program", &program, {.help = "A program", .program = true});
  ASSERT_EQ(Parse({"a.csv", "b.csv"}), "");
  EXPECT_THAT(names_, ElementsAre("a.csv", "b.csv"));
}

}  // namespace
}  // namespace xsp::cli
