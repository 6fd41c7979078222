#include "correlate/launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace xsp::correlate {
namespace {

using testing::ElementsAre;
using trace::Level;

class LaunchTest : public testing::Test {
 protected:
  trace::TrackId Track(trace::TrackKind kind, std::int64_t process) {
    return writer_.AddTrack({.kind = kind, .name = "", .process_id = process});
  }
  trace::SpanId Span(Level level, trace::TrackId track, std::int64_t start, std::int64_t id) {
    return writer_.AddSpan({.level = level,
                            .type = "x",
                            .name = "x",
                            .track = track,
                            .start_ns = start,
                            .duration_ns = 5,
                            .correlation_id = id});
  }
  trace::Trace trace_;
  trace::TraceWriter writer_{trace_};
};

TEST_F(LaunchTest, TheLaunchingCallIsTheParentOfDeviceWork) {
  const auto thread = Track(trace::TrackKind::kThread, 7);
  const auto stream = Track(trace::TrackKind::kStream, trace::kNotApplicable);
  Span(Level::kLibrary, thread, 0, 100);
  Span(Level::kLibrary, thread, 10, 101);
  Span(Level::kKernel, stream, 500, 101);
  PlaceByLaunch(trace_);
  EXPECT_THAT(trace_.spans.parent, ElementsAre(0, 0, 2));
  EXPECT_EQ(trace_.spans.placed_by[2], trace::PlacedBy::kLaunch);
}

TEST_F(LaunchTest, OfARuntimeCallAroundADriverCallTheInnerOneLaunched) {
  const auto thread = Track(trace::TrackKind::kThread, 7);
  Span(Level::kLibrary, thread, 1, 100);
  Span(Level::kLibrary, thread, 0, 100);
  Span(Level::kKernel, thread, 500, 100);
  PlaceByLaunch(trace_);
  EXPECT_THAT(trace_.spans.parent, ElementsAre(0, 0, 1));
}

TEST_F(LaunchTest, SameIdInTwoProcessesIsDecidedByTheProcessOrNotAtAll) {
  const auto one = Track(trace::TrackKind::kThread, 1);
  const auto two = Track(trace::TrackKind::kThread, 2);
  const auto stream_two = Track(trace::TrackKind::kStream, 2);
  const auto stream = Track(trace::TrackKind::kStream, trace::kNotApplicable);
  Span(Level::kLibrary, one, 0, 100);
  Span(Level::kLibrary, two, 0, 100);
  Span(Level::kKernel, stream_two, 500, 100);
  Span(Level::kKernel, stream, 500, 100);
  PlaceByLaunch(trace_);
  EXPECT_THAT(trace_.spans.parent, ElementsAre(0, 0, 2, 0));
  EXPECT_EQ(trace_.diagnostics.at("correlate_launch_missing").count, 1);
}

TEST_F(LaunchTest, WorkOfAnotherProcessAloneIsNotTaken) {
  const auto one = Track(trace::TrackKind::kThread, 1);
  const auto stream_two = Track(trace::TrackKind::kStream, 2);
  Span(Level::kLibrary, one, 0, 100);
  Span(Level::kKernel, stream_two, 500, 100);
  PlaceByLaunch(trace_);
  EXPECT_THAT(trace_.spans.parent, ElementsAre(0, 0));
}

TEST_F(LaunchTest, KernelsWithoutAnIdAreLeftToNestingAndNotCounted) {
  const auto thread = Track(trace::TrackKind::kThread, 1);
  Span(Level::kKernel, thread, 500, 0);
  PlaceByLaunch(trace_);
  EXPECT_TRUE(trace_.diagnostics.empty());
}

}  // namespace
}  // namespace xsp::correlate
