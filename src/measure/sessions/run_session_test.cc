#include "measure/sessions/run_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/json_text.h"
#include "derive/experiments/imported_files.h"
#include "os/files.h"
#include "os/memory_limit.h"
#include "store/catalogue.h"
#include "store/database.h"

// cmake/Paths.cmake.
extern const char kTestWorkerFolder[];

namespace xsp::sessions {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kPerceptron = "input 64\ndense 128\nrelu\ndense 10\nsoftmax\n";

/// Measures toy models (workers/example/toy.h), good and bad, into a store of the test's own.
class ExperimentTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "xsp-experiment-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    setenv("XSP_WORKER_PATH", kTestWorkerFolder, 1);
    setenv("TMPDIR", (folder_ / "tmp").c_str(), 1);
    fs::create_directories(folder_ / "tmp");
    request_.model = Model(kPerceptron);
    request_.store = folder_ / "store";
    request_.name = "test";
    request_.iterations = 12;
    request_.roofs = false;
    request_.command = "xsp run test.toy";
  }
  void TearDown() override {
    unsetenv("XSP_WORKER_PATH");
    unsetenv("TMPDIR");
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  std::string Model(const std::string& text, const std::string& name = "model") {
    const fs::path file = folder_ / (name + ".toy");
    std::ofstream(file) << text;
    return file.string();
  }
  static json Json(const fs::path& file) { return core::ParseJson(os::ReadFile(file).value()); }
  static store::Cell One(const fs::path& experiment, const std::string& sql) {
    return store::Database::Open({experiment}).value().Query(sql).value().rows.at(0).at(0);
  }
  static std::int64_t Count(const fs::path& experiment, const std::string& sql) {
    return std::get<std::int64_t>(One(experiment, sql));
  }
  int FilesLeft(const fs::path& folder) const {
    std::error_code error;
    int files = 0;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
      ++files;
    return files;
  }
  static std::map<std::string, RunOutcome> ByName(const ExperimentOutcome& outcome) {
    std::map<std::string, RunOutcome> runs;
    for (const RunOutcome& run : outcome.runs) runs[run.name] = run;
    return runs;
  }

  fs::path folder_;
  requests::ExperimentRequest request_;
};

TEST_F(ExperimentTest, LoadsTheModelAnewWithinEachProcess) {
  request_.loads = 3;
  const ExperimentOutcome outcome = RunExperiment(request_).value();
  ASSERT_EQ(outcome.status, "done");
  for (const RunOutcome& run : outcome.runs) {
    const int loads = run.name == "b1-details" ? 1 : 3;
    EXPECT_EQ(Json(run.path / "run.json")["sampling"]["loads"], loads) << run.name;
    EXPECT_EQ(Count(run.path, "SELECT count(*) FROM span WHERE name = 'load'"), loads) << run.name;
  }
  EXPECT_EQ(Json(outcome.path / "experiment.json")["request"]["loads"], 3);
  EXPECT_EQ(Count(outcome.path, "SELECT count(*) FROM layer"), 4);
  // Each part of the calls is a block of its own.
  EXPECT_EQ(Count(outcome.path,
                  "SELECT count(DISTINCT block) FROM sample JOIN run USING (run_id) "
                  "WHERE run.rung = 'layer' AND sample.rung = 'layer'"),
            3);
  EXPECT_EQ(Count(outcome.path,
                  "SELECT count(*) FROM sample JOIN run USING (run_id) "
                  "WHERE run.rung = 'layer' AND sample.rung = 'layer'"),
            12);
}

