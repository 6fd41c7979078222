// What every worker owes, tried on each xsp-worker-* that is found: nothing here names one of them.
// A worker without a model here is skipped by name. The environment variable XSP_CONFORMANCE_FOLDER
// names another folder than the build's for the workers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <string>

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

constexpr std::string_view kPrefix = "xsp-worker-";
constexpr int kIterations = 3;
constexpr double kAgreement = 1e-4;
const char* const kRungs[] = {"model", "layer", "kernel", "details"};

fs::path Folder() {
  const char* chosen = std::getenv("XSP_CONFORMANCE_FOLDER");
  return chosen && *chosen ? chosen : kWorkerFolder;
}

/// Names of the workers that are here, PyTorch's first: it is the reference for results.
std::vector<std::string> FindWorkers() {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(Folder(), none)) {
    const std::string file = entry.path().filename().string();
    if (file.starts_with(kPrefix)) names.push_back(file.substr(kPrefix.size()));
  }
  std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    return std::pair(a != "torch", a) < std::pair(b != "torch", b);
  });
  return names;
}

struct Worker {
  json description;
  SampleModel sample;
};

fs::path Program(const std::string& name) { return Folder() / (std::string(kPrefix) + name); }

/// What the worker says of itself, and its model: asked and made once.
const Worker& WorkerNamed(const std::string& name) {
  static std::map<std::string, Worker> known;
  if (const auto it = known.find(name); it != known.end()) return it->second;
  Worker worker;
  const Finished finished = RunWorker(Program(name), {"describe"});
  worker.description = json::parse(finished.out, nullptr, false);
  if (worker.description.is_object()) worker.sample = FindSample(name, worker.description);
  return known[name] = worker;
}

bool Offers(const json& description, const char* key, const std::string& value) {
  const json list = description.value(key, json::array());
  return std::find(list.begin(), list.end(), json(value)) != list.end();
}

/// A run of the sample.
struct JobRun {
  Finished finished;
  Recording recording;
  json outputs;              ///< outputs.json of the worker.
  std::vector<float> first;  ///< The first result, where it has elements of type float32.
};

