// The worker protocol (docs/worker-protocol.md), tried on the example worker.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "harness/worker.h"
#include "tests/worker_run.h"

// cmake/Paths.cmake.
extern const char kTestWorkerFolder[];

namespace xsp::workers_test {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;
namespace fs = std::filesystem;

const std::filesystem::path kProgram =
    std::filesystem::path(kTestWorkerFolder) / "xsp-worker-example";

constexpr const char* kPerceptron = "input 8\ndense 16\nrelu\ndense 4\nsoftmax\n";

class Worker : public testing::Test {
 protected:
  std::filesystem::path Job(const std::string& model, const json& changes = json::object()) {
    json job = {{"version", 1},
                {"model", {{"name", "toy"}, {"path", folder_.Write("model.toy", model).string()}}},
                {"rung", "layer"},
                {"batch", 3},
                {"iterations", 5},
                {"warmup", {{"max_calls", 4}}}};
    job.merge_patch(changes);
    return folder_.Write("job.json", job.dump());
  }

  Finished Predict(const std::filesystem::path& job) {
    return RunWorker(kProgram,
                     {"predict", "--job", job.string(), "--recording", recording().string()});
  }

  os::Subprocess Control(const std::filesystem::path& job) {
    return StartWorker(kProgram, job, recording());
  }

  std::filesystem::path recording() const { return folder_.path() / "recording.xspr"; }