TEST_F(ExperimentTest, MeasuresEveryRungOfEveryBatchSize) {
  request_.batches = {1, 4};
  const ExperimentOutcome outcome = RunExperiment(request_).value();
  EXPECT_EQ(outcome.path, request_.store / "test");
  EXPECT_EQ(outcome.status, "done");
  EXPECT_EQ(outcome.exit_status, 0);
  std::vector<std::string> names;
  for (const RunOutcome& run : outcome.runs) {
    names.push_back(run.name);
    EXPECT_EQ(run.status, "done") << run.name;
    EXPECT_TRUE(fs::exists(run.path / "span.parquet"));
  }
  EXPECT_THAT(names, testing::ElementsAre("b1-model", "b1-layer", "b1-kernel", "b1-details",
                                          "b4-model", "b4-layer", "b4-kernel", "b4-details"));
  EXPECT_EQ(Count(outcome.path, "SELECT count(*) FROM point"), 2);
  EXPECT_EQ(Count(outcome.path,
                  "SELECT count(*) FROM sample JOIN run USING (run_id) "
                  "WHERE run.rung <> 'details' AND sample.rung = run.rung"),
            2 * 3 * 12);
  // The rungs layer and kernel make as many calls of the rung above, in pairs.
  EXPECT_EQ(Count(outcome.path,
                  "SELECT count(*) FROM sample JOIN run USING (run_id) "
                  "WHERE sample.rung <> run.rung AND sample.pair IS NOT NULL"),
            2 * 2 * 12);
  EXPECT_EQ(Count(outcome.path,
                  "SELECT count(*) FROM run WHERE overhead_basis = 'pairs of calls' AND "
                  "overhead_ratio_low < overhead_ratio_high"),
            4);
  EXPECT_EQ(Count(outcome.path, "SELECT count(*) FROM layer WHERE point_id = 2"), 4);
  EXPECT_EQ(Count(outcome.path, "SELECT count(*) FROM run WHERE latency_ns > 0 AND rung = 'model'"),
            2);
  EXPECT_EQ(FilesLeft(folder_ / "tmp"), 0);
}

TEST_F(ExperimentTest, TwoExperimentsAlternate) {
  request_.batches = {1, 2};
  request_.depth = "layer";
  request_.processes = 2;
  requests::ExperimentRequest other = request_;
  other.model = Model("input 64\ndense 10\nsoftmax\n", "other");
  const auto outcome = RunAlternately({request_, other});
  ASSERT_TRUE(outcome.ok()) << outcome.error().what;
  ASSERT_EQ(outcome.value().experiments.size(), 2U);
  const fs::path first = outcome.value().experiments[0].path;
  const fs::path second = outcome.value().experiments[1].path;
  EXPECT_EQ(first, request_.store / "test");
  EXPECT_EQ(second, request_.store / "test-against");
  // Each has its own model.
  EXPECT_EQ(Count(first, "SELECT count(*) FROM layer WHERE point_id = 2"), 4);
  EXPECT_EQ(Count(second, "SELECT count(*) FROM layer WHERE point_id = 2"), 2);
  for (const fs::path& path : {first, second}) {
    EXPECT_EQ(Json(path / "experiment.json")["status"], "done");
    EXPECT_EQ(Count(path, "SELECT count(*) FROM run WHERE status = 'done'"), 2 * (2 + 2 + 1));
    EXPECT_EQ(Count(path,
                    "SELECT count(*) FROM sample JOIN run USING (run_id) "
                    "WHERE run.rung = 'model' AND sample.rung = run.rung"),
              2 * 2 * 12);
  }
  const json session = Json(first / "experiment.json")["session"];
  EXPECT_EQ(session.get<std::string>().size(), 32U);
  EXPECT_EQ(Json(second / "experiment.json")["session"], session);
  // All processes of both ran at once.
  const auto beside =
      Json(first / "b2-layer" / "run.json")["measured_with"].get<std::vector<std::string>>();
  EXPECT_THAT(beside, testing::UnorderedElementsAre("b2-model", "b2-model-2", "b2-layer-2",
                                                    "against/b2-model", "against/b2-model-2",
                                                    "against/b2-layer", "against/b2-layer-2"));
  // Both end in softmax over ten classes.
  ASSERT_EQ(outcome.value().agreement.size(), 2U);
  EXPECT_EQ(outcome.value().agreement[1].point_id, 2);
  EXPECT_EQ(outcome.value().agreement[1].shape, "[2,10]");
  EXPECT_GT(outcome.value().agreement[1].max_absolute_error, 0);
  EXPECT_FALSE(outcome.value().agreement[1].message);
}

TEST_F(ExperimentTest, AnExperimentAloneHasNoSession) {
  request_.depth = "model";
  const fs::path path = RunExperiment(request_).value().path;
  EXPECT_FALSE(Json(path / "experiment.json").contains("session"));
  EXPECT_EQ(Json(path / "b1-model" / "run.json")["measured_with"], json::array());
}

TEST_F(ExperimentTest, WhatAlternatedWithOneThatFailsIsStored) {
  request_.depth = "model";
  requests::ExperimentRequest other = request_;
  other.model = Model(std::string(kPerceptron) + "crash 3\n", "other");
  const auto outcomes = RunAlternately({request_, other});
  ASSERT_FALSE(outcomes.ok());
  EXPECT_THAT(outcomes.error().what,
              AllOf(HasSubstr("nothing was measured"), HasSubstr("signal 6"),
                    HasSubstr((request_.store / "test").string() + " is stored")));
  EXPECT_EQ(Count(request_.store / "test", "SELECT count(*) FROM run WHERE status = 'done'"), 5);
  EXPECT_FALSE(fs::exists(request_.store / "test-against"));
  EXPECT_EQ(FilesLeft(folder_ / "tmp"), 0);
}

