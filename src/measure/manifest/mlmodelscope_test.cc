#include "measure/manifest/mlmodelscope.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json_text.h"

namespace xsp::manifest {
namespace {

using nlohmann::json;
using testing::HasSubstr;

std::string ProblemsOf(const Reading& reading) {
  std::string all;
  for (const Problem& problem : reading.problems)
    all += (problem.error ? "error " : "note ") + ToString(problem, "m") + "\n";
  return all;
}

// Written for this test after the format's description: classification with TensorFlow.
constexpr const char* kClassifier = R"(name: A ResNet (50)
framework:
  name: TensorFlow
  version: 1.15.x
version: 1.0
container:
  amd64:
    gpu: example/tensorflow:gpu
description: Classifies.
references:
  - https://arxiv.org/abs/1512.03385
license: Apache-2.0
inputs:
  - type: image
    description: the image
    parameters:
      element_type: float32
      input_layer: input_tensor
      layout: HWC
      color_mode: BGR
      dimensions: [3, 224, 200]
      mean: [123.68, 116.78, 103.94]
      scale: 58.0
      max_dimension: 640
output:
  type: classification
  parameters:
    element_type: float32
    probabilities_layer: softmax_tensor
    features_url: https://example.org/synset.txt
preprocess: |
  import numpy
model:
  base_url: https://example.org/models
  graph_path: resnet/graph.pb
  graph_checksum: 7b94a2da05d23a46bc08886
  is_archive: false
attributes:
  kind: CNN
  training_dataset: ImageNet
hidden: false
)";

TEST(MlModelScopeTest, TakesOverWhatMaps) {
  const Reading reading = ParseManifest(kClassifier);
  EXPECT_TRUE(reading.ok()) << ProblemsOf(reading);
  EXPECT_TRUE(reading.manifest.is_mlmodelscope);
  EXPECT_EQ(ToJson(reading.manifest), core::ParseJson(R"json({
    "name": "A_ResNet__50_", "title": "A ResNet (50)", "version": "1.0", "task": "image classification",
    "description": "Classifies.", "framework": {"name": "tensorflow", "version": "==1.15.*"},
    "files": {"tensorflow": {"file": "graph.pb"}},
    "inputs": [{"name": "input_tensor", "dtype": "float32", "shape": ["batch", 224, 200, 3], "layout": "NHWC"}],
    "outputs": [{"name": "softmax_tensor", "dtype": "float32"}],
    "preprocess": [{"step": "decode", "colour": "rgb"}, {"step": "resize", "width": 200, "height": 224},
      {"step": "colour_order", "order": "bgr"}, {"step": "normalise", "mean": [123.68, 116.78, 103.94], "std": 58.0},
      {"step": "layout", "order": "nhwc"}],
    "postprocess": [{"step": "top_k", "k": 5}],
    "reference": ["https://arxiv.org/abs/1512.03385"], "licence": "Apache-2.0",
    "source": "https://example.org/models", "weights": "trained on ImageNet"
})json"));
}

TEST(MlModelScopeTest, ListsWhatDoesNot) {
  EXPECT_EQ(ProblemsOf(ParseManifest(kClassifier)),
            R"(note m:1:7: name changed: A_ResNet__50_ instead of A ResNet (50)
note m:6:1: not converted: container (models run in workers, not in containers)
note m:24:7: not converted: inputs[0].max_dimension (write it as a step: docs/pipelines.md)
note m:30:5: not converted: output.features_url (download it, and name it as `labels` of the top_k step)
note m:31:1: not converted: preprocess (its code is not run; write its steps: docs/pipelines.md)
note m:34:3: not fetched: model.base_url (download the file and put it beside the manifest)
note m:36:3: not converted: model.graph_checksum (XSP uses SHA-256 checksums)
note m:39:3: not converted: attributes.kind
note m:41:1: not converted: hidden
)");
}

TEST(MlModelScopeTest, WhatWasTakenOverIsAManifestOfToday) {
  const json written = ToJson(ParseManifest(kClassifier).manifest);
  const Reading again = ParseManifest(core::JsonText(written));
  EXPECT_EQ(ProblemsOf(again), "");
  EXPECT_FALSE(again.manifest.is_mlmodelscope);
  EXPECT_EQ(ToJson(again.manifest), written);
}

TEST(MlModelScopeTest, DetectorsAndOtherFrameworks) {
  const Reading detector = ParseManifest(R"(name: ssd
version: 1.0
model: {graph_path: ssd.onnx, weights_path: ssd.bin, is_archive: true}
framework: {name: Caffe2, version: 0.8.1}
inputs: [{type: image, parameters: {input_layer: 0, dimensions: [300, 300, 3], scale: []}}]
outputs:
  - type: boundingbox
    parameters: {boxes_layer: 0, scores_layer: s, classes_layer: c}
)");
  EXPECT_EQ(
      ProblemsOf(detector),
      R"(note m:3:31: not converted: model.weights_path (put it beside the graph, under the name the framework expects)
note m:3:54: not converted: model.is_archive (unpack the archive beside the manifest)
note m:4:19: not converted: framework Caffe2 (no worker reads its files; export the model to ONNX)
note m:5:50: inputs[0].input_layer is a number: named input (give the tensor's name if the backend uses names)
note m:5:87: not converted: inputs[0].scale (neither a number nor a list)
note m:7:11: not converted: outputs[0] of type boundingbox (write its post-processing: docs/pipelines.md)
note m:8:31: outputs[0].boxes_layer is a number: named output (give the tensor's name if the backend uses names)
)");
  EXPECT_EQ(detector.manifest.outputs.size(), 3u);
  EXPECT_EQ(detector.manifest.task, "object detection");
  EXPECT_EQ(detector.manifest.inputs[0].shape, (std::vector<std::int64_t>{kBatch, 3, 300, 300}));
  EXPECT_EQ(detector.manifest.files[0].format, "");
}

TEST(MlModelScopeTest, TheFirstImageAloneHasSteps) {
  const Reading pair = ParseManifest(R"(name: pair
framework: {name: PyTorch}
model: {graph_path: pair.pt}
inputs:
  - {type: image, parameters: {input_layer: left, dimensions: [3, 8, 8]}}
  - {type: image, parameters: {input_layer: right, dimensions: [3, 9, 9]}}
)");
  EXPECT_EQ(ProblemsOf(pair),
            "note m:6:31: not converted: inputs[1]'s pre-processing (a pipeline prepares one "
            "image)\n");
  ASSERT_EQ(pair.manifest.inputs.size(), 2u);
  EXPECT_EQ(pair.manifest.inputs[1].shape, (std::vector<std::int64_t>{kBatch, 3, 9, 9}));
  ASSERT_EQ(pair.manifest.preprocess.size(), 4u);
  EXPECT_EQ(pair.manifest.preprocess[1].parameters["width"], 8);
}

TEST(MlModelScopeTest, FrameworkVersionsBecomeConstraints) {
  const auto constraint = [](const std::string& version) {
    return ParseManifest("name: a\nframework: {name: PyTorch, version: " + version +
                         "}\nmodel: {graph_path: a.pt}\n")
        .manifest.framework.version;
  };
  EXPECT_EQ(constraint("1.x"), "==1.*");
  EXPECT_EQ(constraint("1.8.1"), "==1.8.1");
  EXPECT_EQ(constraint("^1.12.0"), ">=1.12.0, ==1.*");
  EXPECT_EQ(constraint("~1.12.0"), ">=1.12.0, ==1.12.*");
  EXPECT_EQ(constraint("'>=1.2'"), ">=1.2");
  EXPECT_EQ(constraint("newest"), "");
}

TEST(MlModelScopeTest, WhatItCannotDoWithoutIsAnError) {
  const std::string problems =
      ProblemsOf(ParseManifest("container: {}\ninputs: [{type: image}]\n"));
  EXPECT_THAT(problems, HasSubstr("error m:1:1: missing: name"));
  EXPECT_THAT(problems, HasSubstr("error m:1:1: missing: model"));
  EXPECT_THAT(problems, HasSubstr("error m:2:10: inputs[0] needs type and parameters"));
  EXPECT_THAT(ProblemsOf(ParseManifest("name: a\nmodel: {base_url: x}\ncontainer: {}\n")),
              HasSubstr("error m:2:8: missing: model.graph_path"));
}

TEST(MlModelScopeTest, OddValuesDoNotEndTheProgram) {
  for (const char* text :
       {"name: [a]\nmodel: {graph_path: [x]}\n", "model: 3\noutput: 3\n",
        "inputs: [{type: 3, parameters: 4}]\n",
        "name: a\nframework: x\nmodel: {graph_path: x}\noutput: {type: [], parameters: []}\n",
        "name: ''\nmodel: {graph_path: /}\nattributes: 3\nreferences: {a: b}\n",
        "name: a\ninputs: [{type: image, parameters: {layout: '', dimensions: [0, 1, 2]}}]\nmodel: "
        "{graph_path: x}\n",
        "name: a\noutputs: [3, {type: feature, parameters: {x_layer: {}}}]\nmodel: {graph_path: "
        "x}\n"})
    EXPECT_FALSE(ParseManifest(text).problems.empty()) << text;
}

}  // namespace
}  // namespace xsp::manifest
