#include "measure/sessions/run_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "store/database.h"

// cmake/Paths.cmake.
extern const char kTestWorkerFolder[];

namespace xsp::sessions {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// Takes texts through the toy model (workers/example/toy.h): four words each, by their numbers.
class DatasetSessionTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "xsp-dataset-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    setenv("XSP_WORKER_PATH", kTestWorkerFolder, 1);
    setenv("TMPDIR", folder_.c_str(), 1);
    Write("words.txt", "<pad>\n<unk>\na\nb\nc\nd\n");
    Write("model.toy", "input 4\nrelu\n");
    Write("model.yaml",
          "name: toy\nfiles:\n  toy: {file: model.toy}\n"
          "inputs:\n  - {name: input, dtype: float32, shape: [batch, 4]}\n"
          "preprocess:\n"
          "  - {step: tokenise, method: words, vocabulary: words.txt, max_length: 4, ids: input}\n"
          "  - {step: cast, to: float32}\n"
          "postprocess:\n  - {step: top_k, k: 2}\n");
    // The class is the place of the word with the highest number: d is 5.
    Write("texts.csv", "text,label\nd a a a,0\na d a a,1\na a d a,2\na a a d,0\na a a d,3\n");
    Write("texts.yaml", "kind: texts\npath: texts.csv\ntext: text\nlabel: label\n");
    request_.model = (folder_ / "model.toy").string();
    request_.store = folder_ / "store";
    request_.name = "test";
    request_.roofs = false;
  }
  void TearDown() override {
    unsetenv("XSP_WORKER_PATH");
    unsetenv("TMPDIR");
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  void Write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
  }
  Result<ExperimentOutcome> Evaluate(const std::string& dataset, std::int64_t samples = 0) {
    XSP_TRY(request_.dataset, requests::ParseDataset(dataset));
    request_.dataset.samples = samples;
    return RunExperiment(request_);
  }
  Result<ExperimentOutcome> EvaluateTexts(std::int64_t samples = 0) {
    return Evaluate((folder_ / "texts.yaml").string(), samples);
  }
  std::vector<std::vector<store::Cell>> Query(const std::string& sql) {
    return store::Database::Open({request_.store / "test"}).value().Query(sql).value().rows;
  }
  std::int64_t Count(const std::string& sql) {
    return std::get<std::int64_t>(Query(sql).at(0).at(0));
  }
  double Number(const std::string& sql) { return std::get<double>(Query(sql).at(0).at(0)); }

  fs::path folder_;
  requests::ExperimentRequest request_;
};

TEST_F(DatasetSessionTest, ScoresEverySampleInBatches) {
  request_.batches = {2};
  const auto outcome = EvaluateTexts();
  ASSERT_TRUE(outcome.ok()) << outcome.error().what;
  EXPECT_EQ(outcome.value().status, "done");
  EXPECT_EQ(Count("SELECT predicted FROM evaluation"), 5);
  EXPECT_DOUBLE_EQ(Number("SELECT value FROM accuracy WHERE metric = 'top_1'"), 0.8);
  EXPECT_EQ(Count("SELECT count FROM pipeline_step WHERE step = 'predict'"), 3);
  EXPECT_EQ(Count("SELECT count FROM pipeline_step WHERE step = 'tokenise'"), 5);
  const auto steps = Query("SELECT step FROM pipeline_step ORDER BY step_index");
  std::string way;
  for (const auto& row : steps) way += std::get<std::string>(row[0]) + " ";
  EXPECT_EQ(way, "read tokenise cast stack bind predict top_k ");
}

TEST_F(DatasetSessionTest, TimesOfStepsMakeUpTheBatch) {
  ASSERT_TRUE(EvaluateTexts().ok());
  EXPECT_EQ(Count("SELECT count(*) FROM pipeline_step WHERE mean_ns IS NULL OR mean_ns <= 0"), 0);
  EXPECT_LE(Number("SELECT sum(p50_ns) FROM pipeline_step"),
            1.5 * Number("SELECT sample_p99_ns FROM evaluation"));
}

TEST_F(DatasetSessionTest, TakesSomeSpreadEvenly) {
  ASSERT_TRUE(EvaluateTexts(2).ok());
  // The first and the third, of which both are right.
  EXPECT_EQ(Count("SELECT samples FROM evaluation"), 2);
  EXPECT_DOUBLE_EQ(Number("SELECT value FROM accuracy WHERE metric = 'top_1'"), 1);
}

TEST_F(DatasetSessionTest, LeavesOutADamagedSampleAndGoesOn) {
  Write("model.yaml",
        "name: toy\nfiles:\n  toy: {file: model.toy}\n"
        "inputs:\n  - {name: input, dtype: float32, shape: [batch, 4]}\n"
        "preprocess:\n"
        "  - {step: tokenise, method: words, vocabulary: words.txt, max_length: 4, padding: none, "
        "ids: input}\n"
        "  - {step: cast, to: float32}\n");
  Write("texts.csv", "text,label\na a,0\na d a a,1\n");
  const auto outcome = EvaluateTexts();
  ASSERT_TRUE(outcome.ok()) << outcome.error().what;
  EXPECT_EQ(Count("SELECT predicted FROM evaluation"), 1);
  EXPECT_EQ(Count("SELECT failed FROM evaluation"), 1);
  EXPECT_THAT(std::get<std::string>(Query("SELECT first_failure FROM evaluation")[0][0]),
              HasSubstr("the model's input input takes float32 [4]"));
}

TEST_F(DatasetSessionTest, AWorkerThatDiesLeavesWhatItPredicted) {
  // Warm-up takes 100 calls at most.
  Write("model.toy", "input 4\nrelu\ncrash 120\n");
  std::string texts = "text,label\n";
  for (int i = 0; i < 500; ++i) texts += "a d a a,1\n";
  Write("texts.csv", texts);
  const auto outcome = EvaluateTexts();
  ASSERT_TRUE(outcome.ok()) << outcome.error().what;
  EXPECT_EQ(outcome.value().status, "partial");
  EXPECT_GE(Count("SELECT predicted FROM evaluation"), 19);
  EXPECT_LT(Count("SELECT predicted FROM evaluation"), 500);
  EXPECT_GE(Count("SELECT samples FROM accuracy WHERE metric = 'top_1'"), 19);
  EXPECT_DOUBLE_EQ(Number("SELECT value FROM accuracy WHERE metric = 'top_1'"), 1);
}

TEST_F(DatasetSessionTest, SaysWhatIsMissing) {
  Write("model.yaml",
        "name: toy\nfiles:\n  toy: {file: model.toy}\n"
        "inputs:\n  - {name: input, dtype: float32, shape: [batch, 4]}\n");
  const auto bare = EvaluateTexts();
  ASSERT_FALSE(bare.ok());
  EXPECT_THAT(bare.error().what, HasSubstr("does not say how a sample becomes its input"));
  EXPECT_EQ(Evaluate((folder_ / "nothing").string()).error().kind, ErrorKind::kUsage);
}

}  // namespace
}  // namespace xsp::sessions
