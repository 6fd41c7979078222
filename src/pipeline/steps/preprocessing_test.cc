#include "pipeline/steps/preprocessing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "capture/wire/reader.h"
#include "capture/wire/xsp.h"
#include "core/json_text.h"
#include "pipeline/image/sample_image_testing.h"

namespace xsp::pipeline {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

Prepared RunSteps(const char* steps, const RawInput& input) {
  PreProcessing built;
  Status status = PreProcessing::Build(core::ParseJson(steps), kSamples, built);
  Prepared prepared;
  if (status.ok()) status = built.Run(input, prepared);
  EXPECT_TRUE(status.ok()) << status.error().what;
  return prepared;
}

std::vector<double> ValuesOf(const Tensor& tensor) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < *ElementCount(tensor.shape); ++i) {
    values.push_back(ElementAt(tensor.data.data(), tensor.dtype, i));
  }
  return values;
}

/// Why the steps cannot be built; empty when they can.
std::string WhyNoInput(const char* steps) {
  PreProcessing built;
  const Status status = PreProcessing::Build(core::ParseJson(steps), ".", built);
  if (status.ok()) return "";
  EXPECT_EQ(status.error().kind, ErrorKind::kBadInput);
  return status.error().what + " | " + status.error().hint;
}

TEST(PreProcessing, ChecksEachStepAgainstTheOneBefore) {
  EXPECT_EQ(WhyNoInput(R"([{"step": "decode"}, {"step": "resize", "width": 8, "height": 8}])"), "");
  EXPECT_THAT(WhyNoInput(R"([{"step": "resize", "width": 8, "height": 8}])"),
              HasSubstr("step 1, resize: it needs an image"));
  EXPECT_THAT(WhyNoInput(R"([{"step": "decode"}, {"step": "normalise"},
                         {"step": "resize", "width": 8, "height": 8}])"),
              HasSubstr("step 3, resize: it needs 8 bit pixels"));
  EXPECT_THAT(WhyNoInput(R"([{"step": "decode"}, {"step": "decode"}])"),
              HasSubstr("the first step"));
}

TEST(PreProcessing, NamesWhatIsWrongWithAParameter) {
  EXPECT_THAT(WhyNoInput(R"([{"step": "decode"}, {"step": "resize", "width": 8, "tall": 8}])"),
              HasSubstr("resize: height is missing"));
  EXPECT_THAT(WhyNoInput(R"([{"step": "decode", "color": "rgb"}])"),
              HasSubstr("no parameter of this name: \"color\" | it takes: colour, orientation"));
  EXPECT_THAT(WhyNoInput(R"([{"step": "dekode"}])"), HasSubstr("no step of this name: \"dekode\""));
  EXPECT_THAT(WhyNoInput(R"([{"step": "decode"}, {"step": "crop", "width": -1, "height": 3}])"),
              HasSubstr("an integer from 1 to 65535: -1"));
  EXPECT_THAT(WhyNoInput(R"([{"step": "decode"}, {"step": "normalise", "std": [1, 0, 1]}])"),
              HasSubstr("std must not be 0"));
  EXPECT_THAT(WhyNoInput(R"([{"step": "decode"}, {"step": "normalise", "mean": [1, 2]}])"),
              HasSubstr("2 values, 3 channels"));
  EXPECT_THAT(WhyNoInput(R"({"step": "decode"})"), HasSubstr("must be a list"));
  EXPECT_THAT(WhyNoInput("[]"), HasSubstr("at least one step"));
}

TEST(PreProcessing, TellsWhichParameterOfWhichStepIsWrong) {
  PreProcessing built;
  std::vector<Error> all;
  const Status first = PreProcessing::Build(
      core::ParseJson(R"([{"step": "decode"}, {"step": "resize", "width": 0, "height": 8},
                      {"step": "decode"}, {"step": "normalise", "mean": 1, "std": 0},
                      {"step": "crop", "height": 8}, {"step": "layout", "ordre": "nchw"}])"),
      ".", built, &all);
  ASSERT_EQ(all.size(), 4u);
  ASSERT_FALSE(first.ok());
  EXPECT_EQ(first.error().what, all[0].what);
  const auto at = [&](std::size_t i) { return std::pair(all[i].step, all[i].field); };
  EXPECT_EQ(at(0), std::pair(1, std::string("width")));
  // Whether `decode` can follow a wrong step is not asked.
  EXPECT_EQ(at(1), std::pair(3, std::string("std")));
  EXPECT_EQ(at(2), std::pair(4, std::string()));
  EXPECT_EQ(at(3), std::pair(5, std::string("ordre")));
  EXPECT_EQ(built.size(), 0u);
}

