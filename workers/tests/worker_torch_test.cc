// xsp-worker-torch, where it is built and a Python with PyTorch can make models for it.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <thread>

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

const fs::path kProgram = fs::path(kWorkerFolder) / "xsp-worker-torch";

class TorchWorker : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(kProgram)) GTEST_SKIP() << "not built: " << kProgram << " (tools/build)";
  }

  /// Runs a Python program that leaves a module in `m` and saves it as TorchScript; empty when no
  /// Python has all of `modules`.
  std::string Make(const std::string& program, const std::vector<std::string>& modules) {
    const std::string python = PythonWith(modules);
    if (python.empty()) return "";
    const fs::path file = folder_.path() / "made.pt";
    // A file: TorchScript reads the source.
    const fs::path script = folder_.Write(
        "make.py", "import sys, torch\n" + program + "\ntorch.jit.script(m).save(sys.argv[1])\n");
    return RunsScript(python, modules, {script.string(), file.string()}) ? file.string() : "";
  }

  fs::path Job(const std::string& model, const json& changes = json::object()) {
    json job = {{"version", 1},    {"model", {{"name", "m"}, {"path", model}}},
                {"rung", "layer"}, {"iterations", 3},
                {"threads", 1},    {"warmup", {{"max_calls", 3}}}};
    job.merge_patch(changes);
    return folder_.Write("job.json", job.dump());
  }

  Finished Predict(const fs::path& job) {
    return RunWorker(kProgram,
                     {"predict", "--job", job.string(), "--recording", recording().string()});
  }

  Recording Measure(const std::string& model, const json& changes) {
    const Finished finished = Predict(Job(model, changes));
    EXPECT_EQ(finished.exit_code, 0) << finished.error_text;
    EXPECT_EQ(finished.out, "");
    return ReadRecording(recording());
  }

  fs::path recording() const { return folder_.path() / "recording.xspr"; }

  TemporaryFolder folder_;
};

#define XSP_MODEL_OR_SKIP(variable, name)                              \
  const std::string variable = ZooModel(name, "torchscript").string(); \
  if (variable.empty()) GTEST_SKIP() << "no Python that can make zoo/" name " (XSP_PYTHON)"

int Outermost(const Recording& recording, const std::string& type) {
  int count = 0;
  for (const Span* span : recording.Inside(recording.last())) {
    const auto parent = recording.spans.find(span->parent);
    const bool is_outermost =
        parent != recording.spans.end() &&
        (parent->second.type == "function" || parent->second.type == "predict");
    count += span->level == XSP_LEVEL_LAYER && is_outermost && span->type == type;
  }
  return count;
}

TEST_F(TorchWorker, DescribesWhatItCanDo) {
  const Finished finished = RunWorker(kProgram, {"describe"});
  ASSERT_EQ(finished.exit_code, 0) << finished.error_text;
  const json document = json::parse(finished.out, nullptr, false);
  ASSERT_TRUE(document.is_object());
  EXPECT_EQ(document["framework"]["name"], "PyTorch");
  EXPECT_EQ(document["rungs"], (json{"model", "layer", "kernel", "details", "counters"}));
  EXPECT_EQ(document["graphs"], (json{"eager", "frozen", "optimised"}));
}

