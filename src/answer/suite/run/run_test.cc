#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <gmock/gmock.h>
#include <unistd.h>

#include "answer/suite/run/workloads.h"
#include "answer/suite/suite_command_testing.h"
#include "core/json_text.h"
#include "store/store_testing.h"

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
  for (const Workload& one : WorkloadsOf(selection, core::ParseJson(kZoo), Training()))
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
  const auto quick = WorkloadsOf(selection, core::ParseJson(kZoo), Training());
  EXPECT_EQ(quick.at(0).request.at("iterations"), 5);
  EXPECT_THAT(quick.at(1).request.at("program").get<std::vector<std::string>>(),
              ElementsAre("python3", HasSubstr("ncf.py"), "--steps", "6"));
}

TEST(SuiteRunTest, EstimateLearnsFromWhatWasMeasured) {
  const Workload ten{"a", "inference", "run", {}, 10}, thirty{"b", "inference", "run", {}, 30};
  EXPECT_EQ(SecondsLeft({}, {ten, thirty}), 40);
  EXPECT_EQ(SecondsLeft({{ten, "measured", 20, "", ""}, {thirty, "kept", 0, "", ""}}, {thirty}),
            60);
}

TEST(SuiteRunTest, FailuresAreNamed) {
  const Workload ten{"a", "inference", "run", {}, 10};
  const Answer answer =
      Summarise({{ten, "measured", 120, "zoo-a", ""}, {ten, "failed", 60, "zoo-b", "no torch"}});
  EXPECT_THAT(
      answer.sentences.front(),
      HasSubstr("1 of 2 workloads was measured in 3 min, 0 were in the store already, 1 failed"));
  EXPECT_EQ(answer.tables.at(0).rows.rows.at(1).at(5), store::Cell(std::string("no torch")));
  EXPECT_EQ(answer.incomplete, ErrorKind::kEnvironment);
}

TEST(SuiteRunTest, WhatWasMeasuredInPartIsNamed) {
  const Workload ten{"a", "inference", "run", {}, 10};
  const Answer answer =
      Summarise({{ten, "measured", 120, "zoo-a", "no such worker", ErrorKind::kNotPossible},
                 {ten, "failed", 60, "zoo-b", "killed"}});
  EXPECT_THAT(answer.sentences,
              Contains("Measured partially: a; the column `why` has the failures."));
  EXPECT_EQ(answer.incomplete, ErrorKind::kNotPossible);
}

/// A store with the experiment `zoo-tiny`, and operations that measure as each test says.
class AgainTest : public ::testing::Test {
 protected:
  AgainTest() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    store_ = std::filesystem::path(::testing::TempDir()) / (std::string("again_") + test->name());
    std::filesystem::remove_all(store_);
    Write(store_ / "zoo-tiny", "done");
  }
  ~AgainTest() override { std::filesystem::remove_all(store_); }

  /// The command of the experiment is the one that the suite asks for, as an earlier XSP wrote it.
  static void Write(const std::filesystem::path& experiment, const char* status,
                    const char* which = "old", int exit_code = 0) {
    std::filesystem::create_directories(experiment);
    std::ofstream(experiment / "experiment.json")
        << nlohmann::json{{"status", status},
                          {"which", which},
                          {"program_exit", {{"exit_code", exit_code}, {"signal", 0}}},
                          {"command",
                           "xsp run tiny --iterations 30 --batch 1 --format json --name zoo-tiny "
                           "--store s"}};
  }

  /// Measures `experiment`.
  using Measure = std::function<Result<Performed>(const std::filesystem::path& experiment)>;

  Result<Answer> Ask(const Measure& measure, nlohmann::json request = {}) {
    TestContext context(store_);
    context.perform = [&measure](std::string_view operation, const nlohmann::json& asked,
                                 const std::filesystem::path& store, core::Progress&,
                                 os::Interrupts& interrupts) -> Result<Performed> {
      if (operation == "zoo/list") return Performed{{{{"name", "tiny"}}}};
      EXPECT_EQ(operation, "run");
      auto performed = measure(store / asked.at("name").get<std::string>());
      if (performed.ok() && performed.value().exit_status == 130) interrupts.Request();
      return performed;
    };
    request["suite"] = "zoo";
    request["only"] = {"tiny"};
    return RunCommand(kSpec, request, context);
  }

  /// What is in the store, and of which measurement `zoo-tiny` is.
  std::string Which() const {
    std::ifstream in(store_ / "zoo-tiny" / "experiment.json");
    return core::ParseJson(in).value("which", "");
  }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(store_))
      names.push_back(entry.path().filename().string());
    return names;
  }

  static Result<Performed> Stored(const std::filesystem::path& experiment) {
    Write(experiment, "done", "new");
    return Performed{};
  }

  std::filesystem::path store_;
};

