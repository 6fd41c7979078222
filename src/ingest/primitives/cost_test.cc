#include "ingest/primitives/cost.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace xsp::primitives {
namespace {

std::string Line(std::string_view kind, std::string_view propagation, std::string_view operands,
                 std::string_view attributes, std::string_view auxiliary, std::string_view problem,
                 std::string_view implementation = "jit:avx512_core") {
  return fmt::format("onednn_verbose,v1,primitive,exec,cpu,{},{},{},{},{},{},{},0.5", kind,
                     implementation, propagation, operands, attributes, auxiliary, problem);
}

Cost CostOf(const std::string& line) {
  const auto announcement = ParseAnnouncement(line);
  EXPECT_TRUE(announcement.has_value()) << line;
  return announcement.has_value() ? Estimate(*announcement) : Cost{};
}

void ExpectCost(const Cost& cost, double flops, double read_bytes, double write_bytes) {
  EXPECT_EQ(cost.status, CostStatus::kKnown);
  EXPECT_DOUBLE_EQ(cost.flops, flops);
  EXPECT_DOUBLE_EQ(cost.read_bytes, read_bytes);
  EXPECT_DOUBLE_EQ(cost.write_bytes, write_bytes);
}

constexpr std::string_view kConvolutionOperands =
    "src:f32:a:blocked:aBcd16b::f0 wei:f32:a:blocked:ABcd16b16a::f0 bia:f32:a:blocked:a::f0 "
    "dst:f32:a:blocked:aBcd16b::f0";

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  int operator()(int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(engine_);
  }

 private:
  std::mt19937 engine_;
};

TEST(CostProperty, ConvolutionCountsEveryMultiplyAddOfItsLoops) {
  Random draw(1);
  for (int round = 0; round < 60; ++round) {
    const int g = draw(1, 3), mb = draw(1, 2), icg = draw(1, 3), ocg = draw(1, 3);
    const int oh = draw(1, 4), ow = draw(1, 4), kh = draw(1, 3), kw = draw(1, 3);
    const int ih = draw(1, 9), iw = draw(1, 9);
    const bool transposed = draw(0, 1) == 1;
    double macs = 0;
    // A transposed convolution scatters every input point over the kernel.
    const int points_h = transposed ? ih : oh, points_w = transposed ? iw : ow;
    for (int n = 0; n < mb; ++n)
      for (int group = 0; group < g; ++group)
        for (int o = 0; o < ocg; ++o)
          for (int i = 0; i < icg; ++i)
            for (int h = 0; h < points_h; ++h)
              for (int w = 0; w < points_w; ++w)
                for (int y = 0; y < kh; ++y)
                  for (int x = 0; x < kw; ++x) ++macs;
    const std::string problem = fmt::format(
        "{}mb{}_ic{}oc{}_ih{}oh{}kh{}sh1dh0ph1_iw{}ow{}kw{}sw1dw0pw1",
        g == 1 ? "" : fmt::format("g{}", g), mb, g * icg, g * ocg, ih, oh, kh, iw, ow, kw);
    const double src = mb * g * icg * ih * iw, wei = g * icg * ocg * kh * kw, bia = g * ocg;
    const double dst = mb * g * ocg * oh * ow;
    const std::string kind = transposed ? "deconvolution" : "convolution";
    ExpectCost(CostOf(Line(kind, "forward_training", kConvolutionOperands, "", "", problem)),
               2 * macs, 4 * (src + wei + bia), 4 * dst);
    ExpectCost(CostOf(Line(kind, "backward_data", kConvolutionOperands, "", "", problem)), 2 * macs,
               4 * (dst + wei + bia), 4 * src);
    ExpectCost(CostOf(Line(kind, "backward_weights", kConvolutionOperands, "", "", problem)),
               2 * macs, 4 * (dst + src), 4 * (wei + bia));
  }
}

