#include "ingest/correlate/launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <set>

namespace xsp::correlate {
namespace {

using testing::ElementsAre;
using trace::Level;
using trace::SpanId;

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

/// The rule of the header, word by word.
SpanId SlowLaunch(const trace::Trace& trace, std::size_t kernel) {
  const trace::SpanTable& spans = trace.spans;
  const auto process = [&](std::size_t i) { return trace.tracks[spans.track[i] - 1].process_id; };
  std::set<std::int64_t> processes;
  const auto is_launch = [&](std::size_t i) {
    return spans.level[i] == Level::kLibrary &&
           spans.correlation_id[i] == spans.correlation_id[kernel];
  };
  for (std::size_t i = 0; i < spans.size(); ++i)
    if (is_launch(i)) processes.insert(process(i));
  SpanId found = 0;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (!is_launch(i)) continue;
    // A side that names no process fits the only one there is.
    const bool unnamed = processes.size() == 1 && (process(i) == trace::kNotApplicable ||
                                                   process(kernel) == trace::kNotApplicable);
    if (process(i) != process(kernel) && !unnamed) continue;
    const auto id = static_cast<SpanId>(i + 1);
    if (found == 0 || spans.start_ns[i] >= spans.start_ns[found - 1]) found = id;
  }
  return found;
}

TEST(LaunchProperty, AgreesWithTheRuleOnRandomSpans) {
  std::mt19937 random(3);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  int placed = 0;
  for (int round = 0; round < 2000; ++round) {
    trace::Trace trace;
    trace::TraceWriter writer(trace);
    const std::uint32_t tracks = 1 + below(5);
    for (std::uint32_t i = 0; i < tracks; ++i)
      writer.AddTrack(
          {.kind = trace::TrackKind::kThread,
           .name = "",
           .process_id = below(3) == 0 ? trace::kNotApplicable : std::int64_t{below(3)}});
    for (int i = 0; i < 40; ++i)
      writer.AddSpan({.level = below(2) == 0 ? Level::kLibrary : Level::kKernel,
                      .type = "x",
                      .name = "x",
                      .track = 1 + below(tracks),
                      .start_ns = below(50),
                      .duration_ns = below(10),
                      .correlation_id = below(8)});
    PlaceByLaunch(trace);
    std::int64_t missing = 0;
    for (std::size_t i = 0; i < trace.spans.size(); ++i) {
      if (trace.spans.level[i] != Level::kKernel || trace.spans.correlation_id[i] == 0) {
        EXPECT_EQ(trace.spans.parent[i], 0u);
        continue;
      }
      const SpanId expected = SlowLaunch(trace, i);
      EXPECT_EQ(trace.spans.parent[i], expected);
      expected == 0 ? ++missing : ++placed;
    }
    const auto counted = trace.diagnostics.find("correlate_launch_missing");
    EXPECT_EQ(counted == trace.diagnostics.end() ? 0 : counted->second.count, missing);
  }
  EXPECT_GT(placed, 10'000);
}

}  // namespace
}  // namespace xsp::correlate
