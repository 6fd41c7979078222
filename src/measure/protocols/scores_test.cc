#include "measure/protocols/scores.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>

namespace xsp::protocols {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

SampleResult ResultAt(std::size_t position, json prediction) {
  return {position, "s" + std::to_string(position), std::move(prediction), ""};
}

json Classes(const std::vector<int>& ranked) {
  json list = json::array();
  for (int index : ranked) list.push_back({{"index", index}, {"score", 1}});
  return {{"classes", list}};
}

pipeline::GroundTruth Label(std::int64_t label) {
  pipeline::GroundTruth truth;
  truth.label = label;
  return truth;
}

std::map<std::string, double> Values(const std::vector<Score>& scores) {
  std::map<std::string, double> values;
  for (const Score& score : scores)
    if (score.value) values[score.metric] = *score.value;
  return values;
}

TEST(ScorePredictions, CountsLabelsAmongTheFirst) {
  const std::vector<SampleResult> results = {ResultAt(0, Classes({3, 1, 2, 4, 5})),
                                             ResultAt(1, Classes({1, 3, 2, 4, 5})),
                                             {2, "damaged", json(), "decode: empty"},
                                             ResultAt(3, Classes({9, 8, 7, 6, 5}))};
  const std::vector<pipeline::GroundTruth> truths = {Label(3), Label(3), Label(3), Label(3)};
  const auto scores = ScorePredictions(results, truths);
  EXPECT_DOUBLE_EQ(Values(scores)["top_1"], 1.0 / 3);
  EXPECT_DOUBLE_EQ(Values(scores)["top_5"], 2.0 / 3);
  EXPECT_EQ(scores[0].samples, 3);
}

TEST(ScorePredictions, LeavesOutTop5WhereFewerAreNamed) {
  const std::vector<SampleResult> results = {ResultAt(0, Classes({3}))};
  const auto values = Values(ScorePredictions(results, std::vector{Label(3)}));
  EXPECT_TRUE(values.contains("top_1"));
  EXPECT_FALSE(values.contains("top_5"));
}

json Box(double x1, double y1, double x2, double y2, int index, double score) {
  return {{"box", {x1, y1, x2, y2}}, {"index", index}, {"score", score}};
}

pipeline::GroundTruth Object(double x, double y, double width, double height) {
  pipeline::GroundTruth truth;
  truth.has_objects = true;
  truth.objects.push_back({7, {x, y, width, height}, width * height, false, ""});
  return truth;
}

TEST(ScorePredictions, ScoresDetectionsAsCoco) {
  const std::vector<SampleResult> results = {
      ResultAt(0, {{"detections", {Box(10, 10, 60, 60, 7, 0.9)}}}),
      ResultAt(1, {{"detections", json::array()}})};
  const std::vector<pipeline::GroundTruth> truths = {Object(10, 10, 50, 50), Object(0, 0, 50, 50)};
  const auto values = Values(ScorePredictions(results, truths));
  // One of two objects, found exactly: precision 1 up to recall 0.5, which are 51 of 101 recalls.
  EXPECT_NEAR(values.at("ap"), 51.0 / 101, 1e-12);
  EXPECT_NEAR(values.at("ar_100"), 0.5, 1e-12);
  EXPECT_FALSE(values.contains("ap_small"));
}

TEST(ScorePredictions, ScoresMasksFromRunLengthsAndSaysSoOfPolygons) {
  json detection = Box(0, 0, 2, 2, 7, 0.9);
  detection["mask"] = {{"size", {2, 2}}, {"counts", {0, 4}}};
  const std::vector<SampleResult> results = {ResultAt(0, {{"detections", {detection}}})};
  pipeline::GroundTruth truth = Object(0, 0, 2, 2);
  truth.objects[0].segmentation = R"({"size": [2, 2], "counts": [0, 4]})";
  EXPECT_DOUBLE_EQ(Values(ScorePredictions(results, std::vector{truth}))["ap_mask"], 1);
  truth.objects[0].segmentation = "[[0, 0, 2, 0, 2, 2]]";
  const auto scores = ScorePredictions(results, std::vector{truth});
  EXPECT_EQ(scores.back().metric, "ap_mask");
  EXPECT_FALSE(scores.back().value);
  EXPECT_THAT(scores.back().message, HasSubstr("polygons"));
}

TEST(ScorePredictions, ScoresTexts) {
  pipeline::GroundTruth truth;
  truth.text = "the cat sat on the mat";
  const std::vector<SampleResult> results = {ResultAt(0, {{"text", "the cat sat on the mat"}})};
  const auto values = Values(ScorePredictions(results, std::vector{truth}));
  EXPECT_NEAR(values.at("bleu"), 100, 1e-9);
  EXPECT_DOUBLE_EQ(values.at("exact_match"), 1);
  EXPECT_DOUBLE_EQ(values.at("answer_f1"), 1);
}

TEST(ScorePredictions, SaysNothingWhereKindsDiffer) {
  const std::vector<SampleResult> results = {ResultAt(0, Classes({1, 2}))};
  EXPECT_THAT(ScorePredictions(results, std::vector{Object(0, 0, 1, 1)}), IsEmpty());
}

TEST(ScoreAgreement, ComparesTheSameSamples) {
  const std::vector<SampleResult> mine = {
      ResultAt(0, Classes({1, 2})), ResultAt(1, Classes({1, 2})), ResultAt(2, Classes({1, 2}))};
  const std::vector<SampleResult> theirs = {
      ResultAt(2, Classes({2, 1})), ResultAt(1, Classes({1})), {0, "s0", json(), "gone"}};
  const auto scores = ScoreAgreement(mine, theirs);
  ASSERT_THAT(scores, SizeIs(1));
  EXPECT_EQ(scores[0].metric, "same_top_1");
  EXPECT_DOUBLE_EQ(*scores[0].value, 0.5);
  EXPECT_EQ(scores[0].samples, 2);
}

TEST(ReadPredictions, LeavesOutALineThatWasCutOff) {
  const std::string path = testing::TempDir() + "predictions.jsonl";
  std::ofstream(path) << R"({"position": 0, "sample": "a", "prediction": {"text": "x"}})" << '\n'
                      << R"({"position": 1, "sample": "b", "error": "empty"})" << '\n'
                      << R"({"position": 2, "sam)";
  const auto results = ReadPredictions(path).value();
  ASSERT_THAT(results, SizeIs(2));
  EXPECT_EQ(results[0].prediction["text"], "x");
  EXPECT_EQ(results[1].error, "empty");
}

}  // namespace
}  // namespace xsp::protocols
