#include "ingest/correlate/nesting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <tuple>
#include <vector>

namespace xsp::correlate {
namespace {

using testing::ElementsAre;
using trace::Level;
using trace::PlacedBy;
using trace::SpanId;

class NestingTest : public testing::Test {
 protected:
  trace::TrackId Track(trace::TrackKind kind = trace::TrackKind::kThread) {
    return writer_.AddTrack({.kind = kind, .name = "t"});
  }

  SpanId Span(Level level, std::int64_t start, std::int64_t duration, trace::TrackId track = 1,
              SpanId parent = 0) {
    return writer_.AddSpan({.level = level,
                            .type = "x",
                            .name = "x",
                            .track = track,
                            .start_ns = start,
                            .duration_ns = duration,
                            .parent = parent});
  }

  trace::Trace trace_;
  trace::TraceWriter writer_{trace_};
};

TEST_F(NestingTest, InnermostContainerIsTheParentWhateverTheOrderOfRows) {
  Track();
  Span(Level::kKernel, 20, 5);
  Span(Level::kLayer, 10, 40);
  Span(Level::kModel, 0, 100);
  Span(Level::kLayer, 15, 20);
  Nest(trace_);
  EXPECT_THAT(trace_.spans.parent, ElementsAre(4, 3, 0, 2));
  EXPECT_THAT(trace_.spans.placed_by, ElementsAre(PlacedBy::kNesting, PlacedBy::kNesting,
                                                  PlacedBy::kNone, PlacedBy::kNesting));
}

TEST_F(NestingTest, TracksDoNotMix) {
  Track();
  Track();
  Span(Level::kModel, 0, 100, 1);
  Span(Level::kLayer, 10, 10, 2);
  Nest(trace_);
  EXPECT_THAT(trace_.spans.parent, ElementsAre(0, 0));
}

TEST_F(NestingTest, ADeeperLevelNeverHoldsAnOuterOneAndKernelsHoldNothing) {
  Track();
  Span(Level::kLayer, 0, 100);
  Span(Level::kApplication, 10, 10);
  Span(Level::kKernel, 30, 20);
  Span(Level::kKernel, 35, 5);
  Nest(trace_);
  EXPECT_THAT(trace_.spans.parent, ElementsAre(0, 0, 1, 1));
}

TEST_F(NestingTest, PythonFunctionsAndModulesNestInEachOther) {
  Track();
  const auto python = [&](std::int64_t start, std::int64_t duration) {
    return writer_.AddSpan({.level = Level::kApplication,
                            .type = "python",
                            .name = "x",
                            .track = 1,
                            .start_ns = start,
                            .duration_ns = duration});
  };
  python(0, 100);                   // 1: a call of
  Span(Level::kLayer, 10, 80);      // 2: a module, which calls
  python(20, 60);                   // 3: its forward(), which calls
  Span(Level::kLayer, 30, 40);      // 4: an operator.
  Span(Level::kApplication, 5, 3);  // 5: another range
  Nest(trace_);
  EXPECT_THAT(trace_.spans.parent, ElementsAre(0, 1, 2, 3, 0));
}

TEST_F(NestingTest, OfEqualIntervalsTheOuterLevelThenTheSmallerIdIsTheParent) {
  Track();
  Span(Level::kLayer, 0, 10);
  Span(Level::kLayer, 0, 10);
  Span(Level::kModel, 0, 10);
  Nest(trace_);
  EXPECT_THAT(trace_.spans.parent, ElementsAre(3, 1, 0));
}

TEST_F(NestingTest, AZeroLengthSpanBetweenTwoBelongsToTheLater) {
  Track();
  Span(Level::kModel, 0, 10);
  Span(Level::kModel, 10, 10);
  Span(Level::kLayer, 10, 0);
  Span(Level::kLayer, 20, 0);
  Nest(trace_);
  EXPECT_THAT(trace_.spans.parent, ElementsAre(0, 0, 2, 2));
}

TEST_F(NestingTest, PartialOverlapIsNoNestingAndIsCountedOnThreads) {
  Track();
  Span(Level::kLayer, 0, 10);
  Span(Level::kLayer, 5, 10);
  Span(Level::kKernel, 6, 2);
  Span(Level::kKernel, 9, 3);
  Nest(trace_);
  EXPECT_THAT(trace_.spans.parent, ElementsAre(0, 0, 2, 2));
  // The last kernel lies wholly in the second layer: nothing overlaps its place.
  EXPECT_EQ(trace_.diagnostics.at("correlate_partial_overlap").count, 1);
}

TEST_F(NestingTest, OverlapOnAStreamIsNormal) {
  Track(trace::TrackKind::kStream);
  Span(Level::kLayer, 0, 10);
  Span(Level::kLayer, 5, 10);
  Nest(trace_);
  EXPECT_TRUE(trace_.diagnostics.empty());
}

TEST_F(NestingTest, ASpanThatNeverEndedEndsWithItsParentOrItsTrack) {
  Track();
  Span(Level::kModel, 0, 100);                   // 1
  Span(Level::kLayer, 10, trace::kNeverEnded);   // 2: until 100
  Span(Level::kKernel, 90, 10);                  // 3
  Span(Level::kModel, 200, trace::kNeverEnded);  // 4: until the track's end
  Span(Level::kLayer, 250, 50);                  // 5
  Span(Level::kKernel, 120, 5);                  // 6: after 2 ended
  Nest(trace_);
  EXPECT_THAT(trace_.spans.parent, ElementsAre(0, 1, 2, 0, 4, 0));
  EXPECT_EQ(trace_.spans.duration_ns[1], trace::kNeverEnded);
  EXPECT_EQ(trace_.diagnostics.at("correlate_never_ended").count, 2);
}

TEST_F(NestingTest, WhatTheImporterCountedAsNeverEndedIsNotCountedAgain) {
  Track();
  Span(Level::kModel, 0, trace::kNeverEnded);
  writer_.Count("some_format_never_ended");
  Nest(trace_);
  EXPECT_EQ(trace_.diagnostics.size(), 1u);
}

TEST_F(NestingTest, GivenParentsStay) {
  Track();
  Track();
  const SpanId model = Span(Level::kModel, 0, 100, 1);
  Span(Level::kLayer, 200, 10, 2, model);
  Span(Level::kLayer, 195, 20, 2);
  Nest(trace_);
  EXPECT_THAT(trace_.spans.parent, ElementsAre(0, 1, 0));
  EXPECT_THAT(trace_.spans.placed_by, ElementsAre(PlacedBy::kNone, PlacedBy::kId, PlacedBy::kNone));
}

TEST_F(NestingTest, AGivenParentInsideItsChildCutsTheCircle) {
  Track();
  const SpanId inner = Span(Level::kLayer, 10, 10);
  Span(Level::kLayer, 0, 100, 1, inner);
  Nest(trace_);
  EXPECT_THAT(trace_.spans.parent, ElementsAre(0, 1));
  EXPECT_EQ(trace_.diagnostics.at("correlate_circle").count, 1);
  EXPECT_EQ(trace_.diagnostics.at("correlate_circle").kind, trace::DiagnosticKind::kNote);
}

TEST_F(NestingTest, TimesAtTheEndsOfTheRangeAreSafe) {
  Track();
  constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
  constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
  Span(Level::kModel, kMin, kMax);
  Span(Level::kModel, kMax, trace::kNeverEnded);
  Span(Level::kModel, kMax, 0);
  Span(Level::kLayer, -5, 1);
  Nest(trace_);
  EXPECT_EQ(trace_.spans.parent[3], 1u);
}

// The rule of nesting.h, literally: of all containers that come before, the last in order.
trace::Column<SpanId> BruteForce(const trace::Trace& trace) {
  const trace::SpanTable& spans = trace.spans;
  const auto before = [&](std::size_t a, std::size_t b) {
    const auto key = [&](std::size_t i) {
      return std::tuple(spans.start_ns[i], -spans.duration_ns[i], spans.level[i], i);
    };
    return key(a) < key(b);
  };
  trace::Column<SpanId> parents = spans.parent;
  for (std::size_t x = 0; x < spans.size(); ++x) {
    if (parents[x] != 0) continue;
    std::size_t best = spans.size();
    for (std::size_t y = 0; y < spans.size(); ++y) {
      if (y == x || spans.track[y] != spans.track[x] || !before(y, x) ||
          !MayContain(spans.level[y], spans.level[x]) ||
          spans.start_ns[y] + spans.duration_ns[y] < spans.start_ns[x] + spans.duration_ns[x])
        continue;
      if (best == spans.size() || before(best, y)) best = y;
    }
    if (best != spans.size()) parents[x] = static_cast<SpanId>(best + 1);
  }
  return parents;
}

// Small ranges of time make ties, zero lengths and partial overlaps common.
TEST(NestingProperty, AgreesWithTheRuleOnRandomSpans) {
  std::mt19937 random(7);
  const auto draw = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  for (int round = 0; round < 600; ++round) {
    trace::Trace trace;
    trace::TraceWriter writer(trace);
    const int tracks = draw(1, 3);
    for (int i = 0; i < tracks; ++i)
      writer.AddTrack({.kind = trace::TrackKind::kThread, .name = ""});
    const int count = draw(1, 60);
    const int range = draw(3, 80);
    for (int i = 0; i < count; ++i)
      writer.AddSpan({.level = static_cast<Level>(draw(0, 4)),
                      .type = "x",
                      .name = "x",
                      .track = static_cast<trace::TrackId>(draw(1, tracks)),
                      .start_ns = draw(0, range),
                      .duration_ns = draw(0, draw(0, range))});
    const trace::Column<SpanId> expected = BruteForce(trace);
    Nest(trace);
    ASSERT_EQ(trace.spans.parent, expected) << "round " << round;
  }
}

// With given parents and spans without end, what must hold whatever the input: no circle, and what
// nesting placed lies inside its parent.
TEST(NestingProperty, NeverLeavesACircleAndPlacesOnlyInsideParents) {
  std::mt19937 random(11);
  const auto draw = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  for (int round = 0; round < 400; ++round) {
    trace::Trace trace;
    trace::TraceWriter writer(trace);
    writer.AddTrack({.kind = trace::TrackKind::kThread, .name = ""});
    for (int i = 0; i < 40; ++i)
      writer.AddSpan({.level = static_cast<Level>(draw(0, 4)),
                      .type = "x",
                      .name = "x",
                      .track = 1,
                      .start_ns = draw(0, 30),
                      .duration_ns = draw(0, 5) == 0 ? trace::kNeverEnded : draw(0, 30),
                      .parent = draw(0, 3) == 0 ? static_cast<SpanId>(draw(0, i)) : 0});
    Nest(trace);
    const trace::SpanTable& spans = trace.spans;
    for (std::size_t i = 0; i < spans.size(); ++i) {
      std::size_t steps = 0;
      for (SpanId at = spans.parent[i]; at != 0; at = spans.parent[at - 1])
        ASSERT_LE(++steps, spans.size()) << "circle in round " << round;
      const SpanId parent = spans.parent[i];
      if (spans.placed_by[i] != PlacedBy::kNesting) continue;
      ASSERT_LE(spans.start_ns[parent - 1], spans.start_ns[i]);
      if (spans.duration_ns[i] == trace::kNeverEnded ||
          spans.duration_ns[parent - 1] == trace::kNeverEnded)
        continue;
      ASSERT_GE(spans.start_ns[parent - 1] + spans.duration_ns[parent - 1],
                spans.start_ns[i] + spans.duration_ns[i]);
    }
  }
}

}  // namespace
}  // namespace xsp::correlate
