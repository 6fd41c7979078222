#include "derive/match/layer_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "derive/match/match_testing.h"

namespace xsp::match {
namespace {

using ::testing::ElementsAre;

TEST(PathOfNodeName, IsWhatTheExporterWasGiven) {
  // torch.onnx, BERT of Hugging Face, OpenCV's reader, Keras in a SavedModel, MXNet.
  EXPECT_EQ(PathOfNodeName("/layer1/layer1.0/conv1/Conv"), "layer1.0.conv1");
  EXPECT_EQ(PathOfNodeName("/layer1/layer1.0/Add_1"), "layer1.0");
  EXPECT_EQ(PathOfNodeName("/encoder/layer.3/attention/self/query/MatMul"),
            "encoder.layer.3.attention.self.query");
  EXPECT_EQ(PathOfNodeName("onnx_node!/fc/Gemm"), "fc");
  EXPECT_EQ(PathOfNodeName("StatefulPartitionedCall/resnet50/conv1_conv/Conv2D"),
            "resnet50.conv1_conv");
  EXPECT_EQ(PathOfNodeName("resnetv17_conv0_fwd"), "resnetv17_conv0_fwd");
}

TEST(PathOfNodeName, IsNoneOfAnOperatorsName) {
  for (const char* name : {"", "/", "Conv_17", "/Flatten", "fused Conv_0", "Multiply_5233",
                           "node_conv2d_1", "StatefulPartitionedCall/Identity", "///"})
    EXPECT_EQ(PathOfNodeName(name), "") << name;
}

TEST(LayerNames, TellEveryLayerApart) {
  const std::vector<NamedLayer> layers = {{"stem", "aten::conv2d", ""},
                                          {"layer1.0", "aten::add_", ""},
                                          {"layer1.0", "aten::relu_", ""},
                                          {"layer1.0.relu", "aten::relu_", ""},
                                          {"layer1.0.relu", "aten::relu_", ""},
                                          {"", "Conv", "Conv_17"},
                                          {"", "aten::flatten", ""},
                                          {"", "Relu", "Relu_1"},
                                          {"", "Relu", "Relu_1"}};
  EXPECT_THAT(LayerNames(layers), ElementsAre("stem", "layer1.0 add_", "layer1.0 relu_",
                                              "layer1.0.relu #3", "layer1.0.relu #4", "Conv_17",
                                              "aten::flatten #6", "Relu_1 #7", "Relu_1 #8"));
}

/// The path, name and node of each layer.
std::vector<std::vector<std::string>> LayersOf(TestExperiment& experiment) {
  std::vector<std::vector<std::string>> texts;
  for (const store::LayerRow& layer : experiment.Match().layer)
    texts.push_back({layer.path.value_or("NULL"), layer.name, layer.node.value_or("NULL")});
  return texts;
}

TEST(LayerPath, IsWhatTheMostDetailedRunKnows) {
  Recording times, details;
  for (Recording* recording : {&times, &details}) {
    const auto call = recording->Call(0, 0, 100);
    recording->Layer(call, "aten::conv2d", 0, 50);
    const auto second = recording->Layer(call, "aten::relu_", 50, 10);
    if (recording == &details) recording->Attribute(second, "path", "layer1.relu");
  }
  TestExperiment experiment;
  experiment.AddRun("layer", times);
  experiment.AddRun("details", details);
  EXPECT_THAT(LayersOf(experiment), ElementsAre(ElementsAre("NULL", "aten::conv2d #0", "NULL"),
                                                ElementsAre("layer1.relu", "layer1.relu", "NULL")));
}

TEST(LayerPath, IsOfTheModulesAroundTheForwardOperator) {
  Recording recording;
  const auto module = [&](trace::SpanId parent, std::string_view name, std::int64_t start_ns,
                          std::int64_t duration_ns) {
    return recording.Add(trace::Level::kLayer, "module", name, start_ns, duration_ns, parent);
  };
  const auto step = recording.Call(0, 0, 1000);
  const auto net = module(step, "nn.Module: Net_0", 0, 500);
  const auto linear = module(net, "nn.Module: Linear_1", 100, 100);
  const auto outer = recording.Layer(linear, "aten::linear", 100, 90);
  recording.Attribute(outer, "sequence", "7");
  const auto inner = recording.Layer(outer, "aten::addmm", 110, 70);
  recording.Attribute(inner, "sequence", "8");
  for (const char* sequence : {"8", "9"}) {
    const auto backward = recording.Layer(step, "AddmmBackward0", sequence[0] * 10, 10);
    recording.Attribute(backward, "sequence", sequence);
  }
  TestExperiment experiment;
  experiment.AddRun("imported", recording);
  EXPECT_THAT(LayersOf(experiment),
              ElementsAre(ElementsAre("Net_0.Linear_1", "Net_0.Linear_1 linear", "NULL"),
                          ElementsAre("Net_0.Linear_1", "Net_0.Linear_1 AddmmBackward0", "NULL"),
                          ElementsAre("NULL", "AddmmBackward0 #2", "NULL")));
}

TEST(LayerPath, IsOfTheForwardOperatorThatTheSourceLinksTo) {
  Recording recording;
  const auto step = recording.Call(0, 0, 1000);
  const auto conv = recording.Layer(step, "aten::conv2d", 100, 90);
  recording.Attribute(conv, "path", "stem");
  const auto engine = recording.Layer(step, "autograd::engine::evaluate_function", 500, 50);
  recording.Layer(step, "aten::add_", 600, 10);
  const auto backward = recording.Layer(engine, "ConvolutionBackward0", 510, 30);
  recording.trace().links.push_back({conv, backward, trace::LinkKind::kForwardBackward});
  const auto matched = Match({{1, "net", "PyTorch", "cpu", "default", 4, "{}", 100, 2}},
                             {{1, 1, "imported", "done", "x", "x", "", &recording.trace()}});
  ASSERT_TRUE(matched.ok()) << matched.error().what;
  EXPECT_EQ(matched.value().layer.at(1).path, "stem");
  EXPECT_EQ(matched.value().layer.at(2).path, std::nullopt);
}

TEST(LayerPath, OfTorchScriptIsSaidInTheFirstCallsAndContinuesTheModulesAround) {
  Recording recording;
  for (int i = 0; i < 12; ++i) {
    const std::int64_t at = i * 1000;
    const auto call = recording.Call(i, at, 500);
    const auto module = recording.Add(trace::Level::kLayer, "module", "encoder", at, 400, call);
    const auto conv = recording.Layer(module, "aten::conv2d", at + 10, 50);
    recording.Layer(module, "aten::add", at + 70, 10);
    const auto relu = recording.Layer(call, "aten::relu_", at + 420, 10);
    if (i > 2) continue;
    // Before its graph is optimised TorchScript may tell less.
    recording.Attribute(conv, "script_path", i == 0 ? "0" : "0.conv");
    recording.Attribute(relu, "script_path", "act");
  }
  TestExperiment experiment;
  experiment.AddRun("recorded", recording);
  EXPECT_THAT(
      LayersOf(experiment),
      ElementsAre(ElementsAre("encoder.0.conv", "encoder.0.conv", "NULL"),
                  ElementsAre("encoder", "encoder", "NULL"), ElementsAre("act", "act", "NULL")));
}

TEST(LayerPath, IsTheNameOfAWatchedModule) {
  Recording recording;
  const auto call = recording.Call(0, 0, 100);
  const auto outer = recording.Add(trace::Level::kLayer, "module", "layer1", 0, 90, call);
  const auto inner = recording.Add(trace::Level::kLayer, "module", "layer1.0", 10, 50, outer);
  recording.Layer(inner, "aten::conv2d", 10, 40);
  recording.Layer(outer, "aten::relu_", 60, 10);
  TestExperiment experiment;
  experiment.AddRun("recorded", recording);
  EXPECT_THAT(LayersOf(experiment), ElementsAre(ElementsAre("layer1.0", "layer1.0", "NULL"),
                                                ElementsAre("layer1", "layer1", "NULL")));
}

TEST(LayerPath, IsThatOfTheFirstFusedNode) {
  Recording recording;
  const auto call = recording.Call(0, 0, 100);
  const auto layer = recording.Layer(call, "Conv", 0, 50, "/relu/Relu_output_0_nchwc");
  recording.Attribute(layer, "fused_from", "Mul_3,/layer1/conv2/Conv,/relu/Relu");
  TestExperiment experiment;
  experiment.AddRun("layer", recording);
  EXPECT_THAT(LayersOf(experiment), ElementsAre(ElementsAre("layer1.conv2", "layer1.conv2",
                                                            "/relu/Relu_output_0_nchwc")));
}

}  // namespace
}  // namespace xsp::match
