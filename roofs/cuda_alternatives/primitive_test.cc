#include "primitive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "shared_library.h"

namespace xsp::cuda_alternatives {
namespace {

using testing::ElementsAre;

Product ProductFrom(const char* problem) { return ProductOf({"matmul", problem, "float32", {}}); }
Convolution ConvolutionFrom(const char* problem) {
  return ConvolutionOf({"convolution", problem, "float32", {}});
}

TEST(CudaPrimitive, RowsOfABatchWithOneMatrixAreOneProduct) {
  const Product one = ProductFrom("12x64x32:1x32x16");
  EXPECT_EQ(one.batch, 1);
  EXPECT_EQ(one.m, 12 * 64);
  EXPECT_TRUE(one.has_one_weights);
  const Product many = ProductFrom("2x6x64x32:2x6x32x16");
  EXPECT_EQ(many.batch, 12);
  EXPECT_EQ(many.m, 64);
  EXPECT_FALSE(many.has_one_weights || many.has_one_source);
  EXPECT_TRUE(ProductFrom("1x64x32:12x32x16").has_one_source);
  EXPECT_THROW(ProductFrom("2x1x64x32:1x6x32x16"), NotPossible);
  for (const char* problem : {"", "4x4", "4x5:4x5", "4:4", "2x4x4:3x4x4x4", "0x4:4x4"})
    EXPECT_THROW(ProductFrom(problem), std::invalid_argument) << problem;
}

TEST(CudaPrimitive, AConvolutionOfOneDimensionHasAHeightOf1) {
  const Convolution one = ConvolutionFrom("g8mb2_ic8oc16_iw100ow98kw3sw1dw0pw0");
  EXPECT_THAT(one.SourceSizes(), ElementsAre(2, 8, 1, 100));
  EXPECT_THAT(one.WeightsSizes(), ElementsAre(16, 1, 1, 3));
  EXPECT_THAT(one.ResultSizes(), ElementsAre(2, 16, 1, 98));
  EXPECT_EQ(one.groups, 8);
  const Convolution dilated =
      ConvolutionFrom("mb1_ic8oc8_ih64oh60kh3sh1dh1ph0_iw64ow60kw3sw1dw1pw0");
  EXPECT_THAT(dilated.dilation, ElementsAre(2, 2));
}

TEST(CudaPrimitive, PaddingThatDiffersBetweenTheEndsIsNotPossible) {
  // As TensorFlow pads "same": nothing before, one row behind.
  EXPECT_THROW(ConvolutionFrom("mb1_ic3oc8_ih224oh112kh3sh2dh0ph0_iw224ow112kw3sw2dw0pw0"),
               NotPossible);
  EXPECT_THROW(ConvolutionFrom("mb1_ic3oc8g3"), std::invalid_argument);
}

TEST(CudaPrimitive, TheTypeOfTheRunComesFirst) {
  EXPECT_STREQ(TypesFrom("bfloat16").front()->name, "bfloat16");
  EXPECT_EQ(TypesFrom("bfloat16").size(), TypesFrom("float32").size());
}

TEST(CudaPrimitive, RandomHalvesAreFinite) {
  for (const Type* type : TypesFrom("float16")) {
    if (type->element_bytes != 2) continue;
    const bool is_half = std::string_view(type->name) == "float16";
    const std::vector<char> bytes = RandomNumbers(*type);
    for (std::size_t at = 0; at < bytes.size(); at += 2) {
      const unsigned bits = static_cast<unsigned char>(bytes[at + 1]);
      const unsigned exponent = is_half ? bits >> 2 & 31 : bits & 127;
      ASSERT_LT(exponent, is_half ? 15U : 64U) << type->name;
    }
  }
}

}  // namespace
}  // namespace xsp::cuda_alternatives
