#include "ingest/primitives/graph_operators.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace xsp::primitives {
namespace {

using Shape = std::vector<int>;

std::string Text(const Shape& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i)
    text += (i > 0 ? "," : "") + std::to_string(shape[i]);
  return text + "]";
}

Cost CostOf(std::string_view type, const std::vector<Shape>& inputs,
            const std::vector<Shape>& outputs, std::string_view dtype = "float32") {
  std::string in = "[", types = "[", out = "[";
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    in += (i > 0 ? "," : "") + Text(inputs[i]);
    types += (i > 0 ? "," : "") + std::string(dtype);
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) out += (i > 0 ? "," : "") + Text(outputs[i]);
  return EstimateOperator(type, in + "]", types + "]", out + "]");
}

double FlopsOf(std::string_view type, const std::vector<Shape>& inputs, const Shape& output) {
  const Cost cost = CostOf(type, inputs, {output});
  EXPECT_EQ(cost.status, CostStatus::kKnown) << type;
  return cost.flops;
}

TEST(GraphOperators, AreToldByTheirNames) {
  for (const std::string_view type : {"Conv", "_FusedMatMul", "_MklConv2D", "elemwise_add",
                                      "_plus_scalar", "AnythingNew", "LSTM"})
    EXPECT_TRUE(IsGraphOperator(type)) << type;
  for (const std::string_view type : {"aten::relu", "aten::Int", "relu", "_softmax", "flatten", "",
                                      "_", "conv2d", "prim::ListConstruct", "detach_"})
    EXPECT_FALSE(IsGraphOperator(type)) << type;
}

TEST(GraphOperators, ViewsAndControlFlowNeverCompute) {
  for (const std::string_view type :
       {"Reshape",   "Flatten",    "Identity", "Constant",       "Const", "Shape",    "Squeeze",
        "Unsqueeze", "ExpandDims", "_Arg",     "_Retval",        "_Send", "Dropout",  "If",
        "Loop",      "Parameter",  "Result",   "ReadVariableOp", "NoOp",  "BlockGrad"})
    EXPECT_EQ(RoleOf(type), OperatorRole::kNeverComputes) << type;
}

TEST(GraphOperators, TheTableComputesAndOthersAreDecidedByWhatTheyCall) {
  for (const std::string_view type :
       {"Conv", "Transpose", "Concat", "ReorderInput", "_FusedConv2D", "_MklFusedConv2D",
        "_MklNativeFusedBatchNormV3", "MaxPool", "Eltwise", "Cast", "elemwise_add"})
    EXPECT_EQ(RoleOf(type), OperatorRole::kComputes) << type;
  EXPECT_EQ(RoleOf("AnythingNew"), OperatorRole::kUnknown);
}

// Multiply-adds counted one by one: every output element of its group, over the whole kernel.
struct Case {
  int batch, groups, in, out, kernel_h, kernel_w, output_h, output_w;

  double Flops() const {
    double count = 0;
    for (int n = 0; n < batch; ++n)
      for (int oc = 0; oc < out * groups; ++oc)
        for (int y = 0; y < output_h; ++y)
          for (int x = 0; x < output_w; ++x)
            for (int ic = 0; ic < in; ++ic)
              for (int kernel = 0; kernel < kernel_h * kernel_w; ++kernel) count += 2;
    return count;
  }
};