TEST(CostProperty, MatmulCountsEveryMultiplyAddWithBroadcasting) {
  Random draw(2);
  for (int round = 0; round < 60; ++round) {
    const int b = draw(1, 3), h = draw(1, 3), m = draw(1, 4), k = draw(1, 4), n = draw(1, 4);
    const int b1 = draw(0, 1) == 0 ? 1 : b, h2 = draw(0, 1) == 0 ? 1 : h;
    double flops = 0;
    for (int i = 0; i < b * h * m * n; ++i)
      for (int j = 0; j < k; ++j) flops += 2;
    const std::string problem = fmt::format("{}x{}x{}x{}:{}x{}x{}x{}", b1, h, m, k, b, h2, k, n);
    ExpectCost(CostOf(Line("matmul", "undef",
                           "src:bf16::blocked:abcd::f0 wei:bf16::blocked:abcd::f0 "
                           "bia:f32::blocked:abcd::f0_mask8 dst:f32::blocked:abcd::f0",
                           "", "", problem)),
               flops, 2 * (b1 * h * m * k + b * h2 * k * n) + 4 * n, 4 * b * h * m * n);
  }
}

// A line of TensorFlow 2.21's own oneDNN.
TEST(Cost, CallsOfTheGemmFunctionsCountAsProducts) {
  ExpectCost(CostOf("onednn_verbose,v1,primitive,exec,cpu,gemm_api,,undef,src_f32::blocked:ba:f0 "
                    "wei_f32::blocked:ab:f0 dst_f32::blocked:ab:f0,,,14400x16:16x10,0.160889"),
             2.0 * 14400 * 16 * 10, 4.0 * (14400 * 16 + 16 * 10), 4.0 * 14400 * 10);
}

TEST(CostProperty, PoolingLooksAtEveryElementOfEveryWindow) {
  Random draw(3);
  for (int round = 0; round < 40; ++round) {
    const int mb = draw(1, 3), ic = draw(1, 4), oh = draw(1, 4), ow = draw(1, 4);
    const int kh = draw(1, 3), kw = draw(1, 3), ih = draw(1, 8), iw = draw(1, 8);
    double maximum = 0, average = 0;
    for (int output = 0; output < mb * ic * oh * ow; ++output) {
      for (int element = 0; element < kh * kw; ++element) ++maximum;
      average += kh * kw + 1;
    }
    const std::string problem = fmt::format("mb{}ic{}_ih{}oh{}kh{}sh2dh0ph1_iw{}ow{}kw{}sw2dw0pw1",
                                            mb, ic, ih, oh, kh, iw, ow, kw);
    const std::string_view operands =
        "src:f32::blocked:abcd::f0 dst:f32:a:blocked:abcd::f0 ws:u8::blocked:abcd::f0";
    const double read = 4 * mb * ic * ih * iw, outputs = mb * ic * oh * ow;
    ExpectCost(
        CostOf(Line("pooling", "forward_training", operands, "", "alg:pooling_max", problem)),
        maximum, read, 5 * outputs);
    ExpectCost(CostOf(Line("pooling", "forward_inference", operands, "",
                           "alg:pooling_avg_include_padding", problem)),
               average, read, 5 * outputs);
  }
}

// A vanilla cell as loops: two products per gate, then the element-wise part.
double CountLstm(int layers, int directions, int steps, int mb, int slc, int sic, int dhc) {
  double flops = 0;
  for (int stack = 0; stack < layers * directions; ++stack)
    for (int t = 0; t < steps; ++t)
      for (int n = 0; n < mb; ++n)
        for (int unit = 0; unit < dhc; ++unit) {
          for (int gate = 0; gate < 4; ++gate) {
            for (int i = 0; i < slc; ++i) flops += 2;
            for (int i = 0; i < sic; ++i) flops += 2;
            flops += 1;                  // Bias.
            flops += gate == 2 ? 1 : 4;  // One tanh, three logistics.
          }
          flops += 3;  // c = f * c + i * g
          flops += 2;  // h = o * tanh(c)
        }
  return flops;
}

TEST(CostProperty, LstmCountsEveryStepOfEveryStack) {
  Random draw(4);
  for (int round = 0; round < 30; ++round) {
    const int t = draw(1, 4), mb = draw(1, 3), slc = draw(1, 5), dhc = draw(1, 5);
    const bool both = draw(0, 1) == 1;
    const std::string problem =
        fmt::format("l1t{}mb{}sic{}slc{}dhc{}dic{}", t, mb, dhc, slc, dhc, dhc);
    const int d = both ? 2 : 1;
    ExpectCost(CostOf(Line("rnn", "forward_inference",
                           "src_layer:f32::blocked:abc::f0 wei_layer:f32:a:blocked:abdEc32e::f0 "
                           "wei_iter:f32:a:blocked:abdEc32e::f0 bias:f32::blocked:abcd::f0 "
                           "dst_layer:f32::blocked:abc::f0",
                           "",
                           fmt::format("alg:vanilla_lstm direction:{} activation:undef flags:",
                                       both ? "bidirectional_concat" : "unidirectional_left2right"),
                           problem)),
               CountLstm(1, d, t, mb, slc, dhc, dhc),
               4.0 * (t * mb * slc + d * 4 * dhc * (slc + dhc + 1)), 4.0 * t * mb * dhc * d);
  }
}

