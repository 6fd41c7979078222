// xsp-worker-mxnet. What every worker owes is tried in worker_conformance_test.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <future>
#include <iterator>
#include <map>
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

const fs::path kProgram = fs::path(kWorkerFolder) / "xsp-worker-mxnet";

class MxnetWorker : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(kProgram)) GTEST_SKIP() << "not built: " << kProgram << " (tools/build)";
  }

  fs::path Job(const std::string& model, const json& changes = json::object()) {
    json job = {{"version", 1},    {"model", {{"name", "m"}, {"path", model}}},
                {"rung", "layer"}, {"iterations", 2},
                {"threads", 2},    {"warmup", {{"max_calls", 2}}}};
    job["model"]["inputs"] = {{{"name", "input"}, {"shape", {"batch", 3, 32, 32}}}};
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

  fs::path recording() const { return folder_.path() / "recording.xspr"; }

  TemporaryFolder folder_;
};

/// The folder of zoo/tiny: its symbol and its parameters.
#define XSP_TINY_OR_SKIP(variable)                                               \
  const std::string variable = ZooModel("tiny", "mxnet").parent_path().string(); \
  if (variable.empty()) GTEST_SKIP() << "no Python that can make zoo/tiny for MXNet (install.sh)"

std::vector<const Span*> Layers(const Recording& recording) {
  std::vector<const Span*> layers;
  for (const Span* span : recording.Inside(recording.last()))
    if (span->level == XSP_LEVEL_LAYER) layers.push_back(span);
  return layers;
}

TEST_F(MxnetWorker, EndsWellWhileTheEngineFreesOperators) {
  XSP_TINY_OR_SKIP(model);
  const fs::path job = Job(model, {{"rung", "model"}});
  // A process that does not wait for the engine aborts in some 2 of 100 such runs.
  std::vector<std::future<std::vector<Finished>>> at_once;
  for (int i = 0; i < 4; ++i) {
    at_once.push_back(std::async(std::launch::async, [&, i] {
      const fs::path recording = folder_.path() / (std::to_string(i) + ".xspr");
      std::vector<Finished> runs;
      for (int n = 0; n < 10; ++n)
        runs.push_back(RunWorker(
            kProgram, {"predict", "--job", job.string(), "--recording", recording.string()}));
      return runs;
    }));
  }
  for (auto& runs : at_once) {
    for (const Finished& finished : runs.get()) {
      EXPECT_EQ(finished.signal, 0) << finished.error_text;
      EXPECT_EQ(finished.exit_code, 0) << finished.error_text;
    }
  }
}

TEST_F(MxnetWorker, NamesFusedOperatorsByTheirParts) {
  XSP_TINY_OR_SKIP(model);
  const Recording recording = Measure(model);
  std::vector<std::string> types, names;
  for (const Span* layer : Layers(recording)) {
    types.push_back(layer->type);
    names.push_back(layer->name);
  }
  EXPECT_THAT(types, testing::ElementsAre("_sg_mkldnn_conv", "_sg_mkldnn_conv", "_sg_mkldnn_conv",
                                          "Pooling", "Flatten", "_sg_mkldnn_fully_connected"));
  ASSERT_EQ(names.size(), 6u);
  EXPECT_EQ(names[0], "0/Conv + 1/BatchNormalization + 2/Relu");
  EXPECT_EQ(names[3], "8/GlobalAveragePool");
}

TEST_F(MxnetWorker, WithoutTheBackendEveryOperatorRunsByItself) {
  XSP_TINY_OR_SKIP(model);
  const Recording recording = Measure(model, {{"graph", "disabled"}});
  EXPECT_EQ(recording.facts.at("job.graph"), "disabled");
  std::map<std::string, int> types;
  for (const Span* layer : Layers(recording)) ++types[layer->type];
  EXPECT_EQ(types, (std::map<std::string, int>{{"Convolution", 3},
                                               {"BatchNorm", 2},
                                               {"Activation", 3},
                                               {"Pooling", 1},
                                               {"Flatten", 1},
                                               {"FullyConnected", 1}}));
}

TEST_F(MxnetWorker, PrimitivesLieInTheirLayers) {
  XSP_TINY_OR_SKIP(model);
  const Recording recording = Measure(model, {{"rung", "kernel"}});
  int convolutions = 0;
  for (const Span* span : recording.Inside(recording.last())) {
    if (span->level != XSP_LEVEL_KERNEL) continue;
    const Span& parent = recording.spans.at(span->parent);
    ASSERT_EQ(parent.level, XSP_LEVEL_LAYER) << span->name;
    EXPECT_THAT(span->attributes.at("raw"), HasSubstr("_verbose,exec,"));
    if (span->name != "convolution") continue;
    ++convolutions;
    EXPECT_EQ(parent.type, "_sg_mkldnn_conv");
  }
  EXPECT_EQ(convolutions, 3);
  EXPECT_EQ(recording.facts.at("cpu_capture.outside_layers"), "0");
}