TEST(GraphOperators, EveryLayoutOfAConvolutionCountsTheSame) {
  std::mt19937 random(1);
  const auto draw = [&](unsigned most) { return static_cast<int>(1 + random() % most); };
  for (int round = 0; round < 100; ++round) {
    const Case c = {draw(3), draw(3), draw(4), draw(4), draw(3), draw(3), draw(5), draw(5)};
    const int ic = c.in * c.groups, oc = c.out * c.groups;
    const Shape nchw = {c.batch, oc, c.output_h, c.output_w};
    const Shape nhwc = {c.batch, c.output_h, c.output_w, oc};
    const Shape x = {c.batch, ic, 9, 9}, x_last = {c.batch, 9, 9, ic};
    const Shape w = {oc, c.in, c.kernel_h, c.kernel_w};
    const Shape w_last = {c.kernel_h, c.kernel_w, c.in, oc};
    const Shape w_grouped = {c.groups, c.out, c.in, c.kernel_h, c.kernel_w};
    for (const std::string_view type : {"Conv", "Convolution", "_sg_onednn_conv"})
      ASSERT_EQ(FlopsOf(type, {x, w, {oc}}, nchw), c.Flops()) << type;
    for (const std::string_view type : {"Conv2D", "_FusedConv2D", "_MklNativeFusedConv2D"})
      ASSERT_EQ(FlopsOf(type, {x_last, w_last, {oc}}, nhwc), c.Flops()) << type;
    for (const std::string_view type : {"GroupConvolution", "Convolution"})
      ASSERT_EQ(FlopsOf(type, {x, w_grouped}, nchw), c.Flops()) << type;
    ASSERT_EQ(FlopsOf("QLinearConv", {x, {}, {}, w, {oc}, {oc}, {}, {}, {oc}}, nchw), c.Flops());
    // A transposed convolution is the gradient of one: input and output change places.
    const Shape w_back = {oc, c.in, c.kernel_h, c.kernel_w};
    ASSERT_EQ(FlopsOf("ConvTranspose", {nchw, w_back}, x), c.Flops());
    ASSERT_EQ(FlopsOf("GroupConvolutionBackpropData",
                      {nchw, {c.groups, c.out, c.in, c.kernel_h, c.kernel_w}}, x),
              c.Flops());
    ASSERT_EQ(FlopsOf("Conv2DBackpropInput", {{4}, w_last, nhwc}, x_last), c.Flops());
  }
}

TEST(GraphOperators, DepthwiseFiltersMeetOneChannelEach) {
  EXPECT_EQ(FlopsOf("DepthwiseConv2dNative", {{1, 8, 8, 6}, {3, 3, 6, 2}}, {1, 6, 6, 12}),
            2 * 36 * 12 * 9);
  EXPECT_EQ(FlopsOf("Conv", {{1, 6, 8, 8}, {6, 1, 3, 3}}, {1, 6, 6, 6}), 2 * 36 * 6 * 9);
}

TEST(GraphOperators, FusedNodesHoldWhatTheirNameAndOperandsSay) {
  const Shape x = {1, 4, 8, 8}, w = {4, 4, 3, 3}, y = {1, 4, 8, 8};
  const double product = 2 * 256 * 36;
  EXPECT_EQ(FlopsOf("FusedConv", {x, w, {4}}, y), product + 256);         // An activation.
  EXPECT_EQ(FlopsOf("FusedConv", {x, w, {4}, y}, y), product + 2 * 256);  // And a sum.
  EXPECT_EQ(FlopsOf("_FusedConv2D", {{1, 8, 8, 4}, {3, 3, 4, 4}, {4}}, {1, 8, 8, 4}), product);
  EXPECT_EQ(FlopsOf("_FusedConv2D", {{1, 8, 8, 4}, {3, 3, 4, 4}, {4}, {1, 8, 8, 4}}, {1, 8, 8, 4}),
            product + 256);
  EXPECT_EQ(FlopsOf("FusedGemm", {{2, 3}, {3, 5}, {5}}, {2, 5}), 60 + 10);
  EXPECT_EQ(FlopsOf("_FusedMatMul", {{2, 3}, {3, 5}, {5}}, {2, 5}), 60);
  EXPECT_EQ(
      FlopsOf("_FusedBatchNormEx", {{1, 2, 2, 3}, {3}, {3}, {3}, {3}, {1, 2, 2, 3}}, {1, 2, 2, 3}),
      3 * 12);
  EXPECT_EQ(FlopsOf("SkipLayerNormalization", {{2, 5}, {2, 5}, {5}, {5}}, {2, 5}), 90);
}

