#include "derive/timeline/memory/memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "derive/timeline/timeline_testing.h"

namespace xsp::timeline::memory {
namespace {

using trace::Level;
using trace::SpanId;

constexpr std::size_t kAll = 1'000'000;

class MemoryTest : public testing::Test {
 protected:
  static trace::TrackId TrackOf(Recording& recording, trace::TrackKind kind, std::int64_t device) {
    trace::Track track{kind, "memory"};
    track.device = device;
    return recording.writer().AddTrack(track);
  }
  void Event(std::int64_t time_ns, double bytes, double address = -1, double allocated = -1,
             double reserved = -1) {
    Event(device_, time_ns, bytes, address, allocated, reserved);
  }
  void Event(trace::TrackId track, std::int64_t time_ns, double bytes, double address,
             double allocated, double reserved) {
    trace::TraceWriter& writer = recording_.writer();
    writer.AddCounter(track, "allocation_bytes", time_ns, bytes, "byte");
    if (address >= 0) writer.AddCounter(track, "allocation_address", time_ns, address, "1");
    if (allocated >= 0) writer.AddCounter(track, "allocated_bytes", time_ns, allocated, "byte");
    if (reserved >= 0) writer.AddCounter(track, "reserved_bytes", time_ns, reserved, "byte");
  }
  std::vector<Memory> Found(std::size_t max_segments = kAll, std::size_t most_holders = kAll) {
    const Timeline timeline(recording_.trace());
    return FindMemory(timeline, max_segments, most_holders);
  }
  static std::vector<std::string> TextOf(const std::vector<Holder>& holders) {
    std::vector<std::string> text;
    for (const Holder& holder : holders)
      text.push_back(std::string(holder.operation) + "/" + std::string(holder.module) + " " +
                     std::to_string(holder.allocations) + " " +
                     std::to_string(static_cast<int>(holder.bytes)));
    return text;
  }

