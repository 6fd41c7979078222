#include "pipeline/steps/postprocessing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/json_text.h"
#include "pipeline/base/sample_testing.h"

namespace xsp::pipeline {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

Tensor Floats(const char* name, std::vector<std::int64_t> shape, const std::vector<float>& values) {
  Tensor tensor{name, Dtype::kFloat32, std::move(shape), {}};
  tensor.data.resize(values.size() * 4);
  // An empty vector has no address to copy from.
  if (!values.empty()) std::memcpy(tensor.data.data(), values.data(), tensor.data.size());
  return tensor;
}

/// A 100 x 50 image in an input of 200 x 200, twice as large and 50 lower.
const Placement kLetterbox = {100, 50, 200, 200, 2, 2, 0, 50};

std::vector<Prediction> RunSteps(const char* steps, const std::vector<Tensor>& outputs,
                                 std::vector<Placement> placements, std::string* why = nullptr) {
  PostProcessing post;
  Status status = PostProcessing::Build(core::ParseJson(steps), kSamples, post);
  std::vector<TensorView> views;
  for (const Tensor& output : outputs) views.push_back(ViewOf(output));
  std::vector<Prediction> predictions;
  if (status.ok()) status = post.Run(views, placements, predictions);
  if (why) {
    *why = status.ok() ? "" : status.error().what;
  } else {
    EXPECT_TRUE(status.ok()) << status.error().what;
  }
  return predictions;
}

std::string WhyNoOutput(const char* steps, const std::vector<Tensor>& outputs = {}) {
  std::string why;
  RunSteps(steps, outputs, {kLetterbox}, &why);
  return why;
}

TEST(TopK, GivesTheBestOfEachSample) {
  const auto predictions =
      RunSteps(R"([{"step": "softmax"}, {"step": "top_k", "k": 2, "labels": "labels.txt"}])",
               {Floats("y", {2, 3}, {0, std::log(3.f), 0, 1, 1, -1000})}, {{}, {}});
  ASSERT_EQ(predictions.size(), 2u);
  EXPECT_EQ(predictions[0].classes[0].index, 1);
  EXPECT_NEAR(predictions[0].classes[0].score, 0.6, 1e-6);
  EXPECT_EQ(predictions[0].classes[0].label, "dog");
  EXPECT_EQ(predictions[0].classes[1].index, 0);  // equal to class 2
  EXPECT_NEAR(predictions[1].classes[0].score, 0.5, 1e-6);
}

TEST(TopK, PutsWhatIsNotANumberLast) {
  const auto predictions = RunSteps(R"([{"step": "top_k", "k": 9, "first_class": 1}])",
                                    {Floats("y", {1, 4}, {9, NAN, 2, INFINITY})}, {{}});
  ASSERT_EQ(predictions[0].classes.size(), 3u);
  EXPECT_EQ(predictions[0].classes[0].index, 2);
  EXPECT_EQ(predictions[0].classes[2].index, 0);
  EXPECT_TRUE(ToJson(predictions[0])["classes"][2]["score"].is_null());
}

TEST(Boxes, AreGivenInTheOriginalImage) {
  const std::vector<Tensor> outputs = {
      Floats("boxes", {1, 3, 4}, {20, 70, 60, 110, 21, 70, 60, 110, -50, 0, 500, 500}),
      Floats("scores", {1, 3}, {0.8f, 0.9f, 0.01f}), Floats("classes", {1, 3}, {1, 1, 1})};
  const auto predictions = RunSteps(R"([{"step": "boxes", "boxes": "boxes", "scores": "scores",
      "classes": "classes", "labels": "labels.txt"}])",
                                    outputs, {kLetterbox});
  ASSERT_EQ(predictions[0].detections.size(), 1u);
  const Detection& detection = predictions[0].detections[0];
  EXPECT_EQ(detection.row, 1);
  EXPECT_EQ(detection.box.x1, 10.5);
  EXPECT_EQ(detection.box.y1, 10);
  EXPECT_EQ(detection.box.x2, 30);
  EXPECT_EQ(detection.box.y2, 30);
  EXPECT_EQ(detection.label, "dog");
  const json object = ToJson(predictions[0]);
  EXPECT_EQ(object["detections"][0]["box"], core::ParseJson("[10.5, 10.0, 30.0, 30.0]"));
}