std::vector<float> ReadFloats(const fs::path& npy) {
  std::ifstream file(npy, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (bytes.size() < 10 || bytes.find("'<f4'") == std::string::npos) return {};
  const auto length =
      static_cast<unsigned char>(bytes[8]) + 256u * static_cast<unsigned char>(bytes[9]);
  std::vector<float> values((bytes.size() - 10 - length) / sizeof(float));
  std::memcpy(values.data(), bytes.data() + 10 + length, values.size() * sizeof(float));
  return values;
}

json JobOf(const std::string& name, const json& changes) {
  const Worker& worker = WorkerNamed(name);
  json job = {{"version", 1},
              {"model",
               {{"name", "sample"},
                {"path", worker.sample.path.string()},
                {"inputs", worker.sample.inputs}}},
              {"rung", "model"},
              {"iterations", kIterations},
              {"warmup", {{"max_calls", 3}}}};
  // A framework may choose a lower precision by itself, which results would show.
  if (Offers(worker.description, "precisions", "float32")) job["precision"] = "float32";
  job.merge_patch(changes);
  return job;
}

JobRun RunJob(const std::string& name, const json& changes) {
  const TemporaryFolder folder;
  const fs::path outputs = folder.path() / "outputs", recording = folder.path() / "r.xspr";
  json job = JobOf(name, changes);
  job["outputs"] = outputs.string();
  const fs::path file = folder.Write("job.json", job.dump());
  JobRun run;
  run.finished = RunWorker(Program(name),
                           {"predict", "--job", file.string(), "--recording", recording.string()});
  if (run.finished.exit_code != 0 || run.finished.signal != 0) return run;
  run.recording = ReadRecording(recording);
  std::ifstream list(outputs / "outputs.json");
  run.outputs = json::parse(list, nullptr, false);
  run.first = ReadFloats(outputs / "0.npy");
  return run;
}

/// The run of one rung and batch, made once.
const JobRun& RunOf(const std::string& name, const std::string& rung, int batch) {
  static std::map<std::tuple<std::string, std::string, int>, JobRun> runs;
  const auto key = std::tuple(name, rung, batch);
  if (const auto it = runs.find(key); it != runs.end()) return it->second;
  return runs[key] = RunJob(name, {{"rung", rung}, {"batch", batch}});
}

class Conformance : public testing::TestWithParam<std::string> {
 protected:
  const Worker& worker() const { return WorkerNamed(GetParam()); }
  std::vector<std::string> Rungs() const {
    std::vector<std::string> rungs;
    for (const char* rung : kRungs) {
      if (Offers(worker().description, "rungs", rung)) rungs.emplace_back(rung);
    }
    return rungs;
  }
};

#define XSP_SAMPLE_OR_SKIP()                                   \
  ASSERT_TRUE(worker().description.is_object()) << GetParam(); \
  if (!worker().sample.why_none.empty())                       \
  GTEST_SKIP() << GetParam() << ": " << worker().sample.why_none

/// Measured calls, without those of the warm-up: frameworks still optimise during it.
std::vector<std::uint32_t> Measured(const Recording& recording) {
  std::vector<std::uint32_t> calls;
  for (const std::uint32_t call : recording.calls) {
    const auto& metrics = recording.spans.at(call).metrics;
    if (const auto it = metrics.find("iteration"); it != metrics.end() && it->second >= 0) {
      calls.push_back(call);
    }
  }
  return calls;
}

bool IsLayer(const Span& span) {
  return span.level == XSP_LEVEL_LAYER && span.type != "module" && span.type != "function";
}

/// The layers of a call that lie in no other, in order of their beginning.
std::vector<const Span*> OutermostLayers(const Recording& recording, std::uint32_t call) {
  std::vector<const Span*> layers;
  for (const Span* span : recording.Inside(call)) {
    bool inside_another = false;
    for (auto up = recording.spans.find(span->parent); up != recording.spans.end();
         up = recording.spans.find(up->second.parent)) {
      inside_another |= IsLayer(up->second);
    }
    if (IsLayer(*span) && !inside_another) layers.push_back(span);
  }
  std::stable_sort(layers.begin(), layers.end(),
                   [](const Span* a, const Span* b) { return a->start_ns < b->start_ns; });
  return layers;
}

TEST_P(Conformance, DescribesItselfWholly) {
  const json& description = worker().description;
  ASSERT_TRUE(description.is_object());
  EXPECT_EQ(description.value("worker", ""), GetParam());
  EXPECT_EQ(description.value("protocol", 0), 3);
  const json switches = description.value("switch", json::object());
  for (const auto& [rung, granularity] : switches.items()) {
    EXPECT_TRUE(Offers(description, "rungs", rung)) << rung;
    EXPECT_THAT(granularity.get<std::string>(), testing::AnyOf("call", "block", "process"));
  }
  ASSERT_TRUE(description.contains("framework"));
  EXPECT_NE(description["framework"].value("name", ""), "");
  EXPECT_NE(description["framework"].value("version", ""), "");
  for (const char* key : {"models", "devices", "graphs", "precisions", "rungs"}) {
    ASSERT_TRUE(description.contains(key)) << key;
    EXPECT_TRUE(description[key].is_array() && !description[key].empty()) << key;
  }
  for (const json& model : description["models"]) {
    EXPECT_NE(model.value("format", ""), "") << model;
    EXPECT_TRUE(model.value("extensions", json()).is_array()) << model;
  }
  EXPECT_TRUE(Offers(description, "devices", "cpu"));
  EXPECT_TRUE(Offers(description, "precisions", "default"));
  EXPECT_EQ(description["rungs"][0], "model");
  for (const json& rung : description["rungs"]) {
    if (rung == "counters") continue;
    EXPECT_THAT(kRungs, testing::Contains(rung.get<std::string>()));
  }
  // Whole calls are counted by the harness, whatever the framework shows.
  EXPECT_TRUE(Offers(description, "rungs", "counters"));
  std::set<std::string> names;
  for (const json& option : description.value("options", json::array())) {
    EXPECT_TRUE(names.insert(option.value("name", "")).second) << option;
    EXPECT_TRUE(option.contains("values") || option.contains("type")) << option;
    EXPECT_TRUE(option.contains("default")) << option;
    EXPECT_NE(option.value("meaning", ""), "") << option;
  }
}

TEST_P(Conformance, EveryRungRunsAndSaysWhatRan) {
  XSP_SAMPLE_OR_SKIP();
  for (const std::string& rung : Rungs()) {
    for (const int batch : {1, 4}) {
      SCOPED_TRACE(rung + ", batch " + std::to_string(batch));
      const JobRun& run = RunOf(GetParam(), rung, batch);
      ASSERT_EQ(run.finished.exit_code, 0) << run.finished.error_text;
      EXPECT_EQ(run.finished.signal, 0);
      EXPECT_EQ(run.finished.out, "");
      const Recording& recording = run.recording;
      EXPECT_FALSE(recording.losses.is_unclosed);
      EXPECT_EQ(recording.losses.open_spans, 0u);
      EXPECT_EQ(Measured(recording).size(), static_cast<std::size_t>(kIterations));
      EXPECT_EQ(recording.facts.at("worker.name"), GetParam());
      EXPECT_EQ(recording.facts.at("job.batch"), std::to_string(batch));
      EXPECT_GE(std::stoi(recording.facts.at("job.threads")), 1);
      EXPECT_TRUE(Offers(worker().description, "graphs", recording.facts.at("job.graph")))
          << recording.facts.at("job.graph");
      EXPECT_EQ(recording.facts.at("job.device"), "cpu");
    }
  }
}

TEST_P(Conformance, TheCountersRungCountsCallsAndTheirOutermostLayers) {
  XSP_SAMPLE_OR_SKIP();
  const JobRun& run = RunOf(GetParam(), "counters", 1);
  ASSERT_EQ(run.finished.exit_code, 0) << run.finished.error_text;
  const Recording& recording = run.recording;
  EXPECT_EQ(Measured(recording).size(), static_cast<std::size_t>(kIterations));
  if (recording.facts.at("counters.events").find("task_clock_ns") == std::string::npos)
    GTEST_SKIP() << recording.facts.at("counters.refused");
  const bool of_layers = recording.facts.at("counters.of_layers") == "true";
  // By place: how far a layer's CPU time exceeds its duration in the call where it does least. A
  // virtual machine that is held up between a clock and its counter takes that for CPU time.
  std::map<std::size_t, double> excess_ns;
  for (const std::uint32_t id : Measured(recording)) {
    const Span& call = recording.spans.at(id);
    for (const char* name : {"task_clock_ns", "context_switches", "thread_page_faults"})
      EXPECT_TRUE(call.metrics.contains(name)) << name;
    const double call_ns = call.metrics.at("task_clock_ns");
    EXPECT_GT(call_ns, 0);
    const auto layers = OutermostLayers(recording, id);
    EXPECT_EQ(layers.empty(), !of_layers);
    // What is inside a layer is counted with it, and is no span of its own.
    EXPECT_EQ(recording.Inside(id).size(), layers.size());
    double sum_ns = 0;
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const Span& layer = *layers[i];
      ASSERT_TRUE(layer.metrics.contains("task_clock_ns")) << layer.name;
      const double layer_ns = layer.metrics.at("task_clock_ns");
      const double over_ns = layer_ns - static_cast<double>(layer.end_ns - layer.start_ns);
      const auto [least, is_new] = excess_ns.try_emplace(i, over_ns);
      least->second = std::min(least->second, over_ns);
      sum_ns += layer_ns;
    }
    EXPECT_LE(sum_ns, 1.01 * call_ns + 1e5);
  }
  for (const auto& [place, over_ns] : excess_ns) EXPECT_LE(over_ns, 1e5) << "layer " << place;
}

