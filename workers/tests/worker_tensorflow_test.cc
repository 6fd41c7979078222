// xsp-worker-tensorflow. What every worker owes is tried in worker_conformance_test.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <string>

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

const fs::path kProgram = fs::path(kWorkerFolder) / "xsp-worker-tensorflow";

class TensorFlowWorker : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(kProgram)) GTEST_SKIP() << "not built: " << kProgram << " (tools/build)";
  }

  fs::path Job(const std::string& model, const json& changes = json::object()) {
    json job = {{"version", 1},    {"model", {{"name", "m"}, {"path", model}}},
                {"rung", "layer"}, {"iterations", 2},
                {"threads", 2},    {"warmup", {{"max_calls", 2}}}};
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

  /// Runs a Python program that has `tf` and writes to sys.argv[1]; empty when no Python has it.
  std::string Make(const std::string& program, const std::string& name) {
    const std::string python = PythonWith({"tensorflow"});
    if (python.empty()) return "";
    const fs::path made = folder_.path() / name;
    const fs::path script = folder_.Write("make.py", "import sys, tensorflow as tf\n" + program);
    return RunsScript(python, {"tensorflow"}, {script.string(), made.string()}) ? made.string()
                                                                                : "";
  }

  fs::path recording() const { return folder_.path() / "recording.xspr"; }

  TemporaryFolder folder_;
};

#define XSP_ZOO_OR_SKIP(variable, name)                               \
  const std::string variable = ZooModel(name, "tensorflow").string(); \
  if (variable.empty())                                               \
  GTEST_SKIP() << "no Python that can make zoo/" name " for TensorFlow (install.sh)"

std::map<std::string, int> Types(const Recording& recording) {
  std::map<std::string, int> types;
  for (const Span* span : recording.Inside(recording.last()))
    if (span->level == XSP_LEVEL_LAYER) ++types[span->type];
  return types;
}

/// A frozen graph of one matrix product, a bias and a Relu, written without Keras.
constexpr const char* kFrozen = R"(
v1 = tf.compat.v1
g = tf.Graph()
with g.as_default():
    x = v1.placeholder(tf.float32, [None, 8], name='x')
    w = tf.constant([[0.5] * 4] * 8, name='w')
    y = tf.nn.relu(tf.matmul(x, w, name='product') + 1.0, name='y')
open(sys.argv[1], 'wb').write(g.as_graph_def().SerializeToString())
)";

TEST_F(TensorFlowWorker, FindsTheLayersOfResNet50AndTheirPrimitives) {
  XSP_ZOO_OR_SKIP(model, "resnet50");
  // By itself TensorFlow uses oneDNN only on CPUs with AVX512-VNNI or better.
  const Recording recording = Measure(model, {{"rung", "kernel"}, {"options", {{"onednn", "on"}}}});
  const auto types = Types(recording);
  // Batch norms are joined to their convolutions or stand by themselves: grappler's choice.
  int convolutions = 0;
  for (const auto& [type, count] : types)
    if (type.find("Conv2D") != std::string::npos) convolutions += count;
  EXPECT_EQ(convolutions, 53);
  EXPECT_FALSE(types.contains("Const"));
  EXPECT_FALSE(types.contains("ReadVariableOp"));
  EXPECT_GT(recording.spans.at(recording.last()).metrics.at("handed_over_nodes"), 50);
  int primitives = 0;
  for (const Span* span : recording.Inside(recording.last())) {
    if (span->level != XSP_LEVEL_KERNEL) continue;
    const Span& parent = recording.spans.at(span->parent);
    ASSERT_EQ(parent.level, XSP_LEVEL_LAYER) << span->name;
    if (span->name != "convolution") continue;
    ++primitives;
    EXPECT_THAT(parent.type, HasSubstr("Conv2D"));
    // The line's end is stamped just after the primitive's: inside its layer.
    EXPECT_LE(span->end_ns, parent.end_ns);
    EXPECT_THAT(span->attributes.at("raw"), HasSubstr("onednn_verbose"));
  }
  EXPECT_EQ(primitives, 53);
  EXPECT_EQ(recording.facts.at("cpu_capture.outside_layers"), "0");
}

TEST_F(TensorFlowWorker, LayersLieInsideTheirCall) {
  XSP_ZOO_OR_SKIP(model, "tiny");
  const Recording recording = Measure(model);
  const Span& call = recording.spans.at(recording.last());
  int layers = 0;
  for (const Span* span : recording.Inside(recording.last())) {
    ++layers;
    EXPECT_GE(span->start_ns, call.start_ns);
    EXPECT_LE(span->end_ns, call.end_ns);
  }
  EXPECT_GT(layers, 5);
}

TEST_F(TensorFlowWorker, TheModelRungRecordsNothingInsideACall) {
  XSP_ZOO_OR_SKIP(model, "tiny");
  const Recording recording = Measure(model, {{"rung", "model"}});
  EXPECT_EQ(recording.Inside(recording.last()).size(), 0u);
}

