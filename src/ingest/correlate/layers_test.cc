#include "ingest/correlate/layers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace xsp::correlate {
namespace {

using testing::ElementsAre;
using trace::Level;
using trace::SpanId;

class LayersTest : public testing::Test {
 protected:
  void SetUp() override { writer_.AddTrack({.kind = trace::TrackKind::kThread, .name = ""}); }
  SpanId Span(Level level, std::string_view type, SpanId parent) {
    return writer_.AddSpan({.level = level,
                            .type = type,
                            .name = type,
                            .track = 1,
                            .start_ns = 0,
                            .duration_ns = 1,
                            .parent = parent});
  }
  LayerMap Find() { return FindLayers(trace_, ParentsFirst(trace_)); }
  trace::Trace trace_;
  trace::TraceWriter writer_{trace_};
};

TEST_F(LayersTest, ModulesAndFunctionsGroupButAreNoLayers) {
  const SpanId model = Span(Level::kModel, "predict", 0);
  const SpanId forward = Span(Level::kLayer, "function", model);
  const SpanId module = Span(Level::kLayer, "module", forward);
  const SpanId conv = Span(Level::kLayer, "aten::conv2d", module);
  const SpanId inner = Span(Level::kLayer, "aten::convolution", conv);
  const SpanId kernel = Span(Level::kKernel, "primitive", inner);
  const LayerMap map = Find();
  EXPECT_THAT(map.outermost_layer, ElementsAre(0, 0, 0, conv, conv, conv));
  EXPECT_THAT(map.innermost_operator, ElementsAre(0, 0, 0, conv, inner, inner));
  EXPECT_EQ(map.outermost_layer[kernel - 1], conv);
}

TEST_F(LayersTest, OutsideTheModelThereAreNoLayersWhereATraceHasModels) {
  Span(Level::kLayer, "aten::load", 0);
  Span(Level::kModel, "predict", 0);
  EXPECT_THAT(Find().outermost_layer, ElementsAre(0, 0));
}

TEST_F(LayersTest, WithoutModelsTheOutermostOperatorsAreLayers) {
  const SpanId step = Span(Level::kApplication, "step", 0);
  const SpanId add = Span(Level::kLayer, "aten::add", step);
  EXPECT_THAT(Find().outermost_layer, ElementsAre(0, add));
}

TEST_F(LayersTest, ParentsComeFirstEvenWhereTheirIdsAreLarger) {
  Span(Level::kKernel, "primitive", 0);
  Span(Level::kLayer, "aten::add", 0);
  Span(Level::kModel, "predict", 0);
  trace_.spans.parent = {2, 3, 0};
  EXPECT_THAT(ParentsFirst(trace_), ElementsAre(3, 2, 1));
  EXPECT_THAT(Find().outermost_layer, ElementsAre(2, 2, 0));
}

}  // namespace
}  // namespace xsp::correlate
