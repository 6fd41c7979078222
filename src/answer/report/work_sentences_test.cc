#include "answer/report/work_sentences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "answer/report/sentences_testing.h"

namespace xsp::report {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class WorkSentencesTest : public ImportedRunTest {
 protected:
  void InsertStep(int number, int duration, bool is_slow) {
    Insert("step VALUES (1, NULL, " + std::to_string(number) + ", 's', 0, " +
           std::to_string(duration) + ", NULL, 0, 0, 0, 0, 0, 0, " +
           (is_slow ? "true, 'aten::mm', 70)" : "false, NULL, NULL)"));
  }
  void InsertOperator(const std::string& name, int self_ns) {
    Insert("tree VALUES (1, NULL, 2, 1, 1, 'layer', '" + name + "', '" + name + "', 3, 0, 0, " +
           std::to_string(self_ns) + ", " + std::to_string(self_ns) + ", 1)");
  }
  void InsertSequence(int duration, int gap) {
    Insert("device_time VALUES (1, NULL, 0, NULL, 0, 1000000, 0, 0, 0, 0, 0, 0, 0, 0, 9)");
    Insert("kernel_sequence VALUES (1, NULL, 0, 0, 4, '[]', 5, " + std::to_string(duration) + ", " +
           std::to_string(gap) + ", NULL)");
  }
  std::vector<std::string> Texts() { return TextsOf(WorkSentences(database_, 1)); }
};

TEST_F(WorkSentencesTest, NothingKnownSaysNothing) { EXPECT_THAT(Texts(), IsEmpty()); }

TEST_F(WorkSentencesTest, TellsTheSlowestStep) {
  for (int i = 0; i < 4; ++i) InsertStep(i, 100, false);
  EXPECT_THAT(Texts(), IsEmpty());
  InsertStep(4, 130, true);
  InsertStep(5, 200, true);
  EXPECT_THAT(Texts(), ElementsAre("2 of 6 steps took more than 10 % longer than the median; step "
                                   "5 took 2.00 times as long, with 70.0 ns more in `aten::mm`."));
}

TEST_F(WorkSentencesTest, CallsThatWereMeasuredAreNoStepsAndSmallDifferencesNoWord) {
  ASSERT_TRUE(database_.Query("UPDATE run SET rung = 'kernel'").ok());
  for (int i = 0; i < 4; ++i) InsertStep(i, 100, false);
  InsertStep(4, 120, true);
  EXPECT_THAT(Texts(), IsEmpty());
  InsertStep(5, 150, true);
  EXPECT_THAT(Texts(), ElementsAre("2 of 6 calls took more than 10 % longer than the median; call "
                                   "5 took 1.50 times as long, with 70.0 ns more in `aten::mm`."));
}

TEST_F(WorkSentencesTest, AStepThatOthersDisturbedIsNoOutlier) {
  for (int i = 0; i < 4; ++i) InsertStep(i, 100, false);
  InsertStep(4, 130, true);
  InsertStep(5, 200, true);
  Insert(
      "sample (run_id, iteration, latency_ns, disturbed) VALUES (1, 0, 200, true), (1, 1, 130, "
      "false)");
  EXPECT_THAT(Texts(), ElementsAre("1 of 6 steps took more than 10 % longer than the median; step "
                                   "4 took 1.30 times as long, with 70.0 ns more in `aten::mm`."));
  Insert("sample (run_id, iteration, latency_ns, disturbed) VALUES (1, 2, 130, true)");
  EXPECT_THAT(Texts(), IsEmpty());
}

TEST_F(WorkSentencesTest, TellsHowATrainingStepIsDivided) {
  Insert("tree VALUES (1, NULL, 1, NULL, 0, 'model', 'train', 'step', 10, 1000, 0, 0, 0, 9)");
  EXPECT_THAT(Texts(), IsEmpty());
  Insert("tree VALUES (1, NULL, 2, 1, 1, 'application', 'range', 'forward', 20, 300, 0, 0, 0, 9)");
  Insert("tree VALUES (1, NULL, 3, 1, 1, 'application', 'range', 'backward', 10, 600, 0, 0, 0, 9)");
  Insert("tree VALUES (1, NULL, 4, 2, 2, 'application', 'range', 'mine', 10, 100, 0, 0, 0, 9)");
  EXPECT_THAT(
      Texts(),
      ElementsAre("A training step takes 100 ns on average: backward 60.0 %, forward 30.0 %."));
}

TEST_F(WorkSentencesTest, AStepTakesTheLatencyThatTheOtherSentencesStateOfIt) {
  Insert("tree VALUES (1, NULL, 1, NULL, 0, 'model', 'train', 'step', 10, 1000, 0, 0, 0, 9)");
  Insert("tree VALUES (1, NULL, 2, 1, 1, 'application', 'range', 'forward', 10, 300, 0, 0, 0, 9)");
  // A slow first step: the trimmed mean of the ten is 40 ns, their mean 100.
  ASSERT_TRUE(database_.Query("UPDATE point SET latency_ns = 40").ok());
  ASSERT_TRUE(database_.Query("UPDATE run SET samples = 10").ok());
  EXPECT_THAT(Texts(), ElementsAre("A training step takes 40.0 ns (trimmed mean; all 10 steps, the "
                                   "first with its warm-up included, take 100 ns on average); of "
                                   "all steps: forward 30.0 %."));
  ASSERT_TRUE(database_.Query("UPDATE point SET latency_ns = 98").ok());
  EXPECT_THAT(Texts(), ElementsAre("A training step takes 98.0 ns: forward 30.0 %."));
  // The latency is of other calls.
  ASSERT_TRUE(database_.Query("UPDATE run SET samples = 7").ok());
  EXPECT_THAT(Texts(), ElementsAre("A training step takes 100 ns on average: forward 30.0 %."));
}

TEST_F(WorkSentencesTest, TellsTheOperatorWithMuchOfTheDevicesWork) {
  Insert("tree VALUES (1, NULL, 1, NULL, 0, 'layer', 'module', 'm', 1, 0, 0, 1000, 900, 9)");
  InsertOperator("aten::add", 100);
  EXPECT_THAT(Texts(), IsEmpty());
  InsertOperator("aten::mm", 600);
  EXPECT_THAT(Texts(), ElementsAre("`aten::mm` launches 60.0 % of the device's work, in 3 calls."));
}

TEST_F(WorkSentencesTest, TellsShortKernelsThatWait) {
  InsertSequence(100'000, 100'000);
  EXPECT_THAT(Texts(),
              ElementsAre("The same 4 kernels follow each other 5 times, 5.00 µs each, with 100 µs "
                          "(50.0 %) between them: launched together (a replayed graph) or fused "
                          "they would not wait."));
}

TEST_F(WorkSentencesTest, LongKernelsNeedNotBeFused) {
  InsertSequence(250'000, 250'000);
  EXPECT_THAT(Texts(), IsEmpty());
}

TEST_F(WorkSentencesTest, TellsWhoHoldsTheMemory) {
  Insert(
      "memory_holder VALUES (1, NULL, 0, 5, 'aten::mm', 'a', 1, 200, 'address'), "
      "(1, NULL, 0, 5, 'aten::mm', 'b', 1, 300, 'address'), "
      "(1, NULL, 0, 5, '(before recording)', NULL, 0, 500, 'address'), "
      "(1, NULL, NULL, 5, 'aten::stack', NULL, 1, 9000, 'address')");
  Insert("memory_holder VALUES (1, NULL, 0, 5, 'aten::mm', 'c', 1, 1000, 'address')");
  EXPECT_THAT(Texts(), ElementsAre("At most 2.00 kB are allocated on device 0, 25.0 % of it since "
                                   "before the recording; `aten::mm` holds 75.0 %."));
}

}  // namespace
}  // namespace xsp::report
