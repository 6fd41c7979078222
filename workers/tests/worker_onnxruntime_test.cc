// xsp-worker-onnxruntime. What every worker owes is tried in worker_conformance_test.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "harness/worker.h"
#include "source_dir.h"
#include "tests/sample_model.h"
#include "tests/warm_python.h"
#include "tests/worker_run.h"

// cmake/Paths.cmake.
extern const char kWorkerFolder[];

namespace xsp::workers_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
namespace fs = std::filesystem;

const fs::path kProgram = fs::path(kWorkerFolder) / "xsp-worker-onnxruntime";

class OnnxRuntimeWorker : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(kProgram)) GTEST_SKIP() << "not built: " << kProgram << " (tools/build)";
  }

  fs::path Job(const std::string& model, const json& changes = json::object()) {
    json job = {{"version", 1},    {"model", {{"name", "m"}, {"path", model}}},
                {"rung", "layer"}, {"iterations", 2},
                {"threads", 1},    {"warmup", {{"max_calls", 2}}}};
    job.merge_patch(changes);
    return folder_.Write("job.json", job.dump());
  }

  Finished Predict(const fs::path& job) {
    return RunWorker(kProgram,
                     {"predict", "--job", job.string(), "--recording", recording().string()});
  }

  Recording Measure(const std::string& model, const json& changes = json::object()) {
    const Finished finished = Predict(Job(model, changes));
    EXPECT_EQ(finished.exit_code, 0) << finished.error_text;
    return ReadRecording(recording());
  }

  /// Makes a model by a Python program that has `helper` (onnx.helper) and `F` (float's type) and
  /// leaves its graph in `g`; empty when no Python has onnx.
  std::string Make(const std::string& program, int opset = 17) {
    const std::string python = PythonWith({"onnx"});
    if (python.empty()) return "";
    const fs::path file = folder_.path() / "made.onnx";
    const fs::path script = folder_.Write(
        "make.py", "import sys, onnx\nfrom onnx import helper\nF = onnx.TensorProto.FLOAT\n" +
                       program +
                       "\nm = helper.make_model(g, opset_imports=[helper.make_opsetid('', " +
                       std::to_string(opset) +
                       "), helper.make_opsetid('nobody', 1)])\nm.ir_version = 8\n"
                       "onnx.save(m, sys.argv[1])\n");
    return RunsScript(python, {"onnx"}, {script.string(), file.string()}) ? file.string() : "";
  }

  fs::path recording() const { return folder_.path() / "recording.xspr"; }

  TemporaryFolder folder_;
};

#define XSP_ZOO_OR_SKIP(variable, name)                         \
  const std::string variable = ZooModel(name, "onnx").string(); \
  if (variable.empty())                                         \
  GTEST_SKIP() << "no Python that can make zoo/" name           \
                  " as ONNX "                                   \
                  "(XSP_PYTHON)"
#define XSP_MADE_OR_SKIP(variable, program)   \
  const std::string variable = Make(program); \
  if (variable.empty()) GTEST_SKIP() << "no Python with the package onnx (XSP_PYTHON)"

std::map<std::string, int> Types(const Recording& recording) {
  std::map<std::string, int> types;
  for (const Span* span : recording.Inside(recording.last())) {
    if (span->level == XSP_LEVEL_LAYER) ++types[span->type];
  }
  return types;
}

TEST_F(OnnxRuntimeWorker, FindsTheLayersOfResNet50) {
  XSP_ZOO_OR_SKIP(model, "resnet50");
  const std::map<std::string, int> as_written = {
      {"Conv", 53},   {"Relu", 49}, {"Add", 16}, {"MaxPool", 1}, {"GlobalAveragePool", 1},
      {"Flatten", 1}, {"Gemm", 1}};
  auto types = Types(Measure(model, {{"graph", "disabled"}}));
  types.erase("BatchNormalization");  // Exporters may fold them.
  EXPECT_EQ(types, as_written);
  const auto fused = Types(Measure(model));
  EXPECT_EQ(fused.at("Conv"), 53);
  EXPECT_EQ(fused.count("Relu"), 0u);
  EXPECT_EQ(fused.count("BatchNormalization"), 0u);
  EXPECT_EQ(fused.at("Gemm"), 1);
}

