#include "measure/roof_loops/rate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "os/processor.h"

namespace xsp::roof_loops {
namespace {

using Marks = std::vector<Progress>;

/// Work until a time by a search from the start: slow, and nothing to go wrong.
double SlowWorkUntil(const Marks& marks, double time_ns) {
  for (std::size_t i = 1; i < marks.size(); ++i) {
    const double from = static_cast<double>(marks[i - 1].time_ns);
    const double to = static_cast<double>(marks[i].time_ns);
    if (time_ns <= to || i + 1 == marks.size()) {
      return marks[i - 1].work +
             (marks[i].work - marks[i - 1].work) * (time_ns - from) / (to - from);
    }
  }
  return 0;
}

TEST(RateTest, FindsTheUndisturbedWindow) {
  // 10 units in 1000 ns, a pause of 5000 ns, 10 units in 1000 ns.
  const std::vector<Marks> threads = {
      {{0, 0}, {500, 5}, {1000, 10}, {6000, 10}, {6500, 15}, {7000, 20}}};
  const Rate rate = RateOf(threads, 1000);
  EXPECT_DOUBLE_EQ(rate.best_per_s, 10 / 1000e-9);
  EXPECT_DOUBLE_EQ(rate.median_per_s, 0);
  EXPECT_EQ(rate.windows, 7);
}

TEST(RateTest, AddsThreadsOnlyWhereTheyWorkAtOnce) {
  const std::vector<Marks> threads = {{{0, 0}, {1000, 100}, {2000, 100}},
                                      {{0, 0}, {1000, 0}, {2000, 100}}};
  EXPECT_NEAR(RateOf(threads, 1000).best_per_s, 100 / 1000e-9, 1);
}

TEST(RateTest, UsesTheTimeThatAllThreadsCover) {
  const std::vector<Marks> threads = {{{0, 0}, {4000, 4000}}, {{1000, 0}, {3000, 2000}}};
  const Rate rate = RateOf(threads, 500);
  EXPECT_NEAR(rate.best_per_s, 2e9, 1);
  EXPECT_EQ(rate.windows, 4);
}

TEST(RateTest, TakesAllTheTimeWhenItIsShorterThanAWindow) {
  const std::vector<Marks> threads = {{{0, 0}, {100, 50}}};
  const Rate rate = RateOf(threads, 1000);
  EXPECT_DOUBLE_EQ(rate.best_per_s, 0.5e9);
  EXPECT_EQ(rate.windows, 1);
}

TEST(RateTest, TellsNothingWithoutTwoMarksOfEach) {
  EXPECT_EQ(RateOf({}, 10).best_per_s, 0);
  const std::vector<Marks> one = {{{0, 0}, {10, 1}}, {{0, 0}}};
  EXPECT_EQ(RateOf(one, 10).best_per_s, 0);
  const std::vector<Marks> apart = {{{0, 0}, {10, 1}}, {{20, 0}, {30, 1}}};
  EXPECT_EQ(RateOf(apart, 10).best_per_s, 0);
}

TEST(RateTest, AgreesWithASlowSearchOnRandomMarks) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<Marks> threads(1 + random() % 3);
    for (Marks& marks : threads) {
      Progress mark{static_cast<std::int64_t>(random() % 50), 0};
      marks.push_back(mark);
      while (mark.time_ns < 1000) {
        mark.time_ns += 1 + static_cast<std::int64_t>(random() % 200);
        mark.work += static_cast<double>(random() % 100);
        marks.push_back(mark);
      }
    }
    const std::int64_t window_ns = 20 + static_cast<std::int64_t>(random() % 300);
    double start = 0, end = 1e9;
    for (const Marks& marks : threads) {
      start = std::max(start, static_cast<double>(marks.front().time_ns));
      end = std::min(end, static_cast<double>(marks.back().time_ns));
    }
    double best = 0;
    const double step = static_cast<double>(window_ns) / 4;
    for (int i = 0; start + step * (i + 4) <= end + 1e-6; ++i) {
      double work = 0;
      for (const Marks& marks : threads) {
        work +=
            SlowWorkUntil(marks, start + step * (i + 4)) - SlowWorkUntil(marks, start + step * i);
      }
      best = std::max(best, work / static_cast<double>(window_ns) * 1e9);
    }
    EXPECT_NEAR(RateOf(threads, window_ns).best_per_s, best, 1e-6 * best + 1e-3) << trial;
  }
}

TEST(MeasureRateTest, RunsOneThreadPerCpuAndCountsItsWork) {
  const std::vector<int> cpus = os::AllowedCpus();
  std::vector<int> made(cpus.size(), 0);
  const Effort effort{100'000, 3'000'000, 1'000'000};
  const Measurement measurement = MeasureRate(
      cpus,
      [&](int thread) {
        ++made[static_cast<std::size_t>(thread)];
        return Chunk([] {
          volatile int spin = 0;
          while (spin < 2000) spin = spin + 1;
          return 2000.0;
        });
      },
      effort);
  EXPECT_EQ(made, std::vector<int>(cpus.size(), 1));
  EXPECT_GT(measurement.rate.best_per_s, 0);
  EXPECT_GE(measurement.rate.best_per_s, measurement.rate.median_per_s);
  EXPECT_GE(measurement.off_cpu_share, 0);
  EXPECT_LE(measurement.off_cpu_share, 1);
  EXPECT_TRUE(measurement.pinned);
}

TEST(MeasureRateTest, LeavesTheCallersAffinityAlone) {
  const std::vector<int> before = os::AllowedCpus();
  RunOnEach(std::span(before).first(1), [](int) {});
  EXPECT_EQ(os::AllowedCpus(), before);
}

}  // namespace
}  // namespace xsp::roof_loops
