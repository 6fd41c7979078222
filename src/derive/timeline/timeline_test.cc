#include "derive/timeline/timeline.h"

#include <gtest/gtest.h>

#include <random>

#include "derive/timeline/timeline_testing.h"

namespace xsp::timeline {
namespace {

TEST(TimelineTest, NumbersStepsAsTheirNamesDo) {
  Recording recording;
  const auto thread = recording.Thread();
  recording.Step(thread, 8, 200, 50);
  recording.Step(thread, 7, 100, 50);
  const Timeline timeline(recording.trace());
  ASSERT_EQ(timeline.steps().size(), 2U);
  EXPECT_EQ(timeline.NumberOf(0), 7);
  EXPECT_EQ(timeline.NumberOf(1), 8);
  EXPECT_EQ(timeline.NumberOf(-1), trace::kNotApplicable);
}

TEST(TimelineTest, AStepInsideAStepIsNoStepOfItsOwn) {
  Recording recording;
  const auto thread = recording.Thread();
  recording.Step(thread, 1, 0, 100);
  recording.Step(thread, 1, 10, 80);
  EXPECT_EQ(Timeline(recording.trace()).steps().size(), 1U);
}

TEST(TimelineTest, CallsAreStepsWhereThereAreNone) {
  Recording recording;
  const auto thread = recording.Thread();
  const auto warmup = recording.Add(trace::Level::kModel, "predict", "net", thread, 0, 10);
  const auto call = recording.Add(trace::Level::kModel, "predict", "net", thread, 20, 10);
  recording.Add(trace::Level::kModel, "predict", "net", thread, 40, 10);  // For comparison.
  recording.writer().AddMetric(warmup, "iteration", -1, "1", "analytic");
  recording.writer().AddMetric(call, "iteration", 4, "1", "analytic");
  const Timeline timeline(recording.trace());
  ASSERT_EQ(timeline.steps().size(), 1U);
  EXPECT_EQ(timeline.NumberOf(0), 4);
}

TEST(TimelineTest, OfCallsOfSeveralKindsThoseWithMostTimeAreSteps) {
  Recording recording;
  const auto thread = recording.Thread();
  recording.Add(trace::Level::kModel, "train", "step", thread, 0, 50);
  recording.Add(trace::Level::kModel, "predict", "net", thread, 60, 10);
  recording.Add(trace::Level::kModel, "predict", "net", thread, 70, 10);
  recording.Add(trace::Level::kModel, "train", "step", thread, 100, 50);
  const Timeline timeline(recording.trace());
  ASSERT_EQ(timeline.steps().size(), 2U);
  EXPECT_EQ(timeline.steps()[1].start_ns, 100);
  EXPECT_TRUE(timeline.uncounted_calls().empty());
}

TEST(TimelineTest, AColdCallDoesNotMakeItsKindTheSteps) {
  Recording recording;
  const auto thread = recording.Thread();
  recording.Add(trace::Level::kModel, "predict", "net", thread, 0, 63);
  recording.Add(trace::Level::kModel, "predict", "net", thread, 70, 2);
  for (const std::int64_t start_ns : {100, 120, 140})
    recording.Add(trace::Level::kModel, "train", "step", thread, start_ns, 15);
  const Timeline timeline(recording.trace());
  ASSERT_EQ(timeline.steps().size(), 3U);
  EXPECT_EQ(timeline.steps()[0].start_ns, 100);
}

TEST(TimelineTest, RanksHaveDevicesAndStepsOfTheirOwn) {
  Recording recording;
  for (const std::int64_t rank : {1, 0}) {
    recording.Step(recording.Thread(rank), 5 + rank, 0, 100);
    recording.Kernel(recording.Stream(0, 7, rank), 10, 5);
  }
  const Timeline timeline(recording.trace());
  ASSERT_EQ(timeline.devices().size(), 2U);
  EXPECT_EQ(timeline.devices()[0].rank, 0);
  EXPECT_EQ(timeline.devices()[1].rank, 1);
  EXPECT_EQ(timeline.StepsOf(1).front().number, 6);
  EXPECT_TRUE(timeline.StepsOf(2).empty());
}

TEST(TimelineTest, ReferenceTracksAndUnfinishedWorkAreLeftOut) {
  Recording recording;
  const auto reference = recording.Stream(0, 7), stream = recording.Stream(0, 8);
  recording.Kernel(reference, 0, 10);
  recording.Kernel(stream, 0, trace::kNeverEnded);
  recording.trace().tracks[reference - 1].is_reference = true;
  EXPECT_TRUE(Timeline(recording.trace()).devices().empty());
}

// The rule of the header, by looking at every step.
TEST(TimelineTest, WorkIsOfTheLastStepThatStartedBeforeItsLaunch) {
  std::mt19937 random(21);
  for (int round = 0; round < 300; ++round) {
    Recording recording;
    FillAtRandom(recording, random, 2);
    const Timeline timeline(recording.trace());
    for (const Device& device : timeline.devices()) {
      for (const DeviceSpan& span : device.spans) {
        if (span.launch == 0) continue;
        const std::int64_t launched = recording.trace().spans.start_ns[span.launch - 1];
        std::int32_t expected = -1;
        for (std::size_t i = 0; i < timeline.steps().size(); ++i) {
          const Step& step = timeline.steps()[i];
          if (step.rank == device.rank && step.start_ns <= launched)
            expected = static_cast<std::int32_t>(i);
        }
        ASSERT_EQ(span.step, expected);
      }
    }
  }
}

}  // namespace
}  // namespace xsp::timeline