TEST_F(MxnetWorker, LayersLieOneAfterAnotherInsideTheirCall) {
  XSP_TINY_OR_SKIP(model);
  const Recording recording = Measure(model);
  const Span& call = recording.spans.at(recording.last());
  std::int64_t last_ns = call.start_ns;
  for (const Span* layer : Layers(recording)) {
    EXPECT_GE(layer->start_ns, last_ns);
    last_ns = layer->end_ns;
  }
  EXPECT_LE(last_ns, call.end_ns);
}

TEST_F(MxnetWorker, DetailsHoldShapesAndTypes) {
  XSP_TINY_OR_SKIP(model);
  const Recording recording =
      Measure(model, {{"rung", "details"}, {"graph", "disabled"}, {"batch", 2}});
  const auto layers = Layers(recording);
  ASSERT_FALSE(layers.empty());
  EXPECT_EQ(layers[0]->type, "Convolution");
  EXPECT_EQ(layers[0]->attributes.at("input_shapes"), "[[2,3,32,32],[16,3,3,3],[16]]");
  EXPECT_EQ(layers[0]->attributes.at("input_types"), "[float32,float32,float32]");
  EXPECT_EQ(layers[0]->attributes.at("output_shapes"), "[[2,16,32,32]]");
}

TEST_F(MxnetWorker, TheModelRungRecordsNothingAndTakesTheEngineOfAUser) {
  XSP_TINY_OR_SKIP(model);
  const Recording recording = Measure(model, {{"rung", "model"}});
  EXPECT_EQ(recording.Inside(recording.last()).size(), 0u);
  EXPECT_EQ(recording.facts.at("mxnet.engine"), "threaded");
}

TEST_F(MxnetWorker, SaysWhatIsWrongWithAModelAndWhatToDo) {
  XSP_TINY_OR_SKIP(model);
  folder_.Write("alone-symbol.json", "{\"nodes\": [], \"heads\": []}");
  const struct {
    std::string path, what;
  } kCases[] = {
      {folder_.Write("noise.bin", "this is no model").string(), "not a symbol of MXNet"},
      {folder_.Write("empty-symbol.json", "").string(), "empty"},
      {folder_.Write("cut-symbol.json", "{\"nodes\": [").string(), "damaged or truncated"},
      {(folder_.path() / "alone-symbol.json").string(), "no parameters beside"},
      {folder_.Write("lost-0000.params", "x").string(), "no symbol beside"},
  };
  for (const auto& expected : kCases) {
    const Finished finished = Predict(Job(expected.path));
    EXPECT_EQ(finished.exit_code, 3) << expected.path;
    EXPECT_THAT(finished.error_text, HasSubstr(expected.what)) << expected.path;
    EXPECT_THAT(finished.error_text, HasSubstr("hint: export the model")) << expected.path;
  }
}

TEST_F(MxnetWorker, SaysWhatIsWrongWithInputsAndSettings) {
  XSP_TINY_OR_SKIP(model);
  const struct {
    json changes;
    int exit_code;
    const char* what;
  } kCases[] = {
      {{{"model", {{"inputs", {{{"name", "input"}, {"shape", {1, 4, 32, 32}}}}}}}},
       3,
       "other weights than the model has: 0.weight [16,4,3,3], not [16,3,3,3]"},
      {{{"options", {{"engine", "steam"}}}}, 3, "does not take this value: steam"},
      {{{"options", {{"engine", "threaded"}}}}, 4, "cannot be timed"},
  };
  for (const auto& expected : kCases) {
    const Finished finished = Predict(Job(model, expected.changes));
    EXPECT_EQ(finished.exit_code, expected.exit_code) << finished.error_text;
    EXPECT_THAT(finished.error_text, HasSubstr(expected.what));
  }
}

TEST_F(MxnetWorker, SaysWhenAnOperatorIsNotKnown) {
  XSP_TINY_OR_SKIP(model);
  for (const auto& entry : fs::directory_iterator(model))
    fs::copy_file(entry.path(), folder_.path() / entry.path().filename());
  std::string name;
  for (const auto& entry : fs::directory_iterator(folder_.path()))
    if (entry.path().string().ends_with("-symbol.json")) name = entry.path().string();
  ASSERT_FALSE(name.empty());
  std::ifstream file(name, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  const auto at = text.find("\"Pooling\"");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 9, "\"Pouring\"");
  std::ofstream(name, std::ios::binary) << text;
  const Finished finished = Predict(Job(name));
  EXPECT_EQ(finished.exit_code, 4) << finished.error_text;
  EXPECT_THAT(finished.error_text, HasSubstr("Pouring"));
}

}  // namespace
}  // namespace xsp::workers_test
