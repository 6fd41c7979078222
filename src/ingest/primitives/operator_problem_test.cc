#include "ingest/primitives/operator_problem.h"

#include <gtest/gtest.h>

namespace xsp::primitives {
namespace {

std::string ProblemOf(std::string_view type, std::string_view shapes, std::string_view types,
                      std::string_view values = {}, std::string_view output = {}) {
  return ProblemOfOperator(type, shapes, types, output, values);
}

constexpr std::string_view kTwo = "[float32,float32]", kThree = "[float32,float32,float32]";

TEST(OperatorProblem, ProductsAreTwoMatrices) {
  EXPECT_EQ(ProblemOf("aten::mm", "[[4,256],[256,128]]", kTwo), "4x256:256x128");
  EXPECT_EQ(ProblemOf("aten::addmm", "[[128],[4,256],[256,128]]", kThree), "4x256:256x128");
  EXPECT_EQ(ProblemOf("aten::linear", "[[2,8,256],[128,256],[128]]", kThree), "16x256:256x128");
  EXPECT_EQ(ProblemOf("aten::linear", "[[256],[128,256]]", kTwo), "1x256:256x128");
}

TEST(OperatorProblem, BatchesStandBeforeTheMatrix) {
  EXPECT_EQ(ProblemOf("aten::bmm", "[[12,64,32],[12,32,16]]", kTwo), "12x64x32:12x32x16");
  EXPECT_EQ(ProblemOf("aten::baddbmm", "[[12,64,16],[12,64,32],[12,32,16]]", kThree),
            "12x64x32:12x32x16");
  EXPECT_EQ(ProblemOf("MatMul", "[[2,12,64,32],[2,12,32,16]]", kTwo), "2x12x64x32:2x12x32x16");
  EXPECT_EQ(ProblemOf("aten::matmul", "[[64,32],[12,32,16]]", kTwo), "1x64x32:12x32x16");
  // One matrix for all: the rows of the batch are those of one product.
  EXPECT_EQ(ProblemOf("aten::matmul", "[[12,64,32],[32,16]]", kTwo), "768x32:32x16");
  EXPECT_EQ(ProblemOf("aten::matmul", "[[12,64,32],[1,32,16]]", kTwo), "768x32:32x16");
}

TEST(OperatorProblem, AConvolutionHasItsGeometryFromTheValues) {
  EXPECT_EQ(ProblemOf("aten::cudnn_convolution", "[[1,3,224,224],[64,3,7,7]]", kTwo,
                      ";;[3,3];[2,2];[1,1];1;False;False;True"),
            "mb1_ic3oc64_ih224oh112kh7sh2dh0ph3_iw224ow112kw7sw2dw0pw3");
  EXPECT_EQ(
      ProblemOf("aten::convolution", "[[2,8,20],[8,1,3]]", kTwo, ";;;[1];[2];[2];False;[0];8"),
      "g8mb2_ic8oc8_iw20ow20kw3sw1dw1pw2");
  EXPECT_EQ(ProblemOf("aten::convolution", "[[1,4,8,8,8],[6,4,1,3,3]]", kTwo,
                      ";;;[1,1,1];[0,1,1];[1,1,1];False;[0,0,0];1"),
            "mb1_ic4oc6_id8od8kd1sd1dd0pd0_ih8oh8kh3sh1dh0ph1_iw8ow8kw3sw1dw0pw1");
}

TEST(OperatorProblem, WithoutValuesTheGeometryMustBeTheOnlyOne) {
  // 1 x 1 has no dilation and no padding: only its stride is open.
  EXPECT_EQ(ProblemOf("Conv", "[[1,64,56,56],[256,64,1,1]]", kTwo, "", "[[1,256,28,28]]"),
            "mb1_ic64oc256_ih56oh28kh1sh2dh0ph0_iw56ow28kw1sw2dw0pw0");
  // 3 x 3 of dilation 1 or 2, with as much padding.
  EXPECT_EQ(ProblemOf("Conv", "[[1,64,56,56],[64,64,3,3]]", kTwo, "", "[[1,64,56,56]]"), "");
  EXPECT_EQ(ProblemOf("Conv", "[[1,64,56,56],[64,64,1,1]]", kTwo), "") << "no result";
}

TEST(OperatorProblem, OthersHaveNone) {
  EXPECT_EQ(ProblemOf("aten::add", "[[4,4],[4,4]]", kTwo), "");
  EXPECT_EQ(ProblemOf("aten::mv", "[[4,4],[4]]", kTwo), "");
  EXPECT_EQ(ProblemOf("aten::matmul", "[[4,4],[4]]", kTwo), "");
  EXPECT_EQ(ProblemOf("aten::mm", "[[4,5],[4,5]]", kTwo), "");
  EXPECT_EQ(ProblemOf("aten::mm", "[[0,5],[5,5]]", kTwo), "");
  EXPECT_EQ(ProblemOf("aten::convolution", "[[1,4,8,8],[4,6,3,3]]", kTwo,
                      ";;;[1,1];[0,0];[1,1];True;[0,0];1"),
            "")
      << "transposed";
  EXPECT_EQ(ProblemOf("aten::convolution_backward", "[[1,6,3,3],[1,4,5,5],[6,4,3,3]]", kThree,
                      ";;;[0];[1,1];[0,0];[1,1];False;[0,0];1;[True,True,False]"),
            "");
  EXPECT_EQ(ProblemOf("aten::mm", "[[4,4],[4,4]]", ""), "") << "no types";
  EXPECT_EQ(ProblemOf("aten::mm", "[[4,", kTwo), "");
}

}  // namespace
}  // namespace xsp::primitives