TEST_P(Conformance, TheModelRungRecordsNothingInsideACall) {
  XSP_SAMPLE_OR_SKIP();
  const Recording& recording = RunOf(GetParam(), "model", 1).recording;
  ASSERT_FALSE(recording.calls.empty());
  for (const std::uint32_t call : recording.calls) EXPECT_EQ(recording.Inside(call).size(), 0u);
}

TEST_P(Conformance, LayersLieInsideTheirCallOneAfterAnother) {
  XSP_SAMPLE_OR_SKIP();
  for (const std::string& rung : Rungs()) {
    if (rung == "model") continue;
    SCOPED_TRACE(rung);
    const Recording& recording = RunOf(GetParam(), rung, 1).recording;
    for (const std::uint32_t id : Measured(recording)) {
      const Span& call = recording.spans.at(id);
      const auto layers = OutermostLayers(recording, id);
      ASSERT_FALSE(layers.empty());
      std::int64_t sum_ns = 0, end_ns = call.start_ns;
      for (const Span* layer : layers) {
        EXPECT_NE(layer->type, "");
        EXPECT_NE(layer->name, "");
        EXPECT_GE(layer->start_ns, end_ns) << layer->type << " " << layer->name;
        EXPECT_LE(layer->end_ns, call.end_ns) << layer->type << " " << layer->name;
        sum_ns += layer->end_ns - layer->start_ns;
        end_ns = layer->end_ns;
      }
      EXPECT_GT(sum_ns, 0);
      EXPECT_LE(sum_ns, call.end_ns - call.start_ns);
      for (const Span* span : recording.Inside(id)) {
        const Span& parent = recording.spans.at(span->parent);
        EXPECT_GE(span->start_ns, parent.start_ns) << span->type << " in " << parent.type;
        EXPECT_LE(span->end_ns, parent.end_ns) << span->type << " in " << parent.type;
      }
    }
  }
}

