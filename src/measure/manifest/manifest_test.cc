#include "measure/manifest/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "core/json_text.h"
#include "source_dir.h"

namespace xsp::manifest {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// One line per problem.
std::string ProblemsOf(const std::string& text) {
  std::string all;
  for (const Problem& problem : ParseManifest(text).problems)
    all += ToString(problem, "m.yaml") + "\n";
  return all;
}

constexpr const char* kWhole = R"(name: net-1.5_b
title: A network
version: 1.50
task: object detection
description: |
  Two lines
  of text.
framework: {name: torch, version: ">=2, <3"}
files:
  torchscript: {file: net.pt}
  tensorflow: {file: folder/net, sha256: 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef}
inputs:
  - {name: image, dtype: float32, shape: [batch, 3, 32, 32], layout: NCHW, fill: uniform}
  - {name: ids, dtype: int64, shape: [batch, 128], range: [0, 30522]}
  - {name: mask, dtype: bool, shape: [batch, 128], fill: ones}
  - {name: scale, dtype: float64, shape: []}
outputs:
  - {name: boxes, dtype: float32, shape: [batch, 100, 4]}
  - {name: scores}
preprocess:
  - {step: decode}
  - {step: normalise, mean: [1, 2.5, 3], std: 58}
postprocess:
  - {step: boxes, threshold: 0.5, labels: {file: coco.txt}}
parameters: 25557032
flops: {count: 8178000000, source: a paper}
weights: random, seed 0
source: here
reference: [one, two]
licence: MIT
needs: [torch, torchvision.models]
)";

