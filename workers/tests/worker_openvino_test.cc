// xsp-worker-openvino, where it is built; what every worker must do is in worker_conformance_test.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "harness/worker.h"
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

const fs::path kProgram = fs::path(kWorkerFolder) / "xsp-worker-openvino";

class OpenVinoWorker : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(kProgram)) GTEST_SKIP() << "not built: " << kProgram << " (tools/build)";
    python_ = PythonWith({"onnx", "torch"});
    if (python_.empty()) GTEST_SKIP() << "no Python with torch and onnx (XSP_PYTHON)";
  }

  std::string Zoo(const std::string& name) {
    const std::string model = ZooModel(name, "onnx").string();
    EXPECT_NE(model, "") << name;
    return model;
  }

  /// What a Python program over onnx.helper (h) and TensorProto (T) saves as sys.argv[1].
  std::string Made(const std::string& program) {
    const fs::path script = folder_.Write("make.py",
                                          "import sys, onnx\n"
                                          "from onnx import helper as h, TensorProto as T\n"
                                          "def save(graph, *opsets):\n"
                                          "  sets = [h.make_opsetid('', 17), *opsets]\n"
                                          "  model = h.make_model(graph, opset_imports=sets)\n"
                                          "  onnx.save(model, sys.argv[1])\n" +
                                              program);
    const std::string path = (folder_.path() / "made.onnx").string();
    EXPECT_TRUE(RunsScript(python_, {"onnx"}, {script.string(), path}));
    return path;
  }

  Finished Predict(const std::string& model, const json& changes = json::object()) {
    json job = {{"version", 1},    {"model", {{"name", "m"}, {"path", model}}},
                {"rung", "layer"}, {"iterations", 3},
                {"threads", 2},    {"warmup", {{"max_calls", 3}}}};
    job.merge_patch(changes);
    return RunWorker(kProgram, {"predict", "--job", folder_.Write("job.json", job.dump()).string(),
                                "--recording", recording().string()});
  }

  Recording Measure(const std::string& model, const json& changes) {
    const Finished finished = Predict(model, changes);
    EXPECT_EQ(finished.exit_code, 0) << finished.error_text;
    EXPECT_EQ(finished.out, "");
    return ReadRecording(recording());
  }

  fs::path recording() const { return folder_.path() / "recording.xspr"; }

  std::string python_;
  TemporaryFolder folder_;
};

std::vector<const Span*> Layers(const Recording& recording, std::uint32_t call) {
  std::vector<const Span*> layers;
  for (const Span* span : recording.Inside(call)) {
    if (span->level == XSP_LEVEL_LAYER) layers.push_back(span);
  }
  return layers;
}

std::multiset<std::string> Types(const std::vector<const Span*>& layers) {
  std::multiset<std::string> types;
  for (const Span* layer : layers) types.insert(layer->type);
  return types;
}

TEST_F(OpenVinoWorker, FindsTheNodesAndPrimitivesOfResNet50) {
  const Recording recording = Measure(Zoo("resnet50"), {{"rung", "kernel"}});
  const auto layers = Layers(recording, recording.last());
  const auto types = Types(layers);
  // 53 convolutions; batch norms, additions and activations are fused into them.
  EXPECT_EQ(types.count("Convolution"), 53u);
  EXPECT_EQ(types.count("Pooling"), 1u);
  EXPECT_EQ(types.count("FullyConnected"), 1u);
  const Span& call = recording.spans.at(recording.last());
  int convolutions = 0;
  std::int64_t last_end_ns = call.start_ns;
  for (const Span* layer : layers) {
    // Nodes run one after another on the calling thread.
    EXPECT_GE(layer->start_ns, last_end_ns);
    EXPECT_LE(layer->end_ns, call.end_ns);
    last_end_ns = layer->end_ns;
    EXPECT_FALSE(layer->attributes.at("implementation").empty());
  }
  for (const Span* span : recording.Inside(recording.last())) {
    if (span->level != XSP_LEVEL_KERNEL) continue;
    convolutions += span->name == "convolution";
    const Span& parent = recording.spans.at(span->parent);
    EXPECT_EQ(parent.level, XSP_LEVEL_LAYER);
    EXPECT_LE(span->end_ns, parent.end_ns);
    EXPECT_THAT(span->attributes.at("raw"), HasSubstr("onednn_verbose"));
  }
  EXPECT_EQ(convolutions, 53);
  EXPECT_EQ(recording.losses.open_spans, 0u);
  EXPECT_EQ(recording.facts.at("cpu_capture.truncated_lines"), "0");
}