TEST_F(TorchWorker, FindsTheLayersOfResNet50) {
  XSP_MODEL_OR_SKIP(model, "resnet50");
  const Recording recording =
      // With one thread PyTorch gives small convolutions to MKL instead.
      Measure(model,
              {{"rung", "kernel"},
               {"threads", 2},
               {"model", {{"inputs", {{{"name", "input"}, {"shape", {"batch", 3, 224, 224}}}}}}}});
  EXPECT_EQ(Outermost(recording, "aten::conv2d"), 53);
  EXPECT_EQ(Outermost(recording, "aten::batch_norm"), 53);
  EXPECT_EQ(Outermost(recording, "aten::relu_"), 49);
  EXPECT_EQ(Outermost(recording, "aten::add_"), 16);
  EXPECT_EQ(Outermost(recording, "aten::max_pool2d"), 1);
  EXPECT_EQ(Outermost(recording, "aten::adaptive_avg_pool2d"), 1);
  EXPECT_EQ(Outermost(recording, "aten::linear"), 1);
  int convolutions = 0;
  std::int64_t in_kernels_ns = 0;
  for (const Span* span : recording.Inside(recording.last())) {
    if (span->level != XSP_LEVEL_KERNEL) continue;
    EXPECT_EQ(span->type, "primitive");
    convolutions += span->name == "convolution";
    in_kernels_ns += span->end_ns - span->start_ns;
    // Captured on the executing thread, inside its operator.
    const Span& parent = recording.spans.at(span->parent);
    EXPECT_EQ(parent.level, XSP_LEVEL_LAYER);
    EXPECT_LE(span->end_ns, parent.end_ns);
    EXPECT_THAT(span->attributes.at("raw"),
                testing::AnyOf(HasSubstr("onednn_verbose"), HasSubstr("MKL_VERBOSE")));
  }
  EXPECT_EQ(convolutions, 53);
  const Span& call = recording.spans.at(recording.last());
  EXPECT_GT(in_kernels_ns, (call.end_ns - call.start_ns) / 4);
  EXPECT_LT(in_kernels_ns, call.end_ns - call.start_ns);
  EXPECT_EQ(recording.losses.open_spans, 0u);
  EXPECT_EQ(recording.facts.at("cpu_capture.truncated_lines"), "0");
}

TEST_F(TorchWorker, TheModelRungRecordsNothingInsideACall) {
  XSP_MODEL_OR_SKIP(model, "tiny");
  const Recording recording = Measure(model, {{"rung", "model"}});
  EXPECT_EQ(recording.Inside(recording.last()).size(), 0u);
  EXPECT_FALSE(recording.spans.at(recording.last()).metrics.contains("peak_bytes"));
}

TEST_F(TorchWorker, DetailsHoldShapesTypesAndMemory) {
  XSP_MODEL_OR_SKIP(model, "tiny");
  const Recording recording =
      Measure(model, {{"rung", "details"},
                      {"batch", 2},
                      {"model", {{"inputs", {{{"name", "x"}, {"shape", {"batch", 3, 32, 32}}}}}}}});
  const Span *first = nullptr, *convolution = nullptr;
  double allocated_in_layers = 0;
  for (const Span* span : recording.Inside(recording.last())) {
    if (!first && span->type == "aten::conv2d") first = span;
    if (!convolution && span->type == "aten::convolution") convolution = span;
    EXPECT_LE(span->metrics.at("peak_bytes"), span->metrics.at("allocated_bytes"));
    const Span& parent = recording.spans.at(span->parent);
    if (parent.type == "function" && span->type != "function") {
      allocated_in_layers += span->metrics.at("allocated_bytes");
    }
  }
  ASSERT_TRUE(first);
  EXPECT_EQ(first->attributes.at("input_shapes"), "[[2,3,32,32],[16,3,3,3],[16]]");
  EXPECT_EQ(first->attributes.at("input_types"), "[float32,float32,float32]");
  EXPECT_EQ(first->attributes.at("output_shapes"), "[[2,16,32,32]]");
  ASSERT_TRUE(convolution);
  EXPECT_EQ(convolution->attributes.at("input_values"), ";;;[1,1];[1,1];[1,1];False;[0,0];1");
  // Its result alone takes 2 x 16 x 32 x 32 numbers of 4 bytes.
  EXPECT_GE(first->metrics.at("allocated_bytes"), 2 * 16 * 32 * 32 * 4);
  EXPECT_GE(first->metrics.at("peak_bytes"), 2 * 16 * 32 * 32 * 4);
  const Span& call = recording.spans.at(recording.last());
  EXPECT_EQ(call.metrics.at("allocated_bytes"), allocated_in_layers);
  EXPECT_GE(call.metrics.at("peak_bytes"), first->metrics.at("peak_bytes"));
  EXPECT_LT(call.metrics.at("peak_bytes"), call.metrics.at("allocated_bytes"));
}