TEST_P(Conformance, EveryCallHasTheSameLayers) {
  XSP_SAMPLE_OR_SKIP();
  using Names = std::vector<std::pair<std::string, std::string>>;
  std::map<std::string, Names> of_rung;
  for (const std::string& rung : Rungs()) {
    if (rung == "model") continue;
    SCOPED_TRACE(rung);
    const Recording& recording = RunOf(GetParam(), rung, 1).recording;
    for (const std::uint32_t id : Measured(recording)) {
      Names names;
      for (const Span* layer : OutermostLayers(recording, id)) {
        names.emplace_back(layer->type, layer->name);
      }
      const auto [first, is_new] = of_rung.try_emplace(rung, names);
      EXPECT_EQ(names, first->second);
    }
    // What is seen of a layer differs from rung to rung, not which layers there are.
    EXPECT_EQ(of_rung[rung], of_rung.begin()->second);
  }
}

TEST_P(Conformance, AModelThatIsLoadedAnewHasTheSameLayers) {
  XSP_SAMPLE_OR_SKIP();
  for (const std::string& rung : Rungs()) {
    if (rung == "details") continue;
    SCOPED_TRACE(rung);
    const TemporaryFolder folder;
    const fs::path recording_file = folder.path() / "r.xspr";
    auto running = StartWorker(Program(GetParam()),
                               folder.Write("job.json", JobOf(GetParam(), {{"rung", rung}}).dump()),
                               recording_file);
    ASSERT_EQ(NextEvent(running).value("event", ""), "ready");
    for (const char* line : {"run 2", "load", "run 2"}) {
      ASSERT_TRUE(running.WriteLine(line).ok());
      const json event = NextEvent(running);
      ASSERT_EQ(event.value("event", ""), line == std::string("load") ? "ready" : "done") << event;
    }
    ASSERT_TRUE(running.WriteLine("stop").ok());
    const auto exit = running.Wait(std::chrono::seconds(60));
    ASSERT_TRUE(exit && exit->success());
    const Recording recording = ReadRecording(recording_file);
    EXPECT_EQ(recording.losses.open_spans, 0u);
    const auto calls = Measured(recording);
    ASSERT_EQ(calls.size(), 4u);
    std::vector<std::string> first;
    for (const Span* layer : OutermostLayers(recording, calls[0])) first.push_back(layer->name);
    EXPECT_EQ(first.empty(), rung == "model");
    for (const std::uint32_t call : calls) {
      std::vector<std::string> names;
      for (const Span* layer : OutermostLayers(recording, call)) names.push_back(layer->name);
      EXPECT_EQ(names, first);
    }
  }
}

