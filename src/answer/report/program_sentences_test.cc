#include "answer/report/program_sentences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "answer/report/sentences_testing.h"

namespace xsp::report {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t kSecond = 1'000'000'000;

class ProgramSentencesTest : public ImportedRunTest {
 protected:
  void SetUp() override {
    ImportedRunTest::SetUp();
    Insert("run (run_id, point_id, rung, status, path) VALUES (2, 1, 'recorded', 'done', 'b')");
  }
  void Span(int parent, const std::string& level, const std::string& type, const std::string& name,
            double start, double seconds, int track = 1) {
    Insert(
        "span (run_id, id, parent_id, level, type, name, track_id, start_ns, duration_ns, "
        "placed_by) VALUES "
        "(2, " +
        std::to_string(++spans_) + ", " + std::to_string(parent) + ", '" + level + "', '" + type +
        "', '" + name + "', " + std::to_string(track) + ", " +
        std::to_string(static_cast<std::int64_t>(start * kSecond)) + ", " +
        std::to_string(static_cast<std::int64_t>(seconds * kSecond)) + ", 'nesting')");
  }
  void Program(int begin, int end) {
    Insert("system_series VALUES (2, 'cpu.busy_share', 'machine', '1', " +
           std::to_string(begin * kSecond) + ", " + std::to_string(end * kSecond) + ", 1, 1)");
  }
  std::vector<std::string> Texts() { return TextsOf(ProgramSentences(database_, 1)); }

  int spans_ = 0;
};

TEST_F(ProgramSentencesTest, AProgramWithoutModelCallsSaysNothing) {
  Program(0, 10);
  Span(0, "application", "range", "work", 1, 8);
  EXPECT_THAT(Texts(), IsEmpty());
}

TEST_F(ProgramSentencesTest, TellsHowLongTrainingWaitsForData) {
  Program(0, 10);
  for (const double start : {2.0, 5.0, 8.0}) Span(0, "model", "train", "step", start, 1);
  // Before the first step, between steps, after the last, and on another thread.
  for (const double start : {1.0, 3.0, 6.5, 9.0})
    Span(0, "application", "range", "enumerate(DataLoader)#x.__next__", start, 1);
  Span(0, "application", "range", "enumerate(DataLoader)#x.__next__", 3, 1, 2);
  EXPECT_THAT(Texts(),
              ElementsAre("From the first training step to the end of the last 7.00 s pass: 42.9 % "
                          "in 3 of them, 28.6 % waiting for data (`enumerate(DataLoader)`), 28.6 % "
                          "elsewhere. More `num_workers` of the loader, or less work for each "
                          "sample, would help."));
}

TEST_F(ProgramSentencesTest, WaitingInsideOfAStepIsTheStepsAndShortRestsAreNotWorthAWord) {
  Program(0, 10);
  Span(0, "model", "train", "step", 1, 4);
  Span(1, "application", "range", "enumerate(DataLoader)#x.__next__", 2, 1);
  Span(0, "model", "train", "step", 5.2, 4);
  EXPECT_THAT(Texts(), IsEmpty());
}

TEST_F(ProgramSentencesTest, TellsCompilationsAndWhatLiesBeforeAndAfter) {
  Program(0, 100);
  Span(0, "library", "compile", "torch.compile", 10, 20);
  Span(1, "library", "compile", "inner", 12, 5);  // Counted once.
  Span(0, "library", "compile", "torch.compile", 40, 10);
  Span(0, "model", "predict", "Net", 60, 10);
  EXPECT_THAT(
      Texts(),
      ElementsAre("Compiling takes 30.0 s, 30.0 % of the program's 100 s, in 2 compilations.",
                  "Of the program's 100 s, 60.0 s pass before its first model call and 30.0 "
                  "s after the last."));
}

TEST_F(ProgramSentencesTest, ImportedTracesAreNoWholePrograms) {
  ASSERT_TRUE(database_.Query("UPDATE run SET rung = 'imported'").ok());
  Program(0, 100);
  Span(0, "model", "predict", "Net", 60, 10);
  EXPECT_THAT(Texts(), IsEmpty());
}

}  // namespace
}  // namespace xsp::report
