#include "api/operations/run_against.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "api/operations/operation_list.h"
#include "store/store_testing.h"

// cmake/Paths.cmake.
extern const char kTestWorkerFolder[];

namespace xsp::api {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

TEST(OtherRequest, DiffersInModelAndSettings) {
  requests::ExperimentRequest experiment;
  experiment.model = "after.onnx";
  experiment.manifest = "after.yaml";
  experiment.threads = 4;
  const auto other =
      OtherRequest(experiment, {"before.onnx", {"threads=2", "graph=eager", "backend=torch"}});
  ASSERT_TRUE(other.ok());
  EXPECT_EQ(other.value().model, "before.onnx");
  EXPECT_EQ(other.value().manifest, "");
  EXPECT_EQ(other.value().threads, 2);
  EXPECT_EQ(other.value().graph, "eager");
  EXPECT_EQ(other.value().backends, std::vector<std::string>{"torch"});
  const auto same = OtherRequest(experiment, {"", {"precision=bfloat16"}});
  ASSERT_TRUE(same.ok());
  EXPECT_EQ(same.value().model, "after.onnx");
  EXPECT_EQ(same.value().manifest, "after.yaml");
  EXPECT_EQ(same.value().precision, "bfloat16");
}

TEST(OtherRequest, RefusesWhatCannotBeMeant) {
  const requests::ExperimentRequest experiment;
  for (const char* setting : {"threads", "threads=", "threads=-1", "threads=2x", "batch=2",
                              "worker=/bin/sh", "=2", "graph=", "backend=all"}) {
    const auto other = OtherRequest(experiment, {"", {setting}});
    ASSERT_FALSE(other.ok()) << setting;
    EXPECT_EQ(other.error().kind, ErrorKind::kUsage);
    EXPECT_THAT(other.error().what, HasSubstr(setting));
  }
  requests::ExperimentRequest loaded;
  loaded.scenario.kind = "server";
  EXPECT_THAT(OtherRequest(loaded, {"m", {}}).error().hint, HasSubstr("--scenario"));
  requests::ExperimentRequest of_a_program;
  of_a_program.worker = "/bin/worker";
  EXPECT_THAT(OtherRequest(of_a_program, {"", {"backend=torch"}}).error().hint,
              HasSubstr("--worker"));
  requests::ExperimentRequest several;
  several.backends = {"torch", "onnxruntime"};
  EXPECT_THAT(OtherRequest(several, {"m", {}}).error().hint, HasSubstr("--against-setting"));
}

/// `xsp run` with the toy worker.
class RunAgainstTest : public testing::Test {
 protected:
  void SetUp() override {
    setenv("XSP_WORKER_PATH", kTestWorkerFolder, 1);
    std::ofstream(folder_.path() / "after.toy") << "input 64\ndense 128\nrelu\ndense 10\nsoftmax\n";
    std::ofstream(folder_.path() / "before.toy") << "input 64\ndense 128\ndense 10\nsoftmax\n";
  }
  void TearDown() override { unsetenv("XSP_WORKER_PATH"); }

  json Run(json request) const {
    Context context;
    context.store = store_;
    request["model"] = (folder_.path() / "after.toy").string();
    request["no_roofs"] = true;
    request["iterations"] = 8;
    request["depth"] = "layer";
    auto document = api::Perform("run", request, context);
    EXPECT_TRUE(document.ok()) << document.error().what;
    return document.ok() ? ToJson(document.value()) : json();
  }
  std::string Before() const { return (folder_.path() / "before.toy").string(); }

  store::TestFolder folder_;
  fs::path store_ = folder_.path() / "store";
};

TEST_F(RunAgainstTest, StoresBothAndComparesThemAtEachBatchSize) {
  const json document =
      Run({{"against", Before()}, {"name", "new"}, {"processes", 3}, {"batch", {1, 4}}});
  EXPECT_EQ(document["experiment"], (store_ / "new").string());
  EXPECT_EQ(document["against"]["experiment"], (store_ / "new-against").string());
  EXPECT_EQ(document["against"]["status"], "done");
  const json& pairs = document["comparison"]["pairs"];
  ASSERT_EQ(pairs.size(), 2U);
  for (const json& pair : pairs) {
    // Measured together: what sessions differ by is in both.
    EXPECT_TRUE(pair["sessions"].is_null());
    EXPECT_TRUE(pair["ratio"].is_number());
    EXPECT_EQ(pair["sides"][0]["processes"], 3);
    bool has_only_after = false;
    for (const json& row : pair["rows"])
      has_only_after |= row["kind"] == "operator" && row["a_ns"].is_null();
    EXPECT_TRUE(has_only_after);  // relu
  }
  EXPECT_EQ(pairs[0]["sides"][0]["name"], "new-against#batch=1");
  EXPECT_EQ(pairs[1]["sides"][1]["name"], "new#batch=4");
  EXPECT_EQ(pairs[1]["sides"][1]["batch"], 4);
}

TEST_F(RunAgainstTest, ASettingAloneComparesTheModelWithItself) {
  const json document = Run({{"against_setting", {"threads=1"}}, {"name", "new"}});
  const json& pair = document["comparison"]["pairs"][0];
  EXPECT_EQ(pair["sides"][0]["model"], pair["sides"][1]["model"]);
  EXPECT_EQ(pair["sides"][0]["processes"], 5);
  EXPECT_EQ(pair["sides"][0]["name"], "new-against");
  ASSERT_EQ(pair["results"].size(), 1U);
  EXPECT_EQ(pair["results"][0]["shape"], "[1,10]");
  EXPECT_EQ(pair["results"][0]["largest_difference"], 0);
  EXPECT_TRUE(pair["results"][0]["message"].is_null());
}

TEST_F(RunAgainstTest, ThePlanHasBothAndAsManyProcesses) {
  const json request = {{"against", Before()}, {"name", "new"}};
  json planned = request;
  planned["plan"] = true;
  const json plan = Run(planned);
  EXPECT_FALSE(fs::exists(store_));
  const json document = Run(request);
  EXPECT_EQ(plan["processes"], document["runs"].size());
  EXPECT_EQ(plan["against"]["processes"], document["against"]["runs"].size());
}

}  // namespace
}  // namespace xsp::api