TEST_P(Conformance, KernelsHaveADurationAndALayer) {
  XSP_SAMPLE_OR_SKIP();
  if (!Offers(worker().description, "rungs", "kernel")) GTEST_SKIP() << "no rung kernel";
  const Recording& recording = RunOf(GetParam(), "kernel", 1).recording;
  for (const std::uint32_t id : Measured(recording)) {
    for (const Span* span : recording.Inside(id)) {
      if (span->level != XSP_LEVEL_KERNEL) continue;
      EXPECT_NE(span->name, "");
      EXPECT_GE(span->end_ns, span->start_ns);
      if (span->type == "primitive") {
        EXPECT_TRUE(span->attributes.contains("raw")) << span->name;
        EXPECT_EQ(recording.spans.at(span->parent).level, XSP_LEVEL_LAYER) << span->name;
      }
    }
  }
}

/// The number of elements of each tensor in "[[1,3,32,32],[16]]".
std::vector<std::int64_t> ElementCounts(const std::string& shapes) {
  std::vector<std::int64_t> counts;
  const json tensors = json::parse(shapes, nullptr, false);
  EXPECT_TRUE(tensors.is_array()) << shapes;
  for (const json& shape : tensors) {
    std::int64_t count = 1;
    for (const json& size : shape) count *= size.get<std::int64_t>();
    counts.push_back(count);
  }
  return counts;
}

/// Elements of the sample's first input.
std::int64_t InputElements(const json& inputs, int batch) {
  std::int64_t count = 1;
  for (const json& size : inputs.at(0).at("shape")) {
    count *= size.is_string() ? batch : size.get<std::int64_t>();
  }
  return count;
}

TEST_P(Conformance, ShapesLeadFromTheInputToTheOutput) {
  XSP_SAMPLE_OR_SKIP();
  if (!Offers(worker().description, "rungs", "details")) GTEST_SKIP() << "no rung details";
  for (const int batch : {1, 4}) {
    SCOPED_TRACE(batch);
    const JobRun& run = RunOf(GetParam(), "details", batch);
    const auto calls = Measured(run.recording);
    ASSERT_FALSE(calls.empty()) << run.finished.error_text;
    std::vector<const Span*> with_shapes;
    for (const Span* layer : OutermostLayers(run.recording, calls.back())) {
      if (layer->attributes.contains("output_shapes")) with_shapes.push_back(layer);
    }
    ASSERT_FALSE(with_shapes.empty());
    // Layouts differ from framework to framework, numbers of elements do not.
    EXPECT_THAT(ElementCounts(with_shapes.front()->attributes.at("input_shapes")),
                testing::Contains(InputElements(worker().sample.inputs, batch)));
    EXPECT_THAT(ElementCounts(with_shapes.back()->attributes.at("output_shapes")),
                testing::Contains(static_cast<std::int64_t>(run.first.size())));
  }
}

TEST_P(Conformance, ResultsAreTheSameAgainAndInEveryRung) {
  XSP_SAMPLE_OR_SKIP();
  for (const int batch : {1, 4}) {
    SCOPED_TRACE(batch);
    const JobRun& run = RunOf(GetParam(), "model", batch);
    ASSERT_FALSE(run.first.empty()) << run.finished.error_text;
    EXPECT_EQ(run.outputs.at(0).at("shape").at(0), batch);
    EXPECT_TRUE(std::all_of(run.first.begin(), run.first.end(),
                            [](float value) { return std::isfinite(value); }));
    const JobRun again = RunJob(GetParam(), {{"batch", batch}});
    EXPECT_EQ(again.first, run.first) << again.finished.error_text;
    if (!Offers(worker().description, "rungs", "layer")) continue;
    EXPECT_EQ(RunOf(GetParam(), "layer", batch).first, run.first);
  }
}

double Difference(const std::vector<float>& a, const std::vector<float>& b) {
  double most = 0, scale = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    most = std::max(most, std::abs(static_cast<double>(a[i]) - b[i]));
    scale = std::max(scale, std::abs(static_cast<double>(a[i])));
  }
  return most / scale;
}