TEST(GraphOperators, ProductsAreKnownWhicheverSideIsTransposed) {
  for (const Shape& a : {Shape{2, 3}, Shape{3, 2}})
    for (const Shape& b : {Shape{3, 5}, Shape{5, 3}})
      for (const std::string_view type : {"MatMul", "Gemm", "MatMulInteger"})
        EXPECT_EQ(FlopsOf(type, {a, b}, {2, 5}), 60) << type;
  EXPECT_EQ(FlopsOf("MatMul", {{7, 4, 2, 3}, {7, 4, 3, 5}}, {7, 4, 2, 5}), 28 * 60);
  EXPECT_EQ(FlopsOf("BatchMatMulV2", {{7, 2, 3}, {3, 5}}, {7, 2, 5}), 7 * 60);
  EXPECT_EQ(FlopsOf("MatMul", {{3}, {3, 5}}, {5}), 30);
  EXPECT_EQ(FlopsOf("MatMul", {{2, 3}, {3}}, {2}), 12);
  EXPECT_EQ(FlopsOf("FullyConnected", {{2, 3, 1, 1}, {5, 3}, {5}}, {2, 5}), 60);
  EXPECT_EQ(FlopsOf("InnerProduct", {{2, 3}, {5, 3}}, {2, 5}), 60);
  EXPECT_EQ(FlopsOf("QLinearMatMul", {{2, 3}, {}, {}, {3, 5}, {}, {}, {}, {}}, {2, 5}), 60);
  EXPECT_EQ(FlopsOf("MatMulNBits", {{2, 32}, {5, 1, 16}, {5}}, {2, 5}), 2 * 10 * 32);
}

TEST(GraphOperators, RecurrentCellsCountEveryStep) {
  const int steps = 7, batch = 2, in = 5, hidden = 3;
  double flops = 0;
  for (int step = 0; step < steps * batch; ++step)
    for (int direction = 0; direction < 2; ++direction)
      flops += 2 * 4 * hidden * (in + hidden) + 22 * hidden;
  EXPECT_EQ(FlopsOf("LSTM", {{steps, batch, in}, {2, 12, in}, {2, 12, hidden}, {2, 24}},
                    {steps, 2, batch, hidden}),
            flops);
  EXPECT_EQ(FlopsOf("LSTMSequence",
                    {{batch, steps, in},
                     {batch, 2, hidden},
                     {batch, 2, hidden},
                     {batch},
                     {2, 12, in},
                     {2, 12, hidden},
                     {2, 12}},
                    {batch, 2, steps, hidden}),
            flops);
  const std::vector<Shape> openvino = {{1, steps, in}, {1, 1, hidden}, {1},
                                       {1, 9, in},     {1, 9, hidden}, {1, 12}};
  EXPECT_EQ(FlopsOf("RNNSeq", openvino, {1, steps, hidden}),  // A GRU.
            steps * (2 * 3 * hidden * (in + hidden) + 17 * hidden));
  EXPECT_EQ(CostOf("RNN", {{steps, batch, in}, {900}, {1, batch, hidden}}, {{steps, batch, hidden}})
                .status,
            CostStatus::kTrafficOnly);  // MXNet's weights are one vector.
}

TEST(GraphOperators, AttentionIsTwoProducts) {
  const double heads = 2, length = 3, others = 5, size = 4;
  const double products = heads * length * others * 2 * size * 2;
  EXPECT_EQ(FlopsOf("ScaledDotProductAttention", {{1, 2, 3, 4}, {1, 2, 5, 4}, {1, 2, 5, 4}},
                    {1, 2, 3, 4}),
            products + 5 * heads * length * others);
  EXPECT_EQ(FlopsOf("MultiHeadAttention", {{1, 3, 8}, {1, 5, 8}, {1, 5, 8}}, {1, 3, 8}), products);
  // x and the weights of three projections to 8 each.
  EXPECT_EQ(FlopsOf("Attention", {{1, 3, 6}, {6, 24}, {24}}, {1, 3, 8}),
            2 * 3 * 6 * 24 + heads * length * length * 2 * size * 2);
}