  Recording recording_;
  trace::TrackId device_ = TrackOf(recording_, trace::TrackKind::kDevice, 0);
};

TEST_F(MemoryTest, NoEventsNoMemory) { EXPECT_TRUE(Found().empty()); }

TEST_F(MemoryTest, TakesTheTotalsOfTheAllocator) {
  recording_.Add(Level::kLayer, "a", "a", recording_.Thread(), 0, 100);
  Event(10, 5, 1, 105, 200);
  Event(20, -3, 9, 102, 300);
  const Memory memory = Found().at(0);
  EXPECT_TRUE(memory.is_reported);
  ASSERT_EQ(memory.segments.size(), 2U);
  EXPECT_EQ(memory.segments[0].until_ns, 20);
  EXPECT_EQ(memory.segments[0].high_bytes, 105);
  EXPECT_EQ(memory.segments[0].reserved_bytes, 200);
  EXPECT_EQ(memory.segments[1].until_ns, 100) << "to the end of the trace";
  EXPECT_EQ(memory.segments[1].low_bytes, 102);
  EXPECT_EQ(memory.peak_ns, 10);
  EXPECT_THAT(TextOf(memory.holders), testing::ElementsAre("(before recording)/ 0 100", "a/ 1 5"));
}

TEST_F(MemoryTest, AddsUpWhatWasAllocatedWhereTotalsAreMissing) {
  Event(10, 5, 1, 0, 0);
  Event(20, 7, 2, 0, 0);
  Event(30, -5, 1, 0, 0);
  Event(40, -30, 3, 0, 0);
  const Memory memory = Found().at(0);
  EXPECT_FALSE(memory.is_reported);
  EXPECT_EQ(memory.segments[0].high_bytes, 35);
  EXPECT_EQ(memory.segments[0].reserved_bytes, std::nullopt);
  EXPECT_EQ(memory.segments[3].low_bytes, 7);
  EXPECT_EQ(memory.peak_bytes, 42);
  EXPECT_THAT(TextOf(memory.holders),
              testing::ElementsAre("(before recording)/ 0 30", "(no operator)/ 2 12"));
}

TEST_F(MemoryTest, WithoutAddressesAFreeIsOfTheLatestOfItsSize) {
  const auto thread = recording_.Thread();
  recording_.Add(Level::kLayer, "a", "a", thread, 0, 15);
  recording_.Add(Level::kLayer, "b", "b", thread, 20, 15);
  recording_.Add(Level::kLayer, "c", "c", thread, 40, 15);
  Event(10, 8);
  Event(30, 8);
  Event(35, -8);
  Event(50, 16);
  const Memory memory = Found().at(0);
  EXPECT_FALSE(memory.has_addresses);
  EXPECT_THAT(TextOf(memory.holders), testing::ElementsAre("c/ 1 16", "a/ 1 8"));
}

TEST_F(MemoryTest, HoldersAreOutermostOperatorsInTheirModule) {
  const auto thread = recording_.Thread(), other = recording_.Thread();
  const SpanId outer_module = recording_.Add(Level::kLayer, "module", "net", thread, 0, 100);
  const SpanId module =
      recording_.Add(Level::kLayer, "module", "linear", thread, 0, 90, outer_module);
  const SpanId outer =
      recording_.Add(Level::kLayer, "aten::linear", "aten::linear", thread, 10, 60, module);
  recording_.Add(Level::kLayer, "aten::empty", "aten::empty", thread, 30, 20, outer);
  recording_.Add(Level::kLayer, "backward", "backward", other, 20, 200);
  Event(40, 1, 1);   // In aten::empty, which started last.
  Event(60, 2, 2);   // aten::empty has ended: backward started after aten::linear.
  Event(300, 4, 3);  // Nothing runs.
  const Memory memory = Found().at(0);
  EXPECT_THAT(TextOf(memory.holders), testing::ElementsAre("(no operator)/ 1 4", "backward/ 1 2",
                                                           "aten::linear/linear 1 1"));
}

TEST_F(MemoryTest, TheHostIsApart) {
  Event(10, 5);
  Event(TrackOf(recording_, trace::TrackKind::kHost, -1), 10, 3, -1, -1, -1);
  const std::vector<Memory> memory = Found();
  ASSERT_EQ(memory.size(), 2U);
  EXPECT_EQ(memory[0].device, trace::kNotApplicable);
  EXPECT_EQ(memory[0].peak_bytes, 3);
  EXPECT_EQ(memory[1].device, 0);
}

TEST_F(MemoryTest, TheSmallestHoldersAreOne) {
  const auto thread = recording_.Thread();
  for (int i = 0; i < 5; ++i) {
    recording_.Add(Level::kLayer, "a", std::string(1, static_cast<char>('a' + i)), thread, 10 * i,
                   10);
    Event(10 * i + 5, 10 - i, i);
  }
  EXPECT_THAT(TextOf(Found(kAll, 2).at(0).holders),
              testing::ElementsAre("a/ 1 10", "b/ 1 9", "(smaller)/ 3 21"));
}

/// One random execution, told by the allocator or not, with addresses or without.
TEST(MemoryPropertyTest, AgreesWithLookingAtEveryMoment) {
  std::mt19937 random(51);
  const auto below = [&](int n) {
    return static_cast<std::int64_t>(random() % static_cast<unsigned>(n));
  };
  for (int round = 0; round < 400; ++round) {
    Recording recording;
    trace::Track track{trace::TrackKind::kDevice, "memory"};
    track.device = 0;
    const auto device = recording.writer().AddTrack(track);
    const bool reported = below(2) == 0, addresses = below(2) == 0;
    for (int t = 0; t < 2; ++t) {
      const auto thread = recording.Thread(trace::kNotApplicable, t);
      std::int64_t at = below(50);
      for (std::int64_t i = 0, n = below(8); i < n; ++i) {
        // Starts differ, so that no two could be the latest.
        at += 1 + below(30);
        const std::int64_t start = 4 * at + 2 * t, took = 8 + 4 * below(40);
        const SpanId outer = recording.Add(Level::kLayer, "a", "outer" + std::to_string(below(3)),
                                           thread, start, took);
        recording.Add(Level::kLayer, "b", "inner", thread, start + 1, took / 2, outer);
        at += took / 4;
      }
    }
    struct Moment {
      std::int64_t time;
      double bytes, address, level;
    };
    std::vector<Moment> moments;
    std::map<int, double> held;  // By address; 100 and above: from before the recording.
    for (int i = 0; i < static_cast<int>(below(4)); ++i)
      held[100 + i] = static_cast<double>(1 + below(5));
    double level = 0;
    for (const auto& [address, bytes] : held) level += bytes;
    std::int64_t time = below(100);
    for (std::int64_t i = 0, n = 1 + below(60); i < n; ++i) {
      const bool frees = !held.empty() && below(2) == 0;
      int address = static_cast<int>(below(20));
      double bytes = 0;
      if (frees) {
        const auto it = std::next(held.begin(), below(static_cast<int>(held.size())));
        address = it->first;
        bytes = -it->second;
        held.erase(it);
      } else if (!held.contains(address)) {
        bytes = static_cast<double>(1 + below(5));
        held[address] = bytes;
      }
      level += bytes;
      if (bytes == 0) continue;
      moments.push_back({time, bytes, static_cast<double>(address), level});
      recording.writer().AddCounter(device, "allocation_bytes", time, bytes, "byte");
      if (addresses)
        recording.writer().AddCounter(device, "allocation_address", time, address, "1");
      if (reported) recording.writer().AddCounter(device, "allocated_bytes", time, level, "byte");
      time += below(20);
    }
    const Timeline timeline(recording.trace());
    const std::size_t most = 1 + static_cast<std::size_t>(below(40));
    const std::vector<Memory> found = FindMemory(timeline, most, kAll);
    if (moments.empty()) {
      ASSERT_TRUE(found.empty());
      continue;
    }
    ASSERT_EQ(found.size(), 1U);
    const Memory& memory = found[0];
    if (memory.is_reported != reported) {
      // Totals that are 0 throughout count as not known.
      for (const Moment& moment : moments) ASSERT_EQ(moment.level, 0);
      continue;
    }
    if (!reported) {
      // What is freed at last was there from the start, as far as the recording can tell.
      std::vector<bool> taken(moments.size(), false);
      double before = 0;
      for (std::size_t i = 0; i < moments.size(); ++i) {
        if (moments[i].bytes > 0) continue;
        bool matched = false;
        for (std::size_t j = i; j-- > 0 && !matched;) {
          const bool same = addresses ? moments[j].address == moments[i].address
                                      : moments[j].bytes == -moments[i].bytes;
          if (moments[j].bytes < 0 || taken[j] || !same) continue;
          taken[j] = matched = true;
        }
        if (!matched) before -= moments[i].bytes;
      }
      for (Moment& moment : moments) moment.level = before += moment.bytes;
    }
    // Segments: in order, without gaps, with the least and the most of every level in them.
    EXPECT_LE(memory.segments.size(), most);
    const auto holds = [&](const Segment& segment, std::int64_t t, double value) {
      return segment.start_ns <= t && t <= segment.until_ns && segment.low_bytes <= value &&
             value <= segment.high_bytes;
    };
    for (std::size_t i = 1; i < memory.segments.size(); ++i)
      ASSERT_EQ(memory.segments[i].start_ns, memory.segments[i - 1].until_ns);
    ASSERT_EQ(memory.segments.front().start_ns, moments.front().time);
    double least = memory.segments[0].low_bytes, highest = memory.segments[0].high_bytes;
    for (const Segment& segment : memory.segments) {
      least = std::min(least, segment.low_bytes);
      highest = std::max(highest, segment.high_bytes);
    }
    double lowest = moments[0].level, peak = moments[0].level;
    std::size_t peak_at = 0;
    for (std::size_t i = 0; i < moments.size(); ++i) {
      lowest = std::min(lowest, moments[i].level);
      if (moments[i].level > peak) peak_at = i;
      peak = std::max(peak, moments[i].level);
      ASSERT_TRUE(
          std::any_of(memory.segments.begin(), memory.segments.end(), [&](const Segment& segment) {
            return holds(segment, moments[i].time, moments[i].level);
          }));
      const std::int64_t until =
          i + 1 < moments.size() ? moments[i + 1].time : memory.segments.back().until_ns;
      for (const Segment& segment : memory.segments) {
        for (std::int64_t t = std::max(moments[i].time, segment.start_ns);
             t < std::min(until, segment.until_ns); ++t) {
          ASSERT_TRUE(holds(segment, t, moments[i].level)) << "round " << round << " at " << t;
        }
      }
    }
    ASSERT_EQ(least, lowest);
    ASSERT_EQ(highest, peak);
    const double before = moments[0].level - moments[0].bytes;
    if (before > peak) {
      ASSERT_EQ(memory.peak_bytes, before);
      continue;
    }
    ASSERT_EQ(memory.peak_bytes, peak);
    ASSERT_EQ(memory.peak_ns, moments[peak_at].time);
    // Holders: frees by looking back, owners by looking at every operator.
    std::vector<bool> is_live(moments.size(), false);
    for (std::size_t i = 0; i <= peak_at; ++i) {
      is_live[i] = moments[i].bytes > 0;
      for (std::size_t j = i; moments[i].bytes < 0 && j-- > 0;) {
        const bool same = addresses ? moments[j].address == moments[i].address
                                    : moments[j].bytes == -moments[i].bytes;
        if (!is_live[j] || !same) continue;
        is_live[j] = false;
        break;
      }
    }
    std::map<std::string, double> expected, ours;
    double rest = peak;
    const trace::SpanTable& spans = recording.trace().spans;
    for (std::size_t i = 0; i <= peak_at; ++i) {
      if (!is_live[i]) continue;
      SpanId latest = 0;
      for (SpanId span = 1; span <= spans.size(); ++span) {
        const std::int64_t start = spans.start_ns[span - 1];
        if (start <= moments[i].time && moments[i].time <= start + spans.duration_ns[span - 1] &&
            (latest == 0 || start > spans.start_ns[latest - 1]))
          latest = span;
      }
      if (latest != 0 && spans.parent[latest - 1] != 0) latest = spans.parent[latest - 1];
      expected[latest == 0 ? std::string(kNoOperator) : std::string(timeline.NameOf(latest))] +=
          moments[i].bytes;
      rest -= moments[i].bytes;
    }
    if (rest != 0) expected[std::string(rest > 0 ? kBefore : kUnseen)] = rest;
    for (const Holder& holder : memory.holders) ours[std::string(holder.operation)] += holder.bytes;
    ASSERT_EQ(ours, expected) << "round " << round;
  }
}

}  // namespace
}  // namespace xsp::timeline::memory
