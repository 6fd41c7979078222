#include "derive/timeline/replay_launches.h"

#include <gtest/gtest.h>

#include "derive/timeline/timeline.h"

namespace xsp::timeline {
namespace {

using trace::Level;

/// A trace in which correlation has already moved kernel 7's parent to an operator of its stream.
class ReplayLaunchesTest : public testing::Test {
 protected:
  trace::TrackId Thread(std::int64_t process, std::int64_t rank = trace::kNotApplicable) {
    trace::Track track{trace::TrackKind::kThread, "thread"};
    track.process_id = process;
    track.rank = rank;
    return writer_.AddTrack(track);
  }
  trace::TrackId Stream(std::int64_t process = trace::kNotApplicable,
                        std::int64_t rank = trace::kNotApplicable) {
    trace::Track track{trace::TrackKind::kStream, "stream"};
    track.process_id = process;
    track.rank = rank;
    track.device = 0;
    track.stream = 7;
    return writer_.AddTrack(track);
  }
  trace::SpanId Call(trace::TrackId track, std::int64_t start_ns) {
    return writer_.AddSpan(
        {Level::kLibrary, "cuda_runtime", "cudaGraphLaunch", track, start_ns, 5, 0, 7});
  }
  trace::SpanId Replayed(trace::TrackId stream, std::int64_t start_ns, trace::SpanId parent = 0) {
    const trace::SpanId kernel = writer_.AddSpan(
        {Level::kKernel, trace::type::kKernel, "gemm", stream, start_ns, 10, parent, 7});
    trace_.spans.placed_by[kernel - 1] = trace::PlacedBy::kSequence;
    return kernel;
  }

  trace::Trace trace_;
  trace::TraceWriter writer_{trace_};
};

TEST_F(ReplayLaunchesTest, FindsTheCallBehindTheOperator) {
  const auto thread = Thread(1), stream = Stream();
  const auto around = writer_.AddSpan({Level::kLayer, "python", "step", thread, 0, 500});
  const auto call = Call(thread, 10);
  const auto layer = writer_.AddSpan({Level::kLayer, "aten::mm", "mm", stream, 100, 10, around});
  const auto kernel = Replayed(stream, 100, layer);
  EXPECT_EQ(ReplayLaunches(trace_).Of(kernel), call);
  const Timeline timeline(trace_);
  EXPECT_EQ(timeline.devices()[0].spans[0].launch, call);
  EXPECT_EQ(timeline.CallOf(timeline.devices()[0].spans[0]), call);
}

TEST_F(ReplayLaunchesTest, LeavesOutWhatWasPlacedByItsLaunch) {
  const auto call = Call(Thread(1), 10);
  const auto kernel = Replayed(Stream(), 100, call);
  trace_.spans.placed_by[kernel - 1] = trace::PlacedBy::kLaunch;
  EXPECT_EQ(ReplayLaunches(trace_).Of(kernel), 0U);
}

TEST_F(ReplayLaunchesTest, TakesNoCallOfAnotherProcessRankOrCapture) {
  const auto captured = Thread(1), stream = Stream(2);
  trace_.tracks[captured - 1].is_reference = true;
  Call(captured, 50);
  Call(Thread(3), 40);
  Call(Thread(2, 1), 30);
  const auto kernel = Replayed(stream, 100);
  EXPECT_EQ(ReplayLaunches(trace_).Of(kernel), 0U);
  const auto call = Call(Thread(2), 20);
  EXPECT_EQ(ReplayLaunches(trace_).Of(kernel), call);
}

TEST_F(ReplayLaunchesTest, OfSeveralCallsTheLastLaunchedIt) {
  const auto thread = Thread(1);
  Call(thread, 10);
  const auto driver = Call(thread, 11);
  const auto kernel = Replayed(Stream(), 100);
  EXPECT_EQ(ReplayLaunches(trace_).Of(kernel), driver);
}

}  // namespace
}  // namespace xsp::timeline