TEST(CostProperty, ListsOfOperandsCountEachOnce) {
  Random draw(5);
  for (int round = 0; round < 40; ++round) {
    const int sources = draw(1, 4), a = draw(1, 4), c = draw(1, 6);
    std::string operands, shapes;
    double total = 0;
    for (int i = 0; i < sources; ++i) {
      const int b = draw(1, 5);
      operands += "src:f32::blocked:abc::f0 ";
      shapes += fmt::format("{}{}x{}x{}", i == 0 ? "" : ":", a, b, c);
      total += a * b * c;
    }
    operands += "dst:f32::blocked:abc::f0";
    ExpectCost(CostOf(Line("concat", "undef", operands, "", "axis:1", shapes)), 0, 4 * total,
               4 * total);
    const double elements = a * c;
    double additions = 0;
    for (int i = 0; i < a * c; ++i)
      for (int source = 1; source < sources; ++source) ++additions;
    ExpectCost(CostOf(Line("sum", "undef", operands, "", "", fmt::format("{}x{}", a, c))),
               additions, 4 * sources * elements, 4 * elements);
  }
}

TEST(Cost, ResNet50HasTheFlopsOfThePaper) {
  // Stride-2 in the 3x3 (torchvision's v1.5). {count, ic, oc, kernel, output size}.
  struct Group {
    int count, ic, oc, k, o;
  };
  const std::vector<Group> groups = {
      {1, 3, 64, 7, 112},    {1, 64, 64, 1, 56},    {3, 64, 64, 3, 56},    {3, 64, 256, 1, 56},
      {1, 64, 256, 1, 56},   {2, 256, 64, 1, 56},   {1, 256, 128, 1, 56},  {4, 128, 128, 3, 28},
      {4, 128, 512, 1, 28},  {1, 256, 512, 1, 28},  {3, 512, 128, 1, 28},  {1, 512, 256, 1, 28},
      {6, 256, 256, 3, 14},  {6, 256, 1024, 1, 14}, {1, 512, 1024, 1, 14}, {5, 1024, 256, 1, 14},
      {1, 1024, 512, 1, 14}, {3, 512, 512, 3, 7},   {3, 512, 2048, 1, 7},  {1, 1024, 2048, 1, 7},
      {2, 2048, 512, 1, 7}};
  double flops = 0;
  int convolutions = 0;
  for (const Group& g : groups) {
    const std::string problem =
        fmt::format("mb1_ic{}oc{}_ih{}oh{}kh{}sh1dh0ph1_iw{}ow{}kw{}sw1dw0pw1", g.ic, g.oc, g.o,
                    g.o, g.k, g.o, g.o, g.k);
    flops += g.count *
             CostOf(Line("convolution", "forward_inference", kConvolutionOperands, "", "", problem))
                 .flops;
    convolutions += g.count;
  }
  flops += CostOf(Line("inner_product", "forward_inference",
                       "src:f32::blocked:ab::f0 wei:f32::blocked:ab::f0 bia:f32::blocked:a::f0 "
                       "dst:f32::blocked:ab::f0",
                       "", "", "mb1ic2048oc1000"))
               .flops;
  EXPECT_EQ(convolutions, 53);
  EXPECT_NEAR(flops / 1e9, 8.178, 0.001);
}

TEST(Cost, SpatialInnerProductReadsAllOfItsInput) {
  ExpectCost(CostOf(Line("inner_product", "forward_inference",
                         "src:f32::blocked:abcd::f0 wei:f32::blocked:abcd::f0 "
                         "dst:f32::blocked:ab::f0",
                         "", "", "mb2ic3ih4iw5oc7")),
             2 * 2 * 60 * 7, 4 * (2 * 60 + 7 * 60), 4 * 14);
}

