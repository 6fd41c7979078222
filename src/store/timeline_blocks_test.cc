#include "store/timeline_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "trace/trace.h"

namespace xsp::store {
namespace {

/// Tracks of nested and of overlapping spans, some without length, some that never ended.
trace::Trace RandomSpans(std::uint32_t seed, int spans) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t n) { return static_cast<std::int64_t>(random() % n); };
  trace::Trace trace;
  trace::TraceWriter writer(trace);
  for (int i = 0; i < 3; ++i) writer.AddTrack({trace::TrackKind::kThread, "t", 1, i});
  const std::int64_t shift = below(2) == 0 ? -5000 : 1'700'000'000'000'000'000;
  for (int i = 0; i < spans; ++i) {
    const std::uint32_t longest = 1U << below(14);
    writer.AddSpan({trace::Level::kKernel, "kernel", "name",
                    static_cast<trace::TrackId>(1 + below(3)), shift + below(20'000),
                    below(20) == 0 ? trace::kNeverEnded : below(longest)});
  }
  return trace;
}

/// Lanes by the definition: as LaneFinder, with every earlier span of the track looked at.
std::vector<int> SlowLanes(const trace::SpanTable& spans) {
  std::vector<std::uint32_t> order(spans.size());
  for (std::uint32_t row = 0; row < spans.size(); ++row) order[row] = row;
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(spans.start_ns[a], -EndOf(spans, a)) <
           std::pair(spans.start_ns[b], -EndOf(spans, b));
  });
  std::vector<int> lanes(spans.size(), -1);
  for (std::size_t at = 0; at < order.size(); ++at) {
    const std::uint32_t row = order[at];
    int lane = 0;
    std::map<int, bool> taken;
    for (std::size_t i = 0; i < at; ++i) {
      const std::uint32_t other = order[i];
      if (spans.track[other] != spans.track[row] || EndOf(spans, other) <= spans.start_ns[row])
        continue;
      taken[lanes[other]] = true;
      if (EndOf(spans, other) >= EndOf(spans, row)) lane = std::max(lane, lanes[other] + 1);
    }
    while (taken.contains(lane)) ++lane;
    lanes[row] = lane;
  }
  return lanes;
}

/// The blocks of one width by the definition, by their first span's start, track and lane.
std::vector<TimelineBlock> SlowBlocks(const trace::SpanTable& spans, const std::vector<int>& lanes,
                                      std::int64_t bucket_ns) {
  const std::int64_t origin = TimelineOrigin(spans);
  std::map<std::pair<std::int64_t, int>, std::vector<std::uint32_t>> rows;
  for (std::uint32_t row = 0; row < spans.size(); ++row)
    rows[{spans.track[row], lanes[row]}].push_back(row);
  std::vector<TimelineBlock> blocks;
  for (auto& [lane, of_lane] : rows) {
    std::stable_sort(of_lane.begin(), of_lane.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(spans.start_ns[a], -EndOf(spans, a)) <
             std::pair(spans.start_ns[b], -EndOf(spans, b));
    });
    std::int64_t last_bucket = -1;  // -1: nothing can join the last block.
    for (const std::uint32_t row : of_lane) {
      const std::int64_t duration = EndOf(spans, row) - spans.start_ns[row];
      const bool is_long = duration >= bucket_ns;
      const std::int64_t bucket = is_long ? -1 : (spans.start_ns[row] - origin) / bucket_ns;
      if (is_long || bucket != last_bucket) {
        blocks.push_back({.start_ns = spans.start_ns[row],
                          .longest_ns = -1,
                          .track = lane.first,
                          .lane = static_cast<std::uint8_t>(lane.second)});
      }
      TimelineBlock& block = blocks.back();
      block.end_ns = EndOf(spans, row);
      block.busy_ns += duration;
      ++block.spans;
      if (duration > block.longest_ns) block.longest_ns = duration, block.longest = row + 1;
      last_bucket = bucket;
    }
  }
  std::stable_sort(blocks.begin(), blocks.end(), [](const auto& a, const auto& b) {
    return std::tuple(a.start_ns, a.track, a.lane) < std::tuple(b.start_ns, b.track, b.lane);
  });
  return blocks;
}

void ExpectSame(const std::vector<TimelineBlock>& found, const std::vector<TimelineBlock>& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].start_ns, wanted[i].start_ns);
    EXPECT_EQ(found[i].end_ns, wanted[i].end_ns);
    EXPECT_EQ(found[i].busy_ns, wanted[i].busy_ns);
    EXPECT_EQ(found[i].spans, wanted[i].spans);
    EXPECT_EQ(found[i].longest, wanted[i].longest);
    EXPECT_EQ(found[i].longest_ns, wanted[i].longest_ns);
    EXPECT_EQ(found[i].track, wanted[i].track);
    EXPECT_EQ(found[i].lane, wanted[i].lane);
  }
}

