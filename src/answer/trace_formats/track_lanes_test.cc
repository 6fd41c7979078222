#include "answer/trace_formats/track_lanes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace xsp::trace_formats {
namespace {

struct Interval {
  std::int64_t start_ns, end_ns;
  std::size_t lane = 0;
  bool closed = false;
};

/// Whether `b`, which does not start before `a`, lies in it or after it.
bool NestsOrFollows(const Interval& a, const Interval& b) {
  return b.start_ns >= a.end_ns || b.end_ns <= a.end_ns;
}

std::vector<Interval> RandomIntervals(std::mt19937& random, std::size_t count) {
  std::vector<Interval> intervals;
  for (std::size_t i = 0; i < count; ++i) {
    const auto start = static_cast<std::int64_t>(random() % 60);
    intervals.push_back({start, start + static_cast<std::int64_t>(random() % 20)});
  }
  std::ranges::sort(intervals, [](const Interval& a, const Interval& b) {
    return a.start_ns != b.start_ns ? a.start_ns < b.start_ns : a.end_ns > b.end_ns;
  });
  return intervals;
}

TEST(TrackLanes, SpansOfALaneNestWhateverTheyAre) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::vector<Interval> intervals = RandomIntervals(random, 1 + random() % 40);
    TrackLanes lanes;
    std::vector<std::int64_t> last_end(100, -1);
    const auto close = [&](std::size_t lane, const TrackLanes::OpenSpan& open) {
      Interval& interval = intervals[open.tag];
      EXPECT_FALSE(interval.closed);
      EXPECT_EQ(interval.lane, lane);
      EXPECT_GE(open.end_ns, last_end[lane]);
      last_end[lane] = open.end_ns;
      interval.closed = true;
    };
    for (std::size_t i = 0; i < intervals.size(); ++i) {
      intervals[i].lane = lanes.Find(intervals[i].start_ns, intervals[i].end_ns, close);
      for (std::size_t before = 0; before < i; ++before) {
        if (intervals[before].lane != intervals[i].lane) continue;
        EXPECT_TRUE(NestsOrFollows(intervals[before], intervals[i]));
      }
      lanes.Push(intervals[i].lane, intervals[i].end_ns, static_cast<std::uint32_t>(i));
    }
    lanes.Finish(close);
    EXPECT_TRUE(std::ranges::all_of(intervals, &Interval::closed));
  }
}

TEST(TrackLanes, NestedSpansNeedOneLane) {
  TrackLanes lanes;
  const auto close = [](std::size_t, const TrackLanes::OpenSpan&) {};
  EXPECT_EQ(lanes.Find(0, 10, close), 0u);
  EXPECT_EQ(lanes.Top(0), nullptr);
  lanes.Push(0, 10, 1);
  EXPECT_EQ(lanes.Find(0, 10, close), 0u);
  EXPECT_EQ(lanes.Top(0)->tag, 1u);
  lanes.Push(0, 10, 2);
  EXPECT_EQ(lanes.Find(10, 12, close), 0u);
  EXPECT_EQ(lanes.Top(0), nullptr);
  lanes.Push(0, 12, 3);
  EXPECT_EQ(lanes.Find(11, 13, close), 1u);
}

}  // namespace
}  // namespace xsp::trace_formats
