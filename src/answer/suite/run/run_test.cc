#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <gmock/gmock.h>
#include <unistd.h>

#include "answer/suite/run/workloads.h"
#include "answer/suite/suite_command_testing.h"

namespace xsp::suite::run {

extern const SuiteSpec kSpec;

namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const char* const kZoo = R"([
  {"name": "large", "task": "image classification", "flops": 4e11},
  {"name": "tiny", "task": "image classification", "flops": 1000},
  {"name": "gemm", "task": "kernel", "flops": 1e9}])";

std::filesystem::path Training() {
  const auto folder =
      std::filesystem::path(::testing::TempDir()) / ("xsp-training-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "ncf.py") << "#!/usr/bin/env python3\nsteps = 3\n";
  std::ofstream(folder / "loop.py") << "# What they share: steps\n";
  std::ofstream(folder / "notes.txt") << "#!\n";
  return folder;
}

std::vector<std::string> Names(const Selection& selection) {
  std::vector<std::string> names;
  for (const Workload& one : WorkloadsOf(selection, nlohmann::json::parse(kZoo), Training()))
    names.push_back(one.name);
  return names;
}

TEST(SuiteRunTest, SmallOnesComeFirstAndSharedFilesAreNoPrograms) {
  EXPECT_THAT(Names({}), ElementsAre("tiny", "gemm", "train_ncf", "large"));
}

TEST(SuiteRunTest, KindsNamesAndQuickChoose) {
  Selection selection;
  selection.kinds = {"kernel"};
  EXPECT_THAT(Names(selection), ElementsAre("gemm"));
  selection = {};
  selection.names = {"large", "train_ncf"};
  EXPECT_THAT(Names(selection), ElementsAre("train_ncf", "large"));
  selection = {};
  selection.quick = true;
  EXPECT_THAT(Names(selection), ElementsAre("tiny", "train_ncf"));
  const auto quick = WorkloadsOf(selection, nlohmann::json::parse(kZoo), Training());
  EXPECT_THAT(quick.at(0).arguments, Contains("5"));
  EXPECT_THAT(quick.at(1).program, ElementsAre("python3", HasSubstr("ncf.py"), "--steps", "6"));
}

TEST(SuiteRunTest, EstimateLearnsFromWhatWasMeasured) {
  const Workload ten{"a", "inference", {}, {}, 10}, thirty{"b", "inference", {}, {}, 30};
  EXPECT_EQ(SecondsLeft({}, {ten, thirty}), 40);
  EXPECT_EQ(SecondsLeft({{ten, "measured", 20, "", ""}, {thirty, "kept", 0, "", ""}}, {thirty}),
            60);
}

TEST(SuiteRunTest, FailuresAreNamed) {
  const Workload ten{"a", "inference", {}, {}, 10};
  const Answer answer =
      Summarise({{ten, "measured", 120, "zoo-a", ""}, {ten, "failed", 60, "zoo-b", "no torch"}});
  EXPECT_THAT(
      answer.sentences.front(),
      HasSubstr("1 of 2 workloads was measured in 3 min, 0 were in the store already, 1 failed"));
  EXPECT_EQ(answer.tables.at(0).rows.rows.at(1).at(5), store::Cell(std::string("no torch")));
  EXPECT_EQ(answer.incomplete, ErrorKind::kEnvironment);
}

TEST(SuiteRunTest, WhatWasMeasuredInPartIsNamed) {
  const Workload ten{"a", "inference", {}, {}, 10};
  const Answer answer =
      Summarise({{ten, "measured", 120, "zoo-a", "no such worker", ErrorKind::kNotPossible},
                 {ten, "failed", 60, "zoo-b", "killed"}});
  EXPECT_THAT(answer.sentences,
              Contains("Measured partially: a; the column `why` has the failures."));
  EXPECT_EQ(answer.incomplete, ErrorKind::kNotPossible);
}

/// A store with the experiment `zoo-tiny`, and a program that stands for xsp: `measure` is the
/// shell text by which it measures, with the folder of the experiment that it shall make in $new
/// and that of the store in $store.
class AgainTest : public ::testing::Test {
 protected:
  AgainTest() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    store_ = std::filesystem::path(::testing::TempDir()) / (std::string("again_") + test->name());
    std::filesystem::remove_all(store_);
    Write("zoo-tiny", "done");
  }
  ~AgainTest() override { std::filesystem::remove_all(store_); }

  void Write(const std::string& name, const char* status,
             const char* command =
                 "xsp run tiny --iterations 30 --batch 1 --format json "
                 "--name zoo-tiny --store s") const {
    std::filesystem::create_directories(store_ / name);
    std::ofstream(store_ / name / "experiment.json")
        << nlohmann::json{{"status", status}, {"which", "old"}, {"command", command}}.dump();
  }

  Result<Answer> Ask(const std::string& measure, std::vector<std::string> arguments) const {
    const auto xsp = store_.string() + "_xsp";
    std::ofstream(xsp)
        << "#!/bin/sh\nif [ $1 = zoo ]; then echo '[{\"name\": \"tiny\"}]'; exit; fi\n"
           "while [ $# -gt 0 ]; do case $1 in --name) name=$2;; --store) store=$2;; "
           "esac; shift; done\nnew=$store/$name\n"
        << measure << "\n";
    std::filesystem::permissions(xsp, std::filesystem::perms::owner_all);
    CommandContext context{store_, {}, [](const std::string&) {}};
    context.xsp = xsp;
    CLI::App app;
    const Action action = kSpec.declare(app, context);
    arguments.insert(arguments.begin(), {"zoo", "--only", "tiny"});
    std::ranges::reverse(arguments);
    app.parse(arguments);
    return action();
  }

  /// What is in the store, and of which measurement `zoo-tiny` is.
  std::string Which() const {
    std::ifstream in(store_ / "zoo-tiny" / "experiment.json");
    return nlohmann::json::parse(in).value("which", "");
  }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(store_))
      names.push_back(entry.path().filename().string());
    return names;
  }

  std::filesystem::path store_;
};