TEST(ManifestTest, ReadsEveryField) {
  const Reading reading = ParseManifest(kWhole);
  EXPECT_EQ(ProblemsOf(kWhole), "");
  const Manifest& manifest = reading.manifest;
  EXPECT_EQ(manifest.name, "net-1.5_b");
  EXPECT_EQ(manifest.version, "1.50");
  EXPECT_EQ(manifest.description, "Two lines\nof text.\n");
  EXPECT_EQ(manifest.framework.name, "torch");
  EXPECT_EQ(manifest.framework.version, ">=2, <3");
  ASSERT_EQ(manifest.files.size(), 2u);
  EXPECT_EQ(manifest.files[0].format, "torchscript");
  EXPECT_EQ(manifest.FindFile("tensorflow")->file, "folder/net");
  EXPECT_EQ(manifest.FindFile("onnx"), nullptr);
  EXPECT_EQ(manifest.inputs[0].shape, (std::vector<std::int64_t>{kBatch, 3, 32, 32}));
  EXPECT_EQ(manifest.inputs[1].range, std::pair(std::int64_t{0}, std::int64_t{30522}));
  EXPECT_EQ(manifest.outputs[1].name, "scores");
  EXPECT_EQ(manifest.preprocess[1].name, "normalise");
  EXPECT_EQ(manifest.preprocess[1].at.line, 22);
  EXPECT_EQ(manifest.parameters->count, 25557032);
  EXPECT_EQ(manifest.flops->source, "a paper");
  EXPECT_EQ(manifest.reference, (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(manifest.needs, (std::vector<std::string>{"torch", "torchvision.models"}));
}

TEST(ManifestTest, AJobGetsTheInputsAsTheProtocolHasThem) {
  EXPECT_EQ(InputsForJob(ParseManifest(kWhole).manifest), core::ParseJson(R"([
      {"name":"image","dtype":"float32","shape":["batch",3,32,32],"fill":"uniform"},
      {"name":"ids","dtype":"int64","shape":["batch",128],"range":[0,30522]},
      {"name":"mask","dtype":"bool","shape":["batch",128],"fill":"ones"},
      {"name":"scale","dtype":"float64","shape":[]}])"));
  EXPECT_TRUE(InputsForJob(Manifest()).is_null());
}

TEST(ManifestTest, WrittenOutItReadsAsItself) {
  const json written = ToJson(ParseManifest(kWhole).manifest);
  const Reading again = ParseManifest(core::JsonText(written));
  EXPECT_TRUE(again.problems.empty());
  EXPECT_EQ(ToJson(again.manifest), written);
  EXPECT_EQ(
      StepsToJson(again.manifest.preprocess),
      core::ParseJson(R"([{"step":"decode"},{"step":"normalise","mean":[1,2.5,3],"std":58}])"));
}

TEST(ManifestTest, YamlReadsBackAsItWas) {
  Manifest manifest = ParseManifest(kWhole).manifest;
  manifest.inputs[3].value = 0.5;
  manifest.title = "yes";  // Words that YAML takes for something else.
  manifest.task = "null";
  manifest.weights = "1e3";
  manifest.source = "a: b # c";
  const Reading again = ParseManifest(ToYaml(manifest));
  EXPECT_EQ(ProblemsOf(ToYaml(manifest)), "");
  EXPECT_EQ(ToJson(again.manifest), ToJson(manifest)) << ToYaml(manifest);
}

TEST(ManifestTest, TheShortFormNamesOneFile) {
  const Manifest torch = ParseManifest("name: a\nframework: torch\nfile: a.pt\n").manifest;
  EXPECT_EQ(torch.FindFile("torchscript")->file, "a.pt");
  EXPECT_EQ(ParseManifest("name: a\nfile: a.pt\n").manifest.files.at(0).format, "");
  EXPECT_EQ(ParseManifest("name: a\nframework: openvino\nfile: a\n").manifest.files.at(0).format,
            "onnx");
  EXPECT_TRUE(ParseManifest("name: a\n").ok());
}

TEST(ManifestTest, NamesAllThatIsWrongWithLineAndColumn) {
  EXPECT_EQ(ProblemsOf(R"(nane: net
version: [1]
framework: {name: torch, version: 1.x, note: 3}
tsak: x
files:
  TorchScript: {file: net.pt}
  onnx: {file: net.onnx, sha256: ABC}
  mxnet: net
inputs:
  - {name: x, dtype: float, shape: [batch, 0, -1, bach, 2.5], layout: NCHW}
  - {name: x, shape: 3, range: [0, 3], fill: one}
  - {dtype: float32, shape: [], range: [0, 3]}
  - {dtype: int32, shape: [2], range: [3, 3], colour: red}
  - 7
outputs:
  - {dtype: float32}
  - {name: y, layout: nc}
preprocess:
  - {step: normalize}
  - resize
postprocess: {step: softmax}
parameters: many
flops: {count: -5, from: a paper}
needs: [torch, "import os", 3]
licence: 2
)"),
            R"(m.yaml:1:1: unknown key: nane (did you mean name?)
m.yaml:1:1: missing: name
m.yaml:2:10: version is not text: a list
m.yaml:3:35: framework.version is not a version constraint such as ">=1.15, <3": 1.x
m.yaml:3:40: unknown key: framework.note (known: name, version)
m.yaml:4:1: unknown key: tsak (did you mean task?)
m.yaml:6:3: not the name of a format: TorchScript (lower-case letters, digits and _, a letter first)
m.yaml:7:34: files.onnx.sha256 is not 64 lower-case hexadecimal digits: ABC
m.yaml:8:10: files.mxnet is not a map with file: net
m.yaml:10:22: unknown inputs[0].dtype: float (did you mean float32?)
m.yaml:10:44: inputs[0].shape[1] is not a positive number or batch: 0
m.yaml:10:47: inputs[0].shape[2] is not a positive number or batch: -1
m.yaml:10:51: inputs[0].shape[3] is not a positive number or batch: bach
m.yaml:10:57: inputs[0].shape[4] is not a positive number or batch: 2.5
m.yaml:10:71: inputs[0].layout and shape differ in their axes: 4 and 5
m.yaml:11:5: missing: inputs[1].dtype
m.yaml:11:5: two inputs have the same name: x
m.yaml:11:22: inputs[1].shape is not a list: 3
m.yaml:11:46: unknown inputs[1].fill: one (did you mean ones?)
m.yaml:12:40: inputs[2].range is for integers only, and dtype is float32
m.yaml:13:5: two inputs have the same name: input
m.yaml:13:39: inputs[3].range is empty: 3 to 3 (the second number is excluded)
m.yaml:13:47: unknown key: inputs[3].colour (known: name, dtype, shape, layout, range, fill, value)
m.yaml:14:5: inputs[4] is not a map with name, dtype and shape: 7
m.yaml:16:5: missing: outputs[0].name
m.yaml:17:23: outputs[1].layout is not one capital letter per axis: nc
m.yaml:19:12: unknown preprocess[0].step: normalize (did you mean normalise?)
m.yaml:20:5: preprocess[1] is not a map with step: resize
m.yaml:21:14: postprocess is not a list: a map
m.yaml:22:13: parameters is not a positive whole number: many
m.yaml:23:16: flops.count is not a positive whole number: -5
m.yaml:23:20: unknown key: flops.from (known: count, source)
m.yaml:24:16: needs[1] is not the name of a Python module: import os
m.yaml:24:29: needs[2] is not text: 3
m.yaml:25:10: licence is not text: 2 (write it in quotes)
)");
}

TEST(ManifestTest, TellsWhatKindOfFileItIsNot) {
  EXPECT_EQ(ProblemsOf("- a\n- b\n"), "m.yaml:1:1: not a map of keys: a list\n");
  EXPECT_EQ(ProblemsOf("name: [\n"), "m.yaml:2:1: not YAML: end of sequence flow not found\n");
  EXPECT_THAT(ProblemsOf(""), testing::HasSubstr("not a map of keys: nothing"));
  EXPECT_EQ(ProblemsOf("name: a\nfile: a\nfiles: {onnx: {file: b}}\nsha256: x\n"),
            "m.yaml:2:7: both file and files (files is enough)\n"
            "m.yaml:4:9: sha256 is not 64 lower-case hexadecimal digits: x\n");
  EXPECT_EQ(ProblemsOf("name: a\nsha256: x\n"), "m.yaml:2:9: sha256 without file\n");
  EXPECT_EQ(ProblemsOf("name: a/b\n"),
            "m.yaml:1:7: name is not a model's name (letters, digits, . _ + -): a/b\n");
}

TEST(ManifestTest, AFileThatIsWrongIsOneError) {
  const fs::path file = fs::path(testing::TempDir()) / "xsp-manifest-test.yaml";
  std::ofstream(file) << "name: a\ntsak: 1\nshape: 2\n";
  const auto wrong = ReadManifest(file);
  EXPECT_EQ(wrong.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(wrong.error().what, testing::HasSubstr(file.string() + ":2:1: unknown key: tsak"));
  EXPECT_THAT(wrong.error().what, testing::HasSubstr(file.string() + ":3:1: unknown key: shape"));
  std::ofstream(file) << kWhole;
  EXPECT_TRUE(ReadManifest(file).ok());
  fs::remove(file);
  EXPECT_EQ(ReadManifest(file).error().kind, ErrorKind::kBadInput);
}

TEST(ManifestTest, DamagedTextIsReadToItsEnd) {
  constexpr const char* kOld =
      "name: a\nframework: {name: MXNet, version: ^1.2}\ncontainer: {}\nmodel: {graph_path: x, "
      "base_url: y}\n"
      "inputs: [{type: image, parameters: {layout: HWC, dimensions: [3, 2, 2], mean: [1, 2], "
      "scale: 3}}]\n"
      "output: {type: classification, parameters: {probabilities_layer: p, features_url: u}}\n";
  constexpr std::string_view kBytes = "[]{}:,-&*#|>'\"\n\t !%@`~0.eE+\\\x01\xff";
  std::mt19937 random(1);
  int accepted = 0, refused = 0;
  for (const std::string& whole : {std::string(kWhole), std::string(kOld)}) {
    for (int round = 0; round < 3000; ++round) {
      std::string text = whole;
      const auto changes = 1 + random() % 4;
      for (unsigned i = 0; i < changes; ++i) {
        const std::size_t at = random() % text.size();
        const char byte = kBytes[random() % kBytes.size()];
        switch (random() % 4) {
          case 0:
            text[at] = byte;
            break;
          case 1:
            text.insert(at, 1, byte);
            break;
          case 2:
            text.erase(at, 1 + random() % 20);
            break;
          default:
            text.insert(at, text.substr(random() % text.size(), random() % 40));
            break;
        }
        if (text.empty()) break;
      }
      const Reading reading = ParseManifest(text);
      for (const Problem& problem : reading.problems) EXPECT_FALSE(ToString(problem, "m").empty());
      if (reading.ok()) {
        ++accepted;
        // A byte that is no UTF-8 may stand in a text.
        EXPECT_FALSE(core::JsonText(ToJson(reading.manifest)).empty());
        InputsForJob(reading.manifest);
      } else {
        ++refused;
      }
    }
  }
  EXPECT_GT(accepted, 100);
  EXPECT_GT(refused, 1000);
}

TEST(ManifestTest, EveryManifestOfTheZooIsRight) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(XSP_SOURCE_DIR) / "zoo")) {
    const fs::path file = entry.path() / "manifest.yaml";
    if (!fs::exists(file)) continue;
    ++count;
    const auto manifest = ReadManifest(file);
    ASSERT_TRUE(manifest.ok()) << manifest.error().what;
    EXPECT_EQ(manifest.value().name, entry.path().filename());
    EXPECT_FALSE(manifest.value().files.empty()) << file;
    for (const ModelFile& item : manifest.value().files)
      EXPECT_TRUE(fs::exists(fs::path(XSP_SOURCE_DIR) / "zoo/makers" / (item.format + ".py")) ||
                  fs::exists(entry.path() / ("make_" + item.format + ".py")))
          << file << " names a format without maker: " << item.format;
  }
  EXPECT_GE(count, 2);
}

}  // namespace
}  // namespace xsp::manifest