  TemporaryFolder folder_;
};

TEST_F(Worker, DescribesItselfInOneDocument) {
  const Finished finished = RunWorker(kProgram, {"describe"});
  EXPECT_EQ(finished.exit_code, 0);
  const json document = json::parse(finished.out, nullptr, false);
  ASSERT_TRUE(document.is_object()) << finished.out;
  EXPECT_EQ(document["worker"], "example");
  EXPECT_EQ(document["protocol"], 3);
  EXPECT_EQ(document["switch"], (json{{"layer", "call"}, {"kernel", "call"}}));
  for (const char* key : {"framework", "models", "devices", "graphs", "precisions", "rungs"}) {
    EXPECT_TRUE(document.contains(key)) << key;
  }
}

TEST_F(Worker, RecordsCallsWithTheirLayersAndFacts) {
  const Finished finished = Predict(Job(kPerceptron, {{"seed", 7}}));
  ASSERT_EQ(finished.exit_code, 0) << finished.error_text;
  EXPECT_EQ(finished.out, "");
  const Recording recording = ReadRecording(this->recording());
  EXPECT_FALSE(recording.losses.is_unclosed);
  ASSERT_EQ(recording.calls.size(), 4u + 5u);
  for (std::size_t i = 0; i < recording.calls.size(); ++i) {
    const Span& call = recording.spans.at(recording.calls[i]);
    EXPECT_EQ(call.type, "predict");
    EXPECT_EQ(call.name, "toy");
    EXPECT_EQ(call.metrics.at("iteration"), i < 4 ? -1.0 - i : i - 4.0);
    for (const char* metric : {"involuntary_context_switches", "run_queue_wait_ns", "steal_ns"}) {
      EXPECT_GE(call.metrics.at(metric), 0) << metric;
    }
    EXPECT_EQ(recording.Count(recording.calls[i], XSP_LEVEL_LAYER, "dense"), 2);
    EXPECT_EQ(recording.Count(recording.calls[i], XSP_LEVEL_LAYER, "relu"), 1);
    EXPECT_EQ(recording.Count(recording.calls[i], XSP_LEVEL_LAYER, "softmax"), 1);
  }
  const std::map<std::string, std::string> expected = {
      {"worker.name", "example"},
      {"framework.name", "Toy"},
      {"framework.version", "1.0"},
      {"job.rung", "layer"},
      {"job.batch", "3"},
      {"job.threads", "1"},
      {"job.graph", "eager"},
      {"job.device", "cpu"},
      {"job.precision", "default"},
      {"job.seed", "7"},
      {"inputs.origin", "inferred"},
      {"warmup.calls", "4"},
      {"warmup.settled", "false"},
      {"inputs", R"([{"dtype":"float32","name":"input","shape":[3,8]}])"}};
  EXPECT_EQ(recording.facts, expected);
}

TEST_F(Worker, ServesRequestsWhenTheyArriveAndCountsTheirQueue) {
  os::Subprocess worker = Control(Job(kPerceptron, {{"rung", "model"}}));
  EXPECT_EQ(NextEvent(worker)["event"], "ready");
  // The second rate is far above what any machine serves: requests must queue.
  ASSERT_TRUE(worker.WriteLine("serve 20 2000 5").ok());
  EXPECT_EQ(NextEvent(worker)["iterations"], 20);
  ASSERT_TRUE(worker.WriteLine("serve 500 1e9 5").ok());
  EXPECT_EQ(NextEvent(worker)["iterations"], 500);
  ASSERT_TRUE(worker.WriteLine("stop").ok());
  ASSERT_TRUE(worker.Wait(seconds(10)));
  const Recording recording = ReadRecording(this->recording());
  ASSERT_EQ(recording.calls.size(), 4u + 20u + 500u);
  std::array<std::vector<std::int64_t>, 2> origins_ns;  // Of each block of queries.
  for (std::size_t i = 4; i < recording.calls.size(); ++i) {
    const Span& call = recording.spans.at(recording.calls[i]);
    const double arrival_ns = call.metrics.at("arrival_ns");
    const auto start_ns = static_cast<double>(call.start_ns);
    EXPECT_EQ(call.metrics.at("offered_rate"), i < 24 ? 2000 : 1e9);
    EXPECT_GE(call.metrics.at("queue_ns"), 0);
    origins_ns[i < 24 ? 0 : 1].push_back(
        static_cast<std::int64_t>(start_ns - arrival_ns - call.metrics.at("queue_ns")));
  }
  // Start = origin + arrival + queue, for one origin per block; between the two stamps of a start
  // the machine may do something else, now and then.
  for (const auto& block : origins_ns) {
    const std::int64_t origin = *std::ranges::min_element(block);
    const auto late = std::ranges::count_if(
        block, [origin](std::int64_t one) { return one - origin >= 1'000'000; });
    EXPECT_LE(late, static_cast<std::int64_t>(block.size() / 10));
  }
  const Span& last = recording.spans.at(recording.last());
  const Span& first = recording.spans.at(recording.calls[24]);
  EXPECT_GT(last.metrics.at("queue_ns"), static_cast<double>(last.start_ns - first.start_ns) / 2);
}

TEST_F(Worker, HandsOutItsResults) {
  const fs::path folder = folder_.path() / "results";
  const Finished finished = Predict(Job(kPerceptron, {{"outputs", folder.string()}}));
  ASSERT_EQ(finished.exit_code, 0) << finished.error_text;
  std::ifstream list(folder / "outputs.json");
  const json outputs = json::parse(list, nullptr, false);
  ASSERT_EQ(outputs.size(), 1u) << outputs;
  EXPECT_EQ(outputs[0]["dtype"], "float32");
  EXPECT_EQ(outputs[0]["shape"], json({3, 4}));
  std::ifstream file(folder / outputs[0]["file"].get<std::string>(), std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  ASSERT_GT(bytes.size(), 3 * 4 * sizeof(float));
  EXPECT_EQ(bytes.substr(1, 5), "NUMPY");
  EXPECT_THAT(bytes, HasSubstr("'descr': '<f4', 'fortran_order': False, 'shape': (3,4,)"));
  EXPECT_EQ((bytes.size() - 3 * 4 * sizeof(float)) % 64, 0u);
  // The toy ends in a softmax: each row adds up to 1.
  std::array<float, 12> values;
  std::memcpy(values.data(), bytes.data() + bytes.size() - sizeof values, sizeof values);
  for (int row = 0; row < 3; ++row)
    EXPECT_NEAR(values[4 * row] + values[4 * row + 1] + values[4 * row + 2] + values[4 * row + 3],
                1, 1e-5);
}

TEST_F(Worker, RefusesAnOptionItDoesNotOffer) {
  const Finished finished = Predict(Job(kPerceptron, {{"options", {{"warp", "9"}}}}));
  EXPECT_EQ(finished.exit_code, XSP_WORKER_NOT_POSSIBLE);
  EXPECT_THAT(finished.error_text, HasSubstr("does not offer the option: warp"));
}

TEST_F(Worker, RecordsOnlyWhatItsRungNames) {
  const auto last_call = [&](const char* rung) {
    EXPECT_EQ(Predict(Job(kPerceptron, {{"rung", rung}})).exit_code, 0);
    const Recording recording = ReadRecording(this->recording());
    std::vector<Span> spans;
    for (const Span* span : recording.Inside(recording.last())) spans.push_back(*span);
    return spans;
  };
  EXPECT_EQ(last_call("model").size(), 0u);
  EXPECT_EQ(last_call("layer").size(), 4u);
  const auto with_kernels = last_call("kernel");
  EXPECT_EQ(with_kernels.size(), 6u);
  int raw = 0;
  for (const Span& span : with_kernels) raw += span.attributes.contains("raw");
  EXPECT_EQ(raw, 2);
  for (const Span& span : last_call("details")) {
    EXPECT_TRUE(span.attributes.contains("input_shapes"));
    EXPECT_TRUE(span.attributes.contains("output_shapes"));
    EXPECT_TRUE(span.metrics.contains("peak_bytes"));
  }
}

TEST_F(Worker, WarmUpEndsWhenCallsSettle) {
  // Sleeping dominates: the calls are alike.
  const auto job =
      Job("input 1\nsleep 2000\n", {{"warmup", {{"max_calls", 100}, {"tolerance", 0.5}}}});
  ASSERT_EQ(Predict(job).exit_code, 0);
  const Recording recording = ReadRecording(this->recording());
  EXPECT_EQ(recording.facts.at("warmup.settled"), "true");
  EXPECT_GE(std::stoi(recording.facts.at("warmup.calls")), 20);
}

TEST_F(Worker, ObeysTheControlProtocol) {
  auto worker = Control(Job(kPerceptron));
  const json ready = NextEvent(worker);
  EXPECT_EQ(ready["event"], "ready");
  EXPECT_EQ(ready["warmup"], 4);
  EXPECT_EQ(ready["settled"], false);
  EXPECT_GT(ready["call_ns"], 0);
  for (const int calls : {3, 2}) {
    ASSERT_TRUE(worker.WriteLine("run " + std::to_string(calls)).ok());
    const json done = NextEvent(worker);
    EXPECT_EQ(done["event"], "done");
    EXPECT_EQ(done["iterations"], calls);
    EXPECT_EQ(done["latencies_ns"].size(), static_cast<std::size_t>(calls));
    EXPECT_FALSE(done.contains("baseline_ns"));
  }
  ASSERT_TRUE(worker.WriteLine("stop").ok());
  EXPECT_EQ(NextEvent(worker), nullptr);
  const auto exit = worker.Wait(seconds(20));
  ASSERT_TRUE(exit);
  EXPECT_TRUE(exit->success());
  const Recording recording = ReadRecording(this->recording());
  EXPECT_FALSE(recording.losses.is_unclosed);
  // Each block has one more call, which leads it in.
  EXPECT_EQ(recording.calls.size(), 4u + 1 + 3 + 1 + 2);
  const Span& lead_in = recording.spans.at(recording.calls[4 + 1 + 3]);
  EXPECT_EQ(lead_in.metrics.at("iteration"), -6);
  EXPECT_EQ(lead_in.metrics.at("block"), 1);
  EXPECT_FALSE(recording.spans.at(recording.calls[0]).metrics.contains("block"));
  EXPECT_EQ(recording.spans.at(recording.last()).metrics.at("iteration"), 4);
  EXPECT_EQ(recording.spans.at(recording.last()).metrics.at("block"), 1);
}

TEST_F(Worker, LoadsItsModelAnewAndGoesOn) {
  auto worker = Control(Job(kPerceptron, {{"outputs", (folder_.path() / "outputs").string()}}));
  EXPECT_EQ(NextEvent(worker)["warmup"], 4);
  for (const char* line : {"run 2", "load", "run 3"}) {
    ASSERT_TRUE(worker.WriteLine(line).ok());
    const json event = NextEvent(worker);
    if (line != std::string("load")) continue;
    EXPECT_EQ(event["event"], "ready");
    EXPECT_EQ(event["settled"], false);
    EXPECT_GT(event["latency_ns"], 0);
  }
  ASSERT_TRUE(worker.WriteLine("stop").ok());
  ASSERT_TRUE(worker.Wait(seconds(20)));
  const Recording recording = ReadRecording(this->recording());
  EXPECT_FALSE(recording.losses.is_unclosed);
  // What leads in and warms up counts down, the rest counts up.
  std::vector<int> iterations;
  int loads = 0;
  for (const auto& call : recording.calls)
    iterations.push_back(static_cast<int>(recording.spans.at(call).metrics.at("iteration")));
  EXPECT_THAT(iterations,
              testing::ElementsAre(-1, -2, -3, -4, -5, 0, 1, -6, -7, -8, -9, -10, 2, 3, 4));
  for (const auto& [id, span] : recording.spans) loads += span.name == "load";
  EXPECT_EQ(loads, 2);
  EXPECT_EQ(recording.facts.at("warmup.calls"), "4");
  for (const auto& call : recording.calls)
    EXPECT_EQ(recording.Inside(call).size(), recording.Inside(recording.last()).size());
}

TEST_F(Worker, AModelThatIsGoneWhenItIsLoadedAnewEndsTheRunWithItsReason) {
  auto worker = Control(Job(kPerceptron));
  NextEvent(worker);
  folder_.Write("model.toy", "nonsense\n");
  ASSERT_TRUE(worker.WriteLine("load").ok());
  const json event = NextEvent(worker);
  EXPECT_EQ(event["event"], "error");
  EXPECT_EQ(event["kind"], "bad_input");
  const auto exit = worker.Wait(seconds(20));
  ASSERT_TRUE(exit);
  EXPECT_EQ(exit->code, 3);
  EXPECT_FALSE(ReadRecording(recording()).losses.is_unclosed);
}

TEST_F(Worker, ACallAsLongAsABlockNeedsNoOtherToLeadIn) {
  auto worker = Control(Job("input 1\nsleep 300000\n", {{"warmup", {{"max_calls", 1}}}}));
  NextEvent(worker);
  ASSERT_TRUE(worker.WriteLine("run 1").ok());
  NextEvent(worker);
  ASSERT_TRUE(worker.WriteLine("stop").ok());
  ASSERT_TRUE(worker.Wait(seconds(20)));
  EXPECT_EQ(ReadRecording(recording()).calls.size(), 2u);
}

/// The calls of a recording that have the metric `pair`: by pair, in the order of time.
std::map<int, std::vector<const Span*>> PairsOf(const Recording& recording) {
  std::map<int, std::vector<const Span*>> pairs;
  for (const auto& call : recording.calls) {
    const Span& span = recording.spans.at(call);
    if (span.metrics.contains("pair"))
      pairs[static_cast<int>(span.metrics.at("pair"))].push_back(&span);
  }
  return pairs;
}

TEST_F(Worker, MakesPairsOfCallsInRandomOrder) {
  auto worker = Control(Job(kPerceptron, {{"rung", "layer"}}));
  NextEvent(worker);
  for (const char* line : {"pairs 20 model 7", "pairs 20 model 7"}) {
    ASSERT_TRUE(worker.WriteLine(line).ok());
    const json done = NextEvent(worker);
    EXPECT_EQ(done["iterations"], 20);
    EXPECT_EQ(done["latencies_ns"].size(), 20u);
    EXPECT_EQ(done["baseline_ns"].size(), 20u);
  }
  ASSERT_TRUE(worker.WriteLine("stop").ok());
  ASSERT_TRUE(worker.Wait(seconds(20)));
  const Recording recording = ReadRecording(this->recording());
  const auto pairs = PairsOf(recording);
  ASSERT_EQ(pairs.size(), 40u);
  std::vector<bool> baseline_first;
  for (const auto& [number, calls] : pairs) {
    ASSERT_EQ(calls.size(), 2u);
    const bool first = calls[0]->metrics.contains("baseline_iteration");
    baseline_first.push_back(first);
    const Span& baseline = *calls[first ? 0 : 1];
    const Span& own = *calls[first ? 1 : 0];
    EXPECT_EQ(baseline.attributes.at("rung"), "model");
    EXPECT_EQ(own.metrics.at("iteration"), number);
    EXPECT_EQ(baseline.metrics.at("baseline_iteration"), number);
    EXPECT_EQ(own.metrics.at("block"), number / 20);
  }
  const auto heads = std::count(baseline_first.begin(), baseline_first.begin() + 20, true);
  EXPECT_GT(heads, 2);
  EXPECT_LT(heads, 18);
  // The seed decides the order.
  EXPECT_TRUE(
      std::equal(baseline_first.begin(), baseline_first.begin() + 20, baseline_first.begin() + 20));
}

TEST_F(Worker, PairsOfItsOwnRungAreAlike) {
  auto worker = Control(Job(kPerceptron, {{"rung", "layer"}}));
  NextEvent(worker);
  ASSERT_TRUE(worker.WriteLine("pairs 3 layer 1").ok());
  EXPECT_EQ(NextEvent(worker)["baseline_ns"].size(), 3u);
  ASSERT_TRUE(worker.WriteLine("stop").ok());
  ASSERT_TRUE(worker.Wait(seconds(20)));
  const Recording recording = ReadRecording(this->recording());
  for (const auto& call : recording.calls) EXPECT_FALSE(recording.Inside(call).empty());
}

TEST_F(Worker, PlantsASlowdownOfKnownSizeInItsOwnCallsOnly) {
  auto worker =
      Control(Job("input 1\nsleep 20000\n", {{"rung", "layer"}, {"planted_slowdown", 0.5}}));
  NextEvent(worker);
  ASSERT_TRUE(worker.WriteLine("pairs 3 model 1").ok());
  const json done = NextEvent(worker);
  for (const json& latency : done["latencies_ns"]) EXPECT_GE(latency, 30'000'000);
  EXPECT_LT(*std::min_element(done["baseline_ns"].begin(), done["baseline_ns"].end()), 30'000'000);
}

TEST_F(Worker, RefusesPairsWhereItCannotSwitchAtEveryCall) {
  auto worker = Control(Job(kPerceptron, {{"rung", "model"}}));
  NextEvent(worker);
  ASSERT_TRUE(worker.WriteLine("pairs 3 layer 1").ok());
  EXPECT_EQ(NextEvent(worker)["kind"], "not_possible");
  EXPECT_EQ(worker.Wait(seconds(20))->code, 4);
}

TEST_F(Worker, MakesCallsOfAnotherRungForComparison) {
  auto worker = Control(Job(kPerceptron, {{"rung", "layer"}}));
  NextEvent(worker);
  for (const char* line : {"run 2 model", "run 3", "run 1 model"}) {
    ASSERT_TRUE(worker.WriteLine(line).ok());
    EXPECT_EQ(NextEvent(worker)["event"], "done") << line;
  }
  ASSERT_TRUE(worker.WriteLine("stop").ok());
  ASSERT_TRUE(worker.Wait(seconds(20)));
  const Recording recording = ReadRecording(this->recording());
  int baselines = 0, samples = 0;
  for (const auto& call : recording.calls) {
    const Span& span = recording.spans.at(call);
    if (span.metrics.contains("baseline_iteration")) {
      EXPECT_EQ(span.metrics.at("baseline_iteration"), baselines++);
      EXPECT_FALSE(span.metrics.contains("iteration"));
      EXPECT_EQ(span.attributes.at("rung"), "model");
      EXPECT_TRUE(recording.Inside(call).empty());
    } else if (span.metrics.at("iteration") >= 0) {
      EXPECT_EQ(span.metrics.at("iteration"), samples++);
      EXPECT_FALSE(span.attributes.contains("rung"));
      EXPECT_FALSE(recording.Inside(call).empty());
    }
  }
  EXPECT_EQ(baselines, 3);
  EXPECT_EQ(samples, 3);
}

TEST_F(Worker, EndOfFileIsStop) {
  auto worker = Control(Job(kPerceptron));
  NextEvent(worker);
  worker.CloseStdin();
  const auto exit = worker.Wait(seconds(20));
  ASSERT_TRUE(exit);
  EXPECT_TRUE(exit->success());
  EXPECT_FALSE(ReadRecording(recording()).losses.is_unclosed);
}

TEST_F(Worker, RefusesALineItDoesNotKnow) {
  for (const char* line :
       {"walk 3", "run", "run 0", "run -1", "run 3x", "run 99999999999", "run 3 deepest", "run 3 ",
        "pairs 3 model", "pairs 0 model 1", "pairs 3 deepest 1", "pairs 3 model 1 2"}) {
    auto worker = Control(Job(kPerceptron));
    NextEvent(worker);
    ASSERT_TRUE(worker.WriteLine(line).ok());
    const json event = NextEvent(worker);
    EXPECT_EQ(event["event"], "error") << line;
    EXPECT_EQ(event["kind"], "usage") << line;
    EXPECT_EQ(worker.Wait(seconds(20))->code, 2) << line;
  }
}

TEST_F(Worker, WhatAFrameworkPrintsStaysOutOfTheProtocol) {
  auto worker = Control(Job("input 4\nprint\ndense 2\n"));
  EXPECT_EQ(NextEvent(worker)["event"], "ready");
  ASSERT_TRUE(worker.WriteLine("run 2").ok());
  EXPECT_EQ(NextEvent(worker)["event"], "done");
  worker.CloseStdin();
  EXPECT_TRUE(worker.Wait(seconds(20))->success());
  EXPECT_THAT(worker.stderr_tail(), HasSubstr("hello"));
}

TEST_F(Worker, ClosesItsRecordingOnASignal) {
  for (const int signal : {SIGTERM, SIGINT}) {
    auto worker = Control(Job("input 1\nsleep 1000\n"));
    NextEvent(worker);
    ASSERT_TRUE(worker.WriteLine("run 1").ok());
    EXPECT_EQ(NextEvent(worker)["event"], "done");
    ASSERT_TRUE(worker.WriteLine("run 1000000").ok());
    std::this_thread::sleep_for(milliseconds(50));
    worker.Signal(signal);
    const auto exit = worker.Wait(seconds(20));
    ASSERT_TRUE(exit);
    EXPECT_EQ(exit->code, 130);
    const Recording recording = ReadRecording(this->recording());
    EXPECT_FALSE(recording.losses.is_unclosed);
    EXPECT_EQ(recording.losses.open_spans, 0u);
    EXPECT_GT(recording.calls.size(), 4u);
  }
}

TEST_F(Worker, SaysWhatIsWrongWithExitStatusAndHint) {
  const struct {
    json changes;
    int status;
    const char* what;
  } kCases[] = {
      {{{"model", {{"path", "/nonexistent/model.toy"}}}}, 3, "/nonexistent/model.toy"},
      {{{"rung", "cellar"}}, 3, "cellar"},
      {{{"device", "abacus"}}, 4, "abacus"},
      {{{"graph", "frozen"}}, 4, "frozen"},
      {{{"precision", "bfloat16"}}, 4, "bfloat16"},
      {{{"model", {{"inputs", {{{"name", "x"}, {"shape", {"batch", 9}}}}}}}}, 3, "[batch, 8]"},
      {{{"batch", std::int64_t{1} << 31},
        {"model", {{"inputs", {{{"name", "x"}, {"shape", {std::int64_t{1} << 62, 8}}}}}}}},
       5,
       "memory"},
  };
  for (const auto& expected : kCases) {
    const auto job = Job(kPerceptron, expected.changes);
    const Finished finished = Predict(job);
    EXPECT_EQ(finished.exit_code, expected.status) << expected.changes;
    EXPECT_EQ(finished.out, "");
    EXPECT_THAT(finished.error_text, HasSubstr("error: "));
    EXPECT_THAT(finished.error_text, HasSubstr(expected.what));
    EXPECT_THAT(finished.error_text, HasSubstr("\nhint: "));
    auto worker = Control(job);
    const json event = NextEvent(worker);
    EXPECT_EQ(event["event"], "error");
    EXPECT_THAT(event["what"].get<std::string>(), HasSubstr(expected.what));
    EXPECT_NE(event["hint"], "");
    EXPECT_EQ(worker.Wait(seconds(20))->code, expected.status);
  }
}

TEST_F(Worker, SaysWhatIsWrongWithItsCommandLine) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{},
        {"dance"},
        {"predict"},
        {"predict", "--job"},
        {"predict", "--job", "x", "--recording", "y", "--fast"},
        {"describe", "me"}}) {
    const Finished finished = RunWorker(kProgram, arguments);
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_THAT(finished.error_text, HasSubstr("usage: xsp-worker-example"));
  }
  EXPECT_EQ(
      RunWorker(kProgram, {"predict", "--job", "/nonexistent", "--recording", recording().string()})
          .exit_code,
      3);
  const Finished finished = RunWorker(kProgram, {"predict", "--job", Job(kPerceptron).string(),
                                                 "--recording", "/nonexistent/r.xspr"});
  EXPECT_EQ(finished.exit_code, 5);
  EXPECT_THAT(finished.error_text, HasSubstr("/nonexistent/r.xspr"));
}