TEST(GraphOperators, OneNameForReducingAndCombiningIsToldByShapes) {
  EXPECT_EQ(FlopsOf("Sum", {{2, 3}, {2, 3}, {3}}, {2, 3}), 12);  // ONNX.
  EXPECT_EQ(FlopsOf("Sum", {{2, 3}, {1}}, {2}), 6);              // TensorFlow.
  EXPECT_EQ(FlopsOf("Mean", {{1, 7, 7, 2}, {2}}, {1, 2}), 98 + 2);
  EXPECT_EQ(FlopsOf("GlobalAveragePool", {{1, 2, 7, 7}}, {1, 2, 1, 1}), 98 + 2);
  EXPECT_EQ(FlopsOf("Eltwise", {{2, 3}, {2, 3}}, {2, 3}), 6);
  EXPECT_EQ(FlopsOf("Activation", {{2, 3}}, {2, 3}), 6);
}

void ExpectTraffic(const Cost& cost, double read, double written) {
  EXPECT_DOUBLE_EQ(cost.read_bytes, read);
  EXPECT_DOUBLE_EQ(cost.write_bytes, written);
}

TEST(GraphOperators, TrafficIsEveryOperandOnceInItsType) {
  ExpectTraffic(CostOf("Add", {{2, 3}, {3}}, {{2, 3}}), 36, 24);
  ExpectTraffic(CostOf("Transpose", {{2, 3}}, {{3, 2}}, "float16"), 12, 12);
  ExpectTraffic(CostOf("Greater", {{2, 3}, {1}}, {{2, 3}}), 28, 6);
  ExpectTraffic(CostOf("QuantizeLinear", {{2, 3}, {1}}, {{2, 3}}), 28, 6);
  ExpectTraffic(CostOf("MatMulInteger", {{2, 3}, {3, 5}}, {{2, 5}}, "uint8"), 21, 40);
  ExpectTraffic(EstimateOperator("Gather", "[[1000,4],[2]]", "[float32,int64]", "[[2,4]]"), 48, 32);
  ExpectTraffic(EstimateOperator("Embedding", "[[2],[1000,4]]", "[int64,float32]", "[[2,4]]"), 48,
                32);
  ExpectTraffic(EstimateOperator("Where", "[[2,3],[2,3],[1]]", "[bool,float32,float32]", "[[2,3]]"),
                6 + 24 + 4, 24);
  ExpectTraffic(EstimateOperator("TopK", "[[1,9],[1]]", "[float32,int64]", "[[1,3],[1,3]]"), 36 + 8,
                12 + 24);
  EXPECT_EQ(CostOf("QLinearConv", {{1, 4, 5, 5}, {}, {}, {6, 4, 3, 3}, {}, {}, {}, {}},
                   {{1, 6, 3, 3}}, "uint8")
                .dtype,
            "int8");
}

TEST(GraphOperators, ViewsCostNothing) {
  const Cost cost = CostOf("Reshape", {{2, 3}, {1}}, {{6}});
  EXPECT_EQ(cost.status, CostStatus::kKnown);
  EXPECT_EQ(cost.flops, 0);
  ExpectTraffic(cost, 0, 0);
}

TEST(GraphOperators, WhatShapesDoNotSayIsNotGuessed) {
  for (const std::string_view type : {"Resize", "LRN", "Einsum", "AnythingNew"}) {
    const Cost cost = CostOf(type, {{2, 3}, {3}}, {{2, 3}});
    EXPECT_EQ(cost.status, CostStatus::kTrafficOnly) << type;
    ExpectTraffic(cost, 36, 24);
  }
  // Weights that a framework keeps to itself, and outputs that it does not say.
  for (const std::string_view type : {"Conv", "Conv2D", "FullyConnected", "MatMul", "LSTM"}) {
    EXPECT_EQ(CostOf(type, {{1, 4, 8, 8}}, {{1, 4, 8, 8}}).status, CostStatus::kTrafficOnly)
        << type;
  }
  // A bias that is not there, as OpenVINO says it.
  EXPECT_EQ(EstimateOperator("FullyConnected", "[[2,3],[5,3],[0]]", "[float32,float32,dynamic]",
                             "[[2,5]]")
                .flops,
            60);
  EXPECT_EQ(CostOf("Conv", {{1, 4, 8, 8}, {4, 4, 3, 3}}, {}).status, CostStatus::kTrafficOnly);
  EXPECT_EQ(CostOf("Add", {{2, 3}, {3}}, {}).flops, 6);
}