TEST_F(OpenVinoWorker, NodesTakeAsLongAsThePluginCounts) {
  // The plugin's counters, made by other code of OpenVINO with a clock of their own, are the mean
  // of all calls in whole microseconds, of which the largest is the first call's.
  const std::string model = Zoo("resnet50");
  struct Shares {
    double convolutions, lost;  // Of all nodes' time, and of the calls' time to other programs.
  };
  const auto measure = [&](const char* source) {
    // In float32 calls are long: microseconds and a slow first call weigh little.
    const Recording recording = Measure(model, {{"options", {{"layer_times", source}}},
                                                {"precision", "float32"},
                                                {"iterations", 20},
                                                {"threads", 1}});
    double convolutions_ns = 0, nodes_ns = 0, waited_ns = 0, calls_ns = 0;
    for (const std::uint32_t call : recording.calls) {
      const Span& span = recording.spans.at(call);
      calls_ns += static_cast<double>(span.end_ns - span.start_ns);
      for (const char* name : {"run_queue_wait_ns", "steal_ns"})
        if (const auto it = span.metrics.find(name); it != span.metrics.end())
          waited_ns += it->second;
      for (const Span* layer : Layers(recording, call)) {
        // A sequence of layers never leaves its call.
        EXPECT_LE(layer->end_ns, span.end_ns);
        const auto duration_ns = static_cast<double>(layer->end_ns - layer->start_ns);
        nodes_ns += duration_ns;
        if (layer->type == "Convolution") convolutions_ns += duration_ns;
      }
    }
    return Shares{convolutions_ns / nodes_ns, waited_ns / calls_ns};
  };
  const Shares tasks = measure("tasks"), counters = measure("counters");
  // A node that has to wait for a processor takes longer, whichever it is.
  EXPECT_NEAR(tasks.convolutions, counters.convolutions, 0.03 + tasks.lost + counters.lost);
}

TEST_F(OpenVinoWorker, DetailsTellShapesTypesAndWhatWasFused) {
  const Recording recording =
      Measure(Zoo("tiny"), {{"rung", "details"}, {"batch", 2}, {"precision", "float32"}});
  const Span* first = nullptr;
  for (const Span* layer : Layers(recording, recording.last())) {
    if (!first && layer->type == "Convolution") first = layer;
  }
  ASSERT_TRUE(first);
  EXPECT_THAT(first->attributes.at("input_shapes"), testing::StartsWith("[[2,3,32,32],[16,3,3,3]"));
  EXPECT_THAT(first->attributes.at("input_types"), testing::StartsWith("[float32,float32"));
  EXPECT_EQ(first->attributes.at("output_shapes"), "[[2,16,32,32]]");
  EXPECT_EQ(first->attributes.at("dtype"), "float32");
  EXPECT_THAT(first->attributes.at("fused_from"), HasSubstr("/2/Relu"));
}

TEST_F(OpenVinoWorker, ReadsBackThatAQuantisedModelRanOnIntegers) {
  const std::string model = ZooModel("resnet50_int8", "onnx").string();
  if (model.empty()) GTEST_SKIP() << "no Python with onnx and onnxruntime (XSP_PYTHON)";
  for (const char* asked : {"default", "float32"}) {
    const Recording recording = Measure(model, {{"rung", "kernel"}, {"precision", asked}});
    EXPECT_EQ(recording.facts.at("job.precision"), "int8") << asked;
    int convolutions = 0;
    for (const Span* layer : Layers(recording, recording.last())) {
      if (layer->type != "Convolution") continue;
      ++convolutions;
      EXPECT_THAT(layer->attributes.at("dtype"), testing::AnyOf("int8", "uint8")) << layer->name;
    }
    EXPECT_EQ(convolutions, 53);
  }
}

TEST_F(OpenVinoWorker, TheModelRungRecordsNothingInsideACall) {
  const Recording recording = Measure(Zoo("tiny"), {{"rung", "model"}});
  EXPECT_EQ(recording.Inside(recording.last()).size(), 0u);
}

