#include "ingest/correlate/pool_threads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "ingest/correlate/layers.h"
#include "ingest/correlate/nesting.h"

namespace xsp::correlate {
namespace {

using trace::Level;
using trace::PlacedBy;
using trace::SpanId;
using trace::TrackId;

class PoolThreadsTest : public testing::Test {
 protected:
  TrackId Thread(std::int64_t process = 7) {
    return writer_.AddTrack(
        {.kind = trace::TrackKind::kThread, .name = "t", .process_id = process});
  }
  SpanId Operator(TrackId track, std::int64_t start, std::int64_t duration) {
    return Add(Level::kLayer, "aten::op", track, start, duration);
  }
  SpanId Primitive(TrackId track, std::int64_t start, std::int64_t duration) {
    return Add(Level::kKernel, trace::type::kPrimitive, track, start, duration);
  }
  SpanId Add(Level level, std::string_view type, TrackId track, std::int64_t start,
             std::int64_t duration) {
    return writer_.AddSpan({.level = level,
                            .type = type,
                            .name = type,
                            .track = track,
                            .start_ns = start,
                            .duration_ns = duration});
  }
  SpanId ParentOf(SpanId span) const { return trace_.spans.parent[span - 1]; }
  void Place() {
    Nest(trace_);
    PlaceOnPoolThreads(trace_);
  }

  trace::Trace trace_;
  trace::TraceWriter writer_{trace_};
};

TEST_F(PoolThreadsTest, TheInnermostOpenOperatorIsTheParent) {
  const TrackId main = Thread(), pool = Thread();
  Add(Level::kModel, "predict", main, 0, 1000);
  Operator(main, 10, 300);
  const SpanId inner = Operator(main, 20, 200);
  Operator(main, 25, 5);  // Ended before.
  const SpanId primitive = Primitive(pool, 50, 100);
  const SpanId later = Primitive(pool, 230, 50);
  Place();
  EXPECT_EQ(ParentOf(primitive), inner);
  EXPECT_EQ(ParentOf(later), 2u);
  EXPECT_EQ(trace_.spans.placed_by[primitive - 1], PlacedBy::kConcurrent);
}

TEST_F(PoolThreadsTest, WithTwoOpenOperatorsNothingIsGuessed) {
  const TrackId main = Thread(), other = Thread(), pool = Thread();
  Operator(main, 0, 100);
  Operator(other, 60, 100);
  const SpanId alone = Primitive(pool, 10, 20), both = Primitive(pool, 70, 10),
               into_both = Primitive(pool, 50, 20);
  Place();
  EXPECT_EQ(ParentOf(alone), 1u);
  EXPECT_EQ(ParentOf(both), 0u);
  EXPECT_EQ(ParentOf(into_both), 0u);
  EXPECT_EQ(trace_.spans.placed_by[both - 1], PlacedBy::kNone);
}

TEST_F(PoolThreadsTest, OperatorsOfOtherProcessesAreNeitherParentsNorDoubts) {
  const TrackId main = Thread(7), stranger = Thread(8), pool = Thread(7);
  Operator(main, 0, 100);
  Operator(stranger, 0, 400);
  const SpanId within = Primitive(pool, 10, 20), outside = Primitive(pool, 200, 20);
  Place();
  EXPECT_EQ(ParentOf(within), 1u);
  EXPECT_EQ(ParentOf(outside), 0u);
}

TEST_F(PoolThreadsTest, AThreadWithOperatorsOfItsOwnIsNoPoolThread) {
  const TrackId main = Thread(), other = Thread();
  Operator(main, 0, 100);
  Operator(other, 200, 10);
  const SpanId primitive = Primitive(other, 10, 20);
  Place();
  EXPECT_EQ(ParentOf(primitive), 0u);
}

// The backward pass of attention in PyTorch.
TEST_F(PoolThreadsTest, ScratchMemoryOfAPoolThreadMakesItNoThreadOfItsOwn) {
  const TrackId main = Thread(), pool = Thread();
  Operator(main, 0, 100);
  const SpanId empty = Add(Level::kLayer, "aten::empty", pool, 5, 10);
  const SpanId after = Primitive(pool, 20, 10), across = Primitive(pool, 10, 20);
  Place();
  EXPECT_EQ(ParentOf(empty), 1u);
  EXPECT_EQ(ParentOf(after), 1u);
  EXPECT_EQ(ParentOf(across), 1u);
}

TEST_F(PoolThreadsTest, WhatOutlastsAnOperatorIsNotPartOfIt) {
  const TrackId main = Thread(), pool = Thread();
  Operator(main, 0, 100);
  Operator(main, 300, trace::kNeverEnded);
  const SpanId longer = Primitive(pool, 90, 20), after_the_last = Primitive(pool, 310, 5);
  Place();
  EXPECT_EQ(ParentOf(longer), 0u);
  EXPECT_EQ(ParentOf(after_the_last), 0u);
}

// Compared with a search through all operators for each primitive.
TEST_F(PoolThreadsTest, AgreesWithASearchThroughAllOperators) {
  std::mt19937 random(11);
  const auto draw = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  int placed = 0;
  for (int round = 0; round < 300; ++round) {
    trace_ = {};
    const std::vector<TrackId> threads = {Thread(), Thread(), Thread(8)};
    const TrackId pool = Thread();
    for (const TrackId thread : threads) {
      std::vector<std::pair<int, int>> taken;  // Operators of one thread nest or are apart.
      for (int i = draw(0, 6); i > 0; --i) {
        const int start = draw(0, 50), stop = start + draw(1, 25);
        const bool crosses = std::any_of(taken.begin(), taken.end(), [&](const auto& other) {
          return (start < other.first && other.first < stop && stop < other.second) ||
                 (other.first < start && start < other.second && other.second < stop);
        });
        if (crosses) continue;
        taken.emplace_back(start, stop);
        Operator(thread, start, stop - start);
      }
    }
    const SpanId first = static_cast<SpanId>(trace_.spans.size() + 1);
    for (int i = 0; i < 10; ++i) Primitive(pool, draw(0, 60), draw(1, 6));
    Place();
    const trace::SpanTable& spans = trace_.spans;
    const auto end = [&](SpanId span) {
      return spans.start_ns[span - 1] + spans.duration_ns[span - 1];
    };
    for (SpanId primitive = first; primitive <= spans.size(); ++primitive) {
      std::set<SpanId> open;  // Outermost operators that overlap it or touch it from inside.
      SpanId expected = 0;
      for (SpanId span = 1; span < first; ++span) {
        if (spans.track[span - 1] == threads[2]) continue;
        if (spans.start_ns[span - 1] < end(primitive) &&
            end(span) > spans.start_ns[primitive - 1] && spans.parent[span - 1] == 0)
          open.insert(span);
        const bool contains = spans.start_ns[span - 1] <= spans.start_ns[primitive - 1] &&
                              end(span) >= end(primitive);
        const auto depth = [&](SpanId at) {
          int count = 0;
          for (; at != 0; at = spans.parent[at - 1]) ++count;
          return count;
        };
        if (contains && (expected == 0 || depth(span) > depth(expected))) expected = span;
      }
      if (open.size() != 1) expected = 0;
      EXPECT_EQ(spans.parent[primitive - 1], expected);
      placed += expected != 0 ? 1 : 0;
    }
  }
  EXPECT_GT(placed, 100);
}

}  // namespace
}  // namespace xsp::correlate