TEST(TimelineLanesTest, AreThoseOfTheDefinition) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const trace::Trace trace = RandomSpans(seed, 1 + static_cast<int>(seed) * 3);
    const TimelineLanes lanes = LayOutLanes(trace.spans);
    const std::vector<int> wanted = SlowLanes(trace.spans);
    for (std::size_t row = 0; row < trace.spans.size(); ++row)
      ASSERT_EQ(lanes.lane[row], wanted[row]) << row;
  }
}

TEST(TimelineLanesTest, PutsAChildBelowItsParentAlsoWhereALaneAboveIsFree) {
  LaneFinder finder;
  EXPECT_EQ(finder.Next(0, 10), 0);
  EXPECT_EQ(finder.Next(5, 20), 1);   // Overlaps the first.
  EXPECT_EQ(finder.Next(12, 15), 2);  // Lane 0 is free, but above its parent.
  EXPECT_EQ(finder.Next(20, 30), 0);
}

TEST(TimelineLanesTest, SharesTheLastLaneWhereThereAreTooMany) {
  LaneFinder finder;
  for (int i = 0; i < kMaxLanes - 1; ++i) EXPECT_EQ(finder.Next(i, 10'000 + i), i);
  EXPECT_EQ(finder.Next(5000, 20'000), kMaxLanes - 1);
  EXPECT_EQ(finder.Next(5001, 20'001), kMaxLanes - 1);
}

TEST(TimelineLevelsTest, HoldExactlyTheSpansOfTheDefinitionAtEveryWidth) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const trace::Trace trace = RandomSpans(seed, 1 + static_cast<int>(seed) * 11);
    const std::vector<int> lanes = SlowLanes(trace.spans);
    for (const TimelineLevel& level : TimelineLevels(trace.spans, LayOutLanes(trace.spans))) {
      SCOPED_TRACE(level.bucket_ns);
      ExpectSame(level.blocks, SlowBlocks(trace.spans, lanes, level.bucket_ns));
    }
  }
}

TEST(TimelineLevelsTest, AddUpToAllSpansAndTheirTimeAtEveryWidth) {
  std::mt19937 random(7);
  trace::Trace trace;
  trace::TraceWriter writer(trace);
  writer.AddTrack({trace::TrackKind::kThread, "t", 1, 1});
  std::int64_t busy_ns = 0, now = 0;
  for (int i = 0; i < 5000; ++i) {
    const auto duration = static_cast<std::int64_t>(random() % 3000);
    writer.AddSpan({trace::Level::kLayer, "a", "a", 1, now, duration});
    busy_ns += duration;
    now += duration + static_cast<std::int64_t>(random() % 5000);
  }
  const auto levels = TimelineLevels(trace.spans, LayOutLanes(trace.spans));
  ASSERT_GE(levels.size(), 2U);
  for (const TimelineLevel& level : levels) {
    std::int64_t spans = 0, busy = 0;
    for (const TimelineBlock& block : level.blocks) spans += block.spans, busy += block.busy_ns;
    EXPECT_EQ(spans, 5000);
    EXPECT_EQ(busy, busy_ns);
  }
}

TEST(TimelineLevelsTest, TheFinestIsTheNarrowestWithASixteenthOfTheSpans) {
  // One after another, 10 ns each: of a bucket of 4^k ns, about 4^k / 10 spans.
  trace::Trace trace;
  trace::TraceWriter writer(trace);
  writer.AddTrack({trace::TrackKind::kThread, "t", 1, 1});
  for (int i = 0; i < 32'000; ++i) writer.AddSpan({trace::Level::kLayer, "a", "a", 1, 10 * i, 10});
  const auto levels = TimelineLevels(trace.spans, LayOutLanes(trace.spans));
  EXPECT_EQ(levels.back().bucket_ns, 256);  // 1250 blocks; of 64 ns there are 5000.
  EXPECT_EQ(levels.back().blocks.size(), 1250U);
  EXPECT_EQ(levels.front().blocks.size(), 1U);
}

TEST(TimelineLevelsTest, ASpanAsLongAsABucketStaysAlone) {
  trace::Trace trace;
  trace::TraceWriter writer(trace);
  writer.AddTrack({trace::TrackKind::kThread, "t", 1, 1});
  writer.AddSpan({trace::Level::kLayer, "a", "before", 1, 0, 2});
  writer.AddSpan({trace::Level::kLayer, "a", "long", 1, 2, 16});
  writer.AddSpan({trace::Level::kLayer, "a", "after", 1, 18, 2});
  BlockMerger merger(0, 16);
  for (std::int64_t row = 0; row < 3; ++row) {
    const auto at = static_cast<std::size_t>(row);
    const std::int64_t start = trace.spans.start_ns[at], end = EndOf(trace.spans, at);
    merger.Add(0, {start, end, end - start, end - start, row + 1, 1, 1, 0, 0});
  }
  EXPECT_EQ(merger.Finish().size(), 3U);
}

TEST(TimelineLevelsTest, ATraceWithoutSpansHasNone) {
  const trace::Trace trace;
  EXPECT_TRUE(TimelineLevels(trace.spans, LayOutLanes(trace.spans)).empty());
}

}  // namespace
}  // namespace xsp::store
