#include "answer/analyze/golden_testing.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "answer/analyze/chart_check_testing.h"
#include "os/paths.h"
#include "source_dir.h"

namespace xsp::analyze {
namespace {

namespace fs = std::filesystem;

/// The analyses of this source tree, and those below $XSP_ANALYSES where that is set.
std::vector<Analysis> All() {
  std::vector<fs::path> folders = {fs::path(XSP_SOURCE_DIR) / "analyses"};
  if (const auto more = os::Environment("XSP_ANALYSES")) folders.emplace_back(*more);
  auto loaded = LoadAnalyses(folders);
  if (!loaded.ok()) ADD_FAILURE() << loaded.error().what;
  return loaded.ok() ? std::move(loaded).value() : std::vector<Analysis>{};
}

// XSP_ACCEPT=1 analyze_test --gtest_filter='AllAnalyses.YieldTheirGoldenRows' takes the results as
// they are: read the difference that version control then shows.
TEST(AllAnalyses, YieldTheirGoldenRows) {
  const bool accept = os::Environment("XSP_ACCEPT").has_value();
  const auto analyses = All();
  ASSERT_FALSE(analyses.empty());
  auto experiment = GoldenExperiment::Open();
  ASSERT_TRUE(experiment.ok()) << experiment.error().what;
  for (const Analysis& analysis : analyses) {
    const auto outcomes = RunGolden(analysis, accept, experiment.value());
    ASSERT_TRUE(outcomes.ok()) << outcomes.error().what;
    for (const GoldenOutcome& outcome : outcomes.value()) {
      EXPECT_EQ(outcome.difference, "")
          << analysis.name << "/golden/" << outcome.name << " (" << outcome.why << ")";
    }
  }
}

TEST(AllAnalyses, HaveChartsOfTheirOwnColumns) {
  for (const Analysis& analysis : All()) {
    EXPECT_NE(analysis.chart, "") << analysis.name;
    for (const std::string& wrong : CheckChart(analysis)) {
      ADD_FAILURE() << analysis.name << "/chart.vl.json " << wrong;
    }
  }
}

TEST(AllAnalyses, SayWhereNumbersComeFrom) {
  for (const Analysis& analysis : All()) {
    EXPECT_GE(analysis.text.size(), 300U) << analysis.name << "/README.md";
    EXPECT_FALSE(analysis.needs.empty()) << analysis.name;
    for (const Column& column : analysis.columns) {
      if (column.unit.empty() || column.unit == "1") continue;
      EXPECT_TRUE(!column.sources.empty() || !column.provenance.empty())
          << analysis.name << ": " << column.name << " has a unit but no provenance";
    }
  }
}

TEST(AllAnalyses, AnswerAnEmptyExperimentWithWhatIsMissing) {
  const auto database = store::Database::OpenEmpty();
  ASSERT_TRUE(database.ok());
  const auto analyses = All();
  const auto results = RunAll(analyses, database.value());
  ASSERT_TRUE(results.ok()) << results.error().what;
  for (const AnalysisResult& result : results.value()) {
    EXPECT_TRUE(result.table.rows.empty()) << result.analysis->name;
    EXPECT_FALSE(result.missing.empty()) << result.analysis->name;
  }
}

/// An analysis folder in a temporary place, gone with the test.
class GoldenCases : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("xsp_golden_test_" + std::to_string(getpid()));
    fs::create_directories(folder_ / "golden");
    Write("analysis.yaml",
          "id: own\ntitle: Own\nquestion: How many points?\nneeds: [model]\ncolumns:\n"
          "  - {name: points, unit: \"1\", help: Points}\n");
    Write("query.sql", "SELECT count(*) AS points FROM point");
    Write("README.md", "Counts.");
    Write("golden/one.sql",
          "-- why: one point is counted\nINSERT INTO point (point_id, model, backend, device, "
          "precision,\n  settings, latency_ns, status)\nVALUES (1, 'm', 'b', 'cpu', 'float32', "
          "'{}', 5, 'done');\n");
    Write("golden/one.csv", "points\n1\n");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void Write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
  }
  Result<std::vector<GoldenOutcome>> RunThem(bool accept = false) {
    auto loaded = LoadAnalyses({folder_});
    if (!loaded.ok()) return loaded.error();
    XSP_TRY(GoldenExperiment experiment, GoldenExperiment::Open());
    return RunGolden(loaded.value().at(0), accept, experiment);
  }

  fs::path folder_;
};

TEST_F(GoldenCases, PassWhenTheRowsAreAsExpected) {
  const auto outcomes = RunThem();
  ASSERT_TRUE(outcomes.ok()) << outcomes.error().what;
  ASSERT_EQ(outcomes.value().size(), 1U);
  EXPECT_EQ(outcomes.value()[0].difference, "");
  EXPECT_EQ(outcomes.value()[0].why, "one point is counted");
}

TEST_F(GoldenCases, ShowTheFirstLineThatDiffers) {
  Write("golden/one.csv", "points\n2\n");
  const auto outcomes = RunThem();
  ASSERT_TRUE(outcomes.ok());
  EXPECT_EQ(outcomes.value()[0].difference, "line 2\n  expected: 2\n  is:       1");
}

TEST_F(GoldenCases, AcceptAChangedResult) {
  Write("golden/one.csv", "points\n2\n");
  ASSERT_TRUE(RunThem(true).ok());
  EXPECT_EQ(RunThem().value()[0].difference, "");
}

TEST_F(GoldenCases, NeedAWhy) {
  Write("golden/one.sql", "DELETE FROM point;\n");
  EXPECT_TRUE(RunThem().error().what.ends_with("one.sql:1"));
}

TEST_F(GoldenCases, NameTheLineOfBrokenSql) {
  Write("golden/one.sql", "-- why: broken\n\nINSERT INTO nothing VALUES (1);\n");
  EXPECT_TRUE(RunThem().error().what.ends_with("one.sql:3")) << RunThem().error().what;
}

TEST_F(GoldenCases, AreRequired) {
  fs::remove(folder_ / "golden/one.sql");
  EXPECT_NE(RunThem().error().what.find("no golden case"), std::string::npos);
}

}  // namespace
}  // namespace xsp::analyze