TEST_F(OnnxRuntimeWorker, ShortCallsKeepTheirOwnProfiles) {
  XSP_ZOO_OR_SKIP(model, "tiny");
  // Several calls in a millisecond, which is all that the name of a profile tells; and more calls
  // than profiles are kept before they are read.
  const Recording recording = Measure(model, {{"iterations", 150}});
  ASSERT_EQ(recording.calls.size(), 152u);
  const std::size_t nodes = recording.Inside(recording.last()).size();
  EXPECT_GE(nodes, 5u);
  for (const std::uint32_t id : recording.calls) {
    const Span& call = recording.spans.at(id);
    EXPECT_EQ(recording.Inside(id).size(), nodes);
    for (const Span* span : recording.Inside(id)) {
      EXPECT_GE(span->start_ns, call.start_ns);
      EXPECT_LE(span->end_ns, call.end_ns);
    }
  }
}

TEST_F(OnnxRuntimeWorker, GraphLevelsChangeWhatRuns) {
  XSP_ZOO_OR_SKIP(model, "tiny");
  const auto layers = [&](const char* graph) {
    const Recording recording = Measure(model, {{"graph", graph}});
    EXPECT_EQ(recording.facts.at("job.graph"), std::string(graph) == "default" ? "all" : graph);
    return Types(recording);
  };
  const auto disabled = layers("disabled"), basic = layers("basic"), extended = layers("extended");
  EXPECT_EQ(disabled.at("Conv"), 3);
  EXPECT_EQ(basic.at("Conv"), 3);
  EXPECT_EQ(extended.at("FusedConv"), 3);
  EXPECT_LT(extended.size(), disabled.size());
  EXPECT_EQ(layers("default"), layers("all"));
}

/// The nodes that the library's own Python package profiles in a session of its own.
TEST_F(OnnxRuntimeWorker, LayersAreThoseOfTheLibrarysOwnProfile) {
  XSP_ZOO_OR_SKIP(model, "tiny");
  const std::string package = std::string(XSP_SOURCE_DIR) + "/.deps/onnxruntime";
  const fs::path script = folder_.Write("profile.py", R"(
import sys, json
sys.path.append(sys.argv[1])
import numpy, onnxruntime
options = onnxruntime.SessionOptions()
options.enable_profiling = True
options.profile_file_prefix = sys.argv[3]
session = onnxruntime.InferenceSession(sys.argv[2], options, providers=["CPUExecutionProvider"])
session.run(None, {session.get_inputs()[0].name: numpy.zeros((2, 3, 32, 32), "float32")})
events = [e for e in json.load(open(session.end_profiling())) if e["name"].endswith("_kernel_time")]
json.dump([[e["args"]["op_name"], e["name"][:-len("_kernel_time")],
            [list(s.values())[0] for s in e["args"]["output_type_shape"]]] for e in events],
          open(sys.argv[4], "w"))
)");
  const std::string python = PythonWith({"numpy"});
  const fs::path answer = folder_.path() / "nodes.json";
  if (python.empty() || !RunsWell({python, script.string(), package, model,
                                   (folder_.path() / "own").string(), answer.string()})) {
    GTEST_SKIP() << "no Python that can import numpy and onnxruntime";
  }
  std::ifstream file(answer);
  const json expected = json::parse(file);
  const Recording recording = Measure(model, {{"rung", "details"}, {"batch", 2}});
  json found = json::array();
  for (const Span* span : recording.Inside(recording.last())) {
    found.push_back({span->type, span->name, json::parse(span->attributes.at("output_shapes"))});
  }
  EXPECT_EQ(found, expected);
}

TEST_F(OnnxRuntimeWorker, DetailsHoldTheShapesOfWeightsTypesAndMemory) {
  XSP_ZOO_OR_SKIP(model, "tiny");
  const Recording recording =
      Measure(model, {{"rung", "details"}, {"graph", "disabled"}, {"batch", 2}});
  double allocated = 0;
  std::map<std::string, const Span*> last_of;
  const Span* first = nullptr;
  for (const Span* span : recording.Inside(recording.last())) {
    if (!first) first = span;
    last_of[span->type] = span;
    EXPECT_EQ(span->attributes.at("implementation"), "CPUExecutionProvider");
    allocated += span->metrics.at("allocated_bytes");
  }
  ASSERT_TRUE(first);
  EXPECT_EQ(first->attributes.at("input_shapes"), "[[2,3,32,32],[16,3,3,3],[16]]");
  EXPECT_EQ(first->attributes.at("input_types"), "[float32,float32,float32]");
  EXPECT_EQ(first->attributes.at("output_shapes"), "[[2,16,32,32]]");
  EXPECT_EQ(first->metrics.at("allocated_bytes"), 2 * 16 * 32 * 32 * 4);
  // A packed weight would be missing from the profile.
  ASSERT_TRUE(last_of.contains("Gemm"));
  EXPECT_EQ(json::parse(last_of["Gemm"]->attributes.at("input_shapes")).size(), 3u);
  const Span& call = recording.spans.at(recording.last());
  EXPECT_EQ(call.metrics.at("allocated_bytes"), allocated);
  EXPECT_GE(call.metrics.at("peak_bytes"), 2 * 16 * 32 * 32 * 4);
}