TEST_F(TorchWorker, DetailsTellThePathsOfLayersInEveryGraph) {
  XSP_MODEL_OR_SKIP(model, "resnet50");
  for (const char* graph : {"default", "frozen"}) {
    const Recording recording = Measure(
        model, {{"rung", "details"},
                {"graph", graph},
                {"model", {{"inputs", {{{"name", "input"}, {"shape", {"batch", 3, 64, 64}}}}}}}});
    std::vector<std::string> convolutions;
    for (const Span* span : recording.Inside(recording.last()))
      if (span->type == "aten::conv2d") convolutions.push_back(span->attributes.at("path"));
    ASSERT_EQ(convolutions.size(), 53u) << graph;
    EXPECT_EQ(convolutions[0], "conv1");
    EXPECT_EQ(convolutions[1], "layer1.0.conv1");
    EXPECT_EQ(convolutions[4], "layer1.0.downsample.0");
    EXPECT_EQ(convolutions[52], "layer4.2.conv3");
    EXPECT_EQ(std::set<std::string>(convolutions.begin(), convolutions.end()).size(), 53u);
  }
}

TEST_F(TorchWorker, GraphModesChangeWhatRuns) {
  XSP_MODEL_OR_SKIP(model, "tiny");
  const auto types = [&](const char* graph) {
    const Recording recording = Measure(model, {{"rung", "kernel"}, {"graph", graph}});
    EXPECT_EQ(recording.facts.at("job.graph"), std::string(graph) == "default" ? "eager" : graph);
    std::multiset<std::string> types;
    for (const Span* span : recording.Inside(recording.last())) types.insert(span->type);
    return types;
  };
  EXPECT_EQ(types("default").count("aten::batch_norm"), 2u);
  // Freezing folds batch norms into their convolutions.
  EXPECT_EQ(types("frozen").count("aten::batch_norm"), 0u);
  EXPECT_EQ(types("frozen").count("aten::conv2d"), 3u);
  // Optimising hides operators, but primitives still speak.
  const auto optimised = types("optimised");
  EXPECT_EQ(optimised.count("aten::conv2d"), 0u);
  EXPECT_GE(optimised.count("primitive"), 3u);
}

TEST_F(TorchWorker, RunsInALowerPrecisionWhenAsked) {
  XSP_MODEL_OR_SKIP(model, "tiny");
  for (const std::string precision : {"bfloat16", "float16"}) {
    const Recording recording = Measure(model, {{"rung", "details"}, {"precision", precision}});
    EXPECT_EQ(recording.facts.at("job.precision"), precision);
    int convolutions = 0;
    for (const Span* span : recording.Inside(recording.last())) {
      if (span->type != "aten::conv2d") continue;
      ++convolutions;
      EXPECT_EQ(span->attributes.at("input_types"),
                "[" + precision + "," + precision + "," + precision + "]");
    }
    EXPECT_EQ(convolutions, 3);
  }
}

TEST_F(TorchWorker, InfersInputsAndSaysSo) {
  XSP_MODEL_OR_SKIP(model, "tiny");
  const Recording recording = Measure(model, {{"batch", 2}, {"threads", 2}});
  EXPECT_EQ(recording.facts.at("inputs.origin"), "guessed");
  EXPECT_EQ(recording.facts.at("inputs.guessed"), R"(["input: size 2 = 224, size 3 = 224"])");
  EXPECT_THAT(recording.facts.at("inputs"), HasSubstr("[2,3,224,224]"));
  EXPECT_EQ(recording.facts.at("job.threads"), "2");
  EXPECT_THAT(recording.facts.at("torch.config"), HasSubstr("PyTorch built with"));
}

TEST_F(TorchWorker, GivesALinearLayerAsManyDimensionsAsAreAskedFor) {
  const std::string model = Make("m = torch.nn.Linear(8, 4).eval()", {"torch"});
  if (model.empty()) GTEST_SKIP() << "no Python with torch (XSP_PYTHON)";
  const json given = {{"name", "input"}, {"shape", {2, 3, 8}}};
  const json description = {{"name", "m"}, {"path", model}, {"given", json::array({given})}};
  EXPECT_THAT(Measure(model, {{"model", description}}).facts.at("inputs"), HasSubstr("[2,3,8]"));
  EXPECT_THAT(Measure(model, json::object()).facts.at("inputs"), HasSubstr("[1,8]"));
}

