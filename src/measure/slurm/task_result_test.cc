#include "measure/slurm/task_result.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <string>
#include <utility>

#include "os/scratch_folder.h"

namespace xsp::slurm {
namespace {

namespace fs = std::filesystem;
using sweeps::SweptPoint;
using ::testing::HasSubstr;

std::string DocumentOf(const std::string& status, const std::string& more = "") {
  return fmt::format(R"({{"sweep": "s", "status": "done", "points": [{{"name": "b1", "status": "{}",
    "experiment": "s-b1", "why": null, "hint": null, "seconds": 1.5{}}}]}})",
                     status, more);
}

QueuedTask TaskIn(const std::string& state) { return {"12", 0, state, "node3", "", ""}; }

TEST(TaskResultTest, ReadsTheOnePointOfADocument) {
  const auto result = ParseTaskResult(DocumentOf("measured"));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->status, "measured");
  EXPECT_EQ(result->experiment, "s-b1");
  EXPECT_EQ(result->seconds, 1.5);
  EXPECT_FALSE(result->failure);
}

TEST(TaskResultTest, AFailureHasTheKindThatItsExitStatusStates) {
  for (const auto& [text, kind] : {std::pair{", \"exit_status\": 3", ErrorKind::kBadInput},
                                   {", \"exit_status\": 4", ErrorKind::kNotPossible},
                                   {", \"exit_status\": 5", ErrorKind::kEnvironment},
                                   {", \"exit_status\": 77", ErrorKind::kEnvironment},
                                   {", \"exit_status\": \"x\"", ErrorKind::kEnvironment},
                                   {"", ErrorKind::kEnvironment}})
    EXPECT_EQ(ParseTaskResult(DocumentOf("failed", text))->failure, kind) << text;
}

TEST(TaskResultTest, WhatIsCutOffOrOfAnotherFormIsNone) {
  const std::string whole = DocumentOf("measured");
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_FALSE(ParseTaskResult(whole.substr(0, length))) << length;
  EXPECT_FALSE(ParseTaskResult(DocumentOf("missing")));
  EXPECT_FALSE(ParseTaskResult(R"({"points": []})"));
  EXPECT_FALSE(ParseTaskResult(R"({"points": [3]})"));
  EXPECT_FALSE(ParseTaskResult(R"({"points": {"status": "measured"}})"));
  std::mt19937 random(1);
  for (int trial = 0; trial < 2000; ++trial) {
    std::string damaged = whole;
    for (int n = 0; n < 3; ++n) damaged[random() % damaged.size()] = static_cast<char>(random());
    const auto result = ParseTaskResult(damaged);  // Any answer but a crash.
    if (result) {
      EXPECT_NE(result->status, "missing");
    }
  }
}

TEST(TaskResultTest, ANodeThatThePointIsNotForIsAFailure) {
  SweptPoint point;
  TakeResult({"elsewhere", "", "its memory is small", "", {}, 0}, "COMPLETED", point);
  EXPECT_EQ(point.status, "failed");
  EXPECT_EQ(point.failure, ErrorKind::kNotPossible);
  EXPECT_THAT(point.why, HasSubstr("its memory is small"));
}

TEST(TaskResultTest, AnInterruptedTaskSaysWhoEndedIt) {
  SweptPoint point;
  TakeResult({"interrupted", "s-b1", "", "", {}, 0}, "TIMEOUT", point);
  EXPECT_EQ(point.status, "interrupted");
  EXPECT_EQ(point.experiment, "s-b1");
  EXPECT_EQ(point.why, "the time limit was reached");
  EXPECT_THAT(point.hint, HasSubstr("--slurm-option time="));
  TakeResult({"interrupted", "s-b1", "", "", {}, 0}, "FAILED", point);
  EXPECT_EQ(point.why, "the task was asked to stop, as a minute before its time limit");
}

TEST(TaskResultTest, WithoutAResultTheStateOrTheLogSaysWhy) {
  const os::ScratchFolder scratch = os::ScratchFolder::Create().value();
  SweptPoint point;
  const QueuedTask cancelled = TaskIn("CANCELLED"), failed = TaskIn("FAILED"),
                   died = TaskIn("NODE_FAIL");
  TakeEndWithoutResult(scratch.path(), 0, &cancelled, point);
  EXPECT_EQ(point.status, "missing");
  EXPECT_EQ(point.why, "the job was cancelled on node3");
  EXPECT_EQ(point.failure, ErrorKind::kEnvironment);
  TakeEndWithoutResult(scratch.path(), 0, &died, point);
  EXPECT_EQ(point.status, "failed");
  EXPECT_EQ(point.why, "its node failed on node3");
  std::ofstream(scratch.path() / "0.log")
      << std::string(5000, 'x') << "\nexec: /opt/xsp: not found\n\n";
  TakeEndWithoutResult(scratch.path(), 0, &failed, point);
  EXPECT_THAT(point.why, HasSubstr("(FAILED on node3): "));
  EXPECT_THAT(point.why, ::testing::EndsWith("x exec: /opt/xsp: not found"));
  EXPECT_LT(point.why.size(), 500U);
  EXPECT_THAT(point.hint, HasSubstr("0.log"));
  TakeEndWithoutResult(scratch.path(), 1, nullptr, point);
  EXPECT_EQ(point.why, "the job ended without a result");
}

}  // namespace
}  // namespace xsp::slurm
