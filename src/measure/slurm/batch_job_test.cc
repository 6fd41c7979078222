#include "measure/slurm/batch_job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "core/hang_limit_testing.h"
#include "os/files.h"
#include "os/scratch_folder.h"
#include "os/subprocess.h"

namespace xsp::slurm {
namespace {

namespace fs = std::filesystem;
using sweeps::MachineConstraint;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

BatchJob JobOf(std::size_t tasks) {
  BatchJob job;
  job.name = "xsp s: points";
  job.folder = "/store/.sweep-jobs/s/1";
  job.tasks = tasks;
  return job;
}

TEST(BatchJobTest, AsksForWholeNodesRequeueAndASignalBeforeTheEnd) {
  const std::vector<std::string> arguments = SbatchArguments(JobOf(4), {});
  EXPECT_EQ(arguments.front(), "sbatch");
  for (const char* argument :
       {"--parsable", "--array=0-3", "--exclusive", "--requeue", "--signal=B:TERM@60",
        "--output=/store/.sweep-jobs/s/1/%a.log", "--job-name=xsp s: points"})
    EXPECT_THAT(arguments, Contains(argument));
  EXPECT_THAT(arguments, Not(Contains(StartsWith("--time"))));
  EXPECT_THAT(arguments, Not(Contains(StartsWith("--partition"))));
}

TEST(BatchJobTest, OptionsOfTheUserComeLast) {
  SlurmOptions options;
  options.partition = "gpu";
  options.account = "lab";
  options.limit = 8;
  options.share_nodes = true;
  options.options = {"time=7", "no-requeue"};
  BatchJob job = JobOf(12);
  job.longest_s = 60;
  job.machine_options = {"mem=16M", "constraint=a&b"};
  const std::vector<std::string> arguments = SbatchArguments(job, options);
  EXPECT_THAT(arguments, Contains("--array=0-11%8"));
  EXPECT_THAT(arguments, Not(Contains("--exclusive")));
  const std::vector<std::string> last(arguments.end() - 7, arguments.end());
  EXPECT_THAT(last, ElementsAre("--partition=gpu", "--account=lab", "--time=13", "--mem=16M",
                                "--constraint=a&b", "--time=7", "--no-requeue"));
}

TEST(BatchJobTest, TheTimeLimitGrowsWithTheEstimateAndIsAboveIt) {
  EXPECT_EQ(TimeLimitMinutes(0), 10);
  EXPECT_EQ(TimeLimitMinutes(-5), 10);
  std::mt19937 random(1);
  for (int trial = 0; trial < 1000; ++trial) {
    const double seconds = static_cast<double>(random() % 1'000'000) / 7;
    EXPECT_GE(TimeLimitMinutes(seconds) * 60, 600 + 3 * seconds - 1e-6);
    EXPECT_LT((TimeLimitMinutes(seconds) - 1) * 60, 600 + 3 * seconds);
  }
}

TEST(BatchJobTest, AFolderWithAPercentSignIsNoPattern) {
  BatchJob job = JobOf(1);
  job.folder = "/100% %a";
  EXPECT_THAT(SbatchArguments(job, {}), Contains("--output=/100%% %%a/%a.log"));
}

TEST(BatchJobTest, NamesHaveNoControlCharacters) {
  EXPECT_EQ(ShownName("a\nb\tc\x7f\xc3\xa9"), "a b c \xc3\xa9");
}

TEST(BatchJobTest, OptionsOfAConstraintAreWhatSlurmHasNamesFor) {
  const ClusterNodes nodes = {{"AVX512F", "aarch64", "big", "epyc"}, {"a100", "h100"}};
  MachineConstraint machine;
  machine.name = "m";
  machine.features = {"avx512f"};
  machine.memory_gb = 16;
  machine.device = "NVIDIA H100 80GB";
  MachineOptions options = OptionsOf(machine, nodes);
  EXPECT_THAT(options.options, ElementsAre("gres=gpu:h100:1", "mem=15258M", "constraint=AVX512F"));
  EXPECT_THAT(options.unknown, IsEmpty());
  machine.architecture = "aarch64";
  machine.device = "EPYC";
  options = OptionsOf(machine, nodes);
  EXPECT_THAT(options.options, ElementsAre("mem=15258M", "constraint=AVX512F&aarch64&epyc"));
  machine.architecture = "ppc64le";
  machine.device = "B200";
  options = OptionsOf(machine, nodes);
  EXPECT_THAT(options.options, ElementsAre("mem=15258M", "constraint=AVX512F"));
  EXPECT_THAT(options.unknown, ElementsAre("architecture ppc64le", "device B200"));
  machine.slurm = {"partition=power", "constraint=p9", "mem=1G"};
  options = OptionsOf(machine, nodes);
  EXPECT_THAT(options.options, ElementsAre("partition=power", "constraint=p9", "mem=1G"));
  EXPECT_THAT(options.unknown, IsEmpty());
  EXPECT_THAT(OptionsOf({}, nodes).options, IsEmpty());
}

TEST(BatchJobTest, AGpuIsTheTypeOfItsWholeName) {
  const auto type = [](const std::string& device, std::vector<std::string> types) {
    MachineConstraint machine;
    machine.device = device;
    const MachineOptions options = OptionsOf(machine, {{}, std::move(types)});
    return options.options.empty() ? "" : options.options[0];
  };
  EXPECT_EQ(type("NVIDIA A100-SXM4-80GB", {"a10", "a100"}), "gres=gpu:a100:1");
  EXPECT_EQ(type("A10", {"a10", "a100"}), "gres=gpu:a10:1");
  EXPECT_EQ(type("A10", {"a100"}), "");
  EXPECT_EQ(type("L40S", {"l4", "l40", "l40s"}), "gres=gpu:l40s:1");
  EXPECT_EQ(type("H100", {"nvidia_h100_80gb"}), "gres=gpu:nvidia_h100_80gb:1");
}

TEST(BatchJobTest, HugeAndTinyNumbersStayOptions) {
  MachineConstraint machine;
  for (const auto& [memory_gb, option] :
       {std::pair(1e300, "mem=1000000000000M"), std::pair(1e-9, "mem=1M")}) {
    machine.memory_gb = memory_gb;
    EXPECT_THAT(OptionsOf(machine, {}).options, ElementsAre(option));
  }
  EXPECT_EQ(TimeLimitMinutes(1e300), 366 * 24 * 60);
}

TEST(BatchJobTest, WhatXspSetsItselfIsNoOption) {
  for (const char* option :
       {"time=60", "no-requeue", "gres=gpu:1", "qos=a=b", "export=NONE", "wait-all-nodes=1"})
    EXPECT_TRUE(CheckOption(option).ok()) << option;
  for (const char* option :
       {"", "=x", "--time=60", "Time=1", "a b=1", "array=1", "output=x", "wrap=x", "parsable",
        "job-name=x", "a\n=1", "out=x", "arra=0-1", "cluster=b"}) {
    const Status status = CheckOption(option);
    ASSERT_FALSE(status.ok()) << option;
    EXPECT_EQ(status.error().kind, ErrorKind::kUsage);
  }
}

/// Any path and any program arrive in the script as they are: it is run by a shell.
TEST(BatchJobTest, TheScriptRunsTheProgramWithHostilePaths) {
  const os::ScratchFolder scratch = os::ScratchFolder::Create().value();
  std::mt19937 random(3);
  const std::string letters = "a'\"$`%&;|<>() *?[]{}~#!\\\t\xc3\xa9";
  for (int trial = 0; trial < 20; ++trial) {
    std::string name = "x";
    for (std::size_t n = random() % 12; n > 0; --n) name += letters[random() % letters.size()];
    const fs::path folder = scratch.path() / std::to_string(trial) / name;
    fs::create_directories(folder);
    const fs::path program = folder / "program";
    std::ofstream(program) << "#!/bin/sh\nfor each; do printf '<%s>\\n' \"$each\"; done\n";
    fs::permissions(program, fs::perms::owner_all);
    std::ofstream(folder / kScriptFile)
        << JobScript(folder, program.string(), folder / "store", trial % 2 == 0);
    os::SpawnOptions options;
    options.argv = {"/bin/sh", (folder / kScriptFile).string()};
    options.environment = {{"SLURM_ARRAY_TASK_ID", "7"}};
    const auto ran = os::RunToEnd(options, core::kHangLimit);
    ASSERT_TRUE(ran.ok());
    EXPECT_TRUE(ran.value().exit.success()) << ran.value().stderr_tail;
    const auto answer = os::ReadFile(folder / "7.json");
    ASSERT_TRUE(answer.ok());
    EXPECT_EQ(answer.value(), "<--store>\n<" + (folder / "store").string() + ">\n<sweep>\n<" +
                                  (folder / kSweepFile).string() + ">\n<--task>\n<" +
                                  (folder / kDescriptionFile).string() + ">\n" +
                                  (trial % 2 == 0 ? "<--again>\n" : "") + "<--format>\n<json>\n");
  }
}

}  // namespace
}  // namespace xsp::slurm
