#include "answer/suite/schedule/export.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "answer/suite/suite_command_testing.h"
#include "core/json_text.h"
#include "os/files.h"

namespace xsp::suite::schedule {
namespace {

using ::testing::HasSubstr;

class ExportTest : public ::testing::Test {
 protected:
  ExportTest() { named_ = {&problem_, &plan_, {{"it's"}, {"b c"}, {"last"}}, "min", 3}; }

  std::filesystem::path Written(const char* name) {
    const std::filesystem::path file = TextFile(name, "");
    const auto written = WritePlan(named_, SlurmResource::kGpus, file);
    EXPECT_TRUE(written.ok()) << written.error().what;
    return file;
  }

  Problem problem_{3, {{0, {{2, 2}}}, {0.5, {{1, 1}}}, {0, {{3, 1}}}}};
  Plan plan_{3, {{0, 0, 0, 2, {0, 1}}, {1, 0, 0.5, 1.5, {2}}, {2, 0, 2, 3, {0, 1, 2}}}};
  NamedPlan named_;
};

TEST_F(ExportTest, DevicesInARowAreARange) {
  EXPECT_EQ(DeviceList({0, 1, 2, 3, 5, 7, 8}), "0-3,5,7,8");
  EXPECT_EQ(DeviceList({4}), "4");
}

TEST_F(ExportTest, TableQuotesWhatItMust) {
  EXPECT_THAT(PlanCsv(named_), HasSubstr("last,3,2"));
  EXPECT_THAT(PlanCsv(named_), HasSubstr("\"0,1\""));
}

TEST_F(ExportTest, JsonHoldsThePlan) {
  const auto json = core::ParseJson(PlanJson(named_));
  EXPECT_EQ(json["unit"], "min");
  EXPECT_EQ(json["makespan"], 3);
  EXPECT_EQ(json["jobs"][1]["job"], "b c");
  EXPECT_EQ(json["jobs"][2]["devices"], (std::vector<int>{0, 1, 2}));
}

TEST_F(ExportTest, ScriptIsValidShell) {
  const auto file = Written("plan.sh");
  EXPECT_EQ(std::system(("bash -n '" + file.string() + "'").c_str()), 0);
}

TEST_F(ExportTest, ScriptSaysWhatPlanItIsOfInWholeSentences) {
  EXPECT_THAT(
      PlanScript(named_, SlurmResource::kGpus),
      HasSubstr("# Submits 3 jobs to Slurm, in the order of a plan of 3 min on 3 devices "));
  problem_.jobs[1].release = 0;
  named_.unit = "";
  const std::string script = PlanScript(named_, SlurmResource::kGpus);
  EXPECT_THAT(script, HasSubstr("a plan of 3 on 3 devices "));
  EXPECT_THAT(script, HasSubstr("# b c: 0.5 to 1.5, device 2\n"));
}

TEST_F(ExportTest, DevicesAreOfTheWholeJobUnlessAskedOtherwise) {
  const auto request = [this](SlurmResource resource) { return PlanScript(named_, resource); };
  EXPECT_THAT(request(SlurmResource::kGpus), HasSubstr(" 2)\" --gpus=2)"));
  EXPECT_THAT(request(SlurmResource::kGres), HasSubstr(" 2)\" --gres=gpu:2)"));
  EXPECT_THAT(request(SlurmResource::kNodes), HasSubstr(" 2)\" --nodes=2 --exclusive)"));
  EXPECT_THAT(request(SlurmResource::kTasks), HasSubstr(" 2)\" --ntasks=2)"));
}

TEST_F(ExportTest, ReleasesWithoutAUnitHaveNoScript) {
  named_.unit = "";
  const auto written = WritePlan(named_, SlurmResource::kGpus, TextFile("plan.sh", ""));
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(written.error().hint, HasSubstr("give --unit"));
  EXPECT_TRUE(CheckExport(problem_, "", "plan.csv").ok());
  EXPECT_TRUE(CheckExport(problem_, "h", "plan.sh").ok());
  problem_.jobs[1].release = 0;
  EXPECT_TRUE(CheckExport(problem_, "", "plan.sh").ok());
}

// A program of the name sbatch that writes down what it was asked stands in for Slurm, whose words
// (--parsable, --dependency=afterany, --gpus) are those of its manual. It hands out the ids 101,
// 102, ..., and does `then` before.
class SubmittedTest : public ExportTest {
 protected:
  /// Runs the script of the plan with `arguments`. Returns its exit status.
  int Submit(const std::string& then, const std::string& arguments) {
    const auto file = Written("plan.sh");
    folder_ = file.string() + ".bin";
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "sbatch")
        << "#!/bin/bash\n"
           "folder=$(dirname \"$0\")\n"
           "echo \"$*\" >>\"$folder/asked\"\n"
        << then
        << "\necho \"$((100 + $(grep -c '^--parsable' \"$folder/asked\")));cluster\""
           "\n";
    std::filesystem::permissions(folder_ / "sbatch", std::filesystem::perms::owner_all);
    const std::string bin = folder_.string();
    const std::string command = "PATH='" + bin + "':$PATH SBATCH_OPTIONS='-p gpu' '" +
                                file.string() + "' " + arguments + " > '" + bin + "/out' 2> '" +
                                bin + "/said'";
    return std::system(command.c_str());
  }

  std::string Left(const char* name) const {
    const auto text = os::ReadFile(folder_ / name, 1 << 16);
    return text.ok() ? text.value() : text.error().what;
  }

