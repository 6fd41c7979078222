#include "measure/alternatives/primitive_work.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace xsp::alternatives {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// 3 x 3, 64 channels: 2 * 64 * 56 * 56 * 64 * 9 FLOP.
constexpr const char* kProblem = "mb1_ic64oc64_ih56oh56kh3sh1dh0ph1_iw56ow56kw3sw1dw0pw1";
constexpr double kOutputs = 64 * 56 * 56, kFlops = 2 * kOutputs * 64 * 9;
constexpr double kReadBytes = 4 * (kOutputs + 64 * 64 * 9 + 64), kWriteBytes = 4 * kOutputs;

RanPrimitive Convolution(double flops_an_output = 0, double more_bytes = 0) {
  return {false,
          "convolution",
          kProblem,
          "float32",
          "aten::conv2d",
          kFlops + flops_an_output * kOutputs,
          kReadBytes + more_bytes,
          kWriteBytes};
}

TEST(PrimitiveWorkTest, AConvolutionIsMeasuredAsItRan) {
  const WorkOrReason found = WorkOf(Convolution());
  ASSERT_TRUE(found.work) << found.reason;
  EXPECT_EQ(found.work->kind, "convolution");
  EXPECT_EQ(found.work->problem, kProblem);
  EXPECT_EQ(found.work->output_bytes, 4);
  EXPECT_THAT(found.work->post_ops, IsEmpty());
}

TEST(PrimitiveWorkTest, PostOperationsFollowFromTheCost) {
  const auto post_ops = [](const RanPrimitive& ran) { return WorkOf(ran).work->post_ops; };
  EXPECT_THAT(post_ops(Convolution(1)), ElementsAre("relu"));
  EXPECT_THAT(post_ops(Convolution(1, kWriteBytes)), ElementsAre("sum"));
  EXPECT_THAT(post_ops(Convolution(2, kWriteBytes)), ElementsAre("sum", "relu"));
  EXPECT_THAT(post_ops(Convolution(2)), ElementsAre("clip"));
  const WorkOrReason swish = WorkOf(Convolution(6));
  EXPECT_FALSE(swish.work);
  EXPECT_EQ(swish.reason, "post-operations");
  EXPECT_EQ(WorkOf(Convolution(0.5)).reason, "post-operations");
}

TEST(PrimitiveWorkTest, OneDimensionAndGroupsAreConvolutionsToo) {
  const WorkOrReason found =
      WorkOf({false, "convolution", "g8mb2_ic8oc8_iw100ow98kw3sw1dw0pw0", "bfloat16", "Conv",
              2.0 * 2 * 8 * 98 * 3, 4000, 2.0 * 2 * 8 * 98});
  ASSERT_TRUE(found.work) << found.reason;
  EXPECT_EQ(found.work->output_bytes, 2);
}

TEST(PrimitiveWorkTest, AProductOfMklIsOneOfRows) {
  const WorkOrReason found = WorkOf({false, "gemm", "T,N,1000,1,512,*,*,512,*,512,*,1000",
                                     "float32", "aten::linear", 2.0 * 1000 * 512, 4e6, 4000});
  ASSERT_TRUE(found.work) << found.reason;
  EXPECT_EQ(found.work->kind, "matmul");
  EXPECT_EQ(found.work->problem, "1x512:512x1000");
}

TEST(PrimitiveWorkTest, InnerProductsAndProductsHaveSizes) {
  EXPECT_TRUE(WorkOf({false, "inner_product", "mb4ic512ih7iw7oc1000", "float32", "Gemm",
                      2.0 * 4 * 512 * 49 * 1000, 1e8, 16000})
                  .work);
  EXPECT_TRUE(WorkOf({false, "matmul", "12x64x32:12x32x64", "float32", "MatMul",
                      2.0 * 12 * 64 * 64 * 32, 2e5, 4.0 * 12 * 64 * 64})
                  .work);
}

TEST(PrimitiveWorkTest, TellsWhyThereAreNoAlternatives) {
  RanPrimitive gradient = Convolution();
  gradient.layer_type = "ConvolutionBackward0";
  EXPECT_EQ(WorkOf(gradient).reason, "backward pass");
  RanPrimitive halves = Convolution();
  halves.dtype = "float16";
  EXPECT_EQ(WorkOf(halves).reason, "data type");
  RanPrimitive damaged = Convolution();
  damaged.problem = "mb1_ic*";
  EXPECT_EQ(WorkOf(damaged).reason, "problem cannot be read");
  RanPrimitive free = Convolution();
  free.flops = std::nullopt;
  EXPECT_EQ(WorkOf(free).reason, "problem cannot be read");
  for (const char* problem : {"", "T,N", "T,N,*,1,2", "a,b,1,2,x"}) {
    const WorkOrReason found = WorkOf({false, "gemm", problem, "float32", "", 1.0, 1.0, 1.0});
    EXPECT_FALSE(found.work) << problem;
  }
}

