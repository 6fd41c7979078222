#include "measure/slurm/queue.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <string>
#include <vector>

namespace xsp::slurm {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(QueueTest, ReadsTasksOfArraysAndJobsThatAreNone) {
  const std::vector<QueuedTask> tasks = ParseQueue(
      "12|3|RUNNING|node1|None|/store/.sweep-jobs/s/1/job.sh\n"
      "12|4|PENDING||Resources|/store/.sweep-jobs/s/1/job.sh\n"
      "13|N/A|FAILED||BadConstraints|(null)\n");
  ASSERT_EQ(tasks.size(), 3U);
  EXPECT_EQ(tasks[0].job, "12");
  EXPECT_EQ(tasks[0].index, 3);
  EXPECT_EQ(tasks[0].state, "RUNNING");
  EXPECT_EQ(tasks[0].node, "node1");
  EXPECT_EQ(tasks[0].reason, "");
  EXPECT_EQ(tasks[0].command, "/store/.sweep-jobs/s/1/job.sh");
  EXPECT_EQ(tasks[1].reason, "Resources");
  EXPECT_EQ(tasks[1].node, "");
  EXPECT_EQ(tasks[2].index, -1);
  EXPECT_EQ(tasks[2].command, "");
}

TEST(QueueTest, ACommandMayContainWhatSeparatesFields) {
  const std::vector<QueuedTask> tasks = ParseQueue("1|0|RUNNING|n|None|/a|b c%/job.sh x | y\n");
  ASSERT_EQ(tasks.size(), 1U);
  EXPECT_EQ(tasks[0].command, "/a|b c%/job.sh x | y");
}

TEST(QueueTest, LeavesOutLinesOfAnotherForm) {
  EXPECT_THAT(ParseQueue(""), IsEmpty());
  EXPECT_THAT(ParseQueue("slurm_load_jobs error: Invalid job id specified\n\n|||||\n1|2|3\n"
                         "x|0|RUNNING|n|r|c\n-1|0|RUNNING|n|r|c\n1|0||n|r|c\n"
                         "99999999999999999999|0|RUNNING|n|r|c\n"),
              IsEmpty());
}

TEST(QueueTest, WhatRandomTasksWereWrittenAsIsReadAgain) {
  std::mt19937 random(1);
  const auto below = [&](int n) { return static_cast<int>(random() % n); };
  const auto text = [&](const std::string& letters, int most) {
    std::string made;
    for (int n = below(most); n > 0; --n) made += letters[below(static_cast<int>(letters.size()))];
    return made;
  };
  for (int trial = 0; trial < 300; ++trial) {
    std::string lines;
    std::vector<QueuedTask> written;
    for (int n = below(5); n > 0; --n) {
      QueuedTask task = {
          std::to_string(below(1 << 30)), below(4) == 0 ? -1 : below(2000),
          "X" + text("ABC_", 9),          text("nod[1-3,5]", 9),
          text("Rea son(),", 12),         "/" + text("ab|% '\"\\/\t\xc3\xa9\xff", 30)};
      lines += fmt::format("{}|{}|{}|{}|{}|{}\n", task.job,
                           task.index < 0 ? "N/A" : std::to_string(task.index), task.state,
                           task.node, task.reason, task.command);
      written.push_back(task);
    }
    const std::vector<QueuedTask> read = ParseQueue(lines);
    ASSERT_EQ(read.size(), written.size()) << lines;
    for (std::size_t i = 0; i < read.size(); ++i) {
      EXPECT_EQ(read[i].job, written[i].job);
      EXPECT_EQ(read[i].index, written[i].index);
      EXPECT_EQ(read[i].state, written[i].state);
      EXPECT_EQ(read[i].node, written[i].node);
      EXPECT_EQ(read[i].reason, written[i].reason);
      EXPECT_EQ(read[i].command, written[i].command);
    }
  }
}

TEST(QueueTest, NoTextBreaksAReader) {
  std::mt19937 random(2);
  const std::string letters =
      "12|;:,=\n\0\xff-(nul)gpuMaxArraySize"
      " ";
  for (int trial = 0; trial < 2000; ++trial) {
    std::string text;
    for (std::size_t n = random() % 60; n > 0; --n) text += letters[random() % letters.size()];
    for (const QueuedTask& task : ParseQueue(text)) {
      EXPECT_GE(task.index, -1);
      EXPECT_FALSE(task.job.empty());
      EXPECT_FALSE(task.state.empty());
    }
    for (const std::string& feature : ParseNodes(text).features) EXPECT_FALSE(feature.empty());
    EXPECT_GE(ParseArrayLimit(text), 0);
    for (const char c : ParseJobId(text)) EXPECT_TRUE(c >= '0' && c <= '9');
  }
}

TEST(QueueTest, StatesHaveAStage) {
  for (const char* state : {"PENDING", "REQUEUED", "REQUEUE_HOLD", "SPECIAL_EXIT"})
    EXPECT_EQ(StageOf(state), Stage::kWaiting) << state;
  for (const char* state : {"RUNNING", "COMPLETING", "CONFIGURING", "SUSPENDED", "SOMETHING_NEW"})
    EXPECT_EQ(StageOf(state), Stage::kRunning) << state;
  for (const char* state : {"COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "PREEMPTED",
                            "OUT_OF_MEMORY", "BOOT_FAIL", "DEADLINE", "REVOKED"})
    EXPECT_EQ(StageOf(state), Stage::kEnded) << state;
}

TEST(QueueTest, ReadsFeaturesAndTypesOfGpus) {
  const ClusterNodes nodes = ParseNodes(
      "(null)|(null)\n"
      "avx512f,epyc|gpu:h100:4(S:0-1),nvme:1\n"
      "avx2,epyc|gpu:2\n"
      "avx2|gpu:a100:8,gpu:h100:1\n");
  EXPECT_THAT(nodes.features, ElementsAre("avx2", "avx512f", "epyc"));
  EXPECT_THAT(nodes.gpu_types, ElementsAre("a100", "h100"));
}

TEST(QueueTest, ReadsWhenJobsBeganAndEnded) {
  const std::vector<JobTimes> times = ParseTimes(
      "12|COMPLETED|1700000000|1700000003|1700000009\n13|PENDING|1700000001|N/A|N/A\n"
      "a message\n14|RUNNING|1700000001|1700000010|NONE\n|RUNNING|1|1|1\n15||1|1|1\n");
  ASSERT_EQ(times.size(), 3U);
  EXPECT_EQ(times[0].job, "12");
  EXPECT_EQ(times[0].state, "COMPLETED");
  EXPECT_EQ(times[0].submitted, 1700000000);
  EXPECT_EQ(times[0].started, 1700000003);
  EXPECT_EQ(times[0].ended, 1700000009);
  EXPECT_EQ(times[1].started, std::nullopt);
  EXPECT_EQ(times[2].started, 1700000010);
  EXPECT_EQ(times[2].ended, std::nullopt);
}

TEST(QueueTest, AJobThatWillNotStartByItselfSaysWhy) {
  QueuedTask task;
  task.job = "12";
  for (const char* reason : {"", "Priority", "Resources", "BeginTime", "Dependency"}) {
    task.reason = reason;
    EXPECT_EQ(WhyStuck(task), "") << reason;
  }
  task.reason = "JobHeldUser";
  EXPECT_THAT(WhyStuck(task), HasSubstr("does not start job 12: JobHeldUser"));
}

TEST(QueueTest, ReadsTheLimitOfArraysAndJobIds) {
  EXPECT_EQ(ParseArrayLimit("KillWait = 30 sec\nMaxArraySize            = 1001\n"), 1001);
  EXPECT_EQ(ParseArrayLimit("MaxArraySize = none\n"), 0);
  EXPECT_EQ(ParseArrayLimit(""), 0);
  EXPECT_EQ(ParseJobId("12\n"), "12");
  EXPECT_EQ(ParseJobId("a message of the site\n12;cluster\n"), "12");
  EXPECT_EQ(ParseJobId("Submitted batch job 12\n"), "");
}

}  // namespace
}  // namespace xsp::slurm
