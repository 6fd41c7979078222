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
  return {"convolution",
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
      WorkOf({"convolution", "g8mb2_ic8oc8_iw100ow98kw3sw1dw0pw0", "bfloat16", "Conv",
              2.0 * 2 * 8 * 98 * 3, 4000, 2.0 * 2 * 8 * 98});
  ASSERT_TRUE(found.work) << found.reason;
  EXPECT_EQ(found.work->output_bytes, 2);
}

TEST(PrimitiveWorkTest, AProductOfMklIsOneOfRows) {
  const WorkOrReason found = WorkOf({"gemm", "T,N,1000,1,512,*,*,512,*,512,*,1000", "float32",
                                     "aten::linear", 2.0 * 1000 * 512, 4e6, 4000});
  ASSERT_TRUE(found.work) << found.reason;
  EXPECT_EQ(found.work->kind, "matmul");
  EXPECT_EQ(found.work->problem, "1x512:512x1000");
}

TEST(PrimitiveWorkTest, InnerProductsAndProductsHaveSizes) {
  EXPECT_TRUE(WorkOf({"inner_product", "mb4ic512ih7iw7oc1000", "float32", "Gemm",
                      2.0 * 4 * 512 * 49 * 1000, 1e8, 16000})
                  .work);
  EXPECT_TRUE(WorkOf({"matmul", "12x64x32:12x32x64", "float32", "MatMul", 2.0 * 12 * 64 * 64 * 32,
                      2e5, 4.0 * 12 * 64 * 64})
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
    const WorkOrReason found = WorkOf({"gemm", problem, "float32", "", 1.0, 1.0, 1.0});
    EXPECT_FALSE(found.work) << problem;
  }
}

TEST(PrimitiveWorkTest, OtherKindsHaveNone) {
  for (const char* kind : {"reorder", "pooling", "deconvolution", ""}) {
    const WorkOrReason found = WorkOf({kind, kProblem, "float32", "", kFlops, 1.0, 1.0});
    EXPECT_FALSE(found.work) << kind;
    EXPECT_EQ(found.reason, "") << kind;
  }
}

TEST(PrimitiveWorkTest, AnythingThatTakesOtherTimeIsAnotherKey) {
  const PrimitiveWork work{"convolution", kProblem, "float32", {}, 4};
  PrimitiveWork other = work;
  other.post_ops = {"relu"};
  EXPECT_NE(KeyOf(work, 1), KeyOf(other, 1));
  EXPECT_NE(KeyOf(work, 1), KeyOf(work, 2));
  other = work;
  other.dtype = "int8";
  EXPECT_NE(KeyOf(work, 1), KeyOf(other, 1));
}

}  // namespace
}  // namespace xsp::alternatives