TEST(PrimitiveWorkTest, OtherKindsHaveNone) {
  for (const char* kind : {"reorder", "pooling", "deconvolution", ""}) {
    const WorkOrReason found = WorkOf({false, kind, kProblem, "float32", "", kFlops, 1.0, 1.0});
    EXPECT_FALSE(found.work) << kind;
    EXPECT_EQ(found.reason, "") << kind;
  }
}

RanPrimitive OnGpu(const char* problem, const char* dtype, double flops, double read_bytes) {
  return {true, "", problem, dtype, "aten::linear", flops, read_bytes, 1000, "float16"};
}

TEST(PrimitiveWorkTest, AKernelOfAGpuHasItsKindFromTheProblem) {
  const WorkOrReason product =
      WorkOf(OnGpu("4x256:256x128", "tfloat32", 2.0 * 4 * 256 * 128, 4.0 * 260 * 256));
  ASSERT_TRUE(product.work) << product.reason;
  EXPECT_EQ(product.work->kind, "matmul");
  EXPECT_EQ(product.work->dtype, "tfloat32");
  EXPECT_EQ(product.work->output_bytes, 0);
  const WorkOrReason convolution = WorkOf(OnGpu(kProblem, "float16", kFlops, kReadBytes / 2));
  ASSERT_TRUE(convolution.work) << convolution.reason;
  EXPECT_EQ(convolution.work->kind, "convolution");
}

TEST(PrimitiveWorkTest, OnAGpuAnAdditionIsABiasUnlessTheResultIsRead) {
  constexpr double kProduct = 2.0 * 4 * 256 * 128, kOutputs = 4 * 128;
  constexpr double kOperands = 4.0 * (4 * 256 + 256 * 128);
  const auto post_ops = [](double flops, double read_bytes) {
    return WorkOf(OnGpu("4x256:256x128", "float32", flops, read_bytes)).work->post_ops;
  };
  EXPECT_THAT(post_ops(kProduct, kOperands), IsEmpty());
  EXPECT_THAT(post_ops(kProduct + kOutputs, kOperands + 4 * 128), ElementsAre("bias"));
  EXPECT_THAT(post_ops(kProduct + kOutputs, kOperands + 4 * kOutputs), ElementsAre("sum"));
  EXPECT_EQ(WorkOf(OnGpu("4x256:256x128", "float32", kProduct + 2 * kOutputs, kOperands)).reason,
            "post-operations");
  EXPECT_EQ(WorkOf(OnGpu(kProblem, "float32", kFlops + 64 * 56 * 56, kReadBytes)).reason,
            "post-operations");
}

TEST(PrimitiveWorkTest, AMatrixVectorProductHasTheTypeOfItsOperands) {
  constexpr double kProduct = 2.0 * 256 * 128, kElements = 256 + 256 * 128;
  RanPrimitive ran = OnGpu("1x256:256x128", "float32", kProduct, 2 * kElements);
  EXPECT_EQ(WorkOf(ran).work->dtype, "float16");
  ran.precision = "float32";
  EXPECT_EQ(WorkOf(ran).reason, "data type") << "float16 or bfloat16";
}

TEST(PrimitiveWorkTest, TellsWhyAKernelOfAGpuHasNoAlternatives) {
  EXPECT_EQ(WorkOf(OnGpu("", "float32", 1, 1)).reason, "problem cannot be read");
  EXPECT_EQ(WorkOf(OnGpu("4x4:4x4", "float64", 128, 256)).reason, "data type");
  RanPrimitive shared = OnGpu(kProblem, "float32", kFlops, kReadBytes);
  shared.flops = std::nullopt;
  EXPECT_EQ(WorkOf(shared).reason, "several kernels");
}

TEST(PrimitiveWorkTest, AnythingThatTakesOtherTimeIsAnotherKey) {
  const PrimitiveWork work{"convolution", kProblem, "float32", {}, 4};
  PrimitiveWork other = work;
  other.post_ops = {"relu"};
  const Processor one{.name = "EPYC", .cores = 2, .threads = 1};
  Processor two = one;
  two.threads = 2;
  EXPECT_NE(KeyOf(work, one), KeyOf(other, one));
  EXPECT_NE(KeyOf(work, one), KeyOf(work, two));
  other = work;
  other.dtype = "int8";
  EXPECT_NE(KeyOf(work, one), KeyOf(other, one));
}

}  // namespace
}  // namespace xsp::alternatives