TEST_F(ExperimentTest, OfTwoThatFailEachReasonIsSaid) {
  request_.depth = "model";
  request_.model = Model(std::string(kPerceptron) + "crash 3\n");
  requests::ExperimentRequest other = request_;
  other.model = Model("not a toy\n", "other");
  const auto outcome = RunAlternately({request_, other});
  ASSERT_FALSE(outcome.ok());
  EXPECT_THAT(outcome.error().what,
              AllOf(HasSubstr("signal 6"), HasSubstr("; nothing was measured")));
  EXPECT_EQ(FilesLeft(request_.store), 0);
  EXPECT_EQ(FilesLeft(folder_ / "tmp"), 0);
}

TEST_F(ExperimentTest, WritesDownWhatReproducesIt) {
  request_.depth = "model";
  const fs::path path = RunExperiment(request_).value().path;
  const json experiment = Json(path / "experiment.json");
  EXPECT_EQ(experiment["command"], "xsp run test.toy");
  EXPECT_EQ(experiment["status"], "done");
  EXPECT_EQ(experiment["request"]["iterations"], 12);
  EXPECT_EQ(experiment["model_file"]["size_bytes"], std::string(kPerceptron).size());
  EXPECT_EQ(experiment["model_file"]["sha256"].get<std::string>().size(), 64u);
  EXPECT_EQ(experiment["workers"][0]["describe"]["framework"]["name"], "Toy");
  ASSERT_TRUE(experiment["conditions"].is_array());
  EXPECT_FALSE(experiment["conditions"][0].get<std::string>().empty());
  const json run = Json(path / "b1-model" / "run.json");
  EXPECT_EQ(run["rung"], "model");
  EXPECT_EQ(run["job"]["batch"], 1);
  EXPECT_EQ(run["worker"]["exit_code"], 0);
  EXPECT_EQ(run["facts"]["worker.name"], "example");
  EXPECT_TRUE(run["stack"].is_object());
}

TEST_F(ExperimentTest, WarmUpEndsAtItsLimit) {
  request_.depth = "model";
  request_.warmup_limit_s = 1e-9;
  const fs::path path = RunExperiment(request_).value().path;
  const json run = Json(path / "b1-model" / "run.json");
  EXPECT_EQ(run["warmup"]["calls"], 3);  // The fewest.
  EXPECT_EQ(run["warmup"]["settled"], false);
}

TEST_F(ExperimentTest, OnlyMeansThatRungAlone) {
  request_.depth = "layer";
  request_.only = true;
  const ExperimentOutcome outcome = RunExperiment(request_).value();
  ASSERT_EQ(outcome.runs.size(), 1u);
  EXPECT_EQ(outcome.runs[0].rung, "layer");
}

TEST_F(ExperimentTest, ACrashLeavesTheOtherPointsAndItsLastWords) {
  // Warm-up takes 20 to 100 calls; the 105th is measured in every run that makes 100 or more.
  request_.model = Model(std::string(kPerceptron) + "crash 105\n");
  request_.iterations = 110;
  request_.batches = {1, 2};
  const auto outcome = RunExperiment(request_);
  ASSERT_TRUE(outcome.ok()) << outcome.error().what;
  EXPECT_EQ(outcome.value().status, "partial");
  EXPECT_EQ(outcome.value().exit_status, 5);
  ASSERT_FALSE(outcome.value().failures.empty());
  EXPECT_THAT(outcome.value().failures[0].what, AllOf(HasSubstr("crashed"), HasSubstr("signal 6")));
  const auto runs = ByName(outcome.value());
  EXPECT_EQ(runs.at("b1-model").status, "failed");
  EXPECT_EQ(runs.at("b1-details").status, "done");  // It makes only five calls.
  EXPECT_EQ(runs.at("b2-details").status, "done");
  // What was recorded before the crash is there.
  EXPECT_GT(Count(outcome.value().path, "SELECT count(*) FROM sample WHERE run_id = 1"), 0);
  EXPECT_THAT(Json(runs.at("b1-model").path / "run.json")["message"].get<std::string>(),
              HasSubstr("signal 6"));
}