std::vector<std::string> Split(const std::string& list) {
  std::vector<std::string> items;
  std::istringstream text(list);
  for (std::string item; std::getline(text, item, ',');) items.push_back(item);
  return items;
}

TEST_F(OnnxRuntimeWorker, FusedNodesAreNamedByTheirParts) {
  for (const char* name : {"tiny", "resnet50"}) {
    const std::string model = ZooModel(name, "onnx").string();
    if (model.empty()) GTEST_SKIP() << "no Python that can make zoo/" << name << " (XSP_PYTHON)";
    // Unoptimised, the layers are the nodes of the file.
    std::vector<std::string> nodes;
    const Recording unoptimised = Measure(model, {{"graph", "disabled"}, {"rung", "details"}});
    for (const Span* span : unoptimised.Inside(unoptimised.last())) {
      nodes.push_back(span->name);
      EXPECT_FALSE(span->attributes.contains("fused_from"));
    }
    for (const char* graph : {"basic", "extended", "all"}) {
      const Recording recording = Measure(model, {{"graph", graph}, {"rung", "details"}});
      std::vector<std::string> parts;
      for (const Span* span : recording.Inside(recording.last())) {
        const auto fused = span->attributes.find("fused_from");
        EXPECT_EQ(fused == span->attributes.end(), span->type == "ReorderOutput") << span->name;
        if (fused == span->attributes.end()) continue;
        for (const std::string& part : Split(fused->second)) parts.push_back(part);
      }
      // Each is in exactly one of the layers.
      EXPECT_THAT(parts, testing::UnorderedElementsAreArray(nodes)) << name << " " << graph;
      EXPECT_FALSE(recording.facts.contains("onnxruntime.uncertain_nodes"));
      EXPECT_FALSE(recording.facts.contains("onnxruntime.fused_from"));
    }
  }
  for (const auto& entry : fs::directory_iterator(folder_.path())) {
    EXPECT_FALSE(entry.is_directory()) << "left behind: " << entry.path();
  }
}

TEST_F(OnnxRuntimeWorker, ASumIsPartOfTheConvolutionThatItWasFusedInto) {
  XSP_ZOO_OR_SKIP(model, "resnet50");
  const Recording recording = Measure(model, {{"rung", "details"}});
  std::vector<std::string> with_sums, block;
  for (const Span* span : recording.Inside(recording.last())) {
    const auto fused = span->attributes.find("fused_from");
    if (fused == span->attributes.end()) continue;
    if (fused->second.find("/Add") != std::string::npos) with_sums.push_back(span->type);
    if (fused->second.find("/layer1.1/Add") != std::string::npos) block = Split(fused->second);
  }
  if (with_sums != std::vector<std::string>(16, "Conv")) {
    GTEST_SKIP() << "this processor has no blocked layout, into which sums are fused";
  }
  const std::string at = "/layer1/layer1.1/";
  EXPECT_THAT(block, testing::ElementsAre(at + "conv3/Conv", at + "bn3/BatchNormalization",
                                          at + "Add", at + "relu_2/Relu"));
}