TEST_F(OpenVinoWorker, AShallowerRungInTheKernelProcessShowsNoKernels) {
  const fs::path job =
      folder_.Write("job.json", json{{"version", 1},
                                     {"model", {{"name", "m"}, {"path", Zoo("tiny")}}},
                                     {"rung", "kernel"},
                                     {"warmup", {{"max_calls", 2}}}}
                                    .dump());
  auto worker = StartWorker(kProgram, job, recording());
  EXPECT_EQ(NextEvent(worker)["event"], "ready");
  for (const char* line : {"run 2 layer", "run 2 model", "run 2"}) {
    ASSERT_TRUE(worker.WriteLine(line).ok());
    EXPECT_EQ(NextEvent(worker)["event"], "done");
  }
  worker.CloseStdin();
  EXPECT_TRUE(worker.Wait(std::chrono::seconds(60))->success());
  EXPECT_EQ(worker.stderr_tail(), "");
  const Recording recording = ReadRecording(this->recording());
  // Two calls of warm-up, then each block with one more that leads it in.
  ASSERT_EQ(recording.calls.size(), 11u);
  const auto kernels = [&](std::size_t call) {
    return recording.Count(recording.calls[call], XSP_LEVEL_KERNEL, "primitive");
  };
  EXPECT_EQ(kernels(3), 0);
  EXPECT_FALSE(Layers(recording, recording.calls[3]).empty());
  EXPECT_EQ(recording.Inside(recording.calls[6]).size(), 0u);
  EXPECT_GT(kernels(9), 3);
}

TEST_F(OpenVinoWorker, SaysWhichPrecisionReallyRan) {
  const std::string model = Zoo("tiny");
  const auto ran = [&](const json& changes) {
    const Recording recording = Measure(model, changes);
    std::string primitive;
    for (const Span* span : recording.Inside(recording.last())) {
      if (span->level == XSP_LEVEL_KERNEL && span->name == "convolution") {
        primitive = span->attributes.at("raw");
      }
    }
    const std::string precision = recording.facts.at("job.precision");
    EXPECT_THAT(primitive, HasSubstr(precision == "bfloat16" ? "src:bf16" : "src:f32"));
    return precision;
  };
  EXPECT_EQ(ran({{"rung", "kernel"}, {"precision", "float32"}}), "float32");
  EXPECT_EQ(ran({{"rung", "kernel"}, {"options", {{"execution_mode", "accuracy"}}}}), "float32");
  const std::string own = ran({{"rung", "kernel"}});
  EXPECT_THAT(own, testing::AnyOf("float32", "bfloat16"));
  if (own == "float32") return;  // This CPU has no bfloat16 either.
  const Finished finished = Predict(model, {{"precision", "float16"}});
  if (finished.exit_code != 0) {
    EXPECT_EQ(finished.exit_code, 4);
    EXPECT_THAT(finished.error_text, HasSubstr("does not compute in float16"));
  }
}

TEST_F(OpenVinoWorker, FollowsShapesAndThreads) {
  const std::string model = Zoo("tiny");
  Recording recording = Measure(model, {{"batch", 3}, {"threads", 1}, {"rung", "details"}});
  EXPECT_EQ(recording.facts.at("job.graph"), "static");
  EXPECT_EQ(recording.facts.at("job.threads"), "1");
  EXPECT_EQ(recording.facts.at("inputs.origin"), "inferred");
  EXPECT_THAT(recording.facts.at("inputs"), HasSubstr("[3,3,32,32]"));
  EXPECT_THAT(Layers(recording, recording.last()).back()->attributes.at("output_shapes"),
              HasSubstr("[3,10]"));
  recording = Measure(model, {{"batch", 3}, {"graph", "dynamic"}, {"rung", "details"}});
  EXPECT_EQ(recording.facts.at("job.graph"), "dynamic");
  const auto layers = Layers(recording, recording.last());
  EXPECT_EQ(Types(layers).count("Convolution"), 3u);
  // A shape that the compiled model leaves open is not recorded.
  EXPECT_FALSE(layers.back()->attributes.contains("output_shapes"));
}

TEST_F(OpenVinoWorker, NodesInALoopLieInItsNode) {
  const std::string model = Made(
      "f = lambda name, shape: h.make_tensor_value_info(name, T.FLOAT, shape)\n"
      "flag = lambda name: h.make_tensor_value_info(name, T.BOOL, [])\n"
      "body = h.make_graph([h.make_node('Sigmoid', ['v'], ['s'], name='in_loop'),\n"
      "  h.make_node('MatMul', ['s', 'v'], ['w']), h.make_node('Identity', ['c_in'], ['c_out'])],\n"
      "  'body', [h.make_tensor_value_info('i', T.INT64, []), flag('c_in'), f('v', [64, 64])],\n"
      "  [flag('c_out'), f('w', [64, 64])])\n"
      "save(h.make_graph([h.make_node('Loop', ['n', 'c', 'x'], ['y'], body=body)], 'g',\n"
      "  [f('x', [64, 64])], [f('y', [64, 64])],\n"
      "  [h.make_tensor('c', T.BOOL, [], [True]), h.make_tensor('n', T.INT64, [], [5])]))\n");
  const Recording recording = Measure(model, {{"rung", "layer"}});
  int nested = 0;
  for (const Span* layer : Layers(recording, recording.last())) {
    const Span& parent = recording.spans.at(layer->parent);
    if (parent.level != XSP_LEVEL_LAYER) continue;
    ++nested;
    EXPECT_FALSE(layer->type.empty());
    EXPECT_GE(layer->start_ns, parent.start_ns);
    EXPECT_LE(layer->end_ns, parent.end_ns);
  }
  // Five times a MatMul and an activation, be they in one node or in two; or the loop was unrolled.
  const bool was_unrolled = Types(Layers(recording, recording.last())).count("MatMul") == 5;
  if (!was_unrolled) {
    EXPECT_GE(nested, 10);
  }
}

