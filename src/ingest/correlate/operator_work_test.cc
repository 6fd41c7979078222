#include "ingest/correlate/operator_work.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

namespace xsp::correlate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using trace::Level;
using trace::SpanId;

class OperatorWorkTest : public testing::Test {
 protected:
  void SetUp() override { writer_.AddTrack({.kind = trace::TrackKind::kThread, .name = ""}); }
  SpanId Operator(std::string_view type, std::string_view shapes, SpanId parent = 0) {
    const SpanId span = Add(Level::kLayer, type, parent);
    writer_.AddAttribute(span, trace::attribute::kInputShapes, shapes);
    writer_.AddAttribute(span, trace::attribute::kInputTypes, "[float32,float32,float32]");
    return span;
  }
  SpanId Native(SpanId parent) { return Add(Level::kKernel, trace::type::kNative, parent); }
  /// FLOPs below 0: it tells nothing of its work.
  SpanId Primitive(SpanId parent, double flops = -1, double read_bytes = 0) {
    const SpanId span = Add(Level::kKernel, trace::type::kPrimitive, parent);
    if (flops < 0) return span;
    writer_.AddMetric(span, "flops.float32.vector", flops, "flop", "analytic");
    writer_.AddMetric(span, "algorithmic_read_bytes", read_bytes, "byte", "analytic");
    return span;
  }
  SpanId Add(Level level, std::string_view type, SpanId parent) {
    return writer_.AddSpan({.level = level,
                            .type = type,
                            .name = type,
                            .track = 1,
                            .start_ns = 0,
                            .duration_ns = 10,
                            .parent = parent});
  }
  /// Of every span, what AddOperatorWork() added.
  std::map<SpanId, double> Added(std::string_view name = "flops.float32.vector") {
    const std::size_t before = trace_.metrics.size();
    AddOperatorWork(trace_);
    std::map<SpanId, double> added;
    for (std::size_t i = before; i < trace_.metrics.size(); ++i)
      if (trace_.Text(trace_.metrics.name[i]) == name)
        added[trace_.metrics.span[i]] += trace_.metrics.value[i];
    return added;
  }

  trace::Trace trace_;
  trace::TraceWriter writer_{trace_};
};

constexpr std::string_view kAttention = "[[1,2,3,4],[1,2,5,4],[1,2,5,4]]";
constexpr double kAttentionFlops = 480 + 5 * 30;
constexpr std::string_view kFused = "aten::_scaled_dot_product_flash_attention_for_cpu";

TEST_F(OperatorWorkTest, ShapesGiveNativeKernelsWorkAndTraffic) {
  const SpanId add = Operator("aten::add_", "[[2,3],[2,3],[]]");
  writer_.AddAttribute(add, trace::attribute::kOutputShapes, "[[2,3]]");
  const SpanId kernel = Native(add);
  AddOperatorWork(trace_);
  ASSERT_EQ(trace_.metrics.size(), 3u);
  EXPECT_EQ(trace_.Text(trace_.metrics.name[0]), "flops.float32.vector");
  EXPECT_THAT(trace_.metrics.value, ElementsAre(6, 52, 24));
  EXPECT_THAT(trace_.metrics.span, ElementsAre(kernel, kernel, kernel));
}

TEST_F(OperatorWorkTest, AFusedOperatorsOwnKernelHasWhatItsPrimitivesLeave) {
  const SpanId fused = Operator(kFused, kAttention);
  Primitive(fused, 100, 10);
  Primitive(fused, 140, 20);
  const SpanId native = Native(fused);
  EXPECT_THAT(Added(), ElementsAre(Pair(native, kAttentionFlops - 240)));
  EXPECT_EQ(trace_.metrics.value[trace_.metrics.size() - 2], 4 * (24 + 40 + 40) - 30);
}

TEST_F(OperatorWorkTest, PrimitivesThatDoMoreThanNeededLeaveNothingAndNotLess) {
  const SpanId fused = Operator(kFused, kAttention);
  Primitive(fused, 1e6, 1e6);
  EXPECT_THAT(Added(), IsEmpty());
  const SpanId native = Native(fused);
  EXPECT_THAT(Added(), ElementsAre(Pair(native, 0)));
}

TEST_F(OperatorWorkTest, APrimitiveWithoutSizesHasThoseOfTheInnermostOperator) {
  const SpanId outer = Operator("aten::matmul", "[[1,4,2,3],[4,3,5],[]]");
  const SpanId inner = Operator("aten::bmm", "[[4,2,3],[4,3,5],[]]", outer);
  const SpanId primitive = Primitive(inner);
  EXPECT_THAT(Added(), ElementsAre(Pair(primitive, 240)));
}

TEST_F(OperatorWorkTest, OfSeveralPrimitivesWithoutSizesNoneIsGuessed) {
  const SpanId inner = Operator("aten::bmm", "[[4,2,3],[4,3,5],[]]");
  Primitive(inner);
  Primitive(inner);
  EXPECT_THAT(Added(), IsEmpty());
}

TEST_F(OperatorWorkTest, WithoutShapesNothingIsAdded) {
  Native(Add(Level::kLayer, "aten::add", 0));
  EXPECT_THAT(Added(), IsEmpty());
}

// Whatever is announced inside an operator: its kernels add up to its cost, or to what is known of
// them where that is more.
TEST_F(OperatorWorkTest, WhatAnOperatorComputesIsCountedOnce) {
  std::mt19937 random(7);
  std::map<SpanId, double> announced;  // By operator.
  for (int round = 0; round < 300; ++round) {
    const SpanId outer = Operator(kFused, kAttention);
    const SpanId inner = Operator("aten::bmm", "[[1,2,3],[1,3,5],[]]", outer);  // 60 FLOP.
    double known = 0;
    for (int i = static_cast<int>(random() % 4); i > 0; --i) {
      const double flops = static_cast<double>(random() % 300);
      Primitive(outer, flops);
      known += flops;
    }
    if (random() % 2 == 0) {
      Primitive(inner);
      known += 60;
    }
    Native(outer);
    announced[outer] = known;
  }
  AddOperatorWork(trace_);
  std::map<SpanId, double> sums;
  for (std::size_t i = 0; i < trace_.metrics.size(); ++i) {
    if (!trace_.Text(trace_.metrics.name[i]).starts_with("flops.")) continue;
    SpanId outermost = trace_.metrics.span[i];
    while (trace_.spans.parent[outermost - 1] != 0) outermost = trace_.spans.parent[outermost - 1];
    sums[outermost] += trace_.metrics.value[i];
  }
  for (const auto& [outer, known] : announced)
    EXPECT_EQ(sums[outer], std::max(known, kAttentionFlops));
}

}  // namespace
}  // namespace xsp::correlate