TEST(Boxes, FormatsMeanTheSameBox) {
  const std::pair<const char*, std::vector<float>> formats[] = {
      {"xyxy", {0.1f, 0.2f, 0.5f, 0.6f}},
      {"yxyx", {0.2f, 0.1f, 0.6f, 0.5f}},
      {"xywh", {0.1f, 0.2f, 0.4f, 0.4f}},
      {"cxcywh", {0.3f, 0.4f, 0.4f, 0.4f}},
      {"cycxhw", {0.4f, 0.3f, 0.4f, 0.4f}}};
  for (const auto& [format, values] : formats) {
    const std::string steps =
        std::string(R"([{"step": "boxes", "boxes": "b", "scores": "s", "unit": "fraction",
            "background": 0, "activation": "softmax", "format": ")") +
        format + "\"}]";
    const auto predictions =
        RunSteps(steps.c_str(), {Floats("b", {1, 1, 4}, values), Floats("s", {1, 1, 2}, {0, 5})},
                 {{100, 100, 100, 100, 1, 1, 0, 0}});
    ASSERT_EQ(predictions[0].detections.size(), 1u) << format;
    EXPECT_NEAR(predictions[0].detections[0].box.x1, 10, 1e-4) << format;
    EXPECT_NEAR(predictions[0].detections[0].box.y1, 20, 1e-4) << format;
    EXPECT_NEAR(predictions[0].detections[0].box.x2, 50, 1e-4) << format;
    EXPECT_NEAR(predictions[0].detections[0].box.y2, 60, 1e-4) << format;
    EXPECT_NEAR(predictions[0].detections[0].score, 1 / (1 + std::exp(-5.0)), 1e-6);
  }
}

TEST(Boxes, AreDecodedFromPriors) {
  // Zero offsets: the priors themselves; boxes along the last axis.
  const std::vector<Tensor> outputs = {Floats("b", {1, 4, 2}, std::vector<float>(8, 0)),
                                       Floats("s", {1, 1, 2}, {0.9f, 0.8f})};
  const char* by_file = R"([{"step": "boxes", "boxes": "b", "scores": "s", "anchors_last": true,
                             "priors": {"file": "priors.json"}}])";
  const auto predictions = RunSteps(by_file, outputs, {{100, 100, 100, 100, 1, 1, 0, 0}});
  ASSERT_EQ(predictions[0].detections.size(), 2u);
  EXPECT_NEAR(predictions[0].detections[0].box.x1, 40, 1e-9);
  EXPECT_NEAR(predictions[0].detections[0].box.y2, 70, 1e-9);
  EXPECT_NEAR(predictions[0].detections[1].box.x1, 20, 1e-9);
  const char* by_maps = R"([{"step": "boxes", "boxes": "b", "scores": "s", "anchors_last": true,
      "priors": {"maps": [{"rows": 1, "columns": 2, "boxes": [[0.2, 0.4]]}]}}])";
  const auto others = RunSteps(by_maps, outputs, {{100, 100, 100, 100, 1, 1, 0, 0}});
  ASSERT_EQ(others[0].detections.size(), 2u);
  EXPECT_NEAR(others[0].detections[0].box.x1, 15, 1e-9);
  EXPECT_NEAR(others[0].detections[1].box.x1, 65, 1e-9);
}

