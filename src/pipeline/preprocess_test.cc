#include "pipeline/preprocess.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace xsp::pipeline {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// Why the steps cannot be built; empty when they can.
std::string WhyNot(const char* steps) {
  PreProcessing built;
  const MaybeFailure failure = PreProcessing::Build(json::parse(steps), ".", built);
  if (!failure) return "";
  EXPECT_EQ(failure->kind, FailureKind::kBadInput);
  return failure->what + " | " + failure->hint;
}

TEST(PreProcessing, ChecksEachStepAgainstTheOneBefore) {
  EXPECT_EQ(WhyNot(R"([{"step": "decode"}, {"step": "resize", "width": 8, "height": 8}])"), "");
  EXPECT_THAT(WhyNot(R"([{"step": "resize", "width": 8, "height": 8}])"),
              HasSubstr("step 1, resize: it needs an image"));
  EXPECT_THAT(WhyNot(R"([{"step": "decode"}, {"step": "normalise"},
                         {"step": "resize", "width": 8, "height": 8}])"),
              HasSubstr("step 3, resize: it needs 8 bit pixels"));
  EXPECT_THAT(WhyNot(R"([{"step": "decode"}, {"step": "decode"}])"), HasSubstr("the first step"));
}

TEST(PreProcessing, NamesWhatIsWrongWithAParameter) {
  EXPECT_THAT(WhyNot(R"([{"step": "decode"}, {"step": "resize", "width": 8, "hieght": 8}])"),
              HasSubstr("resize: height is missing"));
  EXPECT_THAT(WhyNot(R"([{"step": "decode", "color": "rgb"}])"),
              HasSubstr("no parameter of this name: \"color\" | it takes: colour, orientation"));
  EXPECT_THAT(WhyNot(R"([{"step": "dekode"}])"), HasSubstr("no step of this name: \"dekode\""));
  EXPECT_THAT(WhyNot(R"([{"step": "decode"}, {"step": "crop", "width": -1, "height": 3}])"),
              HasSubstr("an integer from 1 to 65535: -1"));
  EXPECT_THAT(WhyNot(R"([{"step": "decode"}, {"step": "normalise", "std": [1, 0, 1]}])"),
              HasSubstr("std must not be 0"));
  EXPECT_THAT(WhyNot(R"([{"step": "decode"}, {"step": "normalise", "mean": [1, 2]}])"),
              HasSubstr("2 values, 3 channels"));
  EXPECT_THAT(WhyNot(R"({"step": "decode"})"), HasSubstr("must be a list"));
  EXPECT_THAT(WhyNot("[]"), HasSubstr("at least one step"));
}

}  // namespace
}  // namespace xsp::pipeline