TEST_P(Conformance, ResultsAgreeWithTheOtherFrameworks) {
  XSP_SAMPLE_OR_SKIP();
  if (!worker().sample.of_zoo) GTEST_SKIP() << GetParam() << " has a model of its own";
  std::string reference;
  for (const std::string& name : FindWorkers()) {
    const SampleModel& sample = WorkerNamed(name).sample;
    if (sample.of_zoo && sample.why_none.empty()) {
      reference = name;
      break;
    }
  }
  if (reference == GetParam()) GTEST_SKIP() << GetParam() << " is the reference";
  for (const int batch : {1, 4}) {
    const JobRun& run = RunOf(GetParam(), "model", batch);
    const JobRun& expected = RunOf(reference, "model", batch);
    ASSERT_FALSE(expected.first.empty());
    ASSERT_EQ(run.first.size(), expected.first.size());
    EXPECT_LE(Difference(expected.first, run.first), kAgreement)
        << "largest difference over largest value, against " << reference << ", batch " << batch;
  }
}

TEST_P(Conformance, AnotherRungCanBeCalledForComparison) {
  XSP_SAMPLE_OR_SKIP();
  if (!Offers(worker().description, "rungs", "layer")) GTEST_SKIP() << "no rung layer";
  const TemporaryFolder folder;
  const fs::path recording_file = folder.path() / "r.xspr";
  auto worker = StartWorker(Program(GetParam()),
                            folder.Write("job.json", JobOf(GetParam(), {{"rung", "layer"}}).dump()),
                            recording_file);
  ASSERT_EQ(NextEvent(worker)["event"], "ready");
  for (const char* line : {"run 2", "run 2 model", "run 2"}) {
    ASSERT_TRUE(worker.WriteLine(line).ok());
    const json done = NextEvent(worker);
    EXPECT_EQ(done["event"], "done") << line;
    EXPECT_EQ(done["iterations"], 2) << line;
  }
  ASSERT_TRUE(worker.WriteLine("stop").ok());
  const auto exit = worker.Wait(std::chrono::seconds(60));
  ASSERT_TRUE(exit);
  EXPECT_TRUE(exit->success());
  const Recording recording = ReadRecording(recording_file);
  EXPECT_EQ(Measured(recording).size(), 4u);
  int baselines = 0;
  for (const std::uint32_t call : recording.calls) {
    if (!recording.spans.at(call).metrics.contains("baseline_iteration")) continue;
    ++baselines;
    EXPECT_EQ(recording.Inside(call).size(), 0u);
  }
  EXPECT_EQ(baselines, 2);
  EXPECT_FALSE(OutermostLayers(recording, recording.last()).empty());
  // Nothing but the recording is left beside it.
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    EXPECT_THAT(entry.path().filename().string(), testing::AnyOf("job.json", "r.xspr"));
  }
}

/// Profiling that is switched at every call must leave nothing in the call without it, and nothing
/// out of the one with it.
TEST_P(Conformance, PairsShowLayersInTheirOwnCallsOnly) {
  XSP_SAMPLE_OR_SKIP();
  const json switches = worker().description.value("switch", json::object());
  for (const auto& [rung, above] : {std::pair{"layer", "model"}, {"kernel", "layer"}}) {
    if (switches.value(rung, "") != "call") continue;
    SCOPED_TRACE(rung);
    const TemporaryFolder folder;
    const fs::path recording_file = folder.path() / "r.xspr";
    auto worker = StartWorker(Program(GetParam()),
                              folder.Write("job.json", JobOf(GetParam(), {{"rung", rung}}).dump()),
                              recording_file);
    ASSERT_EQ(NextEvent(worker)["event"], "ready");
    ASSERT_TRUE(worker.WriteLine(std::string("pairs 8 ") + above + " 5").ok());
    const json done = NextEvent(worker);
    EXPECT_EQ(done["latencies_ns"].size(), 8u);
    EXPECT_EQ(done["baseline_ns"].size(), 8u);
    ASSERT_TRUE(worker.WriteLine("stop").ok());
    const auto exit = worker.Wait(std::chrono::seconds(60));
    ASSERT_TRUE(exit && exit->success());
    const Recording recording = ReadRecording(recording_file);
    const std::vector<std::uint32_t> own = Measured(recording);
    ASSERT_EQ(own.size(), 8u);
    const std::size_t layers = OutermostLayers(recording, own[0]).size();
    EXPECT_GT(layers, 0u);
    for (const std::uint32_t call : own) EXPECT_EQ(OutermostLayers(recording, call).size(), layers);
    int baselines = 0;
    for (const std::uint32_t call : recording.calls) {
      if (!recording.spans.at(call).metrics.contains("baseline_iteration")) continue;
      ++baselines;
      const bool shows_layers = std::string(above) != "model";
      EXPECT_EQ(OutermostLayers(recording, call).size(), shows_layers ? layers : 0u);
      for (const Span* span : recording.Inside(call)) EXPECT_NE(span->level, XSP_LEVEL_KERNEL);
    }
    EXPECT_EQ(baselines, 8);
  }
}