// ResNet-50 v1.5 (He et al. 2016, table 1, with the stride in the 3 x 3 convolutions), image by
// image.
class Resnet50 {
 public:
  explicit Resnet50(std::string_view framework) : framework_(framework) {
    Convolve(3, 64, 7, 2);
    side_ /= 2;  // The maximum.
    const int blocks[] = {3, 4, 6, 3};
    int in = 64;
    for (int stage = 0; stage < 4; ++stage) {
      const int width = 64 << stage;
      for (int block = 0; block < blocks[stage]; ++block) {
        const int stride = stage > 0 && block == 0 ? 2 : 1;
        const int before = side_;
        if (block == 0) Convolve(in, 4 * width, 1, stride);
        side_ = before;
        Convolve(in, width, 1, 1);
        Convolve(width, width, 3, stride);
        Convolve(width, 4 * width, 1, 1);
        in = 4 * width;
      }
    }
    Classify(in, 1000);
  }

  double flops() const { return flops_; }
  int convolutions() const { return convolutions_; }

 private:
  void Convolve(int in, int out, int kernel, int stride) {
    const int before = side_;
    side_ /= stride;
    ++convolutions_;
    const Shape x = {1, in, before, before}, y = {1, out, side_, side_};
    const Shape x_last = {1, before, before, in}, y_last = {1, side_, side_, out};
    if (framework_ == "tensorflow")
      flops_ += FlopsOf("_FusedConv2D", {x_last, {kernel, kernel, in, out}, {out}}, y_last);
    else
      flops_ += FlopsOf(framework_ == "onnx" ? "Conv" : "Convolution",
                        {x, {out, in, kernel, kernel}, {out}}, y);
  }

  void Classify(int in, int out) {
    if (framework_ == "tensorflow")
      flops_ += FlopsOf("MatMul", {{1, in}, {in, out}}, {1, out});
    else
      flops_ += FlopsOf(framework_ == "onnx"     ? "Gemm"
                        : framework_ == "opencv" ? "InnerProduct"
                                                 : "FullyConnected",
                        {{1, in}, {out, in}, {out}}, {1, out});
  }

  std::string_view framework_;
  int side_ = 224;
  double flops_ = 0;
  int convolutions_ = 0;
};

// 4.089 GMAC: torchvision's page of ResNet50_Weights ("GFLOPS 4.09", multiply-adds).
TEST(GraphOperators, ResNet50HasThePublishedFlopsInEveryFramework) {
  for (const std::string_view framework : {"onnx", "tensorflow", "openvino", "mxnet", "opencv"}) {
    const Resnet50 resnet(framework);
    EXPECT_EQ(resnet.convolutions(), 53);
    EXPECT_EQ(resnet.flops(), 2 * 4089184256.0) << framework;
  }
}

TEST(GraphOperators, AnyTextIsSafe) {
  std::mt19937 random(9);
  const std::string_view alphabet = "[],0129 xfloat32e-";
  for (int round = 0; round < 20000; ++round) {
    std::string shapes = "[[1,3,224,224],[64,3,7,7],[5]]", types = "[float32,float32,int8]";
    for (std::string* text : {&shapes, &types})
      for (int edit = 0; edit < 3; ++edit)
        (*text)[random() % text->size()] = alphabet[random() % alphabet.size()];
    for (const std::string_view type :
         {"Conv", "Conv2D", "GroupConvolution", "DepthwiseConv2dNative", "MatMul", "Gemm", "LSTM",
          "Attention", "Sum", "Gather", "ConvTranspose", "Where", "Conv2DBackpropInput", "_Mkl",
          "_MklNative", "__", "X"})
      ASSERT_GE(EstimateOperator(type, shapes, types, shapes).flops, 0) << type << shapes << types;
  }
}

}  // namespace
}  // namespace xsp::primitives