constexpr const char* kStored =
    R"(mkdir -p $new; echo '{"status": "done", "which": "new"}' > $new/experiment.json)";

TEST_F(AgainTest, OldExperimentIsThereUntilTheNewOneIsStored) {
  // The program that measures sees whether the old one is still there.
  const std::string seen = store_.string() + "_seen";
  const auto answer =
      Ask(fmt::format("cp {}/zoo-tiny/experiment.json {}\n{}", store_.string(), seen, kStored),
          {"--again"});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_TRUE(std::filesystem::exists(seen));
  std::filesystem::remove(seen);
  EXPECT_EQ(Which(), "new");
  EXPECT_THAT(Names(), ElementsAre("zoo-tiny"));
  EXPECT_EQ(answer.value().tables.at(0).rows.rows.at(0).at(2),
            store::Cell(std::string("measured")));
}

TEST_F(AgainTest, OldExperimentStaysWhenMeasuringFails) {
  const auto answer = Ask("echo 'error: no torch' >&2; exit 4", {"--again"});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_EQ(Which(), "old");
  EXPECT_THAT(Names(), ElementsAre("zoo-tiny"));
  const auto& row = answer.value().tables.at(0).rows.rows.at(0);
  EXPECT_EQ(row.at(2), store::Cell(std::string("failed")));
  EXPECT_EQ(row.at(5), store::Cell(std::string("no torch; the earlier experiment is kept")));
  EXPECT_EQ(answer.value().incomplete, ErrorKind::kNotPossible);
}

TEST_F(AgainTest, WholeExperimentIsNotReplacedByAPartOfOne) {
  const auto answer = Ask(
      R"(mkdir -p $new; echo '{"status": "partial"}' > $new/experiment.json; exit 5)", {"--again"});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_EQ(Which(), "old");
  EXPECT_THAT(std::get<std::string>(answer.value().tables.at(0).rows.rows.at(0).at(5)),
              HasSubstr("the new experiment is partial"));
  EXPECT_EQ(answer.value().incomplete, ErrorKind::kEnvironment);
}

TEST_F(AgainTest, InterruptionKeepsTheOldExperiment) {
  const auto answer = Ask(
      std::string(kStored) + fmt::format("\nkill -INT {}; exec sleep 20", getpid()), {"--again"});
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().kind, ErrorKind::kInterrupted);
  EXPECT_EQ(Which(), "old");
  EXPECT_THAT(Names(), ElementsAre("zoo-tiny"));
}

TEST_F(AgainTest, WhatWasInterruptedIsMeasuredByTheNextCallAndTheWholeIsKept) {
  const auto kept = Ask(kStored, {});
  ASSERT_TRUE(kept.ok()) << kept.error().what;
  EXPECT_EQ(Which(), "old");
  Write("zoo-tiny", "interrupted");
  const auto answer = Ask(kStored, {});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_EQ(Which(), "new");
}

TEST_F(AgainTest, ProgramThatFailedIsFailedAndIsMeasuredAgain) {
  const std::string failing =
      R"(mkdir -p $new; echo '{"status": "done", "program_exit": {"exit_code": 7, "signal": 0}}' )"
      R"(> $new/experiment.json; echo 'error: no data' >&2; exit 7)";
  const auto first = Ask(failing, {"--again"});
  ASSERT_TRUE(first.ok()) << first.error().what;
  // A whole experiment is not replaced by a failed one.
  EXPECT_EQ(Which(), "old");
  std::filesystem::remove_all(store_ / "zoo-tiny");
  const auto second = Ask(failing, {});
  ASSERT_TRUE(second.ok()) << second.error().what;
  const auto& row = second.value().tables.at(0).rows.rows.at(0);
  EXPECT_EQ(row.at(2), store::Cell(std::string("failed")));
  EXPECT_EQ(row.at(5), store::Cell(std::string("no data")));
  EXPECT_EQ(second.value().incomplete, ErrorKind::kEnvironment);
  const auto third = Ask(kStored, {});
  ASSERT_TRUE(third.ok()) << third.error().what;
  EXPECT_EQ(third.value().incomplete, std::nullopt);
  EXPECT_EQ(Which(), "new");
}

TEST_F(AgainTest, WhatIsKeptSaysIfItWasMeasuredWithOtherSettings) {
  const auto same = Ask(kStored, {});
  ASSERT_TRUE(same.ok()) << same.error().what;
  EXPECT_EQ(same.value().tables.at(0).rows.rows.at(0).at(5), store::Cell());
  const auto other = Ask(kStored, {"--batch", "8"});
  ASSERT_TRUE(other.ok()) << other.error().what;
  EXPECT_EQ(Which(), "old");
  EXPECT_THAT(std::get<std::string>(other.value().tables.at(0).rows.rows.at(0).at(5)),
              HasSubstr("measured by: xsp run tiny --iterations 30 --batch 1"));
  EXPECT_THAT(other.value().sentences.back(), HasSubstr("--again"));
}

TEST(SuiteRunTest, UnknownSuitesAndKindsAreRefused) {
  EXPECT_THAT(RunCommand(kSpec, {"mlperf"}).error().hint, HasSubstr("zoo"));
  EXPECT_THAT(RunCommand(kSpec, {"zoo", "--kind", "x"}).error().hint, HasSubstr("training"));
}

}  // namespace
}  // namespace xsp::suite::run
