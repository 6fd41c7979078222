#include "derive/timeline/device_strip/device_strip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "derive/timeline/timeline_testing.h"

namespace xsp::timeline::device_strip {
namespace {

TEST(DeviceStripTest, WhatComputesHidesTheRest) {
  Recording recording;
  const auto a = recording.Stream(0, 7), b = recording.Stream(0, 8);
  recording.Kernel(a, 0, 1000);
  recording.Kernel(b, 600, 1400, "ncclDevKernel_AllReduce");
  recording.Copy(b, 1900, 600);
  const Timeline timeline(recording.trace());
  Shown total = {};
  for (const Shown& shown : StripOf(timeline.devices()[0], AxisOf(timeline)))
    for (std::size_t i = 0; i < total.size(); ++i) total[i] += shown[i];
  EXPECT_THAT(total, testing::ElementsAre(1000, 1000, 500));
}

TEST(DeviceStripTest, DevicesShareOneAxis) {
  Recording recording;
  recording.Kernel(recording.Stream(0, 7, 0), 1000, 10);
  recording.Kernel(recording.Stream(0, 7, 1), 4000, 20);
  const Timeline timeline(recording.trace());
  const Axis axis = AxisOf(timeline);
  EXPECT_EQ(axis.start_ns, 1000);
  EXPECT_GE(axis.start_ns + axis.segments * axis.length_ns, 4020);
  const auto late = StripOf(timeline.devices()[1], axis);
  EXPECT_EQ(late.front()[0], 0);
}

TEST(DeviceStripTest, WithoutDevicesThereIsNoAxis) {
  Recording recording;
  EXPECT_EQ(AxisOf(Timeline(recording.trace())).segments, 0);
}

TEST(DeviceStripTest, AgreesWithLookingAtEveryNanosecond) {
  std::mt19937 random(31);
  for (int round = 0; round < 200; ++round) {
    Recording recording;
    FillAtRandom(recording, random, 1 + round % 3);
    const Timeline timeline(recording.trace());
    const Axis axis = AxisOf(timeline);
    for (const Device& device : timeline.devices()) {
      std::vector<Shown> expected(static_cast<std::size_t>(axis.segments));
      for (std::int64_t t = device.start_ns; t < device.end_ns; ++t) {
        int shown = kActivityCount;
        for (const DeviceSpan& span : device.spans)
          if (span.start_ns <= t && t < span.end_ns)
            shown = std::min(shown, static_cast<int>(span.activity));
        if (shown < kActivityCount)
          ++expected[static_cast<std::size_t>((t - axis.start_ns) / axis.length_ns)]
                    [static_cast<std::size_t>(shown)];
      }
      ASSERT_EQ(StripOf(device, axis), expected) << "round " << round;
    }
  }
}

}  // namespace
}  // namespace xsp::timeline::device_strip
