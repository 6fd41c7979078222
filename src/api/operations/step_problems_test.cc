#include "api/operations/step_problems.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace xsp::api {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

/// "LINE:COLUMN: WHAT" of every problem with the steps of a manifest.
std::vector<std::string> ProblemsOf(const std::string& manifest) {
  std::vector<std::string> lines;
  for (const manifest::Problem& problem :
       StepProblems(manifest::ParseManifest(manifest).manifest, ".")) {
    EXPECT_TRUE(problem.error);
    lines.push_back(manifest::ToString(problem, ""));
  }
  return lines;
}

TEST(StepProblems, AreNoneWhereBothPipelinesCanBeBuilt) {
  EXPECT_THAT(ProblemsOf("name: net\n"), IsEmpty());
  EXPECT_THAT(ProblemsOf("name: net\npreprocess: []\n"), IsEmpty());
  EXPECT_THAT(ProblemsOf("preprocess: [{step: decode}, {step: normalise, mean: [1, 2, 3]}]\n"
                         "postprocess: [{step: softmax}, {step: top_k, k: 3}]\n"),
              IsEmpty());
}

TEST(StepProblems, StandAtTheParameterElseAtTheStep) {
  EXPECT_THAT(ProblemsOf("name: net\n"
                         "preprocess:\n"
                         "  - {step: decode, color: rgb}\n"
                         "  - step: resize\n"
                         "    width: 224\n"
                         "  - {step: crop,\n"
                         "     width: 8, height: none}\n"
                         "postprocess:\n"
                         "  - {step: top_k, k: 0}\n"
                         "  - {step: masks, output: m}\n"),
              ElementsAre(":3:20: pre-processing step 1, decode: there is no parameter of this "
                          "name: \"color\" (it takes: colour, orientation)",
                          ":4:5: pre-processing step 2, resize: height is missing",
                          StartsWith(":7:16: pre-processing step 3, crop: height must be an "
                                     "integer"),
                          StartsWith(":9:19: post-processing step 1, top_k: k must be an "
                                     "integer")));
}

TEST(StepProblems, StandAtTheStepThatCannotFollow) {
  EXPECT_THAT(ProblemsOf("preprocess: [{step: decode}, {step: layout}, {step: crop, fraction: 1}]\n"
                         "postprocess: [{step: masks, output: m}]\n"),
              ElementsAre(StartsWith(":1:46: pre-processing step 3, crop: it needs 8 bit pixels"),
                          ":2:15: post-processing step 1, masks: no step before it gives "
                          "detections"));
}

TEST(StepProblems, AreFilesThatAreNotThere) {
  EXPECT_THAT(
      ProblemsOf("preprocess: [{step: tokenise, max_length: 8, vocabulary: no/words.txt}]\n"
                 "postprocess: [{step: top_k, labels: no/names.txt}]\n"),
      ElementsAre(":1:46: pre-processing step 1, tokenise: cannot open a file: ./no/words.txt: No "
                  "such file or directory",
                  ":2:29: post-processing step 1, top_k: cannot open a file: ./no/names.txt: No "
                  "such file or directory"));
}

TEST(StepProblems, AreNotSoughtInAListThatTheReaderRefused) {
  EXPECT_THAT(ProblemsOf("preprocess: [{step: resize}, {step: normalize}]\n"
                         "postprocess: [softmax, {step: top_k, k: 0}]\n"),
              IsEmpty());
}

TEST(StepProblems, StandAtTheStepOfAForeignManifest) {
  // MLModelScope's keys are not ours: the steps stand where they were made from.
  EXPECT_THAT(ProblemsOf("name: net\n"
                         "framework: {name: PyTorch}\n"
                         "inputs:\n"
                         "  - type: image\n"
                         "    parameters: {dimensions: [3, 9, 9], mean: [1, 2], scale: 1}\n"
                         "model: {graph_path: net.pt}\n"),
              ElementsAre(StartsWith(":5:62: pre-processing step 3, normalise: mean must be one "
                                     "value, or one for each channel")));
}

}  // namespace
}  // namespace xsp::api