TEST(PreProcessing, TellsTheParameterThatNamesAFileOrToken) {
  PreProcessing built;
  Status status = PreProcessing::Build(
      core::ParseJson(R"([{"step": "tokenise", "vocabulary": "none.txt", "max_length": 8}])"),
      kSamples, built);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().field, "vocabulary");
  EXPECT_THAT(status.error().what, HasSubstr("step 1, tokenise: cannot open a file"));
  status = PreProcessing::Build(
      core::ParseJson(R"([{"step": "decode"}, {"step": "normalise", "mean": [1, 2]}])"), ".",
      built);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().field, "mean");
}

TEST(PreProcessing, PreparesAnImageAsImageNetModelsWantIt) {
  const std::string bytes = SampleBytes("photo.jpg");
  const Prepared prepared = RunSteps(R"([{"step": "decode"}, {"step": "resize", "shorter_side": 24},
      {"step": "crop", "width": 20, "height": 16}, {"step": "colour_order", "order": "bgr"},
      {"step": "normalise", "scale": 0.00392156862745098, "mean": [0.4, 0.5, 0.6], "std": 0.5},
      {"step": "layout", "order": "nchw"}])",
                                     {bytes, {}, {}});
  ASSERT_EQ(prepared.tensors.size(), 1u);
  const Tensor& tensor = prepared.tensors[0];
  EXPECT_THAT(tensor.shape, ElementsAre(3, 16, 20));
  EXPECT_EQ(tensor.dtype, Dtype::kFloat32);
  // 64 x 48 becomes 32 x 24, of which the middle is taken: (6, 4).
  Image small;
  ASSERT_TRUE(Resize(SampleImage("photo.jpg"), 32, 24, ResizeLike::kPil, small).ok());
  const std::vector<double> values = ValuesOf(tensor);
  const double mean[3] = {0.4, 0.5, 0.6};
  for (int c = 0; c < 3; ++c) {
    for (int y = 0; y < 16; ++y) {
      for (int x = 0; x < 20; ++x) {
        const double pixel = small.Row(y + 4)[(x + 6) * 3 + 2 - c] / 255.0;
        ASSERT_NEAR(values[(c * 16 + y) * 20 + x], (pixel - mean[c]) / 0.5, 1e-6);
      }
    }
  }
  EXPECT_EQ(prepared.placement.scale_x, 0.5);
  EXPECT_EQ(prepared.placement.offset_x, -6);
  EXPECT_EQ(prepared.placement.original_height, 48);
  EXPECT_EQ(prepared.placement.input_width, 20);
}

TEST(PreProcessing, OrderOfTensorStepsDoesNotMatter) {
  const std::string bytes = SampleBytes("rgb.png");
  const RawInput input{bytes, {}, {}};
  const auto values = [&](const char* steps) {
    return ValuesOf(RunSteps(steps, input).tensors[0]);
  };
  const std::vector<double> one =
      values(R"([{"step": "decode"}, {"step": "colour_order", "order": "bgr"},
          {"step": "normalise", "mean": [1, 2, 3]}, {"step": "layout"}])");
  EXPECT_EQ(one,
            values(R"([{"step": "decode"}, {"step": "layout"}, {"step": "cast", "to": "float32"},
      {"step": "colour_order", "order": "bgr"}, {"step": "normalise", "mean": [1, 2, 3]}])"));
  EXPECT_EQ(one, values(R"([{"step": "decode"}, {"step": "normalise", "mean": [3, 2, 1]},
      {"step": "layout", "order": "nchw"}, {"step": "colour_order", "order": "bgr"},
      {"step": "layout", "order": "nhwc"}, {"step": "layout", "order": "nchw"}])"));
}

TEST(PreProcessing, LetterboxTellsWhereTheImageIs) {
  const std::string bytes = SampleBytes("rgb.png");  // 16 x 12
  const Prepared prepared = RunSteps(R"([{"step": "decode"}, {"step": "letterbox", "width": 32,
      "height": 32, "value": 7}, {"step": "pad", "multiple_of": 20}])",
                                     {bytes, {}, {}});
  EXPECT_THAT(prepared.tensors[0].shape, ElementsAre(40, 40, 3));
  EXPECT_EQ(prepared.placement.scale_y, 2);
  EXPECT_EQ(prepared.placement.offset_y, 4);
  EXPECT_EQ(prepared.placement.offset_x, 0);
  EXPECT_EQ(ValuesOf(prepared.tensors[0])[0], 7);
}