TEST_F(OnnxRuntimeWorker, ReadsTheModulesThatPyTorchWritesBesideNodes) {
  XSP_MADE_OR_SKIP(model, R"(
x = helper.make_tensor_value_info('x', F, ['n', 8])
y = helper.make_tensor_value_info('y', F, ['n', 8])
def node(type, name, module, i, o):
    made = helper.make_node(type, i, o, name=name)
    made.metadata_props.add(key='pkg.torch.onnx.name_scopes', value=f"['', 'blocks', '{module}', 'relu']")
    return made
g = helper.make_graph([node('Sigmoid', 'node_sigmoid', 'blocks.0', ['x'], ['a']), helper.make_node('Neg', ['a'], ['b'], name='own'),
    node('Exp', 'node_exp', 'blocks.1.act', ['b'], ['y'])], 'g', [x], [y], []))");
  for (const char* graph : {"disabled", "default"}) {
    const Recording recording = Measure(model, {{"rung", "details"}, {"graph", graph}});
    std::map<std::string, std::string> paths;
    for (const Span* span : recording.Inside(recording.last()))
      if (span->level == XSP_LEVEL_LAYER && span->attributes.contains("path"))
        paths[span->type] = span->attributes.at("path");
    EXPECT_EQ(paths, (std::map<std::string, std::string>{{"Sigmoid", "blocks.0"},
                                                         {"Exp", "blocks.1.act"}}))
        << graph;
  }
}

TEST_F(OnnxRuntimeWorker, WhatABlockedLayoutHidesWithoutNamesIsNotGuessed) {
  XSP_MADE_OR_SKIP(model, R"(
import numpy
x = helper.make_tensor_value_info('x', F, ['n', 16, 8, 8])
y = helper.make_tensor_value_info('y', F, ['n', 32, 8, 8])
weight = lambda name, i: onnx.numpy_helper.from_array(numpy.ones((16, i, 1, 1), 'float32'), name)
g = helper.make_graph([helper.make_node('Conv', ['x', 'w1'], ['a']), helper.make_node('Relu', ['a'], ['b']),
    helper.make_node('Concat', ['b', 'b'], ['c'], axis=1), helper.make_node('Conv', ['c', 'w2'], ['d']),
    helper.make_node('Concat', ['d', 'd'], ['y'], axis=1)], 'g', [x], [y], [weight('w1', 16), weight('w2', 32)]))");
  const Recording recording = Measure(model, {{"rung", "details"}});
  if (recording.Count(recording.last(), XSP_LEVEL_LAYER, "ReorderInput") == 0) {
    GTEST_SKIP() << "this processor has no blocked layout";
  }
  std::vector<std::string> told;
  for (const Span* span : recording.Inside(recording.last())) {
    const auto fused = span->attributes.find("fused_from");
    if (fused != span->attributes.end()) told.push_back(fused->second);
    EXPECT_EQ(fused != span->attributes.end(), span->type == "Conv") << span->name;
  }
  EXPECT_THAT(told, testing::ElementsAre("a,b", "d"));
}

TEST_F(OnnxRuntimeWorker, ShapesOfTheBlockedLayoutHaveTheModelsChannels) {
  XSP_MADE_OR_SKIP(model, R"(
import numpy
x = helper.make_tensor_value_info('x', F, ['n', 3, 16, 16])
y = helper.make_tensor_value_info('y', F, ['n', 12, 16, 16])
weight = lambda name, *shape: onnx.numpy_helper.from_array(numpy.ones(shape, 'float32'), name)
g = helper.make_graph([helper.make_node('Conv', ['x', 'w1', 'b1'], ['a'], name='c1', pads=[1, 1, 1, 1]),
    helper.make_node('Relu', ['a'], ['b'], name='r1'),
    helper.make_node('Conv', ['b', 'w2'], ['c'], name='c2', group=4, pads=[1, 1, 1, 1]),
    helper.make_node('Conv', ['c', 'w3'], ['y'], name='c3')], 'g', [x], [y],
    [weight('w1', 4, 3, 3, 3), weight('b1', 4), weight('w2', 4, 1, 3, 3), weight('w3', 12, 4, 1, 1)]))");
  std::vector<std::string> inputs, outputs;
  bool padded = false;
  const Recording recording = Measure(model, {{"rung", "details"}, {"batch", 2}});
  for (const Span* span : recording.Inside(recording.last())) {
    padded |= span->attributes.contains("padded_output_shapes");
    if (span->type != "Conv") continue;
    inputs.push_back(span->attributes.at("input_shapes"));
    outputs.push_back(span->attributes.at("output_shapes"));
  }
  if (!padded) GTEST_SKIP() << "this processor has no blocked layout";
  EXPECT_THAT(inputs, testing::ElementsAre("[[2,3,16,16],[4,3,3,3],[4]]", "[[2,4,16,16],[4,1,3,3]]",
                                           "[[2,4,16,16],[12,4,1,1]]"));
  EXPECT_THAT(outputs, testing::ElementsAre("[[2,4,16,16]]", "[[2,4,16,16]]", "[[2,12,16,16]]"));
}

