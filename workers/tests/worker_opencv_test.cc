// xsp-worker-opencv, where it is built; what every worker must do is in worker_conformance_test.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "harness/worker.h"
#include "tests/sample_model.h"
#include "tests/worker_run.h"

// cmake/Paths.cmake.
extern const char kWorkerFolder[];

namespace xsp::workers_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
namespace fs = std::filesystem;

const fs::path kProgram = fs::path(kWorkerFolder) / "xsp-worker-opencv";

/// A net of two layers in Caffe's text form; its weights file may hold nothing but the net's name.
constexpr const char* kCaffeNet =
    "name: \"n\"\ninput: \"data\"\ninput_dim: 1\ninput_dim: 3\ninput_dim: 8\ninput_dim: 8\n"
    "layer { name: \"pool\" type: \"Pooling\" bottom: \"data\" top: \"pool\"\n"
    "  pooling_param { pool: AVE kernel_size: 2 stride: 2 } }\n"
    "layer { name: \"soft\" type: \"Softmax\" bottom: \"pool\" top: \"soft\" }\n";

/// Its twin for Darknet, without weights, too.
constexpr const char* kDarknetNet =
    "[net]\nbatch=1\nheight=8\nwidth=8\nchannels=3\n\n[maxpool]\nsize=2\nstride=2\n";

class OpenCvWorker : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(kProgram)) GTEST_SKIP() << "not built: " << kProgram << " (tools/build)";
  }

  /// A model of the zoo as ONNX, made once per build folder; empty when no Python can.
  std::string Zoo(const std::string& name) { return ZooModel(name, "onnx").string(); }

  static json Image(int side) {
    return {{"inputs", {{{"name", "input"}, {"shape", {"batch", 3, side, side}}}}}};
  }

  Finished Predict(const std::string& model, const json& changes = json::object()) {
    json job = {{"version", 1},    {"model", {{"name", "m"}, {"path", model}}},
                {"rung", "layer"}, {"iterations", 2},
                {"threads", 2},    {"warmup", {{"max_calls", 2}}}};
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

  TemporaryFolder folder_;
};

#define XSP_MODEL_OR_SKIP(variable, name) \
  const std::string variable = Zoo(name); \
  if (variable.empty()) GTEST_SKIP() << "no Python that can make zoo/" name " (XSP_PYTHON)"

std::multiset<std::string> Types(const Recording& recording) {
  std::multiset<std::string> types;
  if (recording.calls.empty()) return types;
  for (const Span* span : recording.Inside(recording.last())) types.insert(span->type);
  return types;
}

TEST_F(OpenCvWorker, LaysTheLayersOfResNet50OneAfterAnother) {
  XSP_MODEL_OR_SKIP(model, "resnet50");
  const Recording recording = Measure(model, {{"model", Image(224)}});
  const auto types = Types(recording);
  EXPECT_EQ(types.count("Convolution"), 53u);
  EXPECT_EQ(types.count("InnerProduct"), 1u);
  // Batch norms and activations are parts of convolutions; they are not layers of no time.
  EXPECT_EQ(types.count("BatchNorm"), 0u);
  const Span& call = recording.spans.at(recording.last());
  EXPECT_EQ(call.attributes.at("placed"), "in sequence");
  std::int64_t at_ns = call.start_ns, in_layers_ns = 0;
  for (const Span* layer : recording.Inside(recording.last())) {
    EXPECT_GE(layer->start_ns, at_ns);
    EXPECT_GT(layer->end_ns, layer->start_ns);
    EXPECT_LE(layer->end_ns, call.end_ns);
    at_ns = layer->end_ns;
    in_layers_ns += layer->end_ns - layer->start_ns;
  }
  EXPECT_GT(in_layers_ns, (call.end_ns - call.start_ns) / 2);
}

TEST_F(OpenCvWorker, DetailsTellShapesAndWhatWasFused) {
  XSP_MODEL_OR_SKIP(model, "tiny");
  const json job = {{"rung", "details"}, {"batch", 2}, {"model", Image(32)}};
  const auto first_convolution = [&](const char* graph) {
    json changed = job;
    changed["graph"] = graph;
    const Recording recording = Measure(model, changed);
    EXPECT_EQ(recording.facts.at("job.graph"), graph);
    for (const Span* layer : recording.Inside(recording.last())) {
      if (layer->type == "Convolution") return layer->attributes;
    }
    return std::map<std::string, std::string>{};
  };
  auto fused = first_convolution("fused");
  EXPECT_THAT(fused["input_shapes"], testing::StartsWith("[[2,3,32,32],[16,3,3,3]"));
  EXPECT_THAT(fused["input_types"], testing::StartsWith("[float32,float32"));
  EXPECT_EQ(fused["output_shapes"], "[[2,16,32,32]]");
  EXPECT_THAT(fused["fused_from"], HasSubstr("/2/Relu"));
  EXPECT_EQ(first_convolution("unfused").count("fused_from"), 0u);
}