TEST(Cost, BatchNormalizationFoldsGivenStatistics) {
  const std::string_view operands = "data:f32::blocked:abcd::f0";
  // Scale, shift, mean and variance of 32 channels are read besides.
  ExpectCost(CostOf(Line("batch_normalization", "forward_inference", operands, "", "flags:GCH",
                         "mb2ic32ih4iw5")),
             2 * 1280, 4 * (1280 + 4 * 32), 4 * 1280);
  ExpectCost(CostOf(Line("batch_normalization", "forward_training", operands, "", "flags:CH",
                         "mb2ic32ih4iw5")),
             6 * 1280, 4 * (1280 + 2 * 32), 4 * (1280 + 2 * 32));
  ExpectCost(CostOf(Line("batch_normalization", "backward",
                         "data:f32::blocked:abcd::f0 diff:f32::blocked:abcd::f0", "", "flags:CH",
                         "mb2ic32ih4iw5")),
             8 * 1280, 4 * (2 * 1280 + 4 * 32), 4 * (1280 + 2 * 32));
}

TEST(Cost, LayerNormalizationWorksOnRows) {
  ExpectCost(CostOf(Line("layer_normalization", "forward_inference",
                         "src:f32::blocked:abc::f0 dst:f32::blocked:abc::f0 "
                         "stats:f32::blocked:ab::f0 scale:f32::blocked:a::f0 "
                         "shift:f32::blocked:a::f0",
                         "", "flags:CH", "2x3x10")),
             8 * 60, 4 * (60 + 20), 4 * 60);
}

TEST(Cost, GroupNormalizationKeepsStatisticsPerGroup) {
  ExpectCost(CostOf(Line("group_normalization", "forward_training",
                         "src:f32::blocked:abc::f0 dst:f32::blocked:abc::f0", "",
                         "flags:", "g2mb3ic4iw5")),
             6 * 60, 4 * 60, 4 * (60 + 2 * 3 * 2));
}

TEST(Cost, ElementwiseKindsFollowTheirFormula) {
  const auto flops = [](std::string_view auxiliary) {
    return CostOf(Line("eltwise", "forward_inference", "data:f32::blocked:ab::f0", "", auxiliary,
                       "2x5"))
               .flops /
           10;
  };
  EXPECT_EQ(flops("alg:eltwise_relu alpha:0 beta:0"), 1);
  EXPECT_EQ(flops("alg:eltwise_relu alpha:0.1 beta:0"), 2);
  EXPECT_EQ(flops("alg:eltwise_logistic alpha:0 beta:0"), 4);
  EXPECT_EQ(flops("alg:eltwise_tanh_use_dst_for_bwd alpha:0 beta:0"), 1);
  EXPECT_EQ(flops("alg:eltwise_linear alpha:2 beta:0"), 2);
}

TEST(Cost, BackwardElementwiseReadsTheGradientToo) {
  ExpectCost(
      CostOf(Line("eltwise", "backward_data", "data:f32::blocked:ab::f0 diff:f32::blocked:ab::f0",
                  "", "alg:eltwise_relu alpha:0 beta:0", "2x5")),
      20, 80, 40);
}

TEST(Cost, BinaryBroadcastsItsSmallerOperand) {
  ExpectCost(CostOf(Line("binary", "undef",
                         "src:f32::blocked:ab::f0 src:bf16::blocked:ab::f0 "
                         "dst:f32::blocked:ab::f0",
                         "", "alg:binary_mul", "4x5:1x5")),
             20, 4 * 20 + 2 * 5, 80);
}

TEST(Cost, SoftmaxReductionResamplingPReluAndLrn) {
  const std::string_view pair = "src:f32::blocked:abcd::f0 dst:f32::blocked:abcd::f0";
  ExpectCost(
      CostOf(Line("softmax", "forward_training", pair, "", "alg:softmax_accurate axis:1", "2x10")),
      100, 80, 80);
  ExpectCost(
      CostOf(Line("reduction", "undef", pair, "", "alg:reduction_mean p:0 eps:0", "2x3x4:2x1x4")),
      24 + 8, 96, 32);
  // Bilinear: 4 products and 3 additions an output.
  ExpectCost(CostOf(Line("resampling", "forward_inference", pair, "", "alg:resampling_linear",
                         "mb1ic2_ih2oh4_iw3ow6")),
             7 * 48, 48, 192);
  ExpectCost(CostOf(Line("resampling", "forward_inference", pair, "", "alg:resampling_nearest",
                         "mb1ic2_ih2oh4_iw3ow6")),
             0, 48, 192);
  ExpectCost(CostOf(Line("prelu", "forward_training",
                         "data:f32::blocked:abcd::f0 wei:f32:a:blocked:abcd::f0", "", "",
                         "2x8x4x4:1x8x1x1")),
             512, 1056, 1024);
  ExpectCost(CostOf(Line("lrn", "forward_inference", "data:f32::blocked:abcd::f0", "",
                         "alg:lrn_across_channels", "mb1ic8ih2iw2ls5beta0.75")),
             32 * 14, 128, 128);
  ExpectCost(CostOf(Line("shuffle", "forward_inference", "data:f32::blocked:abcd::f0", "",
                         "axis:1 group:2", "1x8x2x2")),
             0, 128, 128);
}