TEST_F(Worker, AFailingCallEndsTheRunWithItsReason) {
  auto worker = Control(Job("input 4\ndense 4\nfail 6\n"));
  NextEvent(worker);
  ASSERT_TRUE(worker.WriteLine("run 5").ok());
  const json event = NextEvent(worker);
  EXPECT_EQ(event["kind"], "environment");
  EXPECT_THAT(event["what"].get<std::string>(), HasSubstr("fail"));
  EXPECT_EQ(worker.Wait(seconds(20))->code, 5);
  const Recording recording = ReadRecording(this->recording());
  EXPECT_EQ(recording.calls.size(), 6u);  // 4 of warm-up, one that leads in, and the failing one.
  EXPECT_EQ(recording.facts.at("error.kind"), "environment");
}

TEST_F(Worker, TheToyMisbehavesAsAsked) {
  EXPECT_EQ(Predict(Job("input 1\ncrash 5\n")).signal, SIGABRT);
  EXPECT_EQ(ReadRecording(recording()).losses.is_unclosed, true);
  EXPECT_EQ(ReadRecording(recording()).calls.size(), 5u);
  EXPECT_EQ(Predict(Job("input 1\nexit 42 2\n")).exit_code, 42);
  EXPECT_EQ(Predict(Job("input 1\nallocate 1000000\n")).exit_code, 0);
  auto worker = Control(Job("input 1\nhang 5\n"));
  NextEvent(worker);
  ASSERT_TRUE(worker.WriteLine("run 1").ok());
  EXPECT_EQ(worker.ReadLine(milliseconds(200)).kind, os::LineRead::Kind::kTimeout);
  const auto open = [this] { return ReadRecording(recording()).losses.open_spans; };
  for (int i = 0; i < 1000 && open() < 2; ++i) std::this_thread::sleep_for(milliseconds(20));
  worker.Kill();
  EXPECT_EQ(open(), 2u);  // The call and its layer.
}

