#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "answer/suggest/suggest_testing.h"
#include "api/operations/operation_list.h"
#include "api/operations/suggested_models.h"
#include "store/store_testing.h"

namespace xsp::api {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;

class SuggestOperationTest : public testing::Test {
 protected:
  void SetUp() override { context_.store = folder_.path() / "store"; }

  std::filesystem::path Add(const suggest::TestExperiment& made) const {
    return suggest::Write(made, context_.store);
  }

  json Suggest(const json& request = json::object()) const {
    const auto document = Perform("suggest", request, context_);
    EXPECT_TRUE(document.ok()) << document.error().what;
    return document.ok() ? ToJson(document.value()) : json();
  }

  Error Refused(const json& request) const {
    const auto document = Perform("suggest", request, context_);
    EXPECT_FALSE(document.ok());
    return document.ok() ? Error{ErrorKind::kInternal, "", ""} : document.error();
  }

  store::TestFolder folder_;
  Context context_;
};

TEST_F(SuggestOperationTest, SuggestsTheBestOfWhatTheStoreHas) {
  Add({.name = "fast", .latency_ms = 5});
  Add({.name = "slow", .sha256 = "b", .latency_ms = 50});
  const json document = Suggest({{"bound", {"latency=20ms"}}});
  ASSERT_EQ(document["recommended"], json::array({0}));
  EXPECT_EQ(document["candidates"][0]["experiment"], "fast");
  EXPECT_EQ(document["candidates"][1]["standing"], "excluded");
  EXPECT_EQ(document["bounds"][0]["excludes"], 1);
  EXPECT_EQ(document["candidates"][0]["latency_ns"]["value"], 5e6);
  EXPECT_TRUE(document["candidates"][0]["energy_joules"].is_null());
}

TEST_F(SuggestOperationTest, SucceedsWhereNothingKeepsTheBounds) {
  Add({.name = "x"});
  const json document = Suggest({{"bound", {"latency=1us"}}});
  EXPECT_EQ(document["recommended"], json::array());
  EXPECT_THAT(document["sentences"][0].get<std::string>(), HasSubstr("No candidate keeps"));
}

TEST_F(SuggestOperationTest, RefusesWhatCannotBeAnswered) {
  EXPECT_EQ(Refused(json::object()).kind, ErrorKind::kBadInput) << "an empty store";
  Add({.name = "x"});
  for (const json& request :
       {json{{"bound", {"latency=5"}}}, json{{"bound", {"latency=5ms", "latency=6ms"}}},
        json{{"bound", {"cost=5"}}}, json{{"price", {"0"}}}, json{{"price", {"-1"}}},
        json{{"price", {"x=nan"}}}, json{{"price", {"1", "2"}}}, json{{"since", "yesterday"}},
        json{{"objective", {"speed"}}}, json{{"objective", {"latency", "latency"}}},
        json{{"task", "translation"}}, json{{"predict", "no such machine"}}})
    EXPECT_EQ(Refused(request).kind, ErrorKind::kUsage) << request;
  EXPECT_EQ(Refused({{"since", "2030-01-01"}}).kind, ErrorKind::kBadInput);
}

TEST_F(SuggestOperationTest, OffersPredictionsApartFromMeasurements) {
  Add({.name = "x", .batches = {1, 2}, .has_kernels = true});
  const json document = Suggest({{"predict", "NVIDIA A100-SXM4-80GB"}});
  ASSERT_EQ(document["candidates"].size(), 4U);
  const json& predicted = document["candidates"].back();
  EXPECT_EQ(predicted["standing"], "predicted");
  EXPECT_EQ(predicted["machine"], "A100 SXM4 80 GB");
  EXPECT_THAT(predicted["prediction"].get<std::string>(), HasSubstr("error between batch sizes"));
}

TEST_F(SuggestOperationTest, ReportsDamageAndAnswersFromTheRest) {
  Add({.name = "x"});
  std::ofstream(Add({.name = "y", .sha256 = "b"}) / "run.parquet") << "damaged";
  const json document = Suggest();
  bool is_reported = false;
  for (const json& line : document["method"])
    is_reported =
        is_reported || line.get<std::string>().find("cannot be read") != std::string::npos;
  EXPECT_TRUE(is_reported);
  EXPECT_EQ(document["candidates"][0]["experiment"], "x");
}

json ExperimentOf(const std::string& model, const std::filesystem::path& file,
                  const std::string& manifest = "") {
  return {{"request", {{"model", model}, {"manifest", manifest}}},
          {"model_file", {{"path", file.string()}}}};
}

TEST_F(SuggestOperationTest, FindsTaskAndWeightsInTheZooAndBesideTheModelsFile) {
  SuggestedModels models;
  const suggest::ModelFacts zoo = models.Find(ExperimentOf("tiny", "/cache/zoo/tiny/0123/tiny.pt"));
  EXPECT_EQ(zoo.task, "image classification");
  EXPECT_TRUE(suggest::AreRandom(zoo.weights));
  const std::filesystem::path own = folder_.path() / "net.onnx";
  std::ofstream(folder_.path() / "model.yaml")
      << "name: net\ntask: object detection\nweights: trained\nfiles:\n  onnx: {file: net.onnx}\n";
  EXPECT_EQ(models.Find(ExperimentOf("net.onnx", own)).task, "object detection");
  EXPECT_FALSE(models.Find(ExperimentOf("other.onnx", folder_.path() / "other.onnx")).is_known)
      << "the manifest names another file";
  EXPECT_EQ(models.Find(ExperimentOf("there/model.yaml", own)).weights, "trained");
  EXPECT_FALSE(models.Find(json::object()).is_known);
}

}  // namespace
}  // namespace xsp::api