TEST_F(OnnxRuntimeWorker, AQuantisedModelRunsOnIntegersWhereItsGraphIsOptimised) {
  XSP_ZOO_OR_SKIP(model, "resnet50_int8");
  const auto convolutions = [&](const char* graph, const std::string& type,
                                const std::string& element_types) {
    const Recording recording = Measure(model, {{"graph", graph}, {"rung", "details"}});
    int count = 0;
    for (const Span* span : recording.Inside(recording.last())) {
      if (span->type != type) continue;
      ++count;
      EXPECT_THAT(span->attributes.at("input_types"), testing::StartsWith(element_types));
      if (type == "Conv") continue;
      const auto parts = Split(span->attributes.at("fused_from"));
      EXPECT_THAT(parts, testing::Contains(testing::EndsWith("/Conv"))) << span->name;
      EXPECT_THAT(parts, testing::Contains(testing::EndsWith("_DequantizeLinear"))) << span->name;
      EXPECT_THAT(parts, testing::Contains(testing::EndsWith("_QuantizeLinear"))) << span->name;
    }
    return count;
  };
  // Value, scale and zero point of input and weights.
  EXPECT_EQ(convolutions("all", "QLinearConv", "[uint8,float32,uint8,int8,float32,int8"), 53);
  EXPECT_EQ(convolutions("extended", "QLinearConv", "[uint8,float32,uint8,int8,float32,int8"), 53);
  EXPECT_EQ(convolutions("disabled", "Conv", "[float32,float32"), 53);
}

TEST_F(OnnxRuntimeWorker, NodesOfAnInnerGraphLieInTheirOuterNode) {
  XSP_MADE_OR_SKIP(model, R"(
x = helper.make_tensor_value_info('x', F, ['n', 4])
y = helper.make_tensor_value_info('y', F, None)
inner = lambda op: helper.make_graph([helper.make_node(op, ['x'], ['a'], 'inner_' + op),
    helper.make_node('Neg', ['a'], ['b'], 'inner_neg_' + op)], op, [], [helper.make_tensor_value_info('b', F, None)])
g = helper.make_graph([helper.make_node('ReduceSum', ['x'], ['s'], 'sum', keepdims=0),
    helper.make_node('Cast', ['s'], ['c'], 'cast', to=9),
    helper.make_node('If', ['c'], ['z'], 'choice', then_branch=inner('Exp'), else_branch=inner('Abs')),
    helper.make_node('Sqrt', ['z'], ['y'], 'after')], 'g', [x], [y]))");
  const Recording recording = Measure(model, {{"graph", "disabled"}, {"batch", 100000}});
  std::map<std::string, std::string> parent_of;
  for (const Span* span : recording.Inside(recording.last())) {
    parent_of[span->name] = recording.spans.at(span->parent).name;
  }
  EXPECT_EQ(parent_of.at("choice"), "m");
  EXPECT_EQ(parent_of.at("after"), "m");
  const std::string branch = parent_of.contains("inner_Exp") ? "Exp" : "Abs";
  EXPECT_EQ(parent_of.at("inner_" + branch), "choice");
  EXPECT_EQ(parent_of.at("inner_neg_" + branch), "choice");
}

TEST_F(OnnxRuntimeWorker, InfersInputsWithTheBatch) {
  XSP_ZOO_OR_SKIP(model, "tiny");
  const Recording recording = Measure(model, {{"batch", 3}, {"threads", 2}});
  EXPECT_EQ(recording.facts.at("inputs.origin"), "inferred");
  EXPECT_THAT(recording.facts.at("inputs"), HasSubstr("[3,3,32,32]"));
  EXPECT_EQ(recording.facts.at("job.threads"), "2");
  EXPECT_THAT(recording.facts.at("onnxruntime.providers"), HasSubstr("CPUExecutionProvider"));
}

