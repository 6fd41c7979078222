#include <gmock/gmock.h>
#include <sys/wait.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "answer/suite/scaling/scaling_runs.h"
#include "answer/suite/suite_command_testing.h"
#include "core/json_text.h"
#include "os/paths.h"
#include "source_dir.h"
#include "store/store_testing.h"
#include "store/table_file.h"

namespace xsp::suite::scaling {

extern const SuiteSpec kSpec;

namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

double Number(const store::Cell& cell) { return std::get<double>(cell); }

class PublishedTest : public ::testing::TestWithParam<const char*> {};

// Every number of table 5: its speed-ups are read back, its efficiencies follow from them.
TEST_P(PublishedTest, EverySpeedUpAndEfficiencyIsThatOfTableFive) {
  const std::string printed =
      std::string(XSP_SOURCE_DIR) + "/../shared/data/mlperf-v0.5/table5_scaling.csv";
  if (!std::filesystem::exists(printed))
    GTEST_SKIP() << "reference data beside the checkout is absent: " << printed;
  const auto table = store::ReadTableFile(printed);
  ASSERT_TRUE(table.ok());
  const auto answer = RunCommand(
      kSpec, {{"source", {GetParam() == std::string("printed") ? printed : GetParam()}}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  const auto& rows = answer.value().tables.at(0).rows.rows;
  ASSERT_EQ(rows.size(), 24U);
  std::size_t at = 0;
  for (const auto& job : table.value().rows) {
    for (std::size_t i = 0; i < 4; ++i, ++at) {
      const int width = 1 << i;
      const double speedup = i == 0 ? 1 : Number(job[1 + i]);
      SCOPED_TRACE(std::get<std::string>(job[0]) + " " + std::to_string(width));
      EXPECT_EQ(rows[at][0], job[0]);
      EXPECT_EQ(rows[at][1], store::Cell(std::int64_t{width}));
      EXPECT_NEAR(Number(rows[at][2]), Number(job[1]) / speedup, 1e-9);
      EXPECT_NEAR(Number(rows[at][3]), speedup, 1e-9);
      EXPECT_NEAR(Number(rows[at][4]), 100 * speedup / width, 1e-9);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Tables, PublishedTest, ::testing::Values("mlperf-v0.5", "printed"),
                         [](const auto& name) {
                           return std::string(name.param) == "printed" ? "Printed" : "Shipped";
                         });

TEST(ScalingTest, ShippedTableSaysWhoScalesBestAndWhereItEnds) {
  const auto answer = RunCommand(kSpec, {{"source", {"mlperf-v0.5"}}, {"gain", "10%"}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  // Efficiencies of 7.28 / 8 and 2.32 / 8; 2.32 / 2.16 is 7 %, 2.16 / 1.88 is 15 %.
  EXPECT_THAT(answer.value().sentences.at(0), HasSubstr("SSD_Py scales best"));
  EXPECT_THAT(answer.value().sentences.at(0), HasSubstr("91.0 %"));
  EXPECT_THAT(answer.value().sentences.at(1), HasSubstr("NCF_Py scales worst"));
  EXPECT_THAT(answer.value().sentences, Contains(HasSubstr("NCF_Py: 4 is enough")));
}

TEST(ScalingTest, PictureIsValidAndItsTableHasTheThreeLines) {
  const auto answer = RunCommand(kSpec, {{"source", {"mlperf-v0.5"}}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  const Chart& chart = answer.value().charts.at(0);
  EXPECT_TRUE(core::ParseJson(chart.spec).is_object());
  EXPECT_EQ(chart.table, "curves");
  std::set<std::string> lines;
  for (const auto& row : answer.value().tables.at(2).rows.rows)
    lines.insert(std::get<std::string>(row.at(1)));
  EXPECT_EQ(lines, (std::set<std::string>{"measured", "Amdahl", "ideal"}));
}

std::string Refused(const nlohmann::json& request) {
  const auto answer = RunCommand(kSpec, request);
  return answer.ok() ? "" : answer.error().what;
}

TEST(ScalingTest, WhatSaysNothingOfScalingIsRefused) {
  EXPECT_THAT(Refused({{"source", {TextFile("one.csv", "job,threads,time\na,1,3\nb,2,1\n")}}}),
              HasSubstr("one width only"));
  EXPECT_THAT(
      Refused({{"source", {TextFile("negative.csv", "job,threads,time\na,1,-3\na,2,1\n")}}}),
      HasSubstr("not a positive number"));
  EXPECT_THAT(Refused({{"source", {TextFile("zero.csv", "job,threads,time\na,0,3\na,2,1\n")}}}),
              HasSubstr("whole number"));
  EXPECT_THAT(Refused({{"source", {TextFile("twice.csv", "job,threads,time\na,1,3\na,1,2\n")}}}),
              HasSubstr("two values"));
  EXPECT_THAT(Refused({{"source", {"mlperf-v0.5"}}, {"gain", "none"}}), HasSubstr("not a share"));
  EXPECT_THAT(Refused({{"source", {"no-such-table"}}}), HasSubstr("no such table or data set"));
  EXPECT_THAT(Refused({}), HasSubstr("nothing is in the store"));
  EXPECT_THAT(Refused({{"run", "resnet50"}}), HasSubstr("needs numbers of threads"));
  EXPECT_THAT(Refused({{"source", {"mlperf-v0.5"}}, {"processes", {1, 2}}}),
              HasSubstr("exclude each other"));
}

std::string HintOf(const nlohmann::json& request) {
  const auto answer = RunCommand(kSpec, request);
  return answer.ok() ? "" : answer.error().hint;
}

TEST(ScalingTest, OptionsThatNothingWouldLookAtAreRefused) {
  EXPECT_THAT(Refused({{"source", {"mlperf-v0.5"}}, {"threads", {1, 2}}}),
              HasSubstr("--threads goes with --run"));
  EXPECT_THAT(Refused({{"iterations", 5}}), HasSubstr("--iterations goes with --run only"));
  EXPECT_THAT(Refused({{"source", {"mlperf-v0.5"}}, {"backend", "torch"}}),
              HasSubstr("--backend goes with"));
  EXPECT_THAT(Refused({{"run", "m"}, {"threads", {1}}, {"steps", 5}}),
              HasSubstr("--steps goes with --processes only"));
  EXPECT_THAT(Refused({{"source", {"mlperf-v0.5"}}, {"batch", 4}}),
              HasSubstr("--batch goes with --run or --processes only"));
  EXPECT_THAT(Refused({{"run", "m"}, {"threads", {1}}, {"unit", "s"}}),
              HasSubstr("for a table only"));
  EXPECT_THAT(Refused({{"job", "name"}}), HasSubstr("for a table only"));
}

TEST(ScalingTest, GainThatIsNoShareIsRepeatedAsItWasTyped) {
  EXPECT_THAT(Refused({{"source", {"mlperf-v0.5"}}, {"gain", "150%"}}), HasSubstr("100 %: 150%"));
  EXPECT_THAT(Refused({{"source", {"mlperf-v0.5"}}, {"gain", "nan"}}), HasSubstr("not a share"));
  EXPECT_THAT(Refused({{"source", {"mlperf-v0.5"}}, {"gain", "inf%"}}), HasSubstr("not a share"));
  EXPECT_EQ(HintOf({{"source", {"mlperf-v0.5"}}, {"gain", "5"}}), "did you mean 5%?");
  EXPECT_EQ(HintOf({{"source", {"mlperf-v0.5"}}, {"gain", "-5%"}}), "as in --gain 5%");
}

TEST(ScalingTest, TablesAreReadOneAtATime) {
  EXPECT_EQ(Refused({{"source", {"a.csv", "b.csv"}}}), "one table is read at a time: a.csv, b.csv");
  EXPECT_THAT(Refused({{"source", {"mlperf-v0.5", "run-1"}}}),
              HasSubstr("one table is read at a time"));
}

/// The table of `text` with its cells by column, or what was wrong.
Answer AnswerOf(const char* name, const char* text) {
  const auto answer = RunCommand(kSpec, {{"source", {TextFile(name, text)}}});
  EXPECT_TRUE(answer.ok()) << answer.error().what;
  return answer.ok() ? answer.value() : Answer{};
}

TEST(ScalingTest, StatedSpeedUpsCountWithoutWidthOneToo) {
  const Answer answer = AnswerOf("jobs.csv", "job,devices,speedup\na,2,1.5\na,4,2.5\na,8,3.5\n");
  const auto& rows = answer.tables.at(0).rows.rows;
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_NEAR(Number(rows[0][3]), 1.5, 1e-12);
  EXPECT_NEAR(Number(rows[1][3]), 2.5, 1e-12);
  EXPECT_NEAR(Number(rows[2][3]), 3.5, 1e-12);
  EXPECT_NEAR(Number(rows[0][4]), 75, 1e-9);
  EXPECT_THAT(answer.method, Contains(HasSubstr("those that the table states")));
  EXPECT_THAT(answer.method, Not(Contains(HasSubstr("taken to be ideal"))));
}

TEST(ScalingTest, FitWithoutWidthOneGivesBackTheShare) {
  // 1000 (0.1 + 0.9 / n).
  const Answer answer = AnswerOf(
      "jobs.csv", "job,devices,time\na,2,550\na,4,325\na,8,212.5\na,16,156.25\na,32,128.125\n");
  const auto& fit = answer.tables.at(1).rows.rows.at(0);
  for (const std::size_t column : {1U, 2U, 3U}) EXPECT_NEAR(Number(fit[column]), 10, 1e-6);
  EXPECT_NEAR(Number(fit[4]), 0, 1e-9);
  const auto& narrowest = answer.tables.at(0).rows.rows.at(0);
  EXPECT_NEAR(Number(narrowest[3]), 2, 1e-12);
  EXPECT_NEAR(Number(narrowest[6]), 1 / 0.55, 1e-9);
}

TEST(ScalingTest, PredictionsThatAreNoSpeedUpsAreLeftOut) {
  const Answer answer = AnswerOf("jobs.csv", "job,devices,time\na,1,100\na,2,25\na,16,5\n");
  EXPECT_EQ(answer.tables.at(0).rows.rows.at(2).at(6), store::Cell());
  EXPECT_EQ(answer.tables.at(1).rows.rows.at(0).at(4), store::Cell());
  for (const auto& row : answer.tables.at(2).rows.rows) EXPECT_GT(Number(row.at(3)), 0);
  EXPECT_THAT(answer.sentences, Contains(HasSubstr("Amdahl's law does not hold")));
  // Times that rise so fast that width 1 would have a negative one.
  EXPECT_THAT(AnswerOf("rise.csv", "job,devices,time\na,2,1\na,4,3\n").sentences,
              Contains(HasSubstr("Amdahl's law fits no such times")));
}

TEST(ScalingTest, JobsWithoutWidthOneOrWithOneWidthAreNamed) {
  const auto file =
      TextFile("jobs.csv", "job,threads,time\na,2,10\na,4,6\na,8,4\nb,1,3\nc,1,4\nc,2,2\n");
  const auto answer = RunCommand(kSpec, {{"source", {file}}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_THAT(answer.value().method, Contains(HasSubstr("taken to be ideal")));
  EXPECT_THAT(answer.value().method, Contains(HasSubstr("cannot be fitted: b")));
  EXPECT_THAT(answer.value().sentences, Not(Contains(HasSubstr("b scales"))));
  EXPECT_THAT(answer.value().sentences, Contains(HasSubstr("a scales worst")));
  EXPECT_NEAR(Number(answer.value().tables.at(0).rows.rows.at(1).at(3)), 2 * 10.0 / 6, 1e-12);
}

/// With operations that store an experiment which says only its command.
class RunOnThreadsTest : public ::testing::Test {
 protected:
  Result<std::vector<std::string>> Ask(const std::string& model,
                                       std::vector<std::string>* treatments) {
    return RunOnThreads(xsp_, {model, "torch", 1, 5}, {1, 2}, treatments);
  }

  store::TestFolder folder_;
  MeasuringContext xsp_{folder_.path() / "store",
                        [](const std::filesystem::path& experiment, const std::string& command) {
                          std::filesystem::create_directories(experiment);
                          std::ofstream(experiment / "experiment.json")
                              << nlohmann::json{{"status", "done"}, {"command", command}};
                        }};
};

TEST_F(RunOnThreadsTest, ExperimentsOfTheSameModelAreTakenAndOfOthersReplaced) {
  std::vector<std::string> treatments;
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(Ask("tiny", &treatments).ok());
  EXPECT_EQ(xsp_.Calls(), 2);
  EXPECT_TRUE(treatments.empty());
  const auto names = Ask("/nowhere/tiny.onnx", &treatments);
  ASSERT_TRUE(names.ok());
  EXPECT_EQ(names.value().front(), "scaling-tiny-torch-batch1-x5-threads1");
  EXPECT_EQ(xsp_.Calls(), 4);
  ASSERT_EQ(treatments.size(), 1U);
  EXPECT_THAT(treatments[0], HasSubstr("2 experiments of the store were measured anew"));
  EXPECT_THAT(treatments[0], HasSubstr("measured by: xsp run tiny --backend torch"));
}

TEST_F(RunOnThreadsTest, WhatCannotBeReplacedStays) {
  std::vector<std::string> treatments;
  ASSERT_TRUE(Ask("tiny", &treatments).ok());
  xsp_.FailFromNowOn();
  const auto refused = Ask("/nowhere/tiny.onnx", &treatments);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().what, HasSubstr("no luck"));
  EXPECT_TRUE(Ask("tiny", &treatments).ok());  // Both are as they were.
  EXPECT_EQ(xsp_.Calls(), 3);
}

TEST_F(RunOnThreadsTest, WhatIsNotWholeIsMeasuredAgain) {
  std::vector<std::string> treatments;
  ASSERT_TRUE(Ask("tiny", &treatments).ok());
  std::ofstream(folder_.path() / "store" / "scaling-tiny-torch-batch1-x5-threads2" /
                "experiment.json")
      << R"({"status": "interrupted", "command": "xsp run tiny"})";
  ASSERT_TRUE(Ask("tiny", &treatments).ok());
  EXPECT_EQ(xsp_.Calls(), 3);
  EXPECT_TRUE(treatments.empty());
}

TEST(MeasuredTest, BatchMustBeDividedByTheProcesses) {
  core::NoProgress nobody;
  const os::Interrupts never;
  const auto jobs = TrainInProcesses({1, 4}, {3}, nobody, never);
  ASSERT_FALSE(jobs.ok());
  EXPECT_EQ(jobs.error().kind, ErrorKind::kBadInput);
}

TEST(MeasuredTest, TrainingInTwoProcessesIsMeasured) {
  core::NoProgress nobody;
  const os::Interrupts never;
  const std::string python = os::Environment("XSP_PYTHON").value_or("python3");
  if (std::system(
          (python +
           " -c 'import importlib.util as u, sys; sys.exit(u.find_spec(\"torch\") is None)'")
              .c_str()) != 0)
    GTEST_SKIP() << "this Python has no PyTorch: " << python;
  const auto jobs = TrainInProcesses({3, 4}, {1, 2}, nobody, never);
  ASSERT_TRUE(jobs.ok()) << jobs.error().what;
  ASSERT_EQ(jobs.value().jobs.at(0).at.size(), 2U);
  EXPECT_GT(jobs.value().jobs[0].at[1].time, 0);
}

TEST(MeasuredTest, PythonWithoutPyTorchIsSaidSo) {
  core::NoProgress nobody;
  const os::Interrupts never;
  const std::filesystem::path python =
      TextFile("python", "#!/bin/sh\necho 'no PyTorch' >&2\nexit 4\n");
  std::filesystem::permissions(python, std::filesystem::perms::owner_all);
  const auto before = os::Environment("XSP_PYTHON");
  setenv("XSP_PYTHON", python.c_str(), 1);
  const auto jobs = TrainInProcesses({1, 4}, {1}, nobody, never);
  before ? setenv("XSP_PYTHON", before->c_str(), 1) : unsetenv("XSP_PYTHON");
  ASSERT_FALSE(jobs.ok());
  EXPECT_EQ(jobs.error().kind, ErrorKind::kNotPossible);
  EXPECT_THAT(jobs.error().hint, HasSubstr("tools/setup"));
}

}  // namespace
}  // namespace xsp::suite::scaling
