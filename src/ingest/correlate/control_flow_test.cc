#include "ingest/correlate/control_flow.h"

#include <gtest/gtest.h>

#include <string_view>

#include "ingest/correlate/correlate.h"
#include "ingest/correlate/layers.h"

namespace xsp::correlate {
namespace {

using trace::Level;
using trace::SpanId;

class ControlFlowTest : public testing::Test {
 protected:
  SpanId Add(Level level, std::string_view type, std::int64_t start, std::int64_t duration) {
    return writer_.AddSpan({.level = level,
                            .type = type,
                            .name = type,
                            .track = track_,
                            .start_ns = start,
                            .duration_ns = duration});
  }
  std::string_view Type(SpanId span) const { return trace_.Text(trace_.spans.type[span - 1]); }
  std::size_t Layers() const {
    const LayerMap map = FindLayers(trace_, ParentsFirst(trace_));
    std::size_t layers = 0;
    for (SpanId span = 1; span <= trace_.spans.size(); ++span)
      layers += map.outermost_layer[span - 1] == span;
    return layers;
  }

  trace::Trace trace_;
  trace::TraceWriter writer_{trace_};
  const trace::TrackId track_ =
      writer_.AddTrack({.kind = trace::TrackKind::kThread, .name = "t", .process_id = 7});
};

TEST_F(ControlFlowTest, NodesOfABodyAreLayersInEachIteration) {
  Add(Level::kModel, "predict", 0, 1000);
  Add(Level::kLayer, "Conv", 0, 100);
  const SpanId loop = Add(Level::kLayer, "Loop", 100, 800);
  for (int i = 0; i < 3; ++i) {
    Add(Level::kLayer, "MatMul", 110 + 200 * i, 100);
    const SpanId inner = Add(Level::kLayer, "If", 210 + 200 * i, 90);
    Add(Level::kLayer, "Relu", 220 + 200 * i, 50);
    EXPECT_NE(inner, 0u);
  }
  ASSERT_TRUE(Correlate(trace_).ok());
  EXPECT_EQ(Type(loop), trace::type::kFunction);
  EXPECT_EQ(trace_.Text(trace_.spans.name[loop - 1]), "Loop");
  EXPECT_EQ(Layers(), 7u);  // Conv, three times MatMul and Relu.
}

TEST_F(ControlFlowTest, WithoutARecordedBodyItStaysALayer) {
  Add(Level::kModel, "predict", 0, 1000);
  const SpanId branch = Add(Level::kLayer, "If", 100, 800);
  Add(Level::kKernel, trace::type::kPrimitive, 200, 10);
  const SpanId other = Add(Level::kLayer, "Conv", 900, 50);
  Add(Level::kLayer, "Reorder", 910, 10);  // What other operators hold is theirs.
  ASSERT_TRUE(Correlate(trace_).ok());
  EXPECT_EQ(Type(branch), "If");
  EXPECT_EQ(Type(other), "Conv");
  EXPECT_EQ(Layers(), 2u);
}

}  // namespace
}  // namespace xsp::correlate
