#include "capture/counters/reading.h"

#include <gtest/gtest.h>

#include <random>

namespace xsp::counters {
namespace {

TEST(BetweenTest, TakesWhatWasCountedAllTheTimeAsItIs) {
  const Difference made = Between({100, 1000, 1000}, {350, 3000, 3000});
  EXPECT_EQ(made.value, 250);
  EXPECT_EQ(made.share, 1);
}

TEST(BetweenTest, ScalesUpByTheShareOfTimeInWhichItCounted) {
  // Counted for 500 of 2000 ns: four times as much is the estimate.
  const Difference made = Between({100, 1000, 800}, {350, 3000, 1300});
  EXPECT_DOUBLE_EQ(made.value, 1000);
  EXPECT_DOUBLE_EQ(made.share, 0.25);
}

TEST(BetweenTest, KnowsNothingOfWhatWasNeverCounted) {
  EXPECT_EQ(Between({100, 1000, 800}, {100, 3000, 800}).share, 0);
}

TEST(BetweenTest, TakesNoTimeAsWhollyCounted) {
  const Difference made = Between({7, 1000, 1000}, {7, 1000, 1000});
  EXPECT_EQ(made.value, 0);
  EXPECT_EQ(made.share, 1);
}

TEST(BetweenTest, NeverGivesNegativeCounts) {
  const Difference made = Between({100, 1000, 1000}, {50, 900, 900});
  EXPECT_EQ(made.value, 0);
}

/// The formulas of linux/perf_event.h on 128 bits, where nothing overflows.
std::uint64_t SlowDelta(const perf_event_mmap_page& page, std::uint64_t cycles) {
  __extension__ using Wide = unsigned __int128;
  const Wide quotient = cycles >> page.time_shift;
  const Wide rest = cycles & ((Wide{1} << page.time_shift) - 1);
  return static_cast<std::uint64_t>(page.time_offset + quotient * page.time_mult +
                                    ((rest * page.time_mult) >> page.time_shift));
}

TEST(ReadPageTest, AddsTheHardwareCounterAndTheTimeSince) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 1000; ++i) {
    perf_event_mmap_page page = {};
    page.index = 1 + static_cast<std::uint32_t>(random() % 8);
    page.pmc_width = 48;
    page.offset = static_cast<std::int64_t>(random() % (1ull << 50));
    page.time_enabled = random() % (1ull << 40);
    page.time_running = page.time_enabled / 2;
    page.time_shift = 31;
    page.time_mult = static_cast<std::uint32_t>(random());
    page.time_offset = random() % (1ull << 40);
    const std::uint64_t cycles = random() % (1ull << 50);
    const auto counter = static_cast<std::int64_t>(random() % (1ull << 40)) - (1ll << 39);
    std::uint32_t asked = ~0u;
    const Count count = ReadPage(
        page,
        [&](std::uint32_t index) {
          asked = index;
          return static_cast<std::uint64_t>(counter) & ((1ull << 48) - 1);
        },
        [&] { return cycles; });
    EXPECT_EQ(asked, page.index - 1);
    EXPECT_EQ(count.value, static_cast<std::uint64_t>(page.offset + counter));
    EXPECT_EQ(count.enabled_ns, page.time_enabled + SlowDelta(page, cycles));
    EXPECT_EQ(count.running_ns, page.time_running + SlowDelta(page, cycles));
  }
}

TEST(ReadPageTest, CountsNoTimeAsRunningWhileNoCounterIsFree) {
  perf_event_mmap_page page = {};
  page.offset = 42;
  page.time_enabled = 100;
  page.time_running = 60;
  page.time_offset = 7;
  const auto none = [](std::uint32_t) -> std::uint64_t {
    ADD_FAILURE() << "no hardware counter is ours";
    return 0;
  };
  const Count count = ReadPage(page, none, [] { return std::uint64_t{0}; });
  EXPECT_EQ(count.value, 42u);
  EXPECT_EQ(count.enabled_ns, 107u);
  EXPECT_EQ(count.running_ns, 60u);
}

TEST(ReadPageTest, ReadsAgainWhatTheKernelChangedMeanwhile) {
  perf_event_mmap_page page = {};
  page.offset = 1;
  int reads = 0;
  const Count count = ReadPage(
      page, [](std::uint32_t) { return std::uint64_t{0}; },
      [&] {
        if (++reads == 1) {
          page.lock += 2;
          page.offset = 5;
          page.time_enabled = 9;
        }
        return std::uint64_t{0};
      });
  EXPECT_EQ(reads, 2);
  EXPECT_EQ(count.value, 5u);
  EXPECT_EQ(count.enabled_ns, 9u);
}

}  // namespace
}  // namespace xsp::counters
