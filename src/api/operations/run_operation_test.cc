// What `xsp run --plan` answers, with the toy worker.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "api/operations/operation_list.h"
#include "api/operations/past_runs.h"
#include "core/json_text.h"
#include "store/store_testing.h"

// cmake/Paths.cmake.
extern const char kTestWorkerFolder[];

namespace xsp::api {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

class RunPlanTest : public testing::Test {
 protected:
  void SetUp() override {
    setenv("XSP_WORKER_PATH", kTestWorkerFolder, 1);
    std::ofstream(model_) << "input 64\ndense 128\nrelu\ndense 10\nsoftmax\n";
  }
  void TearDown() override { unsetenv("XSP_WORKER_PATH"); }

  Result<Document> Perform(json request) const {
    Context context;
    context.store = store_;
    request["model"] = model_.string();
    request["no_roofs"] = true;
    return api::Perform("run", request, context);
  }
  json Plan(json request) const {
    request["plan"] = true;
    auto document = Perform(std::move(request));
    EXPECT_TRUE(document.ok()) << document.error().what;
    return document.ok() ? ToJson(document.value()) : json();
  }
  void Measure(const std::string& name, json request) const {
    request["name"] = name;
    const auto document = Perform(std::move(request));
    ASSERT_TRUE(document.ok()) << document.error().what;
  }
  static std::vector<std::string> RungsOf(const json& point) {
    std::vector<std::string> rungs;
    for (const json& rung : point["rungs"]) rungs.push_back(rung["rung"]);
    return rungs;
  }
  static std::string Words(const json& plan) {
    std::string words;
    for (const json& sentence : plan["sentences"]) words += sentence.get<std::string>() + "\n";
    return words;
  }

  store::TestFolder folder_;
  fs::path store_ = folder_.path() / "store";
  fs::path model_ = folder_.path() / "model.toy";
};

TEST_F(RunPlanTest, MeasuresAndWritesNothing) {
  const json plan = Plan({{"batch", {1, 4}}});
  EXPECT_EQ(plan["model"], "model");
  ASSERT_EQ(plan["points"].size(), 2U);
  EXPECT_EQ(plan["points"][1]["batch"], 4);
  EXPECT_EQ(plan["points"][1]["backend"], "example");
  EXPECT_THAT(RungsOf(plan["points"][0]), ElementsAre("model", "layer", "kernel", "details"));
  EXPECT_EQ(plan["processes"], 8);
  EXPECT_FALSE(fs::exists(store_));
}

TEST_F(RunPlanTest, WithoutAPastRunTheLimitsAreTheUpperBound) {
  const json plan = Plan({{"time_limit", 5}, {"warmup_limit", 10}});
  EXPECT_TRUE(plan["estimate"]["seconds"].is_null());
  EXPECT_EQ(plan["estimate"]["limit_s"], 3 * (5 + 10));
  EXPECT_THAT(Words(plan), HasSubstr("upper bound"));
  EXPECT_TRUE(plan["points"][0]["stored"].empty());
}

TEST_F(RunPlanTest, AnExactNumberOfCallsHasNoLimit) {
  const json plan = Plan({{"iterations", 12}});
  EXPECT_TRUE(plan["estimate"]["limit_s"].is_null());
  EXPECT_THAT(Words(plan), HasSubstr("not known"));
}

TEST_F(RunPlanTest, RestsOnWhatTheSameTook) {
  Measure("before", {{"iterations", 12}});
  const json plan = Plan({{"iterations", 12}});
  const json& estimate = plan["estimate"];
  ASSERT_TRUE(estimate["seconds"].is_number());
  double seconds = 0;
  for (const char* run : {"b1-model", "b1-layer", "b1-kernel", "b1-details"}) {
    std::ifstream file(store_ / "before" / run / "run.json");
    const json took = core::ParseJson(file)["seconds"];
    seconds += took["start"].get<double>() + took["turns"].get<double>();
  }
  EXPECT_NEAR(estimate["seconds"], seconds, 1e-6 * seconds);
  EXPECT_EQ(plan["points"][0]["stored"][0]["experiment"], "before");
  EXPECT_THAT(Words(plan), HasSubstr("same settings on this machine: before"));
}

TEST_F(RunPlanTest, OfAnotherBatchSizeSaysSo) {
  Measure("before", {{"iterations", 12}, {"batch", {2}}});
  const json plan = Plan({{"iterations", 12}, {"batch", {2, 8}}});
  EXPECT_TRUE(plan["estimate"]["seconds"].is_number());
  EXPECT_EQ(plan["points"][0]["stored"].size(), 1U);
  EXPECT_TRUE(plan["points"][1]["stored"].empty());
  EXPECT_THAT(Words(plan), HasSubstr("Batch size 8 by runs of before with another batch size (2"));
}

TEST_F(RunPlanTest, IsWhatIsMeasuredThen) {
  const json request = {{"iterations", 12}, {"batch", {1, 2}}, {"processes", 2}};
  const json plan = Plan(request);
  json measured = request;
  measured["name"] = "then";
  const auto document = Perform(measured);
  ASSERT_TRUE(document.ok()) << document.error().what;
  EXPECT_EQ(plan["processes"], ToJson(document.value())["runs"].size());
}

TEST_F(RunPlanTest, ErrorsAreThoseOfTheRun) {
  const auto plan = Perform({{"plan", true}, {"backend", {"nobody"}}});
  const auto run = Perform({{"backend", {"nobody"}}});
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().what, run.error().what);
  EXPECT_EQ(Perform({{"plan", true}, {"batch", {1}}, {"precision", "int3"}}).error().kind,
            ErrorKind::kNotPossible);
}

