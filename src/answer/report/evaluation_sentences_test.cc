#include "answer/report/evaluation_sentences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "answer/report/sentences_testing.h"

namespace xsp::report {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class EvaluationSentencesTest : public ImportedRunTest {
 protected:
  void SetUp() override {
    Insert(
        "point (point_id, model, backend, device, precision, batch, settings, latency_ns, status) "
        "VALUES (1, 'm', 'PyTorch', 'cpu', 'float32', 4, '{}', 4e6, 'done')");
  }
  std::vector<std::string> Texts() { return TextsOf(EvaluationSentences(database_, 1)); }
};

TEST_F(EvaluationSentencesTest, SaysScoresFailuresAndWhatASampleCosts) {
  Insert("evaluation VALUES (1, 1, 'val', 100, 99, 1, 0, 4e6, 5e6, 240, 'a.jpg: decode: empty')");
  Insert(
      "accuracy VALUES (1, 1, 'top_1', NULL, 0.761, 99, NULL), (1, 1, 'macro_f1', NULL, 0.7, 99, "
      "NULL), (1, 1, 'same_top_1', 'ORT', 1, 99, NULL), (1, 1, 'ap', NULL, NULL, 99, 'none')");
  Insert(
      "pipeline_step VALUES (1, 1, 0, 'preprocess', 'read', 99, 1e6, 1e6, 1e6), (1, 1, 1, "
      "'preprocess', 'decode', 99, 2e6, 2e6, 2e6), (1, 1, 2, 'predict', 'predict', 25, 1e6, 1e6, "
      "1e6)");
  EXPECT_THAT(
      Texts(),
      ElementsAre("PyTorch predicted 99 of 100 samples of val: top_1 76.1 %, same_top_1 100 % "
                  "(against ORT). 1 could not be taken, the first is a.jpg: decode: empty.",
                  "A sample takes 4.00 ms from reading to prediction on one thread: 75.0 % before "
                  "the model (the largest part decode, 2.00 ms), 25.0 % in it."));
}

TEST_F(EvaluationSentencesTest, IsSilentWithoutADataSet) { EXPECT_THAT(Texts(), IsEmpty()); }

}  // namespace
}  // namespace xsp::report