TEST_F(OnnxRuntimeWorker, TakesOptionsAndRefusesWrongOnes) {
  XSP_ZOO_OR_SKIP(model, "tiny");
  const Recording recording =
      Measure(model, {{"options",
                       {{"execution_mode", "parallel"},
                        {"inter_op_threads", "2"},
                        {"session_config", "session.intra_op.allow_spinning=0"}}}});
  EXPECT_EQ(recording.facts.at("job.option.execution_mode"), "parallel");
  const json kWrong[] = {{{"execution_mode", "sideways"}},
                         {{"inter_op_threads", "-1"}},
                         {{"session_config", "no equals sign"}},
                         {{"provider_options", "device_id=1"}}};
  for (const json& options : kWrong) {
    const Finished finished = Predict(Job(model, {{"options", options}}));
    EXPECT_EQ(finished.exit_code, XSP_WORKER_BAD_INPUT) << options;
    EXPECT_THAT(finished.error_text, HasSubstr("cannot be: "));
    EXPECT_THAT(finished.error_text, HasSubstr("hint: "));
  }
}

TEST_F(OnnxRuntimeWorker, SaysWhatIsWrongWithInputs) {
  XSP_ZOO_OR_SKIP(model, "tiny");
  const auto with = [&](const json& input) {
    return Predict(Job(model, {{"model", {{"inputs", {input}}}}}));
  };
  Finished finished = with({{"name", "input"}, {"shape", {"batch", 4, 32, 32}}});
  EXPECT_EQ(finished.exit_code, XSP_WORKER_BAD_INPUT);
  EXPECT_THAT(finished.error_text, HasSubstr("[any, 3, 32, 32], the job gives [1, 4, 32, 32]"));
  finished = with({{"name", "input"}, {"dtype", "int64"}, {"shape", {"batch", 3, 32, 32}}});
  EXPECT_EQ(finished.exit_code, XSP_WORKER_BAD_INPUT);
  EXPECT_THAT(finished.error_text, HasSubstr("type float32, the job gives int64"));
}

TEST_F(OnnxRuntimeWorker, SaysWhichOperatorItLacks) {
  XSP_MADE_OR_SKIP(model, R"(
x = helper.make_tensor_value_info('x', F, ['n', 4])
y = helper.make_tensor_value_info('y', F, ['n', 4])
g = helper.make_graph([helper.make_node('Abracadabra', ['x'], ['y'], 'odd', domain='nobody')], 'g', [x], [y]))");
  const Finished finished = Predict(Job(model));
  EXPECT_EQ(finished.exit_code, XSP_WORKER_NOT_POSSIBLE) << finished.error_text;
  EXPECT_THAT(finished.error_text, HasSubstr("Abracadabra"));
}

TEST_F(OnnxRuntimeWorker, SaysWhenMemoryRunsOut) {
  // The input is small; the result is beyond any machine's address space.
  XSP_MADE_OR_SKIP(model, R"(
x = helper.make_tensor_value_info('x', F, ['n'])
y = helper.make_tensor_value_info('y', F, None)
shape = helper.make_tensor('shape', onnx.TensorProto.INT64, [2], [1 << 23, 1 << 23])
g = helper.make_graph([helper.make_node('Expand', ['x', 'shape'], ['y'], 'huge')], 'g', [x], [y], [shape]))");
  const Finished finished = Predict(Job(model, {{"graph", "disabled"}}));
  EXPECT_EQ(finished.exit_code, XSP_WORKER_ENVIRONMENT) << finished.error_text;
  EXPECT_THAT(finished.error_text, HasSubstr("memory ran out"));
}

TEST_F(OnnxRuntimeWorker, SaysWhenItsLibraryIsMissing) {
  XSP_ZOO_OR_SKIP(model, "tiny");
  const struct {
    const char *library, *what;
  } kCases[] = {{"/nonexistent/libonnxruntime.so", "cannot open the library of ONNX Runtime"},
                {"libm.so.6", "not the library of ONNX Runtime: libm.so.6"}};
  for (const auto& expected : kCases) {
    setenv("XSP_ONNXRUNTIME_LIBRARY", expected.library, 1);
    const Finished described = RunWorker(kProgram, {"describe"});
    const Finished finished = Predict(Job(model, {{"rung", "model"}}));
    unsetenv("XSP_ONNXRUNTIME_LIBRARY");
    EXPECT_EQ(described.exit_code, 0);
    EXPECT_THAT(described.out, HasSubstr(expected.what));
    EXPECT_EQ(finished.exit_code, XSP_WORKER_ENVIRONMENT) << finished.error_text;
    EXPECT_THAT(finished.error_text, HasSubstr(expected.what));
    EXPECT_THAT(finished.error_text, HasSubstr("hint: build the worker anew"));
  }
}

}  // namespace
}  // namespace xsp::workers_test