/// A job that must fail with that status, one line that says why, and no crash.
void ExpectFailure(const std::string& name, const json& changes, int status) {
  const JobRun run = RunJob(name, changes);
  EXPECT_EQ(run.finished.signal, 0) << run.finished.error_text;
  EXPECT_EQ(run.finished.exit_code, status) << run.finished.error_text;
  EXPECT_EQ(run.finished.out, "");
  EXPECT_THAT(run.finished.error_text, HasSubstr("error: "));
}

TEST_P(Conformance, SaysWhatIsWrongWithAModel) {
  XSP_SAMPLE_OR_SKIP();
  const fs::path model = worker().sample.path;
  const TemporaryFolder folder;
  const auto with = [&](const fs::path& path) {
    return json{{"model", {{"path", path.string()}}}};
  };
  {
    SCOPED_TRACE("absent");
    ExpectFailure(GetParam(), with("/nonexistent/model" + model.extension().string()),
                  XSP_WORKER_BAD_INPUT);
  }
  {
    SCOPED_TRACE("truncated");
    ExpectFailure(GetParam(), with(CutCopy(model, folder.path() / "cut", 0.5)),
                  XSP_WORKER_BAD_INPUT);
  }
  {
    SCOPED_TRACE("empty");
    ExpectFailure(GetParam(), with(CutCopy(model, folder.path() / "none", 0)),
                  XSP_WORKER_BAD_INPUT);
  }
  {
    SCOPED_TRACE("no model");
    const std::string name = "noise" + model.extension().string();
    ExpectFailure(GetParam(), with(folder.Write(name, "this is no model at all\n")),
                  XSP_WORKER_BAD_INPUT);
  }
}

TEST_P(Conformance, SaysWhatIsWrongWithTheInputs) {
  XSP_SAMPLE_OR_SKIP();
  json wrong = worker().sample.inputs;
  wrong[0]["shape"] = {"batch", 5, 7};
  {
    SCOPED_TRACE("shape");
    ExpectFailure(GetParam(), {{"model", {{"inputs", wrong}}}}, XSP_WORKER_BAD_INPUT);
  }
  json more = worker().sample.inputs;
  more.push_back({{"name", "another"}, {"shape", {"batch"}}});
  {
    SCOPED_TRACE("one too many");
    ExpectFailure(GetParam(), {{"model", {{"inputs", more}}}}, XSP_WORKER_BAD_INPUT);
  }
}

TEST_P(Conformance, RefusesWhatItDoesNotOffer) {
  XSP_SAMPLE_OR_SKIP();
  const json kUnknown[] = {{{"device", "abacus"}},
                           {{"graph", "abacus"}},
                           {{"precision", "abacus"}},
                           {{"options", {{"abacus", "1"}}}}};
  for (const json& change : kUnknown) {
    SCOPED_TRACE(change.dump());
    ExpectFailure(GetParam(), change, XSP_WORKER_NOT_POSSIBLE);
  }
}

// Where no worker is built there is nothing to try.
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Conformance);
INSTANTIATE_TEST_SUITE_P(Found, Conformance, testing::ValuesIn(FindWorkers()),
                         [](const testing::TestParamInfo<std::string>& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace xsp::workers_test