TEST(PreProcessing, FollowsTheSizeRulesOfTorchvision) {
  const std::string bytes = SampleBytes("photo.jpg");  // 64 x 48
  const auto shape = [&](const char* step) {
    return RunSteps((R"([{"step": "decode"}, )" + std::string(step) + "]").c_str(), {bytes, {}, {}})
        .tensors[0]
        .shape;
  };
  EXPECT_THAT(shape(R"({"step": "resize", "shorter_side": 31})"), ElementsAre(31, 41, 3));
  EXPECT_THAT(shape(R"({"step": "resize", "shorter_side": 60, "longer_side": 70})"),
              ElementsAre(52, 70, 3));
  EXPECT_THAT(shape(R"({"step": "resize", "longer_side": 32})"), ElementsAre(24, 32, 3));
  EXPECT_THAT(shape(R"({"step": "crop", "fraction": 0.875})"), ElementsAre(42, 56, 3));
}

TEST(PreProcessing, TokenisesPairs) {
  const char* steps = R"([{"step": "tokenise", "vocabulary": "vocabulary.txt", "max_length": 12,
                           "lengths": "n"}])";
  const Prepared prepared = RunSteps(steps, {{}, "The lazy fox", "jumped!"});
  ASSERT_EQ(prepared.tensors.size(), 4u);
  EXPECT_EQ(prepared.tensors[0].name, "input_ids");
  EXPECT_THAT(ValuesOf(prepared.tensors[0]), ElementsAre(2, 4, 12, 13, 7, 3, 8, 10, 17, 3, 0, 0));
  EXPECT_THAT(ValuesOf(prepared.tensors[1]), ElementsAre(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0));
  EXPECT_THAT(ValuesOf(prepared.tensors[2]), ElementsAre(0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0));
  EXPECT_THAT(ValuesOf(prepared.tensors[3]), ElementsAre(10));
  EXPECT_TRUE(prepared.tensors[3].shape.empty());
}

TEST(PreProcessing, TokenisesWords) {
  const Prepared prepared = RunSteps(
      R"([{"step": "tokenise", "vocabulary": "words.txt", "method": "words", "max_length": 4,
               "padding": "none", "end": "</s>", "dtype": "int32", "ids": "src"}])",
      {{}, "Hello there world and more", {}});
  ASSERT_EQ(prepared.tensors.size(), 1u);
  EXPECT_EQ(prepared.tensors[0].dtype, Dtype::kInt32);
  EXPECT_THAT(ValuesOf(prepared.tensors[0]), ElementsAre(4, 1, 5, 3));
}

TEST(PreProcessing, NamesTheStepThatASampleStopsAt) {
  PreProcessing built;
  ASSERT_TRUE(
      PreProcessing::Build(
          core::ParseJson(R"([{"step": "decode"}, {"step": "crop", "width": 65, "height": 1}])"),
          ".", built)
          .ok());
  Prepared prepared;
  EXPECT_THAT(built.Run({"nothing", {}, {}}, prepared).error().what,
              HasSubstr("decode: the file is nei"));
  const std::string bytes = SampleBytes("photo.jpg");
  EXPECT_THAT(built.Run({bytes, {}, {}}, prepared).error().what,
              HasSubstr("crop: the crop is not inside"));
}

class Spans : public wire::RecordSink {
 public:
  std::vector<std::string> seen;

  void OnSpan(const wire::SpanRecord& span) override {
    seen.push_back(std::to_string(span.level) + " " + std::string(span.type) + " " +
                   std::string(span.name));
  }
  void OnMetric(const wire::MetricRecord&) override {}
  void OnAttribute(const wire::AttributeRecord&) override {}
  void OnMark(const wire::MarkRecord&) override {}
  void OnCounter(const wire::CounterRecord&) override {}
};

TEST(PreProcessing, RecordsEachStepAsARange) {
  const std::string path = testing::TempDir() + "pipeline_steps.xspr";
  ASSERT_EQ(xsp_open(path.c_str(), nullptr), 0);
  const std::string bytes = SampleBytes("rgb.png");
  RunSteps(R"([{"step": "decode"}, {"step": "layout"}])", {bytes, {}, {}});
  xsp_close();
  wire::ReadError error;
  const auto reader = wire::Reader::Open(path, &error);
  ASSERT_TRUE(reader) << error.what;
  Spans spans;
  reader->Read(spans);
  EXPECT_THAT(spans.seen, ElementsAre("0 range decode", "0 range layout"));
}

}  // namespace
}  // namespace xsp::pipeline
