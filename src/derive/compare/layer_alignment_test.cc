#include "derive/compare/layer_alignment.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace xsp::compare {
namespace {

MeasuredLayer Layer(std::string type, std::string shape, double latency_ns) {
  return {0, type, type, std::move(shape), latency_ns};
}

MeasuredPoint Point(std::int64_t id, std::vector<MeasuredLayer> layers) {
  MeasuredPoint point;
  point.point_id = id;
  point.layers = std::move(layers);
  for (std::size_t i = 0; i < point.layers.size(); ++i)
    point.layers[i].index = static_cast<std::int64_t>(i);
  return point;
}

TEST(LayerAlignment, KnowsTheAnchorsOfEveryFramework) {
  for (const char* type : {"aten::conv2d", "Conv", "FusedConv", "Conv2D", "_FusedConv2D",
                           "DepthwiseConv2dNative", "Convolution", "GroupConvolution"})
    EXPECT_EQ(AnchorKind(type), "convolution") << type;
  for (const char* type : {"aten::linear", "aten::addmm", "Gemm", "MatMul", "_FusedMatMul",
                           "FullyConnected", "InnerProduct", "BatchMatMulV2"})
    EXPECT_EQ(AnchorKind(type), "product") << type;
  for (const char* type : {"aten::relu_", "Convert", "BatchNormalization", "Add", "Reorder"})
    EXPECT_EQ(AnchorKind(type), "") << type;
}

TEST(LayerAlignment, ReadsShapesInAnyLayout) {
  EXPECT_EQ(SortedDimensions("[[1,64,112,112]]"), (std::vector<std::int64_t>{64, 112, 112}));
  EXPECT_EQ(SortedDimensions("[1, 112, 112, 64]"), (std::vector<std::int64_t>{64, 112, 112}));
  EXPECT_EQ(SortedDimensions("[[8,10],[3]]"), (std::vector<std::int64_t>{8, 10}));
  EXPECT_TRUE(SortedDimensions("").empty());
  EXPECT_TRUE(SortedDimensions("[[]]").empty());
  EXPECT_TRUE(SortedDimensions("[[?,3]]").empty());
}

TEST(LayerAlignment, PathsGoBeforeOrder) {
  const auto conv = [](std::string path) {
    MeasuredLayer layer = Layer("Conv", "[[1,8,4,4]]", 1);
    layer.path = std::move(path);
    return layer;
  };
  // Three convolutions that only their places tell apart; the second point runs branches in another
  // order, names one place twice and has a place of its own.
  const std::vector<Segment> reference = CutIntoSegments({conv("a"), conv("b"), conv("c")});
  std::vector<Segment> segments = CutIntoSegments({conv("c"), conv("a"), conv("x")});
  MatchSegments(reference, segments);
  EXPECT_EQ(segments[1].reference, 3);
  EXPECT_EQ(segments[2].reference, 1);
  EXPECT_EQ(segments[3].reference, 2) << "what is left goes by shape";
  segments = CutIntoSegments({conv("b"), conv("b")});
  MatchSegments(reference, segments);
  EXPECT_EQ(segments[1].reference, 1);
  EXPECT_EQ(segments[2].reference, 2);
}

TEST(LayerAlignment, LaysAFusedGraphBesideAnUnfusedOne) {
  const MeasuredPoint eager = Point(
      1, {Layer("aten::conv2d", "[[1,16,32,32]]", 10),
          Layer("aten::batch_norm", "[[1,16,32,32]]", 2), Layer("aten::relu", "[[1,16,32,32]]", 1),
          Layer("aten::conv2d", "[[1,32,16,16]]", 20), Layer("aten::linear", "[[1,10]]", 3)});
  const MeasuredPoint fused =
      Point(2, {Layer("Reorder", "[[1,3,32,32]]", 4), Layer("FusedConv", "[[1,16,32,32]]", 7),
                Layer("Conv", "[[1,32,16,16]]", 15), Layer("Gemm", "[[1,10]]", 2)});
  const auto rows = AlignLayers({{eager, fused}});
  struct Expected {
    std::int64_t segment, point, layers;
    double latency_ns;
  };
  const std::vector<Expected> expected = {{1, 1, 3, 13}, {2, 1, 1, 20}, {3, 1, 1, 3}, {0, 2, 1, 4},
                                          {1, 2, 1, 7},  {2, 2, 1, 15}, {3, 2, 1, 2}};
  ASSERT_EQ(rows.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(rows[i].segment_index, expected[i].segment) << i;
    EXPECT_EQ(rows[i].point_id, expected[i].point) << i;
    EXPECT_EQ(rows[i].layers, expected[i].layers) << i;
    EXPECT_EQ(rows[i].latency_ns, expected[i].latency_ns) << i;
  }
}

TEST(LayerAlignment, FindsBranchesThatRunInAnotherOrder) {
  const std::vector<MeasuredLayer> first = {Layer("Conv", "[1,8,4,4]", 1),
                                            Layer("Conv", "[1,16,4,4]", 2),
                                            Layer("Conv", "[1,32,2,2]", 3)};
  const std::vector<MeasuredLayer> second = {Layer("Conv", "[1,16,4,4]", 2),
                                             Layer("Conv", "[1,8,4,4]", 1),
                                             Layer("Conv", "[1,32,2,2]", 3)};
  const auto reference = CutIntoSegments(first);
  auto segments = CutIntoSegments(second);
  MatchSegments(reference, segments);
  EXPECT_EQ(segments[1].reference, 2);
  EXPECT_EQ(segments[2].reference, 1);
  EXPECT_EQ(segments[3].reference, 3);
}

TEST(LayerAlignment, LeavesWhatTheReferenceLacks) {
  const auto reference = CutIntoSegments({Layer("Conv", "[1,8,4,4]", 1)});
  auto segments = CutIntoSegments({Layer("Conv", "[1,9,4,4]", 1), Layer("Conv", "[1,8,4,4]", 1)});
  MatchSegments(reference, segments);
  EXPECT_EQ(segments[1].reference, -1);
  EXPECT_EQ(segments[2].reference, 1);
}

TEST(LayerAlignment, LosesNoTime) {
  std::vector<MeasuredLayer> a, b;
  for (int i = 0; i < 200; ++i) {
    a.push_back(
        Layer(i % 3 == 0 ? "Conv" : "Relu", "[1," + std::to_string(i * 7 % 50 + 2) + "]", i));
    b.push_back(
        Layer(i % 4 == 0 ? "MatMul" : "Add", "[1," + std::to_string(i * 3 % 40 + 2) + "]", i));
  }
  const auto rows = AlignLayers({{Point(1, a), Point(2, b)}});
  double sum = 0;
  std::int64_t layers = 0;
  for (const store::AlignedLayerRow& row : rows) {
    layers += row.layers;
    sum += row.latency_ns.value();
  }
  EXPECT_EQ(layers, 400);
  EXPECT_EQ(sum, 2 * 199 * 200 / 2);
}

}  // namespace
}  // namespace xsp::compare
