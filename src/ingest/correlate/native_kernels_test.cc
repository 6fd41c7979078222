#include "ingest/correlate/native_kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "ingest/correlate/nesting.h"

namespace xsp::correlate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using trace::Level;
using trace::SpanId;

class NativeTest : public testing::Test {
 protected:
  void SetUp() override {
    writer_.AddTrack({.kind = trace::TrackKind::kThread, .name = ""});
    writer_.SetFact("job.rung", "kernel");
  }
  SpanId Operator(std::string_view type, std::int64_t start, std::int64_t duration,
                  SpanId parent = 0) {
    return writer_.AddSpan({.level = Level::kLayer,
                            .type = type,
                            .name = type,
                            .track = 1,
                            .start_ns = start,
                            .duration_ns = duration,
                            .parent = parent});
  }
  SpanId Primitive(std::int64_t start, std::int64_t duration, SpanId parent) {
    return writer_.AddSpan({.level = Level::kKernel,
                            .type = "primitive",
                            .name = "reorder",
                            .track = 1,
                            .start_ns = start,
                            .duration_ns = duration,
                            .parent = parent});
  }
  // "name start+duration in parent" of every native kernel.
  std::vector<std::string> Natives() {
    const std::size_t before = trace_.spans.size();
    AddNativeKernels(trace_);
    std::vector<std::string> result;
    for (std::size_t i = before; i < trace_.spans.size(); ++i)
      result.push_back(std::string(trace_.Text(trace_.spans.name[i])) + " " +
                       std::to_string(trace_.spans.start_ns[i]) + "+" +
                       std::to_string(trace_.spans.duration_ns[i]) + " in " +
                       std::to_string(trace_.spans.parent[i]));
    return result;
  }
  trace::Trace trace_;
  trace::TraceWriter writer_{trace_};
};

TEST_F(NativeTest, TheInnermostComputingOperatorHoldsTheKernel) {
  const SpanId outer = Operator("aten::batch_norm", 0, 100);
  const SpanId middle = Operator("aten::_batch_norm_impl_index", 5, 90, outer);
  const SpanId inner = Operator("aten::native_batch_norm", 10, 80, middle);
  Operator("aten::empty_like", 12, 8, inner);
  EXPECT_THAT(Natives(), ElementsAre("aten::native_batch_norm 10+72 in 3"));
}

TEST_F(NativeTest, AnOperatorThatOnlyCallsAComputingOneHasNone) {
  const SpanId relu = Operator("aten::relu_", 0, 100);
  Operator("aten::clamp_min_", 5, 90, relu);
  EXPECT_THAT(Natives(), ElementsAre("aten::clamp_min_ 5+90 in 2"));
}

TEST_F(NativeTest, AConvolutionThatOnlyCopiesItsOperandsComputesItself) {
  const SpanId transposed = Operator("aten::_convolution", 0, 100);
  const SpanId contiguous = Operator("aten::contiguous", 0, 30, transposed);
  Operator("aten::copy_", 0, 20, contiguous);
  const SpanId plain = Operator("aten::_convolution", 200, 100);
  Operator("aten::mkldnn_convolution", 210, 80, plain);
  // What is not known may be a conversion.
  const SpanId unknown = Operator("mine::convert", 400, 100);
  Operator("aten::copy_", 410, 80, unknown);
  EXPECT_THAT(Natives(),
              ElementsAre("aten::_convolution 30+70 in 1", "aten::copy_ 0+20 in 3",
                          "aten::mkldnn_convolution 210+80 in 5", "aten::copy_ 410+80 in 7"));
}

TEST_F(NativeTest, AnOperatorWithAPrimitiveAtAnyDepthHasNone) {
  const SpanId conv = Operator("aten::_convolution", 0, 100);
  const SpanId inner = Operator("aten::mkldnn_convolution", 5, 90, conv);
  Primitive(10, 50, inner);
  const SpanId addmm = Operator("aten::addmm", 200, 50);
  Operator("aten::copy_", 205, 5, addmm);
  Primitive(215, 30, addmm);
  EXPECT_THAT(Natives(), ElementsAre("aten::copy_ 205+5 in 5"));
}

