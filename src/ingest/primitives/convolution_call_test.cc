#include "ingest/primitives/convolution_call.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <string_view>

#include "ingest/primitives/operators.h"

namespace xsp::primitives {
namespace {

struct Row {
  std::string_view type, shapes, values;
  double flops, written;  // Elements.
};

Cost CostOf(const Row& row) {
  return EstimateOperator(row.type, row.shapes, "[float32,float32,float32]", "", row.values);
}

void ExpectRows(std::initializer_list<Row> rows) {
  for (const Row& row : rows) {
    const Cost cost = CostOf(row);
    EXPECT_EQ(cost.status, CostStatus::kKnown) << row.type << row.values;
    EXPECT_DOUBLE_EQ(cost.flops, row.flops) << row.type << row.shapes << row.values;
    EXPECT_DOUBLE_EQ(cost.write_bytes, 4 * row.written) << row.type << row.shapes << row.values;
  }
}

// Shapes, values and FLOPs (torch.utils.flop_counter) of one training step in PyTorch 2.15.0 on a
// CPU: a strided, a dilated and grouped, a transposed and a depthwise convolution.
TEST(ConvolutionCall, CountsAsPyTorchsFlopCounter) {
  ExpectRows({
      {"aten::convolution", "[[4,3,20,24],[16,3,3,3],[16]]", ";;;[2,2];[1,1];[1,1];False;[0,0];1",
       414720, 4 * 16 * 10 * 12},
      {"aten::mkldnn_convolution", "[[4,3,20,24],[16,3,3,3],[16]]", ";;;[1,1];[2,2];[1,1];1",
       414720, 4 * 16 * 10 * 12},
      {"aten::_convolution", "[[4,16,10,12],[16,4,3,3],[16]]",
       ";;;[1,1];[2,2];[2,2];False;[0,0];4;False;False;True;True", 552960, 4 * 16 * 10 * 12},
      {"aten::_convolution", "[[4,16,10,12],[16,8,3,3],[8]]",
       ";;;[2,2];[0,0];[1,1];True;[1,1];1;False;False;True;True", 1105920, 4 * 8 * 22 * 26},
      {"aten::mkldnn_convolution", "[[4,8,22,26],[8,1,3,3],[8]]", ";;;[0,0];[1,1];[1,1];8", 276480,
       4 * 8 * 20 * 24},
      {"aten::convolution_backward", "[[4,16,10,12],[4,3,20,24],[16,3,3,3]]",
       ";;;[16];[2,2];[1,1];[1,1];False;[0,0];1;[False,True,True]", 414720, 16 * 27 + 16},
      {"aten::convolution_backward", "[[4,8,22,26],[4,16,10,12],[16,8,3,3]]",
       ";;;[8];[2,2];[0,0];[1,1];True;[1,1];1;[True,True,True]", 2211840,
       4 * 16 * 10 * 12 + 16 * 8 * 9 + 8},
  });
}

// flop_counter leaves groups out of the gradient of the weights: 2,764,800 and 2,488,320 there.
TEST(ConvolutionCall, BothGradientsOfAGroupedConvolutionCostAsMuchAsItself) {
  ExpectRows({
      {"aten::convolution_backward", "[[4,16,10,12],[4,16,10,12],[16,4,3,3]]",
       ";;;[16];[1,1];[2,2];[2,2];False;[0,0];4;[True,True,True]", 2 * 552960,
       4 * 16 * 10 * 12 + 16 * 4 * 9 + 16},
      {"aten::convolution_backward", "[[4,8,20,24],[4,8,22,26],[8,1,3,3]]",
       ";;;[8];[1,1];[0,0];[1,1];False;[0,0];8;[True,True,False]", 2 * 276480,
       4 * 8 * 22 * 26 + 8 * 9},
  });
}

// The patch embedding of a ViT as traces of an H100 and an MI300 have it, and what TraceLens says
// of it in both: 0.924844032 GFLOP, 3.421875 MiB moved (bfloat16).
TEST(ConvolutionCall, AgreesWithTraceLensOnTracesOfTwoVendors) {
  const Row rows[] = {
      {"aten::cudnn_convolution", "[[4,3,224,224],[768,3,16,16],[],[],[],[],[],[],[]]",
       ";;[0,0];[16,16];[1,1];1;False;False;True", 0, 0},
      {"aten::miopen_convolution", "[[4,3,224,224],[768,3,16,16],[],[],[],[],[],[],[]]",
       ";;;[0,0];[16,16];[1,1];1;False;False", 0, 0},
  };
  for (const Row& row : rows) {
    const Cost cost =
        EstimateOperator(row.type, row.shapes, "[bfloat16,bfloat16,,,,,,,]", "", row.values);
    EXPECT_EQ(cost.flops, 924'844'032) << row.type;
    EXPECT_EQ(cost.read_bytes + cost.write_bytes, 3.421875 * (1 << 20)) << row.type;
  }
}

TEST(ConvolutionCall, EveryLibraryHasItsOrderOfArguments) {
  const double flops = 2.0 * 2 * 5 * 4 * 6 * 3 * 9;  // Output 4 x 6 from 8 x 12.
  const double written = 2.0 * 5 * 4 * 6;
  const std::string_view shapes = "[[2,3,8,12],[5,3,3,3],[5]]", plain = "[[2,3,8,12],[5,3,3,3]]";
  ExpectRows({
      {"aten::cudnn_convolution", plain, ";;[1,1];[2,2];[1,1];1;False;False;True", flops, written},
      {"aten::cudnn_convolution_relu", shapes, ";;;[2,2];[1,1];[1,1];1", flops, written},
      {"aten::miopen_convolution", shapes, ";;;[1,1];[2,2];[1,1];1;False;False", flops, written},
      {"aten::_slow_conv2d_forward", shapes, ";;[3,3];;[2,2];[1,1]", flops, written},
      {"aten::_conv_depthwise2d", shapes, ";;[3,3];;[2,2];[1,1];[1,1]", flops, written},
      {"aten::convolution", shapes, ";;;[2];[1];[1];False;[0];1", flops, written},
  });
  // Transposed, of two groups: 3 input channels each, 5 output channels each.
  ExpectRows({{"aten::cudnn_convolution_transpose", "[[2,6,4,4],[6,5,3,3]]",
               ";;[1,1];[1,1];[2,2];[1,1];2;False;False;True", 2.0 * 2 * 6 * 16 * 5 * 9,
               2.0 * 10 * 8 * 8}});
  // One and three dimensions.
  ExpectRows({{"aten::convolution", "[[2,3,8],[5,3,3]]", ";;;[1];[0];[1];False;[0];1",
               2.0 * 2 * 5 * 6 * 9, 2.0 * 5 * 6},
              {"aten::convolution", "[[1,2,4,4,4],[3,2,2,2,2]]",
               ";;;[2,2,2];[0,0,0];[1,1,1];False;[0,0,0];1", 2.0 * 3 * 8 * 16, 3.0 * 8}});
}

TEST(ConvolutionCall, WithoutItsValuesOnlyTheTrafficIsKnown) {
  for (const std::string_view values :
       {"", ";;;[2,2]", ";;;[2,2,2];[1,1];[1,1];False;[0,0];1",
        ";;;[0,0];[1,1];[1,1];False;[0,0];1", ";;;[2,2];[1,1];[1,1];maybe;[0,0];1",
        ";;;[2,2];[-1,1];[1,1];False;[0,0];1"})
    EXPECT_EQ(CostOf({"aten::convolution", "[[4,3,20,24],[16,3,3,3]]", values, 0, 0}).status,
              CostStatus::kTrafficOnly)
        << values;
  EXPECT_EQ(CostOf({"aten::convolution_backward", "[[4,16,10,12],[4,3,20,24],[16,3,3,3]]",
                    ";;;[16];[2,2];[1,1];[1,1];False;[0,0];1;[True]", 0, 0})
                .status,
            CostStatus::kTrafficOnly);
}

TEST(ConvolutionCall, AnyTextIsSafe) {
  std::mt19937 random(4);
  const std::string_view alphabet = "[];,0129 TrueFals-";
  for (int round = 0; round < 20000; ++round) {
    std::string shapes = "[[4,16,10,12],[4,3,20,24],[16,3,3,3]]";
    std::string values = ";;;[16];[2,2];[1,1];[1,1];False;[0,0];1;[True,True,True]";
    for (std::string* text : {&shapes, &values})
      for (int edit = 0; edit < 2; ++edit)
        (*text)[random() % text->size()] = alphabet[random() % alphabet.size()];
    for (const std::string_view type :
         {"aten::convolution", "aten::convolution_backward", "aten::cudnn_convolution_transpose"})
      ASSERT_GE(CostOf({type, shapes, values, 0, 0}).flops, 0) << shapes << values;
  }
}

TEST(CouldBeResult, HoldsForEveryConvolution) {
  for (double size : {7, 8, 224})
    for (double kernel : {1, 2, 3, 5, 7})
      for (double stride : {1, 2, 4})
        for (double padding = 0; padding <= std::floor(kernel / 2); ++padding) {
          const double result = std::floor((size + 2 * padding - kernel) / stride) + 1;
          EXPECT_TRUE(CouldBeResult({4, 3, size}, {8, 3, kernel}, {4, 8, result}))
              << size << " " << kernel << " " << stride << " " << padding;
        }
  EXPECT_TRUE(CouldBeResult({1, 3, 32}, {8, 3, 3}, {1, 8, 28}));  // Dilation 2.
}

TEST(CouldBeResult, RefusesWhatNoConvolutionMakes) {
  EXPECT_FALSE(CouldBeResult({4, 3, 8}, {8, 3, 3}, {4, 7, 8}));
  EXPECT_FALSE(CouldBeResult({4, 3, 8}, {8, 3, 3}, {5, 8, 8}));
  EXPECT_FALSE(CouldBeResult({4, 3, 8}, {8, 3, 3}, {4, 8, 30}));
  EXPECT_FALSE(CouldBeResult({4, 3, 8}, {8, 3, 1}, {4, 8, 7}));
  EXPECT_FALSE(CouldBeResult({4, 3, 8}, {8, 3, 3}, {4, 8}));
  EXPECT_FALSE(CouldBeResult({4, 3, 8}, {8, 3, 0}, {4, 8, 8}));
  EXPECT_FALSE(CouldBeResult({4, 3, 8}, {8, 3, 3}, {4, 8, 0}));
  EXPECT_FALSE(CouldBeResult({}, {}, {}));
}

TEST(ConvolutionGradient, MovesWhatItReadsAndMakes) {
  const std::string_view shapes = "[[2,3,8,8],[2,6,4,4],[6,3,3,3],[]]";
  const std::string_view types = "[float16,float16,float32,]";
  const Cost input = EstimateConvolutionGradient(shapes, types, false);
  ASSERT_EQ(input.status, CostStatus::kKnown);
  EXPECT_EQ(input.flops, 2 * 192 * 27);
  EXPECT_EQ(input.read_bytes, 192 * 2 + 162 * 4);
  EXPECT_EQ(input.write_bytes, 384 * 2);
  EXPECT_EQ(input.dtype, "float16");
  const Cost weights = EstimateConvolutionGradient(shapes, types, true);
  EXPECT_EQ(weights.flops, input.flops);
  EXPECT_EQ(weights.read_bytes, 192 * 2 + 384 * 2);
  EXPECT_EQ(weights.write_bytes, 162 * 4);
}

TEST(ConvolutionGradient, ShapesThatDoNotFitHaveNoCost) {
  for (const std::string_view shapes :
       {"", "[[", "[[2,3,8,8],[2,6,4,4]]", "[[2,3,8,8],[2,5,4,4],[6,3,3,3]]", "[[],[],[]]"}) {
    EXPECT_EQ(EstimateConvolutionGradient(shapes, "[float32,float32,float32]", true).status,
              CostStatus::kUnreadable)
        << shapes;
  }
}

}  // namespace
}  // namespace xsp::primitives