TEST(Masks, ArePastedAtTheirBoxes) {
  const auto predictions = RunSteps(
      R"([{"step": "boxes", "boxes": "b", "scores": "s", "classes": "c", "batched": false},
          {"step": "masks", "output": "m", "batched": false}])",
      {Floats("b", {1, 4}, {40, 70, 120, 130}), Floats("s", {1}, {0.9f}), Floats("c", {1}, {3}),
       Floats("m", {1, 1, 2, 2}, {1, 1, 1, 1})},
      {kLetterbox});
  const core::Mask& mask = predictions[0].detections.at(0).mask;
  EXPECT_EQ(mask.width, 100u);
  EXPECT_EQ(mask.height, 50u);
  const std::vector<std::uint8_t> bitmap = core::BitmapOf(mask);
  EXPECT_EQ(bitmap[25 * 100 + 40], 1);
  EXPECT_EQ(bitmap[25 * 100 + 80], 0);
  EXPECT_EQ(ToJson(predictions[0])["detections"][0]["mask"]["size"], core::ParseJson("[50, 100]"));
}

TEST(Text, JoinsPiecesUpToTheEnd) {
  const auto predictions = RunSteps(R"([{"step": "text", "vocabulary": "vocabulary.txt"}])",
                                    {Floats("ids", {1, 7}, {2, 4, 8, 10, 99, 3, 5})}, {{}});
  EXPECT_EQ(predictions[0].text, "the jumped <99>");
  EXPECT_THAT(predictions[0].ids, ElementsAre(4, 8, 10, 99));
  const auto words = RunSteps(
      R"([{"step": "text", "vocabulary": "words.txt", "method": "words", "from": "scores"}])",
      {Floats("y", {1, 3, 6}, {0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0})}, {{}});
  EXPECT_EQ(words[0].text, "hello world");
}

TEST(PostProcessing, TellsWhichParameterOfWhichStepIsWrong) {
  PostProcessing built;
  std::vector<Error> all;
  ASSERT_FALSE(PostProcessing::Build(
                   core::ParseJson(R"([{"step": "softmax"}, {"step": "top_k", "labels": "none.txt"},
                      {"step": "masks", "output": "m"},
                      {"step": "boxes", "boxes": "b", "scores": "s", "priors": {"file": "no.json"}}])"),
                   kSamples, built, &all)
                   .ok());
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].step, 1);
  EXPECT_EQ(all[0].field, "labels");
  EXPECT_EQ(all[1].step, 3);
  EXPECT_EQ(all[1].field, "priors");
}

TEST(PostProcessing, SaysWhatIsWrong) {
  EXPECT_THAT(WhyNoOutput(R"([{"step": "top_k", "output": "z"}])", {Floats("y", {1, 1}, {0})}),
              HasSubstr("top_k: the model has no output of this name: z"));
  EXPECT_THAT(WhyNoOutput(R"([{"step": "top_k"}])"), HasSubstr("no output"));
  EXPECT_THAT(WhyNoOutput(R"([{"step": "top_k"}])", {Floats("y", {0, 5}, {})}),
              HasSubstr("no row for sample 0"));
  EXPECT_THAT(WhyNoOutput(R"([{"step": "masks", "output": "m"}])"),
              HasSubstr("no step before it gives detections"));
  EXPECT_THAT(
      WhyNoOutput(R"([{"step": "boxes", "boxes": "b", "scores": "s"}])",
                  {Floats("b", {1, 2, 3}, std::vector<float>(6)), Floats("s", {1, 2}, {0, 0})}),
      HasSubstr("must be [boxes, 4]"));
  EXPECT_THAT(WhyNoOutput(R"([{"step": "top_k", "labels": "none.txt"}])"),
              HasSubstr("cannot open"));
  EXPECT_THAT(WhyNoOutput(R"([{"step": "text"}])"), HasSubstr("vocabulary is missing"));
  EXPECT_THAT(WhyNoOutput(R"([{"step": "nms"}])"), HasSubstr("no step of this name"));
}

}  // namespace
}  // namespace xsp::pipeline
