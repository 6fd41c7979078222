#include "capture/wire/timeline.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace xsp::wire {
namespace {

// A counter of 2 GHz that started long before the clocks did.
ClockPair At(std::int64_t ns, std::int64_t wall_ns = 0) {
  return {static_cast<std::uint64_t>(1'000'000 + 2 * ns), ns, wall_ns};
}

TEST(TimelineTest, InterpolatesBetweenPairs) {
  const Timeline timeline(ClockKind::kTsc, {At(0), At(1000), At(5000)});
  EXPECT_EQ(timeline.ToMonotonicNs(1'000'000), 0);
  EXPECT_EQ(timeline.ToMonotonicNs(1'000'000 + 2 * 600), 600);
  EXPECT_EQ(timeline.ToMonotonicNs(1'000'000 + 2 * 4000), 4000);
  EXPECT_EQ(timeline.ToMonotonicNs(1'000'000 + 2 * 20), 20) << "and back again";
}

TEST(TimelineTest, GoesOnAtTheSameRateBeyondTheEnds) {
  const Timeline timeline(ClockKind::kTsc, {At(1000), At(2000)});
  EXPECT_EQ(timeline.ToMonotonicNs(1'000'000 + 2 * 9000), 9000);
  EXPECT_EQ(timeline.ToMonotonicNs(1'000'000 + 2 * 100), 100);
}

TEST(TimelineTest, TakesMonotonicTicksAsTheyAre) {
  const Timeline timeline(ClockKind::kMonotonicNs, {{5, 5, 100}, {9, 9, 104}});
  EXPECT_EQ(timeline.ToMonotonicNs(7777), 7777);
  EXPECT_EQ(timeline.realtime_offset_ns(), 95);
}

TEST(TimelineTest, LeavesOutPairsThatDoNotGrow) {
  const Timeline timeline(ClockKind::kTsc,
                          {At(0), At(1000), {1'000'000 + 2 * 1500, 10, 0}, {0, -5, 0}, At(2000)});
  EXPECT_EQ(timeline.rejected(), 2u);
  EXPECT_EQ(timeline.ToMonotonicNs(1'000'000 + 2 * 1500), 1500);
}

TEST(TimelineTest, SaysHowFarTheWallClockWasMoved) {
  const Timeline timeline(ClockKind::kTsc,
                          {At(0, 50'000), At(100, 50'100), At(1000, 51'000 - 7'000)});
  EXPECT_EQ(timeline.realtime_offset_ns(), 50'000);
  EXPECT_EQ(timeline.realtime_step_ns(), -7'000);
}

TEST(TimelineTest, SaturatesInsteadOfOverflowing) {
  const Timeline timeline(ClockKind::kTsc, {{10, 0, 0}, {11, (std::int64_t{1} << 62) - 1, 0}});
  EXPECT_EQ(timeline.ToMonotonicNs(UINT64_MAX), INT64_MAX);
  EXPECT_LE(timeline.ToMonotonicNs(0), 0);
  const Timeline empty(ClockKind::kTsc, {});
  EXPECT_EQ(empty.ToMonotonicNs(UINT64_MAX), INT64_MAX);
}

TEST(TimelineTest, AgreesWithLongDoubleAndNeverRunsBackwards) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<ClockPair> pairs;
    std::uint64_t ticks = random() % 1'000'000'000'000;
    std::int64_t ns = static_cast<std::int64_t>(random() % 1'000'000'000'000);
    for (int i = 0; i < 8; ++i) {
      pairs.push_back({ticks, ns, 0});
      const std::uint64_t step = 1 + random() % 1'000'000'000;
      ticks += 2 * step + random() % 3;
      ns += static_cast<std::int64_t>(step);
    }
    const Timeline timeline(ClockKind::kTsc, pairs);
    std::int64_t before = INT64_MIN;
    for (std::size_t i = 0; i + 1 < pairs.size(); ++i) {
      for (int part = 0; part < 10; ++part) {
        const std::uint64_t width = pairs[i + 1].ticks - pairs[i].ticks;
        const std::uint64_t at = pairs[i].ticks + width / 10 * static_cast<std::uint64_t>(part);
        const std::int64_t got = timeline.ToMonotonicNs(at);
        const long double share =
            static_cast<long double>(at - pairs[i].ticks) / static_cast<long double>(width);
        const long double expected =
            static_cast<long double>(pairs[i].monotonic_ns) +
            share * static_cast<long double>(pairs[i + 1].monotonic_ns - pairs[i].monotonic_ns);
        EXPECT_LE(std::fabs(static_cast<double>(expected - static_cast<long double>(got))), 1.0);
        EXPECT_GE(got, before);
        before = got;
      }
    }
  }
}

}  // namespace
}  // namespace xsp::wire