// A worker that is killed at any moment leaves a recording that reads up to that moment.
TEST_F(Worker, KilledAtAnyMomentLeavesAReadableRecording) {
  std::mt19937 random(1);
  const auto job = Job(kPerceptron);
  std::size_t most = 0;
  for (int i = 0; i < 100; ++i) {
    std::filesystem::remove(recording());
    auto worker = Control(job);
    NextEvent(worker);
    ASSERT_TRUE(worker.WriteLine("run 1").ok());
    EXPECT_EQ(NextEvent(worker)["event"], "done");
    ASSERT_TRUE(worker.WriteLine("run 1000000").ok());
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 20'000));
    worker.Kill();
    const Recording recording = ReadRecording(this->recording());
    EXPECT_TRUE(recording.losses.is_unclosed);
    EXPECT_EQ(recording.losses.damaged_blocks, 0u) << recording.losses.first_damage;
    EXPECT_LE(recording.losses.torn_records, 1u);
    // The warm-up was announced: it must be there whole.
    ASSERT_GE(recording.calls.size(), 4u);
    EXPECT_EQ(recording.facts.at("warmup.calls"), "4");
    std::map<std::uint32_t, int> layers;
    for (const auto& [id, span] : recording.spans) ++layers[span.parent];
    for (std::size_t call = 0; call + 1 < recording.calls.size(); ++call) {
      ASSERT_EQ(layers[recording.calls[call]], 4);
    }
    most = std::max(most, recording.calls.size());
    if (HasFailure()) break;
  }
  EXPECT_GT(most, 100u);
}

}  // namespace
}  // namespace xsp::workers_test