TEST_F(OpenVinoWorker, SaysWhatIsWrongWithAModelAndWhatToDo) {
  const std::string unknown = Made(
      "f = lambda name: h.make_tensor_value_info(name, T.FLOAT, [1, 4])\n"
      "save(h.make_graph([h.make_node('Frobnicate', ['x'], ['y'], domain='my.own')], 'g',\n"
      "  [f('x')], [f('y')]), h.make_opsetid('my.own', 1))\n");
  fs::create_directory(folder_.path() / "folder");
  const struct {
    std::string path;
    int exit_code;
    std::string what, hint;
  } kCases[] = {
      {(folder_.path() / "folder").string(), 3, "saved_model.pb", "SavedModel"},
      {folder_.Write("empty.onnx", "").string(), 3, "empty", "again"},
      {folder_.Write("noise.onnx", "no model").string(), 3, "cannot load the model", "check"},
      {folder_.Write("noise.pdmodel", "no model").string(), 3, "can't be parsed", "check"},
      {folder_.Write("model.pt", "no model").string(), 3, "no model file that OpenVINO", ".onnx"},
      {folder_.Write("lone.xml", "<net/>").string(), 3, "weights are missing", ".bin"},
      {unknown, 4, "my.own.Frobnicate", "another backend"},
  };
  for (const auto& expected : kCases) {
    const Finished finished = Predict(expected.path);
    EXPECT_EQ(finished.exit_code, expected.exit_code) << expected.path;
    EXPECT_EQ(finished.out, "");
    EXPECT_THAT(finished.error_text, HasSubstr(expected.what)) << expected.path;
    const auto hint = finished.error_text.find("hint: ");
    ASSERT_NE(hint, std::string::npos) << finished.error_text;
    EXPECT_THAT(finished.error_text.substr(hint), HasSubstr(expected.hint));
  }
}

TEST_F(OpenVinoWorker, SaysWhatIsWrongWithInputsAndSettings) {
  const std::string model = Zoo("tiny");
  const auto refused = [&](int exit_code, const json& changes) {
    const Finished finished = Predict(model, changes);
    EXPECT_EQ(finished.exit_code, exit_code) << changes.dump() << finished.error_text;
    return finished.error_text;
  };
  const auto inputs = [](const json& list) { return json{{"model", {{"inputs", list}}}}; };
  EXPECT_THAT(refused(3, inputs({{{"name", "input"}, {"shape", {"batch", 4, 32, 32}}}})),
              HasSubstr("channel count (4)"));
  EXPECT_THAT(
      refused(3,
              inputs({{{"name", "input"}, {"dtype", "int64"}, {"shape", {"batch", 3, 32, 32}}}})),
      HasSubstr("int64 for float32"));
  EXPECT_THAT(refused(3, inputs({{{"name", "input"}, {"shape", {"batch", 3, 32, 32}}},
                                 {{"name", "more"}, {"shape", {1}}}})),
              HasSubstr("takes 1 inputs, the job gives 2"));
  EXPECT_THAT(refused(2, {{"options", {{"streams", "many"}}}}), HasSubstr("many"));
  EXPECT_THAT(refused(4, {{"device", "gpu.99"}}), HasSubstr("gpu.99"));
  EXPECT_THAT(refused(4, {{"rung", "kernel"}, {"options", {{"layer_times", "counters"}}}}),
              HasSubstr("layers from tasks"));
}

TEST_F(OpenVinoWorker, LeavesTasksToAnotherProfiler) {
  ASSERT_EQ(setenv("INTEL_LIBITTNOTIFY64", "/nonexistent/listener.so", 1), 0);
  const Finished layer = Predict(Zoo("tiny"));
  const Finished model = Predict(Zoo("tiny"), {{"rung", "model"}});
  unsetenv("INTEL_LIBITTNOTIFY64");
  EXPECT_EQ(layer.exit_code, 4);
  EXPECT_THAT(layer.error_text, HasSubstr("/nonexistent/listener.so"));
  EXPECT_EQ(model.exit_code, 0) << model.error_text;
}

}  // namespace
}  // namespace xsp::workers_test