TEST_F(TorchWorker, StdoutHoldsTheProtocolOnly) {
  XSP_MODEL_OR_SKIP(model, "tiny");
  auto worker = StartWorker(kProgram, Job(model, {{"rung", "kernel"}}), recording());
  EXPECT_EQ(NextEvent(worker)["event"], "ready");
  ASSERT_TRUE(worker.WriteLine("run 3").ok());
  EXPECT_EQ(NextEvent(worker)["event"], "done");
  worker.CloseStdin();
  EXPECT_EQ(NextEvent(worker), nullptr);
  EXPECT_TRUE(worker.Wait(std::chrono::seconds(30))->success());
  EXPECT_EQ(worker.stderr_tail(), "");
}

TEST_F(TorchWorker, KilledAtAnyMomentLeavesAReadableRecording) {
  XSP_MODEL_OR_SKIP(model, "tiny");
  std::mt19937 random(1);
  const auto job = Job(model, {{"rung", "kernel"}});
  for (int i = 0; i < 10; ++i) {
    auto worker = StartWorker(kProgram, job, recording());
    ASSERT_EQ(NextEvent(worker)["event"], "ready");
    ASSERT_TRUE(worker.WriteLine("run 1000000").ok());
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 100'000));
    worker.Kill();
    const Recording recording = ReadRecording(this->recording());
    EXPECT_TRUE(recording.losses.is_unclosed);
    EXPECT_EQ(recording.losses.damaged_blocks, 0u) << recording.losses.first_damage;
    EXPECT_GE(recording.calls.size(), 3u);
  }
}

