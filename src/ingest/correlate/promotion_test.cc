#include "ingest/correlate/promotion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace xsp::correlate {
namespace {

using testing::ElementsAre;
using trace::Level;
using trace::SpanId;

class PromotionTest : public testing::Test {
 protected:
  void SetUp() override { writer_.AddTrack({.kind = trace::TrackKind::kThread, .name = ""}); }
  SpanId Span(Level level, std::string_view type, std::string_view name, std::int64_t start,
              std::int64_t duration, SpanId parent) {
    return writer_.AddSpan({.level = level,
                            .type = type,
                            .name = name,
                            .track = 1,
                            .start_ns = start,
                            .duration_ns = duration,
                            .parent = parent});
  }
  trace::Trace trace_;
  trace::TraceWriter writer_{trace_};
};

TEST_F(PromotionTest, PrimitivesOfAHiddenGraphBecomeLayers) {
  const SpanId model = Span(Level::kModel, "predict", "m", 0, 100, 0);
  const SpanId forward = Span(Level::kLayer, "function", "forward", 0, 100, model);
  const SpanId conv = Span(Level::kKernel, "primitive", "convolution jit:avx512", 10, 50, forward);
  const SpanId pool = Span(Level::kKernel, "primitive", "pooling jit", 70, 10, forward);
  writer_.AddAttribute(conv, trace::attribute::kPrimitiveKind, "convolution");
  PromotePrimitives(trace_);
  ASSERT_EQ(trace_.spans.size(), 6u);
  EXPECT_THAT(trace_.spans.parent, ElementsAre(0, model, 5, 6, forward, forward));
  EXPECT_EQ(trace_.Text(trace_.spans.type[4]), "convolution");
  EXPECT_EQ(trace_.Text(trace_.spans.type[5]), "pooling");
  EXPECT_EQ(trace_.spans.level[4], Level::kLayer);
  EXPECT_EQ(trace_.spans.start_ns[4], trace_.spans.start_ns[conv - 1]);
  EXPECT_EQ(trace_.spans.duration_ns[5], trace_.spans.duration_ns[pool - 1]);
  EXPECT_EQ(trace_.diagnostics.at("correlate_primitives_promoted").count, 2);
}

TEST_F(PromotionTest, AFewPrimitivesOutsideOperatorsStayAsTheyAre) {
  const SpanId model = Span(Level::kModel, "predict", "m", 0, 100, 0);
  const SpanId conv = Span(Level::kLayer, "aten::conv2d", "conv", 0, 60, model);
  Span(Level::kKernel, "primitive", "convolution jit", 0, 50, conv);
  Span(Level::kKernel, "primitive", "reorder jit", 70, 50, model);  // Half is not more than half.
  PromotePrimitives(trace_);
  EXPECT_EQ(trace_.spans.size(), 4u);
  EXPECT_TRUE(trace_.diagnostics.empty());
}

TEST_F(PromotionTest, PrimitivesOutsideTheModelAreNotItsLayers) {
  Span(Level::kModel, "predict", "m", 0, 100, 0);
  Span(Level::kKernel, "primitive", "reorder jit", 200, 50, 0);
  PromotePrimitives(trace_);
  EXPECT_EQ(trace_.spans.size(), 2u);
}

TEST_F(PromotionTest, ALogOfPrimitivesAloneIsALogOfLayers) {
  Span(Level::kKernel, "primitive", "convolution jit", 0, 50, 0);
  PromotePrimitives(trace_);
  EXPECT_THAT(trace_.spans.parent, ElementsAre(2, 0));
}

}  // namespace
}  // namespace xsp::correlate
