#include "derive/timeline/device_time/device_time.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "derive/timeline/timeline_testing.h"

namespace xsp::timeline::device_time {
namespace {

TEST(DeviceTimeTest, CountsOverlapOnce) {
  Recording recording;
  const auto a = recording.Stream(0, 7), b = recording.Stream(0, 13);
  recording.Kernel(a, 0, 100);
  recording.Kernel(b, 50, 100);
  const Timeline timeline(recording.trace());
  ASSERT_EQ(timeline.devices().size(), 1U);
  const Breakdown whole = BreakDown(timeline.devices()[0]).front();
  EXPECT_EQ(whole.busy_ns(), 150);
  EXPECT_EQ(whole.idle_ns(), 0);
  EXPECT_EQ(whole.Of(Activity::kCompute), 150);
  EXPECT_EQ(whole.spans, 2);
}

TEST(DeviceTimeTest, OfCountedCallsTheTimeIsThatOfTheCalls) {
  Recording recording;
  const auto thread = recording.Thread(), stream = recording.Stream(0, 7);
  recording.Copy(stream, 0, 400, recording.Launch(thread, 0));  // The weights.
  recording.CountedCall(thread, -1, 500, 100);
  recording.Kernel(stream, 520, 20, "warm-up", recording.Launch(thread, 510));
  recording.CountedCall(thread, 0, 1000, 100);
  recording.Kernel(stream, 1030, 30, "k", recording.Launch(thread, 1005));
  recording.Kernel(stream, 1080, 40, "k",
                   recording.Launch(thread, 1070));  // Beyond the call's end.
  recording.Kernel(stream, 2000, 100, "k", recording.Launch(thread, 1990));  // Of no call.
  recording.CountedCall(thread, 1, 3000, 100);
  recording.Kernel(stream, 3040, 10, "k", recording.Launch(thread, 3035));
  const Timeline timeline(recording.trace());
  ASSERT_EQ(timeline.devices().size(), 1U);
  const std::vector<Breakdown> parts = BreakDown(timeline.devices()[0]);
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(parts[0].total_ns(), 120 + 50);
  EXPECT_EQ(parts[0].busy_ns(), 70 + 10);
  EXPECT_EQ(parts[0].spans, 3);
  EXPECT_EQ(parts[1].total_ns(), 120);
  EXPECT_EQ(parts[1].busy_ns(), 70);
  EXPECT_EQ(parts[2].total_ns(), 50);
  EXPECT_EQ(parts[2].idle_ns(), 40);
}

TEST(DeviceTimeTest, ExposesWhatNothingHides) {
  Recording recording;
  const auto a = recording.Stream(0, 7), b = recording.Stream(0, 13), c = recording.Stream(0, 14);
  recording.Kernel(a, 0, 100);
  recording.Kernel(b, 60, 100, "ncclDevKernel_AllReduce_Sum_bf16_RING_LL");
  recording.Copy(c, 150, 50);
  recording.Kernel(a, 300, 10);
  const Timeline timeline(recording.trace());
  const Breakdown whole = BreakDown(timeline.devices()[0]).front();
  EXPECT_EQ(whole.total_ns(), 310);
  EXPECT_EQ(whole.Of(Activity::kCommunication), 100);
  EXPECT_EQ(whole.Both(Activity::kCompute, Activity::kCommunication), 40);
  EXPECT_EQ(whole.exposed_communication_ns(), 60);
  EXPECT_EQ(whole.Of(Activity::kCopy), 50);
  EXPECT_EQ(whole.exposed_copy_ns(), 40);
  EXPECT_EQ(whole.idle_ns(), 100);
}

TEST(DeviceTimeTest, WorkBelongsToTheStepThatLaunchedIt) {
  Recording recording;
  const auto thread = recording.Thread();
  const auto stream = recording.Stream(0, 7);
  recording.Step(thread, 3, 0, 100);
  recording.Step(thread, 4, 100, 100);
  // The device lags behind: the first step's work starts when the second one runs on the host.
  recording.Kernel(stream, 150, 50, "gemm", recording.Launch(thread, 10));
  recording.Kernel(stream, 210, 50, "gemm", recording.Launch(thread, 20));
  recording.Kernel(stream, 300, 30, "gemm", recording.Launch(thread, 110));
  const Timeline timeline(recording.trace());
  const auto parts = BreakDown(timeline.devices()[0]);
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(timeline.steps()[static_cast<std::size_t>(parts[1].step)].number, 3);
  EXPECT_EQ(parts[1].start_ns, 150);
  EXPECT_EQ(parts[1].end_ns, 300);
  EXPECT_EQ(parts[1].busy_ns(), 100);
  EXPECT_EQ(parts[1].spans, 2);
  EXPECT_EQ(timeline.steps()[static_cast<std::size_t>(parts[2].step)].number, 4);
  EXPECT_EQ(parts[2].busy_ns(), 30);
}

TEST(DeviceTimeTest, AgreesWithLookingAtEveryNanosecond) {
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    Recording recording;
    FillAtRandom(recording, random);
    const Timeline timeline(recording.trace());
    for (const Device& device : timeline.devices()) {
      for (const Breakdown& part : BreakDown(device)) {
        std::array<std::int64_t, 1 << kActivityCount> ns = {};
        for (std::int64_t t = part.start_ns; t < part.end_ns; ++t) {
          unsigned set = 0;
          for (const DeviceSpan& span : device.spans)
            if (span.start_ns <= t && t < span.end_ns)
              set |= 1U << static_cast<unsigned>(span.activity);
          ++ns[set];
        }
        ASSERT_THAT(part.ns, testing::ElementsAreArray(ns)) << "round " << round;
      }
    }
  }
}

TEST(DeviceTimeTest, WindowsCoverTheTimeFromTheFirstStepsWorkOn) {
  std::mt19937 random(12);
  for (int round = 0; round < 300; ++round) {
    Recording recording;
    FillAtRandom(recording, random, 2);
    const Timeline timeline(recording.trace());
    for (const Device& device : timeline.devices()) {
      const auto parts = BreakDown(device);
      std::int64_t spans = 0;
      for (std::size_t i = 1; i < parts.size(); ++i) {
        EXPECT_LT(parts[i].start_ns, parts[i].end_ns);
        if (i > 1) {
          EXPECT_EQ(parts[i].start_ns, parts[i - 1].end_ns);
        }
        spans += parts[i].spans;
      }
      if (parts.size() == 1) continue;
      EXPECT_EQ(parts.back().end_ns, device.end_ns);
      std::int64_t expected = 0;
      for (const DeviceSpan& span : device.spans) expected += span.start_ns >= parts[1].start_ns;
      EXPECT_EQ(spans, expected);
    }
  }
}

}  // namespace
}  // namespace xsp::timeline::device_time