TEST(Cost, ReordersMoveBytesOfBothTypesWithoutArithmetic) {
  ExpectCost(CostOf(Line("reorder", "undef", "src:f32::blocked:ab::f0 dst:bf16::blocked:ba::f0",
                         "attr-scratchpad:user", "", "64x3")),
             0, 768, 384);
}

TEST(Cost, PostOpsAreCountedPerOutput) {
  const auto with = [](std::string_view post_ops) {
    return CostOf(Line("inner_product", "forward_inference",
                       "src:f32::blocked:ab::f0 wei:f32::blocked:ab::f0 dst:f32::blocked:ab::f0",
                       fmt::format("attr-scratchpad:user attr-post-ops:{}", post_ops), "",
                       "mb4ic16oc8"));
  };
  const double flops = 2 * 4 * 16 * 8, read = 4 * (64 + 128), write = 4 * 32;
  ExpectCost(with("eltwise_gelu_erf"), flops + 5 * 32, read, write);
  ExpectCost(with("sum"), flops + 32, read + write, write);
  ExpectCost(with("sum:1:0:f32+eltwise_relu"), flops + 64, read + write, write);
  ExpectCost(with("binary_mul:f32:3:ab"), flops + 32, read + write, write);
  ExpectCost(with("binary_add:bf16:2:ab"), flops + 32, read + 2 * 8, write);
  ExpectCost(with("eltwise_clip:0:1e+06"), flops + 64, read, write);
  ExpectCost(with("'sum:1;eltwise_relu:0:0:1;'"), flops + 64, read + write, write);
  EXPECT_EQ(with("mystery:1").status, CostStatus::kUnknownKind);
}

TEST(Cost, AFusedDepthwiseConvolutionAddsItsWorkAndShrinksTheOutput) {
  // 1x1 8 -> 6 on 4x4, then 3x3 depthwise with stride 2 on 2x2.
  const Cost cost = CostOf(Line("convolution", "forward_inference",
                                "src:f32::blocked:abcd::f0 wei:f32::blocked:abcd::f0 "
                                "dst:f32::blocked:abcd::f0",
                                "attr-post-ops:dw:k3s2p1", "alg:convolution_direct",
                                "mb1_ic8oc6_ih4oh4kh1sh1dh0ph0_iw4ow4kw1sw1dw0pw0"));
  ExpectCost(cost, 2 * 8 * 6 * 16 + 2 * 6 * 4 * 9, 4 * (8 * 16 + 48 + 54), 4 * 6 * 4);
}

TEST(Cost, ArithmeticTypeAndUnitSayWhichRoof) {
  const auto cost = [](std::string_view src, std::string_view wei, std::string_view attributes,
                       std::string_view implementation) {
    return CostOf(Line("matmul", "undef",
                       fmt::format("src:{}::blocked:ab::f0 wei:{}::blocked:ab::f0 "
                                   "dst:f32::blocked:ab::f0",
                                   src, wei),
                       attributes, "", "4x4:4x4", implementation));
  };
  EXPECT_EQ(cost("f32", "f32", "", "brg_matmul:avx512_core").dtype, "float32");
  EXPECT_EQ(cost("f32", "f32", "", "brg_matmul:avx512_core").unit, "vector");
  EXPECT_EQ(cost("bf16", "bf16", "", "brg_matmul:avx10_1_512_amx").unit, "tensor");
  EXPECT_EQ(cost("u8", "s8", "", "brg_matmul:avx512_core_vnni").dtype, "int8");
  EXPECT_EQ(cost("bf16", "u4", "", "brg_matmul:avx512_core_bf16").dtype, "bfloat16");
  // float32 that was allowed to round, and did.
  EXPECT_EQ(cost("f32", "f32", "attr-fpmath:bf16", "brg_matmul:avx512_core_amx").dtype, "bfloat16");
  EXPECT_EQ(cost("f32", "f32", "attr-fpmath:bf16", "brg_matmul:avx512_core").dtype, "float32");
  EXPECT_EQ(CostOf(Line("reorder", "undef", "src:f32::blocked:ab::f0 dst:bf16::blocked:ab::f0", "",
                        "", "4x4", "jit:avx512_core_amx"))
                .unit,
            "vector");
}

