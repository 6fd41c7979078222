// FLOPs and traffic of device kernels from the shapes of the operators that launched them.
#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "derive/match/match_testing.h"

namespace xsp::match {
namespace {

using trace::SpanId;

constexpr std::string_view kGemm = "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize64x64x64";

/// One call whose operators have shapes; kernels are launched by a call of a library.
class DeviceTrace {
 public:
  DeviceTrace() : call_(recording_.Call(0, 0, 100000)) {}

  SpanId Operator(std::string_view type, std::string_view shapes, SpanId parent = 0,
                  std::string_view types = {}) {
    const SpanId span = recording_.Layer(parent == 0 ? call_ : parent, type, Next(), 5);
    if (shapes.empty()) return span;
    recording_.Attribute(span, "input_shapes", shapes);
    recording_.Attribute(span, "input_types", types.empty() ? "[float32,float32,float32]" : types);
    return span;
  }
  SpanId Kernel(SpanId parent, std::string_view name, std::int64_t duration_ns = 10,
                std::string_view type = "kernel") {
    const SpanId launch =
        recording_.Add(trace::Level::kLibrary, "cudaLaunchKernel", "launch", Next(), 1, parent);
    return recording_.Kernel(launch, name, 50000 + Next(), duration_ns, type);
  }
  Recording& recording() { return recording_; }
  ExperimentTables Match(std::string_view rung = "imported") {
    TestExperiment experiment;
    experiment.AddRun(rung, recording_);
    return experiment.Match();
  }

 private:
  std::int64_t Next() { return now_ += 10; }