TEST_F(NativeTest, AnOperatorKnownToComputeKeepsItsSelfTimeBesideWhatItCalls) {
  const SpanId sum = Operator("aten::sum", 0, 100);
  Operator("aten::fill_", 0, 10, sum);
  // Its time is 90 in one span from the first moment that no child covers.
  EXPECT_THAT(Natives(), ElementsAre("aten::sum 10+90 in 1", "aten::fill_ 0+10 in 2"));
}

TEST_F(NativeTest, SelfTimeInPiecesStaysInsideTheOperator) {
  const SpanId norm = Operator("aten::native_layer_norm", 100, 50);
  Operator("aten::empty", 100, 5, norm);
  Operator("aten::empty", 105, 5, norm);
  Operator("aten::view", 130, 10, norm);
  EXPECT_THAT(Natives(), ElementsAre("aten::native_layer_norm 110+30 in 1"));
}

TEST_F(NativeTest, ViewsAndAllocationsHaveNone) {
  Operator("aten::empty", 0, 10);
  Operator("aten::view", 20, 10);
  Operator("aten::contiguous", 40, 10);
  Operator("module", 60, 10);
  Operator("prim::ListConstruct", 80, 10);
  EXPECT_THAT(Natives(), IsEmpty());
}

TEST_F(NativeTest, UnknownOperatorsComputeIfTheyCallNoOther) {
  Operator("mine::fused", 0, 10);
  EXPECT_THAT(Natives(), ElementsAre("mine::fused 0+10 in 1"));
}

TEST_F(NativeTest, OnlyTracesThatSawKernelsGetAny) {
  trace_.facts["job.rung"] = "layer";
  Operator("aten::add", 0, 10);
  EXPECT_THAT(Natives(), IsEmpty());
  Primitive(50, 5, Operator("aten::conv2d", 40, 20));
  EXPECT_THAT(Natives(), ElementsAre("aten::add 0+10 in 1"));
}

// An imported trace of operators that computed where they ran: no library announced its part.
TEST_F(NativeTest, OperatorsOfAJobOnAGpuOnlyLaunchEvenWhereACallHasNoKernels) {
  Operator("aten::relu", 100, 50);
  trace_.facts["job.device"] = "cuda:0";
  EXPECT_THAT(Natives(), IsEmpty());
  trace_.facts["job.device"] = "cpu";
  EXPECT_THAT(Natives(), ElementsAre("aten::relu 100+50 in 1"));
}

TEST_F(NativeTest, WithoutADeviceTheOperatorsOfAnImportedTraceAreItsKernels) {
  trace_.facts.erase("job.rung");
  const SpanId linear = Operator("aten::linear", 0, 20);
  Operator("aten::addmm", 5, 10, linear);
  EXPECT_THAT(Natives(), IsEmpty());
  trace_.facts.emplace(trace::fact::kOperatorsRanOn, "cpu");
  EXPECT_THAT(Natives(), ElementsAre("aten::addmm 5+10 in 2"));
}

TEST_F(NativeTest, DeviceTracksAndSpansWithoutEndHaveNone) {
  Operator("aten::add", 0, trace::kNeverEnded);
  const auto stream = writer_.AddTrack({.kind = trace::TrackKind::kStream, .name = ""});
  writer_.AddSpan({.level = Level::kLayer,
                   .type = "aten::add",
                   .name = "aten::add",
                   .track = stream,
                   .start_ns = 0,
                   .duration_ns = 5});
  EXPECT_THAT(Natives(), IsEmpty());
}

// A layer normalisation's backward pass as PyTorch runs it on a CPU: its gradient is made
// contiguous and two results are zeroed first.
TEST_F(NativeTest, WhatPreparesOperandsAndResultsIsNotTheWork) {
  const SpanId backward = Operator("aten::native_layer_norm_backward", 0, 100);
  Operator("aten::empty", 1, 2, backward);
  const SpanId contiguous = Operator("aten::contiguous", 10, 30, backward);
  const SpanId clone = Operator("aten::clone", 11, 28, contiguous);
  Operator("aten::copy_", 12, 26, clone);
  Operator("aten::zero_", 50, 4, backward);
  EXPECT_THAT(Natives(), ElementsAre("aten::native_layer_norm_backward 0+64 in 1",
                                     "aten::copy_ 12+26 in 5", "aten::zero_ 50+4 in 6"));
}