/// Files that are no model, and the errors that they must give.
TEST_F(TorchWorker, SaysWhatIsWrongWithAModelAndWhatToDo) {
  XSP_MODEL_OR_SKIP(model, "tiny");
  std::string whole;
  {
    std::ifstream file(model, std::ios::binary);
    whole.assign(std::istreambuf_iterator<char>(file), {});
  }
  const std::string python = PythonWith({"torch"});
  const fs::path state_dict = folder_.path() / "state.pt";
  const fs::path module = folder_.path() / "module.pt";
  const fs::path old = folder_.path() / "old.pt";
  const fs::path script = folder_.Write(
      "save.py",
      "import sys, torch\n"
      "m = torch.nn.Linear(2, 2)\n"
      "torch.save(m.state_dict(), sys.argv[1])\n"
      "torch.save(m, sys.argv[2])\n"
      "torch.save(m.state_dict(), sys.argv[3], _use_new_zipfile_serialization=False)\n");
  ASSERT_TRUE(RunsScript(python, {"torch"},
                         {script.string(), state_dict.string(), module.string(), old.string()}));
  const struct {
    std::string path, what, hint;
  } kCases[] = {
      {"/nonexistent/model.pt", "/nonexistent/model.pt", "path"},
      {folder_.path().string(), "is a directory", "file itself"},
      {folder_.Write("empty.pt", "").string(), "empty", "again"},
      {folder_.Write("two.pt", whole.substr(0, 2)).string(), "truncated", "again"},
      {folder_.Write("cut.pt", whole.substr(0, whole.size() / 2)).string(), "truncated", "again"},
      {folder_.Write("noise.pt", "this is no model at all").string(), "not a TorchScript file",
       "torch.jit.trace"},
      {state_dict.string(), "state_dict", "torch.jit.trace"},
      {module.string(), "state_dict or a pickled module", "torch.jit.trace"},
      {old.string(), "old torch.save", "torch.jit.trace"},
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

TEST_F(TorchWorker, SaysWhatIsWrongWithInputs) {
  XSP_MODEL_OR_SKIP(model, "tiny");
  const auto with = [&](const json& inputs) {
    return Predict(Job(model, {{"model", {{"inputs", inputs}}}}));
  };
  Finished finished = with({{{"name", "x"}, {"shape", {"batch", 4, 32, 32}}}});
  EXPECT_EQ(finished.exit_code, 3);
  EXPECT_THAT(finished.error_text, HasSubstr("3 channels"));
  EXPECT_THAT(finished.error_text, HasSubstr("manifest"));
  EXPECT_THAT(finished.error_text, testing::Not(HasSubstr("Exception raised from")));
  finished = with(
      {{{"name", "x"}, {"shape", {"batch", 3, 32, 32}}}, {{"name", "y"}, {"shape", {"batch"}}}});
  EXPECT_EQ(finished.exit_code, 3);
  EXPECT_THAT(finished.error_text, HasSubstr("takes 1 inputs, the job gives 2"));
  finished = with({{{"name", "x"}, {"dtype", "int64"}, {"shape", {"batch", 3, 32, 32}}}});
  EXPECT_EQ(finished.exit_code, 3);
}

TEST_F(TorchWorker, SaysWhenMemoryRunsOut) {
  // The input is small; the first layer's result is beyond any machine's address space.
  const std::string grower = Make(
      "class Grower(torch.nn.Module):\n"
      "    def forward(self, x):\n"
      "        return torch.zeros([1 << 24, 1 << 24]) + x\n"
      "m = Grower()",
      {"torch"});
  if (grower.empty()) GTEST_SKIP() << "no Python with torch (XSP_PYTHON)";
  const Finished finished = Predict(Job(grower, {{"model", {{"inputs", {{{"shape", {1}}}}}}}}));
  EXPECT_EQ(finished.exit_code, 5) << finished.error_text;
  EXPECT_THAT(finished.error_text, HasSubstr("memory ran out"));
  EXPECT_THAT(finished.error_text, HasSubstr("smaller batch"));
}

/// Non-maximum suppression, which is in torchvision's library.
constexpr const char* kSuppression =
    "import torchvision\n"
    "class Suppression(torch.nn.Module):\n"
    "    def forward(self, x):\n"
    "        corner = x[:, :2]\n"
    "        return torchvision.ops.nms(torch.cat([corner, corner + 1.0], 1), x[:, 2], 0.5)\n"
    "m = Suppression()";
const json kBoxes = {{"inputs", {{{"name", "x"}, {"shape", {64, 3}}}}}};

TEST_F(TorchWorker, LoadsTorchvisionForAModelThatCallsIt) {
  const std::string model = Make(kSuppression, {"torch", "torchvision"});
  if (model.empty()) GTEST_SKIP() << "no Python with torch and torchvision (XSP_PYTHON)";
  const Recording recording = Measure(model, {{"model", kBoxes}});
  EXPECT_GE(recording.Count(recording.last(), XSP_LEVEL_LAYER, "torchvision::nms"), 1);
  EXPECT_THAT(recording.facts.at("torchvision.library"), HasSubstr("torchvision/_C"));
}

TEST_F(TorchWorker, SaysWhenTorchvisionIsMissing) {
  const std::string model = Make(kSuppression, {"torch", "torchvision"});
  if (model.empty()) GTEST_SKIP() << "no Python with torch and torchvision (XSP_PYTHON)";
  const struct {
    std::string library, what;
  } kCases[] = {{"/nonexistent/_C.so", "is not here: /nonexistent/_C.so"},
                {folder_.Write("_C.so", "no library").string(), "cannot be loaded: "}};
  for (const auto& expected : kCases) {
    setenv("XSP_TORCHVISION_LIBRARY", expected.library.c_str(), 1);
    const Finished finished = Predict(Job(model, {{"model", kBoxes}}));
    unsetenv("XSP_TORCHVISION_LIBRARY");
    EXPECT_EQ(finished.exit_code, XSP_WORKER_NOT_POSSIBLE) << finished.error_text;
    EXPECT_THAT(finished.error_text, HasSubstr("the model calls torchvision::nms"));
    EXPECT_THAT(finished.error_text, HasSubstr(expected.what));
    EXPECT_THAT(finished.error_text, HasSubstr("hint: install the Python package torchvision"));
  }
}

TEST_F(TorchWorker, ModelsWithoutTorchvisionDoNotNeedIt) {
  XSP_MODEL_OR_SKIP(model, "tiny");
  setenv("XSP_TORCHVISION_LIBRARY", "/nonexistent/_C.so", 1);
  const Recording recording = Measure(model, json::object());
  unsetenv("XSP_TORCHVISION_LIBRARY");
  EXPECT_FALSE(recording.facts.contains("torchvision.library"));
}

TEST_F(TorchWorker, NamesAnOperatorThatNoLibraryHas) {
  const std::string model = Make(
      "library = torch.library.Library('nobody', 'DEF')\n"
      "library.define('abracadabra(Tensor x) -> Tensor')\n"
      "class Odd(torch.nn.Module):\n"
      "    def forward(self, x):\n"
      "        return torch.ops.nobody.abracadabra(x)\n"
      "m = Odd()",
      {"torch"});
  if (model.empty()) GTEST_SKIP() << "no Python with torch (XSP_PYTHON)";
  const Finished finished = Predict(Job(model, {{"model", kBoxes}}));
  EXPECT_EQ(finished.exit_code, XSP_WORKER_NOT_POSSIBLE);
  EXPECT_THAT(finished.error_text, HasSubstr("does not have: nobody::abracadabra"));
}

TEST_F(TorchWorker, RefusesADeviceThatIsNotHere) {
  XSP_MODEL_OR_SKIP(model, "tiny");
  const Finished finished = Predict(Job(model, {{"device", "cuda:99"}}));
  EXPECT_EQ(finished.exit_code, 4);
  EXPECT_THAT(finished.error_text, HasSubstr("cuda:99"));
}

TEST_F(TorchWorker, ACudaGraphNeedsACudaDeviceAndAValueThatIsKnown) {
  XSP_MODEL_OR_SKIP(model, "tiny");
  Finished finished = Predict(Job(model, {{"rung", "model"}, {"options", {{"cuda_graph", "1"}}}}));
  EXPECT_EQ(finished.exit_code, XSP_WORKER_NOT_POSSIBLE);
  EXPECT_THAT(finished.error_text, HasSubstr("a CUDA graph needs a CUDA device, the job's is cpu"));
  finished = Predict(Job(model, {{"options", {{"cuda_graph", "yes"}}}}));
  EXPECT_EQ(finished.exit_code, XSP_WORKER_BAD_INPUT);
  EXPECT_THAT(finished.error_text, HasSubstr("cuda_graph cannot be: yes"));
  finished = Predict(Job(model, {{"options", {{"cuda_graph", "0"}}}}));
  EXPECT_EQ(finished.exit_code, 0) << finished.error_text;
}

// Its own library, which needs PyTorch's CUDA libraries and no driver.
TEST_F(TorchWorker, CudaGraphsLoadWhereTheyAreBuilt) {
  const fs::path library = fs::path(kWorkerFolder) / "../lib/libxsp-worker-torch-cuda.so";
  if (!fs::exists(library)) GTEST_SKIP() << "not built: " << library << " (a PyTorch with CUDA)";
  // In a process of its own, which ends without cleaning up: PyTorch's CUDA libraries leak.
  EXPECT_EXIT(
      {
        void* loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (loaded == nullptr) std::fprintf(stderr, "%s\n", dlerror());
        _exit(loaded != nullptr && dlsym(loaded, "xsp_make_cuda_graph") != nullptr ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

// A library that is loaded into the worker brings libxsp.so along, and must not have a recording of
// its own: here oneDNN's ITT tasks, as CUDA's kernels elsewhere.
TEST_F(TorchWorker, InjectedLibrariesWriteIntoItsRecording) {
  const fs::path library = fs::path(kWorkerFolder) / "../lib/libxsp-itt.so";
  if (!fs::exists(library)) GTEST_SKIP() << "not built: " << library;
  XSP_MODEL_OR_SKIP(model, "tiny");
  setenv("INTEL_LIBITTNOTIFY64", library.c_str(), 1);
  const Finished finished = Predict(Job(model, {{"rung", "layer"}}));
  unsetenv("INTEL_LIBITTNOTIFY64");
  ASSERT_EQ(finished.exit_code, 0) << finished.error_text;
  const Recording recording = ReadRecording(this->recording());
  int announced = 0;
  for (const auto& [id, span] : recording.spans)
    announced += span.level == XSP_LEVEL_LIBRARY || span.attributes.contains("domain");
  EXPECT_GT(announced, 0);
  EXPECT_EQ(recording.Inside(recording.last()).empty(), false);
}

}  // namespace
}  // namespace xsp::workers_test