TEST_F(OpenCvWorker, TheModelRungRecordsNothingInsideACall) {
  XSP_MODEL_OR_SKIP(model, "tiny");
  const Recording recording = Measure(model, {{"rung", "model"}, {"model", Image(32)}});
  EXPECT_EQ(recording.Inside(recording.last()).size(), 0u);
  EXPECT_EQ(recording.facts.at("job.threads"), "2");
  EXPECT_EQ(recording.facts.at("job.precision"), "float32");
}

TEST_F(OpenCvWorker, ReadsModelsOfTwoFiles) {
  // A Caffe message with field 1, the name "n".
  const fs::path caffe = folder_.Write("net.caffemodel", "\x0a\x01n");
  folder_.Write("net.prototxt", kCaffeNet);
  const json inputs = {{"inputs", {{{"name", "data"}, {"shape", {"batch", 3, 8, 8}}}}}};
  EXPECT_EQ(Types(Measure(caffe.string(), {{"model", inputs}})),
            (std::multiset<std::string>{"Pooling", "Softmax"}));
  // Darknet: version 0.2.0, and how many images it was trained on.
  std::string header(20, '\0');
  header[4] = 2;
  const fs::path darknet = folder_.Write("net.weights", header);
  const fs::path config = folder_.Write("other.cfg", kDarknetNet);
  EXPECT_EQ(Types(Measure(darknet.string(),
                          {{"model", inputs}, {"options", {{"config", config.string()}}}}))
                .count("Pooling"),
            1u);
  const Finished missing = Predict(darknet.string(), {{"model", inputs}});
  EXPECT_EQ(missing.exit_code, 3);
  EXPECT_THAT(missing.error_text, HasSubstr("net.cfg"));
  EXPECT_THAT(missing.error_text, HasSubstr("option config"));
}

TEST_F(OpenCvWorker, SaysWhatIsWrongWithAModelAndWhatToDo) {
  const struct {
    std::string path;
    std::string what, hint;
  } kCases[] = {
      {folder_.path().string(), "is a directory", "file itself"},
      {folder_.Write("empty.onnx", "").string(), "empty", "again"},
      {folder_.Write("noise.onnx", "no model").string(), "Failed to parse", "export"},
      {folder_.Write("noise.pb", "no model").string(), "Failed to parse", "export"},
      {folder_.Write("model.pt", "no model").string(), "no model file that OpenCV", ".onnx"},
      {folder_.Write("lone.caffemodel", "x").string(), "lone.prototxt", "beside"},
  };
  for (const auto& expected : kCases) {
    const Finished finished = Predict(expected.path, {{"model", Image(8)}});
    EXPECT_EQ(finished.exit_code, 3) << expected.path << finished.error_text;
    EXPECT_EQ(finished.out, "");
    EXPECT_THAT(finished.error_text, HasSubstr(expected.what)) << expected.path;
    const auto hint = finished.error_text.find("hint: ");
    ASSERT_NE(hint, std::string::npos) << finished.error_text;
    EXPECT_THAT(finished.error_text.substr(hint), HasSubstr(expected.hint));
  }
}

TEST_F(OpenCvWorker, SaysWhatIsWrongWithInputs) {
  XSP_MODEL_OR_SKIP(model, "tiny");
  const auto refused = [&](int exit_code, const json& inputs) {
    const Finished finished = Predict(model, {{"model", {{"inputs", inputs}}}});
    EXPECT_EQ(finished.exit_code, exit_code) << finished.error_text;
    return finished.error_text;
  };
  const json shape = {"batch", 3, 32, 32};
  EXPECT_THAT(refused(3, {{{"name", "input"}, {"shape", {"batch", 4, 32, 32}}}}),
              HasSubstr("input channels"));
  EXPECT_THAT(refused(4, {{{"name", "input"}, {"dtype", "int64"}, {"shape", shape}}}),
              HasSubstr("float32 and uint8"));
  EXPECT_THAT(refused(3, {{{"name", "input"}, {"shape", shape}}, {{"name", "b"}, {"shape", {1}}}}),
              HasSubstr("\"b\" not found"));
  const Finished untold = Predict(model);  // The ONNX file tells them.
  EXPECT_EQ(untold.exit_code, 0) << untold.error_text;
}

}  // namespace
}  // namespace xsp::workers_test