TEST_F(NativeTest, AnUnknownOperatorThatOnlyAllocatesViewsAndFillsComputes) {
  const SpanId mine = Operator("mine::backward", 0, 100);
  Operator("aten::empty_like", 1, 9, mine);
  const SpanId zeros = Operator("aten::zeros", 10, 10, mine);
  const SpanId zero = Operator("aten::zero_", 12, 6, zeros);
  Operator("aten::fill_", 13, 4, zero);
  Operator("aten::transpose", 20, 5, mine);
  // The one that fills is the innermost: zero_ only calls it.
  EXPECT_THAT(Natives(), ElementsAre("mine::backward 0+76 in 1", "aten::fill_ 13+4 in 5"));
}

TEST_F(NativeTest, AFusedOperatorHasOneBesideItsPrimitives) {
  const SpanId outer = Operator("aten::scaled_dot_product_attention", 0, 100);
  const SpanId fused = Operator("aten::_scaled_dot_product_flash_attention_for_cpu", 5, 90, outer);
  Primitive(20, 10, fused);
  Primitive(50, 10, fused);
  EXPECT_THAT(Natives(),
              ElementsAre("aten::_scaled_dot_product_flash_attention_for_cpu 5+70 in 2"));
}

TEST_F(NativeTest, WhatOtherThreadsDoForAnOperatorTakesNothingOfItsTime) {
  const SpanId fused = Operator("aten::_slow_conv2d_forward", 0, 100);
  Primitive(20, 10, fused);
  const SpanId other = Primitive(20, 40, fused);
  trace_.spans.track[other - 1] =
      writer_.AddTrack({.kind = trace::TrackKind::kThread, .name = "worker"});
  EXPECT_THAT(Natives(), ElementsAre("aten::_slow_conv2d_forward 0+90 in 1"));
}

// Random operator trees: kernels lie inside their operators, and within any operator the kernels
// together never take longer than it. Self time by brute force: count every ns no child covers.
TEST_F(NativeTest, KernelTimeNeverExceedsTheOperatorAndIsExactlyItsSelfTime) {
  std::mt19937 random(5);
  const auto draw = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  const std::vector<std::string_view> types = {"aten::add",    "aten::sum", "aten::empty",
                                               "aten::linear", "mine::op",  "aten::copy_"};
  for (int round = 0; round < 200; ++round) {
    trace::Trace trace;
    trace::TraceWriter writer(trace);
    writer.SetFact("job.rung", "kernel");
    writer.AddTrack({.kind = trace::TrackKind::kThread, .name = ""});
    for (int i = 0; i < 30; ++i)
      writer.AddSpan({.level = draw(0, 5) == 0 ? Level::kKernel : Level::kLayer,
                      .type = types[static_cast<std::size_t>(draw(0, 5))],
                      .name = "x",
                      .track = 1,
                      .start_ns = draw(0, 60),
                      .duration_ns = draw(0, 40)});
    Nest(trace);
    const std::size_t before = trace.spans.size();
    AddNativeKernels(trace);
    const trace::SpanTable& spans = trace.spans;
    for (std::size_t k = before; k < spans.size(); ++k) {
      const std::size_t op = spans.parent[k] - 1;
      const std::int64_t end = spans.start_ns[op] + spans.duration_ns[op];
      std::int64_t self = 0;
      for (std::int64_t at = spans.start_ns[op]; at < end; ++at) {
        bool covered = false;
        for (std::size_t c = 0; c < before; ++c)
          covered |= spans.parent[c] == op + 1 && spans.start_ns[c] <= at &&
                     at < spans.start_ns[c] + spans.duration_ns[c];
        self += covered ? 0 : 1;
      }
      ASSERT_EQ(spans.duration_ns[k], self);
      ASSERT_GE(spans.start_ns[k], spans.start_ns[op]);
      ASSERT_LE(spans.start_ns[k] + self, end);
    }
  }
}

}  // namespace
}  // namespace xsp::correlate
