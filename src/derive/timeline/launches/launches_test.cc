#include "derive/timeline/launches/launches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <utility>

#include "derive/timeline/timeline_testing.h"

namespace xsp::timeline::launches {
namespace {

std::vector<Launches> Find(Recording& recording) {
  const Timeline timeline(recording.trace());
  return FindLaunches(timeline, timeline.devices()[0]);
}

TEST(LaunchesTest, TellsWaitingInTheQueueFromTheWayThere) {
  Recording recording;
  const auto thread = recording.Thread();
  const auto stream = recording.Stream(0, 7);
  recording.Kernel(stream, 100, 200, "first", recording.Launch(thread, 0, 20));
  recording.Kernel(stream, 310, 50, "second", recording.Launch(thread, 30, 20));
  const auto found = Find(recording);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].latency_p50_ns, 100);
  EXPECT_EQ(found[0].queued_ns, 0);
  EXPECT_EQ(found[0].waited_ns, 80);
  EXPECT_EQ(found[1].latency_p50_ns, 280);
  EXPECT_EQ(found[1].queued_ns, 200);
  EXPECT_EQ(found[1].waited_ns, 50 + 10);
  EXPECT_EQ(found[1].late, 0);
}

TEST(LaunchesTest, AKernelIsShortBesideItsPartOfTheCall) {
  Recording recording;
  const auto thread = recording.Thread();
  const auto stream = recording.Stream(0, 7);
  const auto graph = recording.Launch(thread, 0, 40);
  for (int i = 0; i < 4; ++i) recording.Kernel(stream, 100 + 20 * i, 8 + i, "node", graph);
  recording.Kernel(stream, 300, 8, "single", recording.Launch(thread, 290, 9));
  const auto found = Find(recording);
  EXPECT_EQ(found[0].shorter, 2);
  EXPECT_EQ(found[0].call_ns, 40);
  EXPECT_EQ(found[1].shorter, 1);
  EXPECT_EQ(found[1].late, 1);
  EXPECT_EQ(found[1].late_ns, 300 - 171);
}