TEST_F(RunPlanTest, ADamagedPastRunIsPassedOver) {
  Measure("before", {{"iterations", 12}, {"depth", "model"}});
  std::ofstream(store_ / "before" / "b1-model" / "run.json") << "{";
  const json plan = Plan({{"iterations", 12}, {"depth", "model"}});
  EXPECT_TRUE(plan["estimate"]["seconds"].is_null());
}

StoredRun RunLike(const std::string& experiment, std::int64_t batch, const std::string& precision) {
  StoredRun run;
  run.experiment = experiment;
  run.rung = "model";
  run.worker = "example";
  run.job = {{"batch", batch}, {"device", "cpu"}, {"precision", precision}};
  run.past.batch = batch;
  return run;
}

TEST(FindClosestTest, PrefersTheSameThenTheNearestBatchSize) {
  const std::vector<StoredRun> runs = {RunLike("a", 8, "default"), RunLike("b", 2, "default"),
                                       RunLike("c", 4, "bfloat16"), RunLike("d", 2, "default"),
                                       RunLike("d", 2, "default")};
  const auto names = [&](std::int64_t batch, const std::string& precision) {
    std::vector<std::string> found;
    const json job = {{"batch", batch}, {"device", "cpu"}, {"precision", precision}};
    for (const StoredRun* run : FindClosest(runs, "example", "model", job).runs)
      found.push_back(run->experiment);
    return found;
  };
  EXPECT_THAT(names(2, "default"), ElementsAre("b", "d"));
  EXPECT_THAT(names(16, "default"), ElementsAre("a"));
  EXPECT_THAT(names(4, "bfloat16"), ElementsAre("c"));
  EXPECT_THAT(names(3, "bfloat16"), ElementsAre("c"));
}

TEST(FindClosestTest, NeverOfAnotherDeviceWorkerOrRung) {
  const std::vector<StoredRun> runs = {RunLike("a", 1, "default")};
  const json job = {{"batch", 1}, {"device", "cpu"}, {"precision", "default"}};
  json on_gpu = job;
  on_gpu["device"] = "cuda:0";
  EXPECT_TRUE(FindClosest(runs, "example", "model", on_gpu).runs.empty());
  EXPECT_TRUE(FindClosest(runs, "other", "model", job).runs.empty());
  EXPECT_TRUE(FindClosest(runs, "example", "layer", job).runs.empty());
  EXPECT_EQ(FindClosest(runs, "example", "model", job).runs.size(), 1U);
}

}  // namespace
}  // namespace xsp::api
