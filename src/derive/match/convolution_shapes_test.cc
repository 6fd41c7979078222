#include "derive/match/convolution_shapes.h"

#include <gtest/gtest.h>

#include <string_view>

#include "derive/match/match_testing.h"

namespace xsp::match {
namespace {

using trace::SpanId;

constexpr std::string_view kTypes = "[float32,float32,float32,float32]";

/// Operators of one call with shapes, without values and results, as PyTorch before 2.1 records
/// them.
class OldTrace {
 public:
  OldTrace() : call_(recording_.Call(0, 0, 100000)) {}

  SpanId Operator(std::string_view type, std::string_view shapes, SpanId parent = 0,
                  std::int64_t duration_ns = 5) {
    const SpanId span = recording_.Layer(parent == 0 ? call_ : parent, type, Next(), duration_ns);
    if (shapes.empty()) return span;
    recording_.Attribute(span, "input_shapes", shapes);
    recording_.Attribute(span, "input_types", kTypes);
    return span;
  }
  void Kernel(SpanId parent, std::string_view name) {
    const SpanId launch =
        recording_.Add(trace::Level::kLibrary, "cudaLaunchKernel", "launch", Next(), 1, parent);
    recording_.Kernel(launch, name, 50000 + Next(), 10, "kernel");
  }
  Recording& recording() { return recording_; }
  std::optional<double> FlopsOfKernel(std::size_t kernel) {
    TestExperiment experiment;
    experiment.AddRun("imported", recording_);
    return experiment.Match().kernel.at(kernel).flops;
  }

 private:
  std::int64_t Next() { return now_ += 10; }

  Recording recording_;
  SpanId call_;
  std::int64_t now_ = 0;
};

constexpr double kPoints = 2 * 6 * 4 * 4, kKernel = 3 * 3 * 3;  // [2,6,4,4] by [6,3,3,3].

TEST(ConvolutionShapes, TheNextOperatorShowsTheResult) {
  OldTrace trace;
  const SpanId conv = trace.Operator("aten::cudnn_convolution", "[[2,3,8,8],[6,3,3,3],[],[]]");
  trace.Kernel(conv, "implicit_convolve_sgemm");
  trace.Operator("aten::add", "[[],[],[]]");
  trace.Operator("aten::batch_norm", "[[2,6,4,4],[6],[6],[6]]");
  EXPECT_EQ(trace.FlopsOfKernel(0), 2 * kPoints * kKernel);
}

TEST(ConvolutionShapes, OperatorsInsideAreNotTheNext) {
  OldTrace trace;
  const SpanId conv =
      trace.Operator("aten::cudnn_convolution", "[[2,3,8,8],[6,3,3,3],[],[]]", 0, 100);
  trace.Operator("aten::resize_", "[[2,6,8,8],[],[]]", conv);
  trace.Kernel(conv, "implicit_convolve_sgemm");
  for (int i = 0; i < 10; ++i) trace.Operator("aten::empty", "", conv);
  trace.Operator("aten::relu_", "[[2,6,4,4]]");
  EXPECT_EQ(trace.FlopsOfKernel(0), 2 * kPoints * kKernel);
}

TEST(ConvolutionShapes, ATensorThatIsNoResultLeavesItUnknown) {
  for (const std::string_view next :
       {"[[2,5,4,4]]", "[[1,6,4,4]]", "[[2,6,40,40]]", "[[2,6,4,4,1]]", "[[6]]", ""}) {
    OldTrace trace;
    const SpanId conv = trace.Operator("aten::cudnn_convolution", "[[2,3,8,8],[6,3,3,3],[],[]]");
    trace.Kernel(conv, "implicit_convolve_sgemm");
    trace.Operator("aten::relu_", next);
    EXPECT_EQ(trace.FlopsOfKernel(0), std::nullopt) << next;
  }
}

TEST(ConvolutionShapes, WithRecordedValuesNothingIsInferred) {
  OldTrace trace;
  const SpanId conv = trace.Operator("aten::cudnn_convolution", "[[2,3,8,8],[6,3,3,3],[],[]]");
  trace.Kernel(conv, "implicit_convolve_sgemm");
  const SpanId next = trace.Operator("aten::relu_", "[[2,6,4,4]]");
  trace.recording().Attribute(next, "input_values", "");
  trace.recording().Attribute(conv, "input_values", ";;damaged");
  EXPECT_EQ(trace.FlopsOfKernel(0), std::nullopt);
}

TEST(ConvolutionShapes, EachGradientCostsAsMuchAsTheConvolution) {
  OldTrace trace;
  const SpanId both = trace.Operator("aten::cudnn_convolution_backward",
                                     "[[2,3,8,8],[2,6,4,4],[6,3,3,3],[],[]]", 0, 200);
  const SpanId input =
      trace.Operator("aten::cudnn_convolution_backward_input", "[[],[2,6,4,4],[6,3,3,3],[]]", both);
  trace.Kernel(input, "dgrad_engine");
  const SpanId weight = trace.Operator("aten::cudnn_convolution_backward_weight",
                                       "[[],[2,6,4,4],[2,3,8,8],[]]", both);
  trace.Kernel(weight, "wgrad_alg0_engine");
  EXPECT_EQ(trace.FlopsOfKernel(0), 2 * kPoints * kKernel);
  EXPECT_EQ(trace.FlopsOfKernel(1), 2 * kPoints * kKernel);
}

TEST(ConvolutionShapes, AGradientWithoutItsOperatorHasNoCost) {
  OldTrace trace;
  const SpanId alone =
      trace.Operator("aten::cudnn_convolution_backward_input", "[[],[2,6,4,4],[6,3,3,3],[]]");
  trace.Kernel(alone, "dgrad_engine");
  EXPECT_EQ(trace.FlopsOfKernel(0), std::nullopt);
}

}  // namespace
}  // namespace xsp::match