TEST(Cost, WhatCannotBeEstimatedSaysWhy) {
  const std::string_view pair = "src:f32::blocked:ab::f0 dst:f32::blocked:ab::f0";
  const auto status = [](const std::string& line) { return CostOf(line).status; };
  EXPECT_EQ(status(Line("telepathy", "undef", pair, "", "", "2x3")), CostStatus::kUnknownKind);
  EXPECT_EQ(status(Line("reorder", "undef", pair, "", "", "2x*")), CostStatus::kUnreadable);
  EXPECT_EQ(status(Line("reorder", "undef", pair, "", "", "")), CostStatus::kUnreadable);
  EXPECT_EQ(status(Line("reorder", "undef", "src:f99::blocked:ab::f0", "", "", "2x3")),
            CostStatus::kUnreadable);
  EXPECT_EQ(status(Line("reorder", "undef", "src:f32::sparse:csr::f0", "", "", "2x3")),
            CostStatus::kUnreadable);
  EXPECT_EQ(status(Line("matmul", "undef", pair, "", "", "2x3:4x5")), CostStatus::kUnreadable);
  EXPECT_EQ(status(Line("matmul", "undef", pair, "", "", "2x3")), CostStatus::kUnreadable);
  EXPECT_EQ(status(Line("convolution", "undef", pair, "", "", "mb1")), CostStatus::kUnreadable);
  EXPECT_EQ(status(Line("reorder", "undef", pair, "", "", "9999999999999999999x2")),
            CostStatus::kUnreadable);
  EXPECT_EQ(status("MKL_VERBOSE SGESDD(A,16,16) 1us"), CostStatus::kUnknownKind);
  EXPECT_EQ(status("MKL_VERBOSE SGEMM_BATCH(N,N,0x7f,0x7f,0x7f,0x7f) 1us"),
            CostStatus::kUnreadable);
  const Cost cost = CostOf(Line("reorder", "undef", pair, "", "", "2x*"));
  EXPECT_EQ(cost.flops + cost.read_bytes + cost.write_bytes, 0);
}

TEST(Cost, MklCallsAreCountedFromTheirArguments) {
  ExpectCost(CostOf("MKL_VERBOSE SGEMM(N,N,96,64,128,0x7f,0x55,96,0x55,128,0x7f,0x55,96) 1us"),
             2.0 * 96 * 64 * 128, 4 * (96 * 128 + 128 * 64), 4 * 96 * 64);
  const Cost complex = CostOf("MKL_VERBOSE ZGEMM(N,N,2,3,4,0x7f,0x55,2,0x55,4,0x7f,0x55,2) 1us");
  ExpectCost(complex, 8 * 2 * 3 * 4, 16 * (8 + 12), 16 * 6);
  EXPECT_EQ(complex.dtype, "float64");
  // x has as many elements as the matrix has columns, transposed as many as rows.
  ExpectCost(CostOf("MKL_VERBOSE DGEMV(N,5,3,0x7f,0x55,5,0x55,1,0x7f,0x55,1) 1us"), 30,
             8 * (15 + 3), 8 * 5);
  ExpectCost(CostOf("MKL_VERBOSE DGEMV(t,5,3,0x7f,0x55,5,0x55,1,0x7f,0x55,1) 1us"), 30,
             8 * (15 + 5), 8 * 3);
  ExpectCost(CostOf("MKL_VERBOSE SDOT(100,0x55,1,0x55,1) 1us"), 200, 800, 4);
  ExpectCost(CostOf("MKL_VERBOSE STRSM(L,L,T,N,32,2,0x7f,0x55,32,0x55,32) 1us"), 2048,
             4 * (528 + 64), 4 * 64);
  EXPECT_EQ(CostOf("MKL_VERBOSE GEMM_BF16BF16F32(N,N,2,3,4,0x7f) 1us").dtype, "bfloat16");
}

}  // namespace
}  // namespace xsp::primitives