TEST(LaunchesTest, CountsWhatHasNoLaunchAndWhatStartsBeforeIt) {
  Recording recording;
  const auto thread = recording.Thread();
  const auto stream = recording.Stream(0, 7);
  recording.Kernel(stream, 100, 20'000, "k");
  recording.Kernel(stream, 30'000, 9'999, "k", recording.Launch(thread, 30'005));
  const auto found = Find(recording);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].unlaunched, 1);
  EXPECT_EQ(found[0].launched, 1);
  EXPECT_EQ(found[0].negative, 1);
  EXPECT_EQ(found[0].latency_min_ns, -5);
  EXPECT_EQ(found[0].brief, 1);
  EXPECT_EQ(found[0].brief_ns, 9'999);
  EXPECT_EQ(found[0].device_ns, 29'999);
}

/// The same by looking at every nanosecond and at all other work.
struct Slow {
  std::int64_t launched = 0, unlaunched = 0, shorter = 0, negative = 0, late = 0, late_ns = 0;
  std::int64_t device_ns = 0, queued_ns = 0, waited_ns = 0;
  double call_ns = 0;
  std::vector<std::int64_t> latencies;
};

std::map<std::pair<std::string, std::string>, Slow> SlowLaunches(const Timeline& timeline,
                                                                 const Device& device) {
  const trace::SpanTable& spans = timeline.trace().spans;
  std::map<std::pair<std::string, std::string>, Slow> all;
  for (std::size_t i = 0; i < device.spans.size(); ++i) {
    const DeviceSpan& span = device.spans[i];
    Slow& slow = all[{std::string(timeline.NameOf(span.span)),
                      std::string(timeline.trace().Text(spans.type[span.span - 1]))}];
    const std::int64_t duration = span.end_ns - span.start_ns;
    slow.device_ns += duration;
    if (span.launch == 0) {
      ++slow.unlaunched;
      continue;
    }
    ++slow.launched;
    const std::int64_t call_start = spans.start_ns[span.launch - 1];
    const std::int64_t call_end = call_start + spans.duration_ns[span.launch - 1];
    int others = 0;
    for (const DeviceSpan& other : device.spans) others += other.launch == span.launch;
    const double part = static_cast<double>(call_end - call_start) / others;
    slow.call_ns += part;
    slow.shorter += static_cast<double>(duration) < part;
    slow.negative += span.start_ns < call_start;
    slow.latencies.push_back(span.start_ns - call_start);
    std::vector<DeviceSpan> before;
    for (std::size_t j = 0; j < i; ++j)
      if (spans.track[device.spans[j].span - 1] == spans.track[span.span - 1])
        before.push_back(device.spans[j]);
    for (std::int64_t t = call_end; t < span.start_ns; ++t) {
      const bool busy = std::any_of(before.begin(), before.end(), [&](const DeviceSpan& other) {
        return other.start_ns <= t && t < other.end_ns;
      });
      ++(busy ? slow.queued_ns : slow.waited_ns);
    }
    if (i == 0) continue;
    std::int64_t end = device.spans[0].end_ns;
    for (std::size_t j = 0; j < i; ++j) end = std::max(end, device.spans[j].end_ns);
    if (call_start > end && span.start_ns > end) {
      ++slow.late;
      slow.late_ns += span.start_ns - end;
    }
  }
  return all;
}

TEST(LaunchesTest, AgreesWithLookingAtEveryNanosecond) {
  std::mt19937 random(31);
  for (int round = 0; round < 200; ++round) {
    Recording recording;
    FillAtRandom(recording, random);
    trace::SpanTable& spans = recording.trace().spans;
    // Some work shares its launch with other work; some starts before its launch.
    for (std::size_t i = 1; i < spans.size(); ++i)
      if (spans.level[i] == trace::Level::kKernel && random() % 4 == 0)
        spans.parent[i] = spans.parent[static_cast<std::size_t>(random()) % i];
    for (std::size_t i = 0; i < spans.size(); ++i) {
      trace::SpanId& parent = spans.parent[i];
      if (parent != 0 && spans.level[parent - 1] != trace::Level::kLibrary) parent = 0;
    }
    const Timeline timeline(recording.trace());
    for (const Device& device : timeline.devices()) {
      const auto slow = SlowLaunches(timeline, device);
      const auto found = FindLaunches(timeline, device);
      ASSERT_EQ(found.size(), slow.size());
      for (const Launches& fast : found) {
        const auto type = timeline.trace().Text(spans.type[fast.example - 1]);
        const Slow& expected =
            slow.at({std::string(timeline.NameOf(fast.example)), std::string(type)});
        ASSERT_EQ(fast.launched, expected.launched);
        ASSERT_EQ(fast.unlaunched, expected.unlaunched);
        ASSERT_EQ(fast.shorter, expected.shorter);
        ASSERT_EQ(fast.negative, expected.negative);
        ASSERT_EQ(fast.late, expected.late);
        ASSERT_EQ(fast.late_ns, expected.late_ns);
        ASSERT_EQ(fast.device_ns, expected.device_ns);
        ASSERT_EQ(fast.queued_ns, expected.queued_ns) << "round " << round;
        ASSERT_EQ(fast.waited_ns, expected.waited_ns);
        ASSERT_NEAR(static_cast<double>(fast.call_ns), expected.call_ns, 0.51);
        if (fast.launched == 0) continue;
        auto sorted = expected.latencies;
        std::sort(sorted.begin(), sorted.end());
        ASSERT_EQ(fast.latency_min_ns, sorted.front());
        ASSERT_EQ(fast.latency_max_ns, sorted.back());
        ASSERT_EQ(fast.latency_p50_ns, sorted[(sorted.size() + 1) / 2 - 1]);
        ASSERT_EQ(fast.latency_p95_ns, sorted[(sorted.size() * 19 + 19) / 20 - 1]);
        double sum = 0;
        for (const std::int64_t latency : sorted) sum += static_cast<double>(latency);
        ASSERT_NEAR(fast.latency_mean_ns, sum / static_cast<double>(sorted.size()), 1e-9);
      }
    }
  }
}

}  // namespace
}  // namespace xsp::timeline::launches
