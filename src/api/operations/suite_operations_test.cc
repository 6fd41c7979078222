#include "api/operations/suite_operations.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "api/operations/operation_list.h"
#include "api/request_json.h"
#include "core/json_text.h"

namespace xsp::api {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

/// A table of three workloads.
class SuiteOperationsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (SuiteOperations().empty()) GTEST_SKIP() << "this build has no suite commands";
    file_ = std::filesystem::path(::testing::TempDir()) / "suite_operations.csv";
    std::ofstream(file_) << "job,cpu_pct\na,1.5\nb,2.5\nc,3.5\n";
    context_.store = std::filesystem::path(::testing::TempDir()) / "no-store";
  }
  void TearDown() override { std::filesystem::remove(file_); }

  Result<Document> Ask(json request) const {
    request["source"] = {file_.string()};
    return Perform("suite/vectors", request, context_);
  }

  std::filesystem::path file_;
  Context context_;
};

TEST_F(SuiteOperationsTest, AnswerIsTheDocument) {
  const auto document = Ask(json::object());
  ASSERT_TRUE(document.ok()) << document.error().what;
  const json& answer = std::get<json>(document.value().content);
  EXPECT_EQ(answer["answer"], "vectors");
  EXPECT_EQ(answer["tables"][0]["rows"].size(), 3U);
  EXPECT_EQ(answer["tables"][0]["rows"][1]["cpu_pct"], 2.5);
  EXPECT_EQ(answer["tables"][0]["rows_left_out"], 0);
  EXPECT_EQ(document.value().exit_status, 0);
}

TEST_F(SuiteOperationsTest, RowsAreLimitedAndTheOthersCounted) {
  const auto document = Ask({{"rows", 1}});
  ASSERT_TRUE(document.ok()) << document.error().what;
  const json& table = std::get<json>(document.value().content)["tables"][0];
  EXPECT_EQ(table["rows"].size(), 1U);
  EXPECT_EQ(table["rows_left_out"], 2);
}

TEST_F(SuiteOperationsTest, TableThatIsNotThereNamesThoseThatAre) {
  EXPECT_TRUE(Ask({{"table", "vectors"}}).ok());
  const auto document = Ask({{"table", "nothing"}});
  ASSERT_FALSE(document.ok());
  EXPECT_EQ(document.error().kind, ErrorKind::kUsage);
  EXPECT_EQ(document.error().hint, "it has: vectors");
}

TEST_F(SuiteOperationsTest, OwnFieldsAndThoseOfAllAreInTheSchema) {
  const json schema = RequestSchema(*FindOperation("suite/vectors"));
  for (const char* name : {"source", "missing", "table", "rows", "output"})
    EXPECT_TRUE(schema["properties"].contains(name)) << name;
  EXPECT_EQ(FindOperation("suite/vectors")->effect, Effect::kReads);
  EXPECT_EQ(FindOperation("suite/jobs")->effect, Effect::kMeasures);
  EXPECT_TRUE(core::IsJson(FindOperation("suite/vectors")->result));
}

TEST_F(SuiteOperationsTest, CommandLineAsksForTheSame) {
  EXPECT_EQ(CommandLine(*FindOperation("suite/schedule"),
                        {{"source", "mlperf-v0.5"}, {"devices", 4}, {"fix", {"a=1", "b=2"}}}),
            "xsp suite schedule mlperf-v0.5 --devices 4 --fix a=1,b=2");
}

}  // namespace
}  // namespace xsp::api