  std::filesystem::path folder_;
};

TEST_F(SubmittedTest, EveryJobIsSubmittedAfterThoseThatUseItsDevices) {
  ASSERT_EQ(Submit("", "'./my train' x"), 0) << Left("said");
  EXPECT_EQ(Left("asked"),
            "--parsable --job-name=it's --gpus=2 -p gpu "
            "--wrap='./my train' 'x' 'it'\\''s' '2' \n"
            "--parsable --job-name=b c --gpus=1 --begin=now+30 -p gpu "
            "--wrap='./my train' 'x' 'b c' '1' \n"
            "--parsable --job-name=last --dependency=afterany:101:102 --gpus=3 -p gpu "
            "--wrap='./my train' 'x' 'last' '3' \n");
  EXPECT_EQ(Left("out"), "submitted: 101 102 103\n");
}

TEST_F(SubmittedTest, RefusedJobEndsTheScriptAndNamesWhatSlurmHas) {
  // The second is refused: the third, which waits for it, must not go out.
  EXPECT_NE(Submit("[ $(wc -l <\"$folder/asked\") -ne 2 ] || { echo no partition >&2; exit 1; }",
                   "./train"),
            0);
  EXPECT_THAT(Left("asked"), ::testing::Not(HasSubstr("last")));
  EXPECT_EQ(Left("out"), "");
  EXPECT_THAT(Left("said"), HasSubstr("no partition"));
  EXPECT_THAT(Left("said"), HasSubstr("Slurm did not take b c"));
  EXPECT_THAT(Left("said"), HasSubstr("scancel 101 takes them back"));
}

TEST_F(SubmittedTest, JobWithoutAnIdEndsTheScriptToo) {
  EXPECT_NE(Submit("exit 0", "./train"), 0);
  EXPECT_THAT(Left("said"), HasSubstr("Slurm did not take it's"));
  EXPECT_THAT(Left("said"), ::testing::Not(HasSubstr("scancel")));
}

/// Runs what the job holds, and writes its exit status down.
constexpr const char* kRunWrapped =
    "for word; do case $word in --wrap=*)\n"
    "  \"$(command -v dash || echo /bin/sh)\" -c \"${word#--wrap=}\" >>\"$folder/ran\"\n"
    "  echo $? >>\"$folder/status\";;\n"
    "esac; done";

// /bin/sh is dash on many clusters; where it is bash this shows less.
TEST_F(SubmittedTest, WordsReachTheProgramThroughAnyShell) {
  named_.names = {{"für"}, {"tab\there"}, {"it's $HOME \\ \"so\"\nlater"}};
  ASSERT_EQ(Submit(kRunWrapped, "printf '[%s]' 'a b' 'c&d'"), 0) << Left("said");
  EXPECT_EQ(Left("ran"),
            "[a b][c&d][für][2]"
            "[a b][c&d][tab\there][1]"
            "[a b][c&d][it's $HOME \\ \"so\"\nlater][3]");
}

/// The first job of the plan is two that share a device.
class SharedExportTest : public SubmittedTest {
 protected:
  SharedExportTest() {
    problem_.jobs[0] = {0, {{1, 2}}, {1.5, 2}};
    plan_.placed[0].devices = {0};
    named_.names[0] = {"it's", "$other"};
  }
};

TEST_F(SharedExportTest, EachOfThemHasARow) {
  EXPECT_THAT(PlanCsv(named_), HasSubstr("it's,1,0.0,1.5,0\r\n$other,1,0.0,2.0,0\r\n"));
  const auto json = core::ParseJson(PlanJson(named_));
  EXPECT_EQ(json["jobs"][0]["end"], 1.5);
  EXPECT_EQ(json["jobs"][1]["job"], "$other");
  EXPECT_EQ(RowsOf(named_).at(0).beside, "$other");
  EXPECT_EQ(RowsOf(named_).at(2).beside, "");
}

TEST_F(SharedExportTest, SlurmStartsBothInOneJob) {
  // Each waits for the other, half a minute at most: one after another they would fail.
  const auto meet = TextFile("meet",
                             "touch \"$0.$1\"; for i in $(seq 3000); do [ -e \"$0.it's\" ] "
                             "&& [ -e \"$0.\\$other\" ] && break; sleep 0.01; done\n"
                             "echo \"$1 on $2, $SLURM_OVERLAP\"; [ -e \"$0.\\$other\" ]\n");
  for (const char* job : {".it's", ".$other"}) std::filesystem::remove(meet + job);
  ASSERT_EQ(Submit(kRunWrapped, "sh '" + meet + "'"), 0) << Left("said");
  EXPECT_THAT(Left("asked"), HasSubstr("--job-name=it's + $other --gpus=1 "));
  EXPECT_THAT(Left("ran"), HasSubstr("it's on 1, 1\n"));
  EXPECT_THAT(Left("ran"), HasSubstr("$other on 1, 1\n"));
  EXPECT_EQ(Left("status"), "0\n0\n0\n");
  EXPECT_EQ(Left("out"), "submitted: 101 102 103\n");
}

TEST_F(SharedExportTest, JobOfWhichEitherFailsFails) {
  const auto fails = TextFile("fails", "case $1 in $WHO*) exit 7;; esac\n");
  for (const char* who : {"it", "[$]other"}) {
    const std::string script = "env 'WHO=" + std::string(who) + "' sh '" + fails + "'";
    ASSERT_EQ(Submit(kRunWrapped, script), 0) << Left("said");
    EXPECT_EQ(Left("status"), "7\n0\n0\n") << who;
  }
}

TEST_F(ExportTest, OtherFormsAreRefused) {
  const auto written = WritePlan(named_, SlurmResource::kGpus, "plan.xls");
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().kind, ErrorKind::kUsage);
}

}  // namespace
}  // namespace xsp::suite::schedule
