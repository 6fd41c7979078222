#include "ingest/primitives/operators.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace xsp::primitives {
namespace {

TEST(OperatorRole, ViewsAllocationAndWrappersNeverCompute) {
  for (const std::string_view type :
       {"aten::empty", "aten::empty_strided", "aten::as_strided_", "aten::resize_", "aten::view",
        "aten::t", "aten::squeeze_", "detach_", "aten::contiguous", "aten::to", "aten::_to_copy",
        "aten::item", "aten::is_nonzero", "aten::batch_norm", "aten::linear", "prim::ListConstruct",
        "aten::slice.Tensor", "aten::__is__", "profiler::_record_function_enter_new"})
    EXPECT_EQ(RoleOf(type), OperatorRole::kNeverComputes) << type;
}

TEST(OperatorRole, OwnLoopsComputeWhateverTheyCall) {
  for (const std::string_view type :
       {"aten::addmm", "aten::sum", "aten::native_batch_norm", "aten::add_.Tensor"})
    EXPECT_EQ(RoleOf(type), OperatorRole::kComputes) << type;
}

TEST(OperatorRole, AConvolutionIsDelegatedOrComputesAndCopiesDoNotTell) {
  EXPECT_EQ(RoleOf("aten::_convolution"), OperatorRole::kDelegates);
  EXPECT_EQ(RoleOf("aten::copy_"), OperatorRole::kCopies);
}

TEST(OperatorRole, TheRestIsDecidedByWhatItCalls) {
  EXPECT_EQ(RoleOf("aten::relu_"), OperatorRole::kUnknown);
  EXPECT_EQ(RoleOf("mine::empty"), OperatorRole::kUnknown);  // Another's name means another thing.
  EXPECT_EQ(RoleOf(""), OperatorRole::kUnknown);
}

void ExpectCost(const Cost& cost, CostStatus status, double flops, double read, double written) {
  EXPECT_EQ(cost.status, status);
  EXPECT_DOUBLE_EQ(cost.flops, flops);
  EXPECT_DOUBLE_EQ(cost.read_bytes, read);
  EXPECT_DOUBLE_EQ(cost.write_bytes, written);
}

TEST(OperatorCost, ElementwiseOperatorsCountPerOutput) {
  ExpectCost(EstimateOperator("aten::add_", "[[2,3],[3],[]]", "[float32,float32,]", "[[2,3]]"),
             CostStatus::kKnown, 6, 36, 24);
  ExpectCost(EstimateOperator("aten::sigmoid", "[[2, 3]]", "[bfloat16]", "[[2, 3]]"),
             CostStatus::kKnown, 24, 12, 12);
}

TEST(OperatorCost, InferenceBatchNormIsAMultiplyAdd) {
  const Cost cost =
      EstimateOperator("aten::native_batch_norm", "[[1,4,2,2],[4],[4],[4],[4],[],[],[]]",
                       "[float32,float32,float32,float32,float32,,,]", "[[1,4,2,2],[0],[0]]");
  ExpectCost(cost, CostStatus::kKnown, 32, 4 * (16 + 16), 64);
  EXPECT_EQ(cost.dtype, "float32");
  EXPECT_EQ(cost.unit, "vector");
}

TEST(OperatorCost, ProductsCountEveryMultiplyAdd) {
  ExpectCost(EstimateOperator("aten::mm", "[[2,3],[3,5]]", "[float64,float64]", "[[2,5]]"),
             CostStatus::kKnown, 60, 8 * 21, 80);
  ExpectCost(EstimateOperator("aten::bmm", "[[4,2,3],[4,3,5]]", "[float32,float32]", "[[4,2,5]]"),
             CostStatus::kKnown, 240, 4 * 84, 160);
  ExpectCost(
      EstimateOperator("aten::addmm", "[[5],[2,3],[3,5]]", "[float32,float32,float32]", "[[2,5]]"),
      CostStatus::kKnown, 70, 4 * 26, 40);
  ExpectCost(
      EstimateOperator("aten::linear", "[[2,3],[5,3],[5]]", "[float32,float32,float32]", "[[2,5]]"),
      CostStatus::kKnown, 60, 4 * 26, 40);
  ExpectCost(EstimateOperator("aten::_slow_conv2d_forward", "[[1,4,5,5],[6,2,3,3],[]]",
                              "[float32,float32,]", "[[1,6,3,3]]"),
             CostStatus::kKnown, 2 * 54 * 18, 4 * (100 + 108), 4 * 54);
}

TEST(OperatorRole, FillsAndFusedOperatorsAreKinds) {
  for (const std::string_view type : {"aten::zero_", "aten::fill_.Scalar"})
    EXPECT_EQ(RoleOf(type), OperatorRole::kFills) << type;
  for (const std::string_view type :
       {"aten::_scaled_dot_product_flash_attention_for_cpu",
        "aten::_scaled_dot_product_flash_attention_for_cpu_backward", "aten::_slow_conv2d_forward"})
    EXPECT_EQ(RoleOf(type), OperatorRole::kFused) << type;
  EXPECT_EQ(RoleOf("aten::native_layer_norm_backward"), OperatorRole::kComputes);
}

TEST(OperatorCost, WhatKernelsInsideDidIsTakenOffOnce) {
  const Cost cost = EstimateOperator("aten::mm", "[[2,3],[3,5]]", "[float32,float32]", "[[2,5]]");
  ExpectCost(WithoutKnown(cost, 40, 4, 40), CostStatus::kKnown, 20, 80, 0);
  ExpectCost(WithoutKnown(cost, 61, 0, 0), CostStatus::kKnown, 0, 84, 40);
}

TEST(OperatorCost, AttentionIsTwoProductsAndASoftmax) {
  double flops = 0;
  for (int score = 0; score < 1 * 2 * 3 * 5; ++score) flops += 2 * 4 + 2 * 4 + 5;
  EXPECT_EQ(EstimateOperator("aten::_scaled_dot_product_flash_attention_for_cpu",
                             "[[1,2,3,4],[1,2,5,4],[1,2,5,4]]", "[float32,float32,float32]",
                             "[[1,2,3,4]]")
                .flops,
            flops);
}

TEST(OperatorCost, TablesAreReadOnlyWhereAnIndexPoints) {
  ExpectCost(EstimateOperator("aten::embedding", "[[1000,4],[2]]", "[float32,int64]", "[[2,4]]"),
             CostStatus::kKnown, 0, 32 + 16, 32);
}

TEST(OperatorCost, CopiesReadTheSourceOnly) {
  ExpectCost(EstimateOperator("aten::copy_", "[[2,4],[2,4]]", "[float32,int64]", "[[2,4]]"),
             CostStatus::kKnown, 0, 64, 32);
  ExpectCost(EstimateOperator("aten::zero_", "[[2,4]]", "[float32]", "[[2,4]]"), CostStatus::kKnown,
             0, 0, 32);
}

TEST(OperatorCost, AResultGivenToClampIsNotRead) {
  ExpectCost(
      EstimateOperator("aten::clamp", "[[2,4],[],[],[2,4]]", "[float32,,,float32]", "[[2,4]]"),
      CostStatus::kKnown, 16, 32, 32);
  ExpectCost(EstimateOperator("aten::clamp", "[[2,4],[2,4],[2,4]]", "[float32,float32,float32]",
                              "[[2,4]]"),
             CostStatus::kKnown, 16, 96, 32);
}

TEST(OperatorCost, ListsOfTensorsCountEachOnce) {
  ExpectCost(EstimateOperator("aten::cat", "[[[2,3],[4,3]],[]]", "[[float32,float32],]", "[[6,3]]"),
             CostStatus::kKnown, 0, 72, 72);
}

TEST(OperatorCost, IndicesAreEightBytes) {
  ExpectCost(EstimateOperator("aten::max_pool2d_with_indices", "[[1,1,4,4]]", "[float32]",
                              "[[1,1,2,2],[1,1,2,2]]"),
             CostStatus::kKnown, 16, 64, 16 + 32);
}

TEST(OperatorCost, UnknownOperatorsHaveTrafficOnly) {
  ExpectCost(EstimateOperator("mine::fused", "[[2,3],[3]]", "[float32,float32]", "[[2,3]]"),
             CostStatus::kTrafficOnly, 0, 36, 24);
}

TEST(OperatorCost, WithoutOutputShapesElementwiseOperatorsAreStillKnown) {
  ExpectCost(EstimateOperator("aten::add", "[[3],[2,3]]", "[float32,float32]", ""),
             CostStatus::kKnown, 6, 36, 24);
  EXPECT_EQ(EstimateOperator("aten::_convolution", "[[1,3,8,8],[6,3,3,3]]", "[float32,float32]", "")
                .status,
            CostStatus::kTrafficOnly);
}

// A profiler's trace has no shapes of results: only of rows that an index points to, of what is
// put together, and of a reduction is another size than the largest input's to be expected.
TEST(OperatorCost, WithoutOutputShapesLookupsWriteWhatTheyFind) {
  ExpectCost(
      EstimateOperator("aten::embedding", "[[1000,4],[2,3],[],[],[]]", "[bfloat16,int64,,,]", ""),
      CostStatus::kKnown, 0, 2 * 24 + 48, 48);
  ExpectCost(EstimateOperator("aten::index_select", "[[1000,4],[],[6]]", "[float32,,int64]", ""),
             CostStatus::kKnown, 0, 96 + 48, 96);
  ExpectCost(EstimateOperator("aten::gather", "[[10,7],[],[10,2],[]]", "[float32,,int64,]", ""),
             CostStatus::kKnown, 0, 80 + 160, 80);
  ExpectCost(EstimateOperator("aten::index", "[[1000,4],[[5]]]", "[float32,[int64]]", ""),
             CostStatus::kKnown, 0, 80 + 40, 80);
  // A mask, and several indices: their values decide.
  EXPECT_EQ(EstimateOperator("aten::index", "[[10,4],[[10]]]", "[float32,[bool]]", "").status,
            CostStatus::kUnreadable);
}

TEST(OperatorCost, WithoutOutputShapesConcatenationsWriteAllAndReductionsOne) {
  ExpectCost(EstimateOperator("aten::cat", "[[[2,3],[4,3]],[]]", "[[float32,float32],]", ""),
             CostStatus::kKnown, 0, 72, 72);
  ExpectCost(EstimateOperator("aten::sum", "[[8,5],[],[]]", "[float32,,]", ""), CostStatus::kKnown,
             40, 160, 4);
  ExpectCost(EstimateOperator("aten::all", "[[8,5]]", "[bool]", ""), CostStatus::kKnown, 40, 40, 1);
}

TEST(OperatorCost, NormalisationsOfEveryLibraryCountAlike) {
  const std::string_view shapes = "[[2,3,4,4],[3],[3],[3],[3],[],[],[]]";
  const std::string_view types = "[float32,float32,float32,float32,float32,,,]";
  for (const std::string_view type :
       {"aten::native_batch_norm", "aten::cudnn_batch_norm", "aten::miopen_batch_norm"})
    ExpectCost(EstimateOperator(type, shapes, types, ""), CostStatus::kKnown, 2 * 96,
               4 * (96 + 4 * 3), 4 * 96);
  for (const std::string_view type :
       {"aten::native_batch_norm_backward", "aten::cudnn_batch_norm_backward"})
    EXPECT_EQ(
        EstimateOperator(type, "[[2,3,4,4],[2,3,4,4],[3]]", "[float32,float32,float32]", "").flops,
        8 * 96);
}

// "The derivative costs about as much as the function; then times dy."
TEST(OperatorCost, GradientsOfElementwiseOperatorsAreOneMore) {
  for (const std::string_view name : {"sigmoid", "silu", "gelu", "tanh", "leaky_relu"}) {
    const std::string type = "aten::" + std::string(name);
    const double forward = EstimateOperator(type, "[[6,7]]", "[float32]", "").flops;
    const double backward =
        EstimateOperator(type + "_backward", "[[6,7],[6,7]]", "[float32,float32]", "").flops;
    EXPECT_EQ(backward, forward + 42) << type;
  }
  ExpectCost(
      EstimateOperator("aten::threshold_backward", "[[6,7],[6,7],[]]", "[float32,float32,]", ""),
      CostStatus::kKnown, 84, 2 * 168, 168);
  ExpectCost(EstimateOperator("aten::max_pool2d_with_indices_backward",
                              "[[1,1,2,2],[1,1,4,4],[],[],[],[],[],[1,1,2,2]]",
                              "[float32,float32,,,,,,int64]", ""),
             CostStatus::kKnown, 4, 4 * 4 + 4 * 16 + 8 * 4, 64);
}

TEST(OperatorCost, ProductsWithScalesAndActivations) {
  ExpectCost(EstimateOperator("aten::_scaled_mm", "[[16,32],[32,8],[],[]]",
                              "[c10::Float8_e4m3fn,c10::Float8_e4m3fn,float32,float32]", ""),
             CostStatus::kKnown, 2 * 16 * 32 * 8, 16 * 32 + 32 * 8 + 8, 256);
  EXPECT_EQ(EstimateOperator("aten::_addmm_activation", "[[5],[2,3],[3,5]]",
                             "[float32,float32,float32]", "")
                .flops,
            60 + 10 + 10);
}

TEST(OperatorCost, WithoutTensorsOrTypesNothingIsKnown) {
  EXPECT_EQ(EstimateOperator("aten::add", "", "", "").status, CostStatus::kUnreadable);
  EXPECT_EQ(EstimateOperator("aten::add", "[[2]]", "[martian]", "[[2]]").status,
            CostStatus::kUnreadable);
  EXPECT_EQ(EstimateOperator("aten::add", "[[2", "[float32]", "[[2]]").status,
            CostStatus::kUnreadable);
}

TEST(OperatorCost, AnyTextIsSafe) {
  std::mt19937 random(9);
  const std::string_view alphabet = "[],0129 xfloat32e-";
  for (int round = 0; round < 20000; ++round) {
    std::string shapes = "[[1,3,224],[64,3]]", types = "[float32,float32]";
    for (std::string* text : {&shapes, &types})
      for (int edit = 0; edit < 3; ++edit)
        (*text)[random() % text->size()] = alphabet[random() % alphabet.size()];
    for (const std::string_view type :
         {"aten::mm", "aten::_convolution", "aten::cat", "aten::add_"})
      ASSERT_GE(EstimateOperator(type, shapes, types, shapes).flops, 0);
  }
}

TEST(Operators, PackedWeightsAreToldByTheResult) {
  for (const std::string_view type :
       {"quantized::linear_dynamic", "quantized::linear_relu_dynamic", "quantized::linear"}) {
    const Cost cost = EstimateOperator(type, "[[2,7,3],[],[]]", "[float32,,]", "[[2,7,5]]");
    EXPECT_EQ(cost.status, CostStatus::kKnown) << type;
    EXPECT_EQ(cost.flops, 2 * 2 * 7 * 5 * 3) << type;
    EXPECT_EQ(cost.dtype, "int8") << type;
  }
  // Without the result's shape nothing tells the rows.
  EXPECT_EQ(EstimateOperator("quantized::linear_dynamic", "[[2,3]]", "[float32]", "").status,
            CostStatus::kTrafficOnly);
  EXPECT_EQ(EstimateOperator("DynamicQuantizeMatMul", "[[2,3],[3,5],[1],[1]]",
                             "[float32,int8,float32,int8]", "[[2,5]]")
                .dtype,
            "int8");
}

}  // namespace
}  // namespace xsp::primitives