  Recording recording_;
  SpanId call_;
  std::int64_t now_ = 0;
};

constexpr std::string_view kBfloat16 = "[bfloat16,bfloat16,bfloat16]";

TEST(DeviceWork, AKernelHasTheWorkOfTheInnermostOperatorAboveItsLaunch) {
  DeviceTrace trace;
  const SpanId linear = trace.Operator("aten::linear", "[[2,3],[5,3],[5]]", 0, kBfloat16);
  const SpanId addmm = trace.Operator("aten::addmm", "[[5],[2,3],[3,5]]", linear, kBfloat16);
  trace.Kernel(addmm, kGemm);
  const ExperimentTables tables = trace.Match();
  ASSERT_EQ(tables.kernel.size(), 1u);
  EXPECT_EQ(tables.kernel[0].flops, 70);
  EXPECT_EQ(tables.kernel[0].read_bytes, 2 * 26);
  EXPECT_EQ(tables.kernel[0].write_bytes, 20);
  EXPECT_EQ(tables.kernel[0].flops_provenance, "analytic");
  EXPECT_EQ(tables.kernel[0].dtype, "bfloat16");
  EXPECT_EQ(tables.kernel[0].unit, "tensor");
  // Once, though linear has a cost, too.
  ASSERT_EQ(tables.layer.size(), 1u);
  EXPECT_EQ(tables.layer[0].flops, 70);
  EXPECT_EQ(tables.layer[0].traffic_provenance, "analytic");
  EXPECT_EQ(tables.point[0].precision, "bfloat16");
}

TEST(DeviceWork, ElementwiseKernelsComputeInFloat32) {
  DeviceTrace trace;
  trace.Kernel(trace.Operator("aten::add", "[[7,3],[7,3]]", 0, "[bfloat16,bfloat16]"),
               "void at::native::vectorized_elementwise_kernel<4, CUDAFunctor_add>(int)");
  const ExperimentTables tables = trace.Match();
  EXPECT_EQ(tables.kernel.at(0).flops, 21);
  EXPECT_EQ(tables.kernel.at(0).read_bytes, 84);
  EXPECT_EQ(tables.kernel.at(0).write_bytes, 42);
  EXPECT_EQ(tables.kernel.at(0).dtype, "float32");
  EXPECT_EQ(tables.kernel.at(0).unit, "vector");
}

TEST(DeviceWork, HelpersLeaveTheWorkToTheOneProduct) {
  DeviceTrace trace;
  const SpanId outer = trace.Operator("aten::_convolution", "");
  const SpanId inner = trace.Operator("aten::cudnn_convolution", "[[1,4,5,5],[6,4,3,3]]", outer,
                                      "[float32,float32]");
  trace.recording().Attribute(inner, "output_shapes", "[[1,6,3,3]]");
  trace.recording().Attribute(inner, "input_values", ";;[0,0];[1,1];[1,1];1;False;False;True");
  trace.Kernel(inner, "Memset (Device)", 10, "memset");
  trace.Kernel(inner, "void cudnn::ops::nchwToNhwcKernel<float>(int)");
  trace.Kernel(inner, "cutlass_80_tensorop_s1688fprop_optimized_tf32_64x64");
  trace.Kernel(inner, "void cudnn::ops::nhwcToNchwKernel<float>(int)");
  // The bias is added by an operator of its own.
  const SpanId add = trace.Operator("aten::add_", "[[1,6,3,3],[1,6,1,1]]", outer);
  trace.Kernel(add, "elementwise_kernel");
  const ExperimentTables tables = trace.Match();
  ASSERT_EQ(tables.kernel.size(), 5u);
  for (const int helper : {0, 1, 3}) EXPECT_EQ(tables.kernel.at(helper).flops, std::nullopt);
  EXPECT_EQ(tables.kernel[2].flops, 2 * 54 * 36);
  EXPECT_EQ(tables.kernel[2].dtype, "tfloat32");
  EXPECT_EQ(tables.kernel[2].unit, "tensor");
  EXPECT_EQ(tables.kernel[4].flops, 54);
  EXPECT_EQ(tables.layer.at(0).flops, 2 * 54 * 36 + 54);
  // TF32 is how float32 is multiplied.
  EXPECT_EQ(tables.point[0].precision, "float32");
}

TEST(DeviceWork, TheProblemOfAProductIsThatOfItsHelpersToo) {
  DeviceTrace trace;
  const SpanId outer = trace.Operator("aten::_convolution", "");
  const SpanId inner = trace.Operator("aten::cudnn_convolution", "[[1,4,5,5],[6,4,3,3]]", outer,
                                      "[float32,float32]");
  trace.recording().Attribute(inner, "input_values", ";;[0,0];[1,1];[1,1];1;False;False;True");
  trace.Kernel(inner, "void cudnn::ops::nchwToNhwcKernel<float>(int)");
  trace.Kernel(inner, "cutlass_80_tensorop_s1688fprop_optimized_tf32_64x64");
  trace.Kernel(trace.Operator("aten::add_", "[[1,6,3,3],[1,6,1,1]]", outer), "elementwise_kernel");
  trace.Kernel(trace.Operator("aten::bmm", "[[2,3,4],[2,4,5]]"), kGemm);
  const ExperimentTables tables = trace.Match();
  ASSERT_EQ(tables.kernel.size(), 4u);
  for (const std::size_t of_convolution : {0, 1})
    EXPECT_EQ(tables.kernel[of_convolution].problem,
              "mb1_ic4oc6_ih5oh3kh3sh1dh0ph0_iw5ow3kw3sw1dw0pw0");
  EXPECT_EQ(tables.kernel[2].problem, std::nullopt);
  EXPECT_EQ(tables.kernel[3].problem, "2x3x4:2x4x5");
}

TEST(DeviceWork, KernelsThatComputeAProductTogetherHaveItsProblem) {
  DeviceTrace trace;
  const SpanId product = trace.Operator("aten::mm", "[[8,4],[4,8]]", 0, kBfloat16);
  trace.Kernel(product, kGemm);
  trace.Kernel(product, kGemm);
  const ExperimentTables tables = trace.Match();
  for (const std::size_t part : {0, 1}) {
    EXPECT_EQ(tables.kernel.at(part).problem, "8x4:4x8");
    EXPECT_EQ(tables.kernel.at(part).flops, std::nullopt);
  }
}

// MIOpen's convolution calls the addition of its bias: its own cost does not hold it.
TEST(DeviceWork, WhatAProductCallsBesidesIsNotTakenOff) {
  DeviceTrace trace;
  const SpanId product = trace.Operator("aten::addmm", "[[5],[2,3],[3,5]]");
  trace.Kernel(trace.Operator("aten::add_", "[[2,5],[5]]", product), "elementwise_kernel");
  trace.Kernel(product, kGemm);
  const ExperimentTables tables = trace.Match();
  EXPECT_EQ(tables.kernel.at(0).flops, 10);
  EXPECT_EQ(tables.kernel.at(1).flops, 70);
  EXPECT_EQ(tables.layer.at(0).flops, 80);
}

// Attention as two products and a softmax, of which an operator without a formula is in charge.
TEST(DeviceWork, WhatProductsLeaveOfAProductIsNoProduct) {
  DeviceTrace trace;
  const SpanId attention = trace.Operator("aten::_scaled_dot_product_attention_math",
                                          "[[1,2,3,4],[1,2,5,4],[1,2,5,4]]", 0, kBfloat16);
  trace.Kernel(trace.Operator("aten::bmm", "[[2,3,4],[2,4,5]]", attention, kBfloat16), kGemm);
  trace.Kernel(trace.Operator("aten::_safe_softmax_of_mine", "[[1,2,3,5]]", attention, kBfloat16),
               "softmax_warp_forward");
  trace.Kernel(trace.Operator("aten::bmm", "[[2,3,5],[2,5,4]]", attention, kBfloat16), kGemm);
  const ExperimentTables tables = trace.Match();
  EXPECT_EQ(tables.kernel.at(0).flops, 240);
  EXPECT_EQ(tables.kernel.at(0).unit, "tensor");
  EXPECT_EQ(tables.kernel.at(1).flops, 5 * 30);
  EXPECT_EQ(tables.kernel.at(1).unit, "vector");
  EXPECT_EQ(tables.kernel.at(1).dtype, "float32");
  EXPECT_EQ(tables.layer.at(0).flops, 480 + 150);
}

TEST(DeviceWork, WhatSeveralKernelsDidStaysWithTheLayer) {
  DeviceTrace trace;
  const SpanId outer = trace.Operator("ConvolutionBackward0", "");
  const SpanId backward = trace.Operator("aten::convolution_backward",
                                         "[[1,6,3,3],[1,4,5,5],[6,4,3,3]]", outer, kBfloat16);
  trace.recording().Attribute(backward, "input_values",
                              ";;;[0];[1,1];[0,0];[1,1];False;[0,0];1;[True,True,False]");
  trace.Kernel(backward, "cutlass_tensorop_bf16_s16816dgrad_optimized_128x128", 30);
  trace.Kernel(backward, "void nchwToNhwcKernel<float>(int)", 40);
  trace.Kernel(backward, "cutlass_tensorop_bf16_s16816wgrad_optimized_64x64", 20);
  const ExperimentTables tables = trace.Match();
  const double pass = 2 * 54 * 36;
  ASSERT_EQ(tables.kernel.size(), 3u);
  for (const int product : {0, 2}) {
    EXPECT_EQ(tables.kernel.at(product).flops, std::nullopt);
    EXPECT_EQ(tables.kernel.at(product).read_bytes, std::nullopt);
    EXPECT_EQ(tables.kernel.at(product).dtype, "bfloat16");
    EXPECT_EQ(tables.kernel.at(product).unit, "tensor");
  }
  EXPECT_EQ(tables.kernel[1].unit, std::nullopt);
  ASSERT_EQ(tables.layer.size(), 1u);
  EXPECT_EQ(tables.layer[0].flops, 2 * pass);
  EXPECT_EQ(tables.layer[0].flops_provenance, "analytic");
  EXPECT_EQ(tables.layer[0].read_bytes, 2 * (54 + 100 + 216));
  EXPECT_EQ(tables.layer[0].write_bytes, 2 * (100 + 216));
  EXPECT_EQ(tables.layer[0].dtype, "bfloat16");
}

TEST(DeviceWork, OperatorsWithoutACostLeaveTheirKernelsToTheOneAround) {
  DeviceTrace trace;
  const SpanId known = trace.Operator("aten::linear", "[[2,3],[5,3]]", 0, "[float32,float32]");
  trace.Kernel(trace.Operator("mine::fast_linear", "[[2,3],[5,3]]", known, "[float32,float32]"),
               "volta_sgemm_64x64_nt");
  trace.Kernel(trace.Operator("mine::alone", "[[2,3]]", 0, "[float32]"), "mystery");
  const ExperimentTables tables = trace.Match();
  EXPECT_EQ(tables.kernel.at(0).flops, 60);
  EXPECT_EQ(tables.kernel.at(0).unit, "vector");
  EXPECT_EQ(tables.kernel.at(1).flops, std::nullopt);
  EXPECT_EQ(tables.layer.at(1).flops, std::nullopt);
}

TEST(DeviceWork, CopiesToAndFromTheHostAreNotTheDevicesWork) {
  DeviceTrace trace;
  const SpanId in = trace.Operator("aten::copy_", "[[4],[4]]", 0, "[float32,float32]");
  trace.Kernel(in, "Memcpy HtoD (Pageable -> Device)", 10, "memcpy");
  const SpanId inside = trace.Operator("aten::copy_", "[[4],[4]]", 0, "[float32,float32]");
  trace.Kernel(inside, "Memcpy DtoD (Device -> Device)", 10, "memcpy");
  trace.Kernel(trace.Operator("aten::zero_", "[[4]]", 0, "[float32]"), "Memset (Device)", 10,
               "memset");
  const ExperimentTables tables = trace.Match();
  EXPECT_EQ(tables.kernel.at(0).read_bytes, std::nullopt);
  EXPECT_EQ(tables.kernel.at(1).read_bytes, 16);
  EXPECT_EQ(tables.kernel.at(1).write_bytes, 16);
  EXPECT_EQ(tables.kernel.at(1).flops, 0);
  EXPECT_EQ(tables.kernel.at(2).write_bytes, 16);
  EXPECT_EQ(tables.kernel.at(2).read_bytes, 0);
}

TEST(DeviceWork, WithoutShapesNothingIsAdded) {
  DeviceTrace trace;
  trace.Kernel(trace.Operator("aten::mm", ""), kGemm);
  const ExperimentTables tables = trace.Match();
  EXPECT_EQ(tables.kernel.at(0).flops, std::nullopt);
  EXPECT_EQ(tables.kernel.at(0).unit, std::nullopt);
}

/// The same model in two runs: kernels in one, shapes in the other.
void AddOwnRuns(TestExperiment& experiment, Recording& kernel, Recording& details) {
  for (std::int64_t i = 0; i < 3; ++i) {
    const std::int64_t at = i * 1000;
    const SpanId linear = kernel.Layer(kernel.Call(i, at, 900), "aten::linear", at + 10, 100);
    const SpanId addmm = kernel.Layer(linear, "aten::addmm", at + 20, 50);
    kernel.Kernel(addmm, "void cublasLt::splitKreduce_kernel<32>(int)", at + 400, 10, "kernel");
    kernel.Kernel(addmm, kGemm, at + 300, 60, "kernel");
    const SpanId shaped = details.Layer(details.Call(i, at, 900), "aten::linear", at + 10, 100);
    const SpanId inner = details.Layer(shaped, "aten::addmm", at + 20, 50);
    details.Attribute(shaped, "input_shapes", "[[2,3],[5,3],[5]]");
    details.Attribute(shaped, "input_types", kBfloat16);
    details.Attribute(inner, "input_shapes", "[[5],[2,3],[3,5]]");
    details.Attribute(inner, "input_types", kBfloat16);
  }
  experiment.AddRun("kernel", kernel);
  experiment.AddRun("details", details);
}

TEST(DeviceWork, ShapesMayComeFromTheDetailsRun) {
  TestExperiment experiment;
  Recording kernel, details;
  AddOwnRuns(experiment, kernel, details);
  const ExperimentTables tables = experiment.Match();
  ASSERT_EQ(tables.kernel.size(), 2u);
  EXPECT_EQ(tables.kernel[0].name, kGemm);
  EXPECT_EQ(tables.kernel[0].flops, 70);
  EXPECT_EQ(tables.kernel[0].unit, "tensor");
  EXPECT_EQ(tables.kernel[1].flops, std::nullopt);
  EXPECT_EQ(tables.layer.at(0).flops, 70);
}

TEST(DeviceWork, MeasuredFlopsReplaceWhatSeveralKernelsDidTogether) {
  const auto layer_of = [](bool measured) {
    TestExperiment experiment;
    DeviceTrace timed, counters;
    for (DeviceTrace* trace : {&timed, &counters}) {
      const SpanId product = trace->Operator("aten::mm", "[[2,3],[3,5]]", 0, "[float32,float32]");
      for (const char* name : {"gemm_a", "gemm_b"}) {
        const SpanId kernel = trace->Kernel(product, name);
        if (trace != &counters) continue;
        trace->recording().Metric(kernel, "flops.float32.vector", 40, "measured:CUPTI");
        trace->recording().Metric(kernel, "dram_read_bytes", 1000, "measured:CUPTI");
      }
    }
    experiment.AddRun("imported", timed.recording());
    if (measured) experiment.AddRun("counters", counters.recording());
    return experiment.Match().layer.at(0);
  };
  EXPECT_EQ(layer_of(false).flops, 60);
  EXPECT_EQ(layer_of(true).flops, 80);
  EXPECT_EQ(layer_of(true).read_bytes, 2000);
  EXPECT_EQ(layer_of(true).flops_provenance, "measured:CUPTI");
}

// Random trees of operators, some of which have a cost: a layer adds up to what a recursion over
// its tree gives, and no more is with its kernels than with it.
TEST(DeviceWork, NothingIsCountedTwiceUpTheTree) {
  std::mt19937 random(11);
  const auto draw = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  for (int round = 0; round < 20; ++round) {
    DeviceTrace trace;
    struct Inside {
      double flops = 0;
      int pending = 0;  // Kernels that no operator inside has the cost of.
    };
    const std::function<Inside(SpanId, int)> grow = [&](SpanId parent, int depth) {
      const int elements = draw(1, 50);
      const bool known = draw(0, 1) == 0;
      const SpanId span =
          trace.Operator(known ? "aten::relu" : "mine::op", "[[" + std::to_string(elements) + "]]",
                         parent, "[float32]");
      Inside inside;
      for (int child = depth > 3 ? 0 : draw(0, 2); child > 0; --child) {
        const Inside of_child = grow(span, depth + 1);
        inside.flops += of_child.flops;
        inside.pending += of_child.pending;
      }
      for (int kernel = draw(0, 2); kernel > 0; --kernel) {
        trace.Kernel(span, "kernel_" + std::to_string(draw(0, 5)));
        ++inside.pending;
      }
      if (known && inside.pending > 0) {
        inside.flops = std::max<double>(inside.flops, elements);
        inside.pending = 0;
      }
      return inside;
    };
    const Inside whole = grow(0, 0);
    const ExperimentTables tables = trace.Match();
    ASSERT_EQ(tables.layer.size(), 1u);
    EXPECT_EQ(tables.layer[0].flops.value_or(0), whole.flops) << round;
    double of_kernels = 0;
    for (const auto& kernel : tables.kernel) of_kernels += kernel.flops.value_or(0);
    EXPECT_LE(of_kernels, whole.flops);
  }
}

}  // namespace
}  // namespace xsp::match