TEST_F(ExperimentTest, ACrashInWarmUpIsAnErrorThatSaysSo) {
  request_.model = Model(std::string(kPerceptron) + "crash 3\n");
  const auto outcome = RunExperiment(request_);
  EXPECT_EQ(outcome.error().kind, ErrorKind::kEnvironment);
  EXPECT_THAT(outcome.error().what,
              AllOf(HasSubstr("nothing was measured"), HasSubstr("signal 6")));
  EXPECT_EQ(FilesLeft(request_.store), 0);
  EXPECT_EQ(FilesLeft(folder_ / "tmp"), 0);
}

TEST_F(ExperimentTest, AHangEndsAtTheDeadline) {
  request_.model = Model(std::string(kPerceptron) + "hang 3\n");
  request_.deadline_s = 0.5;
  const auto outcome = RunExperiment(request_);
  EXPECT_EQ(outcome.error().kind, ErrorKind::kEnvironment);
  EXPECT_THAT(outcome.error().what, HasSubstr("did not answer"));
  EXPECT_THAT(outcome.error().hint, HasSubstr("--deadline"));
}

TEST_F(ExperimentTest, TooMuchMemoryIsNamed) {
  if (!os::MemoryLimit::Create(1 << 20).ok()) GTEST_SKIP() << "memory cgroups are not writable";
  request_.model = Model(std::string(kPerceptron) + "allocate 400000000\n");
  request_.memory_limit_bytes = 100 << 20;
  const auto outcome = RunExperiment(request_);
  EXPECT_EQ(outcome.error().kind, ErrorKind::kEnvironment);
  EXPECT_THAT(outcome.error().what, HasSubstr("memory"));
  EXPECT_THAT(outcome.error().hint, HasSubstr("smaller batch"));
}

TEST_F(ExperimentTest, BadInputsAreRefusedWithTheirStatus) {
  const auto kind_of = [&](const std::string& model) {
    request_.model = model;
    return RunExperiment(request_).error().kind;
  };
  EXPECT_EQ(kind_of((folder_ / "none.toy").string()), ErrorKind::kBadInput);
  EXPECT_EQ(kind_of(folder_.string()), ErrorKind::kBadInput);
  EXPECT_EQ(kind_of(Model("")), ErrorKind::kBadInput);
  EXPECT_EQ(kind_of(Model("input 64\nthis is no operation\n")), ErrorKind::kBadInput);
  std::ofstream(folder_ / "m.yaml") << "inputs: [{dtype: float32, shape: [batch, 63]}]\n";
  request_.manifest = folder_ / "m.yaml";
  EXPECT_EQ(kind_of(Model(kPerceptron)), ErrorKind::kBadInput);  // Wrong input shape.
  EXPECT_EQ(FilesLeft(request_.store), 0);
}

TEST_F(ExperimentTest, WhatIsNotPossibleHereIsSaidBeforeMeasuring) {
  request_.backends = {"nonesuch"};
  EXPECT_EQ(RunExperiment(request_).error().kind, ErrorKind::kNotPossible);
  request_.backends.clear();
  request_.device = "cuda:0";
  EXPECT_EQ(RunExperiment(request_).error().kind, ErrorKind::kNotPossible);
  request_.device = "cpu";
  request_.batches = {0};
  EXPECT_EQ(RunExperiment(request_).error().kind, ErrorKind::kUsage);
}

TEST_F(ExperimentTest, AStoreThatCannotBeWrittenIsFoundBeforeMeasuring) {
  request_.store = "/proc/no-store";
  const auto outcome = RunExperiment(request_);
  EXPECT_EQ(outcome.error().kind, ErrorKind::kEnvironment);
  EXPECT_THAT(outcome.error().hint, HasSubstr("--store"));
}

/// A file system of `bytes` at `place`, where the test may mount one.
class SmallDisk {
 public:
  SmallDisk(fs::path place, const std::string& bytes) : place_(std::move(place)) {
    fs::create_directories(place_);
    mounted_ = mount("tmpfs", place_.c_str(), "tmpfs", 0, ("size=" + bytes).c_str()) == 0;
  }
  ~SmallDisk() {
    if (mounted_) umount2(place_.c_str(), MNT_DETACH);
  }
  bool mounted() const { return mounted_; }

 private:
  fs::path place_;
  bool mounted_;
};

