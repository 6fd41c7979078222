#include "answer/report/backend_sentences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "answer/report/sentences_testing.h"

namespace xsp::report {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class BackendSentencesTest : public ImportedRunTest {
 protected:
  void SetUp() override {
    Insert(
        "point (point_id, model, backend, device, precision, batch, settings, latency_ns, status) "
        "VALUES (1, 'm', 'PyTorch', 'cpu', 'float32', 4, '{}', 4e6, 'done'), "
        "(2, 'm', 'OpenVINO', 'cpu', 'bfloat16', 4, '{}', 2e6, 'done'), "
        "(3, 'm', 'ONNX Runtime', 'cpu', 'float32', 4, '{}', 2.1e6, 'done'), "
        "(4, 'm', 'PyTorch', 'cpu', 'float32', 8, '{}', 4e6, 'done')");
  }
  void InsertComparison() {
    Insert(
        "comparison VALUES (1, 2, 2, 1.9, 2.1, 0.001, 1, 'large', 2, 'slower'), "
        "(2, 1, 0.5, 0.47, 0.53, 0.001, -1, 'large', 2, 'faster'), "
        "(3, 2, 1.05, 0.97, 1.1, 0.2, 0.1, 'small', 2, 'no difference found'), "
        "(1, 3, 1.9, 1.8, 2, 0.001, 1, 'large', 2, 'slower')");
  }
  std::vector<std::string> Texts(std::int64_t point) {
    return TextsOf(BackendSentences(database_, point));
  }
};

TEST_F(BackendSentencesTest, NamesTheFastestAndWhatCannotBeToldApart) {
  InsertComparison();
  EXPECT_THAT(
      Texts(1),
      ElementsAre("OpenVINO (2.00 ms a call) and ONNX Runtime are the fastest at batch 4, with no "
                  "difference found. Times the latency of OpenVINO, with 95 % intervals: PyTorch "
                  "2.00 (1.90 to 2.10). OpenVINO ran in bfloat16, ONNX Runtime, PyTorch in "
                  "float32."));
  EXPECT_THAT(Texts(4), IsEmpty());
}

TEST_F(BackendSentencesTest, NamesNoFastestWhereNoneCanBeToldApart) {
  Insert(
      "comparison VALUES (1, 2, 1.1, 0.9, 1.3, 0.3, 1, 'small', 2, 'no difference found'), "
      "(2, 1, 0.9, 0.8, 1.1, 0.3, -1, 'small', 2, 'no difference found'), "
      "(3, 2, 1.05, 0.97, 1.1, 0.2, 0.1, 'small', 2, 'no difference found')");
  EXPECT_THAT(Texts(1).at(0), StartsWith("No difference in speed was found at batch 4 between "
                                         "OpenVINO (2.00 ms a call) and ONNX Runtime, PyTorch."));
}

TEST_F(BackendSentencesTest, SaysWhetherResultsAgree) {
  Insert(
      "agreement (point_id, against_point_id, output_index, label_agreement, max_absolute_error, "
      "cosine_similarity, message) VALUES (2, 1, 0, 0.75, 0.5, 0.95, NULL), "
      "(3, 1, 0, 1, 0.0001, 1, NULL)");
  EXPECT_THAT(Texts(2),
              ElementsAre("Results agree with PyTorch on the largest class of every row: "
                          "ONNX Runtime (largest difference 0.000100, cosine 1). OpenVINO names "
                          "another largest class for 25.0 % of the rows (largest difference 0.500, "
                          "cosine 0.95)."));
}

TEST_F(BackendSentencesTest, MapsAndSingleColumnsAgreeByTheirDistance) {
  Insert(
      "agreement (point_id, against_point_id, output_index, shape, label_agreement, "
      "max_absolute_error, cosine_similarity) VALUES (2, 1, 0, '[4,1]', 1, 0.5, 0.95), "
      "(3, 1, 0, '[4,21,64,64]', 0.1, 0.001, 0.99999)");
  EXPECT_THAT(Texts(2), ElementsAre("Results agree with PyTorch: ONNX Runtime (largest difference "
                                    "0.00100, cosine 1). OpenVINO differs (largest difference "
                                    "0.500, cosine 0.95)."));
}

TEST_F(BackendSentencesTest, WhatComputesSomethingElseIsSaidBeforeItsSpeed) {
  InsertComparison();
  Insert(
      "agreement (point_id, against_point_id, output_index, label_agreement, max_absolute_error, "
      "cosine_similarity) VALUES (2, 1, 0, 1, 9, 0.0004)");
  EXPECT_THAT(Texts(1).at(0),
              AllOf(HasSubstr("OpenVINO gives other results"), HasSubstr("cosine 0.0004"),
                    HasSubstr("the speed of OpenVINO means nothing")));
  EXPECT_THAT(Texts(1).at(1), HasSubstr("fastest"));
}

TEST_F(BackendSentencesTest, IsSilentWithoutAComparison) { EXPECT_THAT(Texts(1), IsEmpty()); }

}  // namespace
}  // namespace xsp::report