TEST_F(TensorFlowWorker, RunsAFrozenGraphAndTellsItsShapes) {
  const std::string model = Make(kFrozen, "frozen.pb");
  if (model.empty()) GTEST_SKIP() << "no Python with the package tensorflow";
  const Recording recording =
      Measure(model, {{"rung", "details"}, {"batch", 3}, {"graph", "disabled"}});
  EXPECT_EQ(recording.facts.at("inputs.origin"), "inferred");
  EXPECT_EQ(recording.facts.at("job.graph"), "disabled");
  const Span* product = nullptr;
  for (const Span* span : recording.Inside(recording.last()))
    if (span->name == "product") product = span;
  ASSERT_TRUE(product);
  EXPECT_THAT(product->type, HasSubstr("MatMul"));
  EXPECT_EQ(product->attributes.at("input_shapes"), "[[3,8],[8,4]]");
  EXPECT_EQ(product->attributes.at("input_types"), "[float32,float32]");
  EXPECT_EQ(product->attributes.at("output_shapes"), "[[3,4]]");
  // Its result: 3 x 4 numbers of 4 bytes.
  EXPECT_GE(product->metrics.at("allocated_bytes"), 48);
}

TEST_F(TensorFlowWorker, OneDnnIsSwitchedOffByAnOption) {
  XSP_ZOO_OR_SKIP(model, "tiny");
  const auto mkl_layers = [&](const char* onednn) {
    int count = 0;
    for (const auto& [type, number] : Types(Measure(model, {{"options", {{"onednn", onednn}}}})))
      if (type.starts_with("_Mkl")) count += number;
    return count;
  };
  EXPECT_GT(mkl_layers("on"), 0);
  EXPECT_EQ(mkl_layers("off"), 0);
}

TEST_F(TensorFlowWorker, SaysWhatIsWrongWithAModelAndWhatToDo) {
  const struct {
    std::string path, what, hint;
  } kCases[] = {
      {folder_.path().string(), "no saved_model.pb", "tf.saved_model.save"},
      {folder_.Write("empty.pb", "").string(), "empty", "export"},
      {folder_.Write("noise.pb", "this is no model at all").string(), "not a frozen graph",
       "SavedModel"},
      {folder_.Write("m.keras", "PK\x03\x04 and more").string(), "Keras file", "model.export"},
      {folder_.Write("m.h5", "\x89HDF\r\n").string(), "HDF5", "model.export"},
      {folder_.Write("m.tflite", "abcdTFL3 and more").string(), "Lite", "openvino"},
      {folder_.Write("m.pbtxt", "node {\n name: \"x\"\n}").string(), "text form", "as_text"},
  };
  for (const auto& expected : kCases) {
    const Finished finished = Predict(Job(expected.path));
    EXPECT_EQ(finished.exit_code, 3) << expected.path;
    EXPECT_EQ(finished.out, "");
    EXPECT_THAT(finished.error_text, HasSubstr(expected.what)) << expected.path;
    const auto hint = finished.error_text.find("hint: ");
    ASSERT_NE(hint, std::string::npos) << finished.error_text;
    EXPECT_THAT(finished.error_text.substr(hint), HasSubstr(expected.hint));
  }
}

TEST_F(TensorFlowWorker, SaysWhatIsWrongWithSettings) {
  const std::string model = Make(kFrozen, "frozen.pb");
  if (model.empty()) GTEST_SKIP() << "no Python with the package tensorflow";
  const struct {
    json changes;
    int exit_code;
    const char* what;
  } kCases[] = {
      {{{"options", {{"outputs", "nobody"}}}}, 3, "no such tensor: nobody"},
      {{{"options", {{"inter_op_threads", "many"}}}}, 3, "does not take this value: many"},
      {{{"options", {{"nonsense", "1"}}}}, 4, "nonsense"},
      {{{"precision", "bfloat16"}, {"graph", "disabled"}}, 4, "rewriting the graph"},
      {{{"model", {{"inputs", {{{"name", "x"}, {"shape", {"batch", 9}}}}}}}}, 3, "takes [any,8]"},
      {{{"model", {{"inputs", {{{"name", "x"}, {"dtype", "int64"}, {"shape", {1, 8}}}}}}}},
       3,
       "takes float32"},
  };
  for (const auto& expected : kCases) {
    const Finished finished = Predict(Job(model, expected.changes));
    EXPECT_EQ(finished.exit_code, expected.exit_code) << finished.error_text;
    EXPECT_THAT(finished.error_text, HasSubstr(expected.what));
  }
}

TEST_F(TensorFlowWorker, SaysWhenAnOperatorIsNotKnown) {
  const std::string model = Make(kFrozen, "frozen.pb");
  if (model.empty()) GTEST_SKIP() << "no Python with the package tensorflow";
  std::ifstream file(model, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), {});
  const auto at = bytes.find("MatMul");
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at, 6, "MatFoo");
  const Finished finished = Predict(Job(folder_.Write("unknown.pb", bytes).string()));
  EXPECT_EQ(finished.exit_code, 4) << finished.error_text;
  EXPECT_THAT(finished.error_text, HasSubstr("MatFoo"));
}

}  // namespace
}  // namespace xsp::workers_test