TEST_F(ExperimentTest, AFullDiskIsFoundBeforeMeasuring) {
  const SmallDisk disk(request_.store, "1m");
  if (!disk.mounted()) GTEST_SKIP() << "this test may not mount a file system";
  const auto outcome = RunExperiment(request_);
  EXPECT_EQ(outcome.error().kind, ErrorKind::kEnvironment);
  EXPECT_THAT(outcome.error().what, HasSubstr("No space left"));
  EXPECT_EQ(FilesLeft(request_.store), 0);
}

/// Does something at the first step that says `word`.
class ActAt final : public core::Progress {
 public:
  ActAt(std::string word, std::function<void()> action)
      : word_(std::move(word)), action_(std::move(action)) {}
  void Step(std::string_view what, double, double) override {
    if (done_ || what.find(word_) == std::string_view::npos) return;
    done_ = true;
    action_();
  }
  void Note(std::string_view) override {}
  bool done() const { return done_; }

 private:
  std::string word_;
  std::function<void()> action_;
  bool done_ = false;
};

TEST_F(ExperimentTest, ADiskThatFillsUpLeavesTheRecordings) {
  const SmallDisk disk(request_.store, "12m");
  if (!disk.mounted()) GTEST_SKIP() << "this test may not mount a file system";
  ActAt fill("storing b1-layer", [&] {
    std::ofstream file(request_.store / "others-data");
    const std::string block(1 << 16, 'x');
    while (file.write(block.data(), 1 << 16)) {
    }
  });
  request_.progress = &fill;
  const auto outcome = RunExperiment(request_);
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().kind, ErrorKind::kEnvironment);
  EXPECT_THAT(outcome.error().what, HasSubstr("recordings are kept in"));
  int recordings = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder_ / "tmp"))
    recordings += entry.path().extension() == ".xspr" ? 1 : 0;
  EXPECT_EQ(recordings, 4);
  EXPECT_EQ(FilesLeft(request_.store), 1);  // Only what filled it.
}

TEST_F(ExperimentTest, AnInterruptKeepsWhatWasMeasured) {
  request_.batches = {1, 2, 3};
  os::Interrupts interrupts;
  ActAt interrupt("batch 2, kernel: call", [&] { interrupts.Request(); });
  request_.progress = &interrupt;
  request_.interrupts = &interrupts;
  const ExperimentOutcome outcome = RunExperiment(request_).value();
  EXPECT_TRUE(interrupt.done());
  EXPECT_EQ(outcome.status, "interrupted");
  EXPECT_EQ(outcome.exit_status, 130);
  const auto runs = ByName(outcome);
  EXPECT_EQ(runs.at("b1-kernel").status, "done");
  EXPECT_EQ(runs.at("b2-kernel").status, "interrupted");
  EXPECT_EQ(runs.at("b3-model").status, "interrupted");
  EXPECT_EQ(store::List(request_.store).value().at(0).status, "interrupted");
}

TEST_F(ExperimentTest, TwoInterruptsLeaveNothing) {
  request_.model = Model(std::string(kPerceptron) + "sleep 1000\n");
  request_.batches = {1, 2};
  os::Interrupts interrupts;
  ActAt interrupt("batch 2, model: call", [&] {
    interrupts.Request();
    interrupts.Request();
  });
  request_.progress = &interrupt;
  request_.interrupts = &interrupts;
  EXPECT_EQ(RunExperiment(request_).error().kind, ErrorKind::kInterrupted);
  EXPECT_EQ(FilesLeft(request_.store), 0);
  EXPECT_EQ(FilesLeft(folder_ / "tmp"), 0);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);  // No worker is left.
}

TEST_F(ExperimentTest, TwoAtOnceShareAStore) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) _exit(RunExperiment(request_).ok() ? 0 : 1);
  EXPECT_TRUE(RunExperiment(request_).ok());
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  const auto entries = store::List(request_.store).value();
  ASSERT_EQ(entries.size(), 2u);
  for (const auto& entry : entries) EXPECT_EQ(entry.status, "done");
}

TEST_F(ExperimentTest, EarlierExperimentsStayWhole) {
  const fs::path first = RunExperiment(request_).value().path;
  const std::int64_t samples = Count(first, "SELECT count(*) FROM sample");
  request_.model = Model(std::string(kPerceptron) + "crash 3\n");
  EXPECT_FALSE(RunExperiment(request_).ok());
  EXPECT_EQ(Count(first, "SELECT count(*) FROM sample"), samples);
}

}  // namespace
}  // namespace xsp::sessions
