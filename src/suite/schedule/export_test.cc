#include "suite/schedule/export.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "suite/suite_command_testing.h"

namespace xsp::suite::schedule {
namespace {

using ::testing::HasSubstr;

class ExportTest : public ::testing::Test {
 protected:
  ExportTest() { named_ = {&problem_, &plan_, {"it's", "b c", "last"}, "min", 3}; }

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
  const auto json = nlohmann::json::parse(PlanJson(named_));
  EXPECT_EQ(json["unit"], "min");
  EXPECT_EQ(json["makespan"], 3);
  EXPECT_EQ(json["jobs"][1]["job"], "b c");
  EXPECT_EQ(json["jobs"][2]["devices"], (std::vector<int>{0, 1, 2}));
}

TEST_F(ExportTest, ScriptIsValidShell) {
  const auto file = Written("plan.sh");
  EXPECT_EQ(std::system(("bash -n '" + file.string() + "'").c_str()), 0);
}

// A program of the name sbatch that writes down what it was asked stands in for Slurm, whose words
// (--parsable, --dependency=afterany, --gres) are those of its manual.
TEST_F(ExportTest, ScriptSubmitsEveryJobAfterThoseThatUseItsDevices) {
  const auto file = Written("plan.sh");
  const std::filesystem::path folder = file.string() + ".bin";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "sbatch") << "#!/bin/bash\n"
                                      "cd \"$(dirname \"$0\")\"\n"
                                      "echo \"$*\" >>asked\n"
                                      "echo \"$((100 + $(wc -l <asked)));cluster\"\n";
  std::filesystem::permissions(folder / "sbatch", std::filesystem::perms::owner_all);
  std::filesystem::remove(folder / "asked");
  const std::string command = "PATH='" + folder.string() + "':$PATH SBATCH_OPTIONS='-p gpu' '" +
                              file.string() + "' './my train' x > '" + folder.string() + "/out'";
  ASSERT_EQ(std::system(command.c_str()), 0);
  const auto asked = base::ReadFile(folder / "asked", 1 << 16);
  ASSERT_TRUE(asked.ok());
  EXPECT_EQ(asked.value(),
            "--parsable --job-name=it's --gres=gpu:2 -p gpu --wrap=./my\\ train x it\\'s 2 \n"
            "--parsable --job-name=b c --gres=gpu:1 --begin=now+30 -p gpu "
            "--wrap=./my\\ train x b\\ c 1 \n"
            "--parsable --job-name=last --dependency=afterany:101:102 --gres=gpu:3 -p gpu "
            "--wrap=./my\\ train x last 3 \n");
  const auto out = base::ReadFile(folder / "out", 1 << 16);
  ASSERT_TRUE(out.ok());
  EXPECT_EQ(out.value(), "submitted: 101 102 103\n");
}

TEST_F(ExportTest, OtherFormsAreRefused) {
  const auto written = WritePlan(named_, SlurmResource::kGpus, "plan.xls");
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().kind, ErrorKind::kUsage);
}

}  // namespace
}  // namespace xsp::suite::schedule
