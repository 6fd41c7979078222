#include "trace/trace.h"

#include <gtest/gtest.h>

#include <limits>

namespace xsp::trace {
namespace {

class TraceWriterTest : public testing::Test {
 protected:
  NewSpan At(std::int64_t start_ns, std::int64_t duration_ns) const {
    return {.level = Level::kLayer,
            .type = "t",
            .name = "n",
            .track = track_,
            .start_ns = start_ns,
            .duration_ns = duration_ns};
  }
  Trace trace_;
  TraceWriter writer_{trace_};
  TrackId track_ = writer_.AddTrack({.kind = TrackKind::kThread, .name = "main"});
};

TEST_F(TraceWriterTest, NumbersSpansFromOne) {
  EXPECT_EQ(writer_.AddSpan(At(0, 10)), 1u);
  EXPECT_EQ(writer_.AddSpan(At(5, 1)), 2u);
}

TEST_F(TraceWriterTest, KeepsEachStringOnce) {
  writer_.AddSpan(At(0, 10));
  const std::size_t strings = trace_.strings.size();
  writer_.AddSpan(At(20, 10));
  EXPECT_EQ(trace_.strings.size(), strings);
}

TEST_F(TraceWriterTest, AParentFromTheSourcePlacesById) {
  const SpanId parent = writer_.AddSpan(At(0, 10));
  NewSpan child = At(1, 2);
  child.parent = parent;
  EXPECT_EQ(trace_.spans.placed_by[writer_.AddSpan(child) - 1], PlacedBy::kId);
  EXPECT_EQ(trace_.spans.placed_by[parent - 1], PlacedBy::kNone);
}

TEST_F(TraceWriterTest, CountsWhatItRejects) {
  NewSpan no_track = At(0, 1);
  no_track.track = 99;
  EXPECT_EQ(writer_.AddSpan(no_track), 0u);
  EXPECT_EQ(writer_.AddSpan(At(10, std::numeric_limits<std::int64_t>::max())), 0u);
  EXPECT_EQ(writer_.AddSpan(At(10, -5)), 0u);
  NewSpan orphan = At(0, 1);
  orphan.parent = 7;
  EXPECT_EQ(writer_.AddSpan(orphan), 0u);
  writer_.AddMetric(0, "m", 1, "1", "analytic");
  EXPECT_EQ(trace_.diagnostics.at("writer_rejected_span").count, 4);
  EXPECT_EQ(trace_.diagnostics.at("writer_rejected_metric").count, 1);
  EXPECT_EQ(trace_.spans.size(), 0u);
}

TEST_F(TraceWriterTest, EndsAnOpenSpan) {
  const SpanId span = writer_.AddSpan(At(100, kNeverEnded));
  writer_.EndSpan(span, 150);
  EXPECT_EQ(trace_.spans.duration_ns[span - 1], 50);
  writer_.EndSpan(span, 50);
  EXPECT_EQ(trace_.diagnostics.at("writer_rejected_span_end").count, 1);
}

TEST_F(TraceWriterTest, KeepsTheFirstExampleOfADiagnostic) {
  writer_.Count("x_bad_line", "first", "mend it");
  writer_.Count("x_bad_line", "second", "other", 2);
  EXPECT_EQ(trace_.diagnostics.at("x_bad_line").count, 3);
  EXPECT_EQ(trace_.diagnostics.at("x_bad_line").example, "first");
  EXPECT_EQ(trace_.diagnostics.at("x_bad_line").kind, DiagnosticKind::kLoss);
}

}  // namespace
}  // namespace xsp::trace
