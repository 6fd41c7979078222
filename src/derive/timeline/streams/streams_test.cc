#include "derive/timeline/streams/streams.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "derive/timeline/timeline_testing.h"

namespace xsp::timeline::streams {
namespace {

TEST(StreamsTest, TellsAloneFromOverlapped) {
  Recording recording;
  const auto a = recording.Stream(0, 7), b = recording.Stream(0, 13);
  recording.Kernel(a, 0, 100);
  recording.Kernel(b, 60, 80, "ncclDevKernel_AllReduce_Sum_bf16_RING_LL");
  recording.Copy(b, 200, 50);
  const Timeline timeline(recording.trace());
  const Streams found = FindStreams(timeline, timeline.devices()[0]);
  ASSERT_EQ(found.streams.size(), 2U);
  EXPECT_EQ(found.streams[0].busy_ns, 100);
  EXPECT_EQ(found.streams[0].alone_ns, 60);
  EXPECT_EQ(found.streams[1].busy_ns, 130);
  EXPECT_EQ(found.streams[1].alone_ns, 90);
  EXPECT_EQ(found.streams[1].sum_ns[1], 80);
  EXPECT_EQ(found.streams[1].sum_ns[2], 50);
  EXPECT_EQ(found.concurrency[0].ns, (std::vector<std::int64_t>{60, 150, 40}));
}

TEST(StreamsTest, OverlapWithinAStreamIsOneStream) {
  Recording recording;
  const auto a = recording.Stream(0, 7);
  recording.Kernel(a, 0, 100);
  recording.Kernel(a, 50, 100);
  recording.Kernel(a, 60, 10);
  const Timeline timeline(recording.trace());
  const Streams found = FindStreams(timeline, timeline.devices()[0]);
  EXPECT_EQ(found.streams[0].busy_ns, 150);
  EXPECT_EQ(found.streams[0].alone_ns, 150);
  EXPECT_EQ(found.streams[0].sum_ns[0], 210);
  EXPECT_EQ(found.concurrency[0].ns, (std::vector<std::int64_t>{0, 150}));
}

TEST(StreamsTest, AgreesWithLookingAtEveryNanosecond) {
  std::mt19937 random(41);
  for (int round = 0; round < 200; ++round) {
    Recording recording;
    FillAtRandom(recording, random, 1 + round % 2);
    const Timeline timeline(recording.trace());
    const trace::SpanTable& spans = recording.trace().spans;
    for (const Device& device : timeline.devices()) {
      const Streams found = FindStreams(timeline, device);
      std::vector<std::set<trace::TrackId>> running;
      for (std::int64_t t = device.start_ns; t < device.end_ns; ++t) {
        running.emplace_back();
        for (const DeviceSpan& span : device.spans)
          if (span.start_ns <= t && t < span.end_ns)
            running.back().insert(spans.track[span.span - 1]);
      }
      std::int64_t number = 0;
      for (const Stream& stream : found.streams) {
        std::int64_t busy = 0, alone = 0;
        for (const auto& tracks : running) {
          busy += tracks.count(stream.track) > 0;
          alone += tracks.count(stream.track) > 0 && tracks.size() == 1;
        }
        ASSERT_EQ(stream.busy_ns, busy) << "round " << round;
        ASSERT_EQ(stream.alone_ns, alone) << "round " << round;
        number += stream.spans;
      }
      ASSERT_EQ(number, static_cast<std::int64_t>(device.spans.size()));
      ASSERT_EQ(found.concurrency.size(), device.windows.size() + 1);
      for (std::size_t i = 0; i < found.concurrency.size(); ++i) {
        const std::int64_t from = i == 0 ? device.start_ns : device.windows[i - 1].start_ns;
        const std::int64_t to = i == 0 ? device.end_ns : device.windows[i - 1].end_ns;
        std::vector<std::int64_t> ns;
        for (std::int64_t t = from; t < to; ++t) {
          const std::size_t streams = running[static_cast<std::size_t>(t - device.start_ns)].size();
          if (ns.size() <= streams) ns.resize(streams + 1);
          ++ns[streams];
        }
        ASSERT_EQ(found.concurrency[i].ns, ns) << "round " << round;
      }
    }
  }
}

}  // namespace
}  // namespace xsp::timeline::streams