TEST_F(AgainTest, OldExperimentIsThereUntilTheNewOneIsStored) {
  bool was_there = false;
  const auto answer = Ask(
      [&](const std::filesystem::path& experiment) {
        was_there = Which() == "old";
        return Stored(experiment);
      },
      {{"again", true}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_TRUE(was_there);
  EXPECT_EQ(Which(), "new");
  EXPECT_THAT(Names(), ElementsAre("zoo-tiny"));
  EXPECT_EQ(answer.value().tables.at(0).rows.rows.at(0).at(2),
            store::Cell(std::string("measured")));
}

TEST_F(AgainTest, OldExperimentStaysWhenMeasuringFails) {
  const auto answer = Ask(
      [](const auto&) {
        return Error{ErrorKind::kNotPossible, "no torch", ""};
      },
      {{"again", true}});
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
      [](const std::filesystem::path& experiment) {
        Write(experiment, "partial", "new");
        return Performed{{}, {"error: the layer rung failed"}, 5};
      },
      {{"again", true}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_EQ(Which(), "old");
  EXPECT_EQ(answer.value().tables.at(0).rows.rows.at(0).at(5),
            store::Cell(std::string("the layer rung failed; the new experiment is partial, and the "
                                    "complete earlier one is kept")));
  EXPECT_EQ(answer.value().incomplete, ErrorKind::kEnvironment);
}

TEST_F(AgainTest, InterruptionKeepsTheOldExperiment) {
  const auto answer = Ask(
      [](const std::filesystem::path& experiment) {
        Write(experiment, "interrupted", "new");
        return Performed{{}, {}, 130};
      },
      {{"again", true}});
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().kind, ErrorKind::kInterrupted);
  EXPECT_EQ(Which(), "old");
  EXPECT_THAT(Names(), ElementsAre("zoo-tiny"));
}

TEST_F(AgainTest, WhatWasInterruptedIsMeasuredByTheNextCallAndTheWholeIsKept) {
  const auto kept = Ask(Stored);
  ASSERT_TRUE(kept.ok()) << kept.error().what;
  EXPECT_EQ(Which(), "old");
  Write(store_ / "zoo-tiny", "interrupted");
  const auto answer = Ask(Stored);
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_EQ(Which(), "new");
}

TEST_F(AgainTest, ProgramThatFailedIsFailedAndIsMeasuredAgain) {
  const Measure failing = [](const std::filesystem::path& experiment) {
    Write(experiment, "done", "new", 7);
    return Performed{{}, {"error: no data"}, 7};
  };
  const auto first = Ask(failing, {{"again", true}});
  ASSERT_TRUE(first.ok()) << first.error().what;
  // A whole experiment is not replaced by a failed one.
  EXPECT_EQ(Which(), "old");
  std::filesystem::remove_all(store_ / "zoo-tiny");
  const auto second = Ask(failing);
  ASSERT_TRUE(second.ok()) << second.error().what;
  const auto& row = second.value().tables.at(0).rows.rows.at(0);
  EXPECT_EQ(row.at(2), store::Cell(std::string("failed")));
  EXPECT_EQ(row.at(5), store::Cell(std::string("no data")));
  EXPECT_EQ(second.value().incomplete, ErrorKind::kEnvironment);
  const auto third = Ask(Stored);
  ASSERT_TRUE(third.ok()) << third.error().what;
  EXPECT_EQ(third.value().incomplete, std::nullopt);
  EXPECT_EQ(Which(), "new");
}

TEST_F(AgainTest, WhatIsKeptSaysIfItWasMeasuredWithOtherSettings) {
  const auto same = Ask(Stored);
  ASSERT_TRUE(same.ok()) << same.error().what;
  EXPECT_EQ(same.value().tables.at(0).rows.rows.at(0).at(5), store::Cell());
  const auto other = Ask(Stored, {{"batch", {8}}});
  ASSERT_TRUE(other.ok()) << other.error().what;
  EXPECT_EQ(Which(), "old");
  EXPECT_THAT(std::get<std::string>(other.value().tables.at(0).rows.rows.at(0).at(5)),
              HasSubstr("measured by: xsp run tiny --iterations 30 --batch 1"));
  EXPECT_THAT(other.value().sentences.back(), HasSubstr("--again"));
}

TEST(SuiteRunTest, WhatAProgramWritesLastIsTheReasonOfItsFailure) {
  const store::TestFolder folder;
  TestContext context(folder.path());
  context.perform = [](std::string_view operation, const nlohmann::json& asked,
                       const std::filesystem::path&, core::Progress&,
                       os::Interrupts&) -> Result<Performed> {
    if (operation == "zoo/list") return Performed{nlohmann::json::array()};
    EXPECT_EQ(operation, "record");
    std::ofstream(asked.at("program_output").get<std::string>()) << "epoch 1\nerror: no data\n";
    return Performed{{{"program", {{"exit_code", 1}, {"signal", 0}}}}, {}, 1};
  };
  const auto answer = RunCommand(kSpec, {{"suite", "zoo"}, {"only", {"train_ncf"}}}, context);
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  const auto& row = answer.value().tables.at(0).rows.rows.at(0);
  EXPECT_EQ(row.at(2), store::Cell(std::string("failed")));
  EXPECT_EQ(row.at(5), store::Cell(std::string("no data")));
  EXPECT_EQ(answer.value().incomplete, ErrorKind::kBadInput);
}

TEST(SuiteRunTest, UnknownSuitesAndKindsAreRefused) {
  EXPECT_THAT(RunCommand(kSpec, {{"suite", "mlperf"}}).error().hint, HasSubstr("zoo"));
  EXPECT_THAT(RunCommand(kSpec, {{"suite", "zoo"}, {"kind", {"x"}}}).error().hint,
              HasSubstr("training"));
}

}  // namespace
}  // namespace xsp::suite::run
