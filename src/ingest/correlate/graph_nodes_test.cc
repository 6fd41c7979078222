#include "ingest/correlate/graph_nodes.h"

#include <gtest/gtest.h>

#include <string>

#include "ingest/correlate/correlate.h"
#include "trace/vocabulary.h"

namespace xsp::correlate {
namespace {

using trace::Level;
using trace::PlacedBy;
using trace::SpanId;

class GraphNodesTest : public testing::Test {
 protected:
  GraphNodesTest() {
    thread_ = writer_.AddTrack({.kind = trace::TrackKind::kThread, .name = "t", .process_id = 7});
    stream_ = writer_.AddTrack({.kind = trace::TrackKind::kStream,
                                .name = "s",
                                .process_id = 7,
                                .device = 0,
                                .stream = 7});
  }
  SpanId Add(Level level, std::string_view type, std::int64_t start, std::int64_t duration,
             std::int64_t correlation = 0) {
    return writer_.AddSpan({.level = level,
                            .type = type,
                            .name = type,
                            .track = level == Level::kKernel ? stream_ : thread_,
                            .start_ns = start,
                            .duration_ns = duration,
                            .correlation_id = correlation});
  }
  SpanId Replayed(SpanId captured_in, std::int64_t start, std::int64_t correlation) {
    const SpanId kernel = Add(Level::kKernel, "kernel", start, 10, correlation);
    writer_.AddAttribute(kernel, trace::attribute::kCapturedIn, std::to_string(captured_in));
    return kernel;
  }
  SpanId Parent(SpanId span) const { return trace_.spans.parent[span - 1]; }
  std::string Type(SpanId span) const {
    return span == 0 ? "" : std::string(trace_.Text(trace_.spans.type[span - 1]));
  }

  trace::Trace trace_;
  trace::TraceWriter writer_{trace_};
  trace::TrackId thread_ = 0, stream_ = 0;
};

// Two operators of one kernel name, captured before the model ran: the order of names could not
// tell which is which where one is left out.
TEST_F(GraphNodesTest, TiesReplayedWorkToTheOperatorOfItsNode) {
  const SpanId linear = Add(Level::kLayer, "aten::linear", 0, 50);
  const SpanId addmm = Add(Level::kLayer, "aten::addmm", 10, 20);
  writer_.AddAttribute(addmm, trace::attribute::kInputShapes, "[[1,2]]");
  const SpanId relu = Add(Level::kLayer, "aten::relu", 60, 20);
  const SpanId call = Add(Level::kModel, "predict", 1000, 500);
  const SpanId second_call = Add(Level::kModel, "predict", 2000, 500);
  SpanId kernels[2][3];
  for (int replay = 0; replay < 2; ++replay) {
    const std::int64_t at = 1000 * (replay + 1);
    Add(Level::kLibrary, "cuda_runtime", at + 10, 20, 40 + replay);
    kernels[replay][0] = Replayed(addmm, at + 50, 40 + replay);
    kernels[replay][1] = Replayed(addmm, at + 60, 40 + replay);
    kernels[replay][2] = Replayed(relu, at + 70, 40 + replay);
  }
  ASSERT_TRUE(Correlate(trace_, {}).ok());
  for (int replay = 0; replay < 2; ++replay) {
    const SpanId layer = Parent(kernels[replay][0]);
    EXPECT_EQ(Type(layer), "aten::addmm");
    EXPECT_EQ(Parent(kernels[replay][1]), layer) << "work that follows on shares a layer";
    EXPECT_EQ(Type(Parent(layer)), "aten::linear");
    EXPECT_NE(Parent(layer), linear) << "the capture itself is no part of the replay";
    EXPECT_EQ(Parent(Parent(layer)), replay == 0 ? call : second_call);
    EXPECT_EQ(trace_.spans.start_ns[layer - 1], 1000 * (replay + 1) + 50);
    EXPECT_EQ(trace_.spans.duration_ns[layer - 1], 20);
    EXPECT_EQ(Type(Parent(kernels[replay][2])), "aten::relu");
    for (const SpanId kernel : kernels[replay])
      EXPECT_EQ(trace_.spans.placed_by[kernel - 1], PlacedBy::kGraphNode);
  }
  EXPECT_FALSE(trace_.diagnostics.contains("correlate_replay_unexplained"));
}

TEST_F(GraphNodesTest, LeavesWhatWasCapturedOutsideEveryOperatorWithItsLaunch) {
  const SpanId range = Add(Level::kApplication, "range", 0, 50);
  const SpanId launch = Add(Level::kLibrary, "cuda_runtime", 1000, 20, 40);
  const SpanId kernel = Replayed(range, 1050, 40);
  const SpanId damaged = Add(Level::kKernel, "kernel", 1070, 10, 40);
  writer_.AddAttribute(damaged, trace::attribute::kCapturedIn, "99999");
  ASSERT_TRUE(Correlate(trace_, {}).ok());
  EXPECT_EQ(Parent(kernel), launch);
  EXPECT_EQ(Parent(damaged), launch);
}

}  // namespace
}  // namespace xsp::correlate
