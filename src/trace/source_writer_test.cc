#include "trace/source_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace xsp::trace {
namespace {

using testing::ElementsAre;

class SourceWriterTest : public testing::Test {
 protected:
  SourceWriter Source(std::size_t index) {
    return {trace_, nullptr, {index, index, 2}, ClockDomain::kSession, Role::kTimeline};
  }
  static SpanId AddSpan(SourceWriter& writer, TrackId track, std::int64_t start_ns,
                        std::int64_t correlation_id = 0, SpanId parent = 0) {
    return writer.AddSpan({.level = Level::kLayer,
                           .type = "t",
                           .name = "n",
                           .track = track,
                           .start_ns = start_ns,
                           .duration_ns = 10,
                           .parent = parent,
                           .correlation_id = correlation_id});
  }
  Trace trace_;
};

TEST_F(SourceWriterTest, ASourceCannotNameRowsOfAnother) {
  SourceWriter first = Source(0);
  const TrackId track = first.AddTrack({TrackKind::kThread, "a"});
  const SpanId span = AddSpan(first, track, 0);
  const CallStackId stack = first.AddCallStack(0, "f", "");
  first.Close();
  SourceWriter second = Source(1);
  const TrackId own_track = second.AddTrack({TrackKind::kThread, "b"});
  const SpanId own_span = AddSpan(second, own_track, 0);
  EXPECT_EQ(AddSpan(second, track, 0), 0u);
  EXPECT_EQ(AddSpan(second, own_track, 0, 0, span), 0u);
  EXPECT_EQ(second.AddCallStack(stack, "g", ""), 0u);
  second.AddMetric(span, "m", 1, "1", "test");
  second.AddCounter(track, "c", 0, 1, "1");
  second.AddLink(span, own_span, LinkKind::kFlow);
  EXPECT_EQ(trace_.spans.size(), 2u);
  EXPECT_EQ(trace_.metrics.size() + trace_.counters.size() + trace_.links.size(), 0u);
  EXPECT_NE(AddSpan(second, own_track, 0, 0, own_span), 0u);
}

TEST_F(SourceWriterTest, EqualCorrelationIdsOfTwoSourcesDiffer) {
  SourceWriter first = Source(0);
  AddSpan(first, first.AddTrack({TrackKind::kThread, "a"}), 0, 3);
  first.Close();
  SourceWriter second = Source(1);
  const TrackId track = second.AddTrack({TrackKind::kThread, "b"});
  AddSpan(second, track, 0, 3);
  AddSpan(second, track, 0, 3);
  AddSpan(second, track, 0);
  AddSpan(second, track, 0, kCorrelationIdsOfASource);  // Would be a third source's.
  const std::int64_t second_id = kCorrelationIdsOfASource + 3;
  EXPECT_THAT(trace_.spans.correlation_id, ElementsAre(3, second_id, second_id, 0, 0));
  EXPECT_EQ(trace_.diagnostics.at("writer_rejected_correlation_id").count, 1);
}

TEST_F(SourceWriterTest, KnowsItsTimesAndMovesOnlyThose) {
  SourceWriter first = Source(0);
  AddSpan(first, first.AddTrack({TrackKind::kThread, "a"}), 5);
  first.Close();
  SourceWriter second = Source(1);
  EXPECT_EQ(second.FirstTime(), std::nullopt);
  const TrackId track = second.AddTrack({TrackKind::kThread, "b"});
  AddSpan(second, track, 100);
  second.AddCounter(track, "c", 90, 1, "1");
  second.AddMark(track, 105, "m");
  second.Close();
  EXPECT_EQ(second.FirstTime(), 90);
  EXPECT_EQ(second.LastTime(), 110);
  second.Shift(-80);
  EXPECT_EQ(second.FirstTime(), 10);
  EXPECT_THAT(trace_.spans.start_ns, ElementsAre(5, 20));
  EXPECT_EQ(trace_.marks[0].time_ns, 25);
  EXPECT_EQ(first.FirstTime(), 5);
  EXPECT_EQ(first.LastTime(), 15);
}

}  // namespace
}  // namespace xsp::trace
