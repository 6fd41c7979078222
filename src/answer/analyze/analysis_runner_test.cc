#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "answer/analyze/analysis.h"
#include "answer/analyze/coverage.h"
#include "answer/analyze/scope.h"
#include "store/schema.h"

namespace xsp::analyze {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::string_view kPoint =
    "INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, "
    "status) VALUES ";
constexpr std::string_view kRun =
    "INSERT INTO run (run_id, point_id, rung, status, path, message) VALUES ";
constexpr std::string_view kLayer =
    "INSERT INTO layer (point_id, layer_index, name, type, latency_ns, allocated_bytes, flops, "
    "flops_provenance, matched) VALUES ";
constexpr std::string_view kKernel =
    "INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, duration_ns, matched) "
    "VALUES ";

class RunAnalysis : public testing::Test {
 protected:
  RunAnalysis() : database_(store::Database::OpenEmpty()) {
    analysis_.id = "own";
    analysis_.folder = "own";
    analysis_.needs = {"layer"};
    analysis_.sql = "SELECT name, latency_ns FROM layer ORDER BY layer_index";
    analysis_.columns = {{"name", "", "Name", ""}, {"latency_ns", "ns", "Time", "", {"runs"}}};
  }

  void Sql(const std::string& sql) {
    const auto done = database_.value().Query(sql);
    ASSERT_TRUE(done.ok()) << done.error().what;
  }
  void Insert(std::string_view into, const std::string& values) { Sql(std::string(into) + values); }

  /// Makes the database look as with several experiments open: every table led by `experiment`.
  void LeadWithExperiment() {
    for (const store::TableSchema& table : store::Schema())
      if (!table.raw) Sql("ALTER TABLE " + table.name + " ADD COLUMN experiment VARCHAR");
  }
  void NameExperiment(const std::string& name) {
    for (const char* table : {"point", "run", "layer", "kernel"}) {
      Sql(std::string("UPDATE ") + table + " SET experiment = '" + name +
          "' WHERE experiment IS NULL");
    }
  }
  AnalysisResult Result(std::int64_t most_rows = 0) {
    auto result = analyze::Run(analysis_, database_.value(), most_rows);
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().what);
    return result.ok() ? std::move(result).value() : AnalysisResult{};
  }
  std::vector<MissingLevel> Missing(const std::vector<std::string>& needs) {
    analysis_.needs = needs;
    return Result().missing;
  }

  xsp::Result<store::Database> database_;
  Analysis analysis_;
};

TEST_F(RunAnalysis, YieldsRowsWithUnitsAndProvenance) {
  Insert(kPoint, "(1, 'm', 'pytorch 2.15', 'cpu', 'float32', 1, '{}', 100, 'done')");
  Insert(kRun, "(1, 1, 'layer', 'done', 'layer-1', NULL)");
  Insert(kLayer,
         "(1, 0, 'a', 'conv', 60, 1, 8, 'analytic', 'all'),"
         "(1, 1, 'b', 'conv', 30, 1, 8, 'measured:cupti', 'all')");
  analysis_.columns[0].sources = {"layer.flops_provenance"};
  const AnalysisResult result = Result();
  EXPECT_EQ(result.analysis, &analysis_);
  EXPECT_THAT(result.table.columns, ElementsAre("name", "latency_ns"));
  ASSERT_THAT(result.table.rows, SizeIs(2));
  EXPECT_EQ(std::get<std::string>(result.table.rows[1][0]), "b");
  EXPECT_EQ(result.columns[0].provenance, "analytic+measured:cupti");
  EXPECT_EQ(result.columns[1].provenance, "measured:xsp");
  EXPECT_THAT(result.missing, IsEmpty());
}

TEST_F(RunAnalysis, FetchesNoMoreRowsThanAskedForAndCountsTheRest) {
  Insert(kPoint, "(1, 'm', 'pytorch 2.15', 'cpu', 'float32', 1, '{}', 100, 'done')");
  Insert(kRun, "(1, 1, 'layer', 'done', 'layer-1', NULL)");
  Insert(kLayer,
         "(1, 0, 'a', 'conv', 60, 1, 8, 'analytic', 'all'),"
         "(1, 1, 'b', 'conv', 30, 1, 8, 'analytic', 'all'),"
         "(1, 2, 'c', 'conv', 30, 1, 8, 'analytic', 'all')");
  EXPECT_THAT(Result(2).table.rows, SizeIs(2));
  EXPECT_EQ(Result(2).rows_left_out, 1);
  EXPECT_EQ(std::get<std::string>(Result(2).table.rows[1][0]), "b");
  EXPECT_EQ(Result(3).rows_left_out, 0);
  EXPECT_EQ(Result().rows_left_out, 0);
}

TEST_F(RunAnalysis, SaysThatAnImportWasReportedByItsTool) {
  Insert(kPoint, "(1, 'm', 'kineto', 'cuda:0', 'float32', 1, '{}', 100, 'done')");
  Insert(kRun, "(1, 1, 'imported', 'done', 'trace', NULL)");
  EXPECT_EQ(Result().columns[1].provenance, "reported:kineto");
}

TEST_F(RunAnalysis, RefusesColumnsThatWereNotDeclared) {
  analysis_.sql = "SELECT name, type FROM layer";
  const auto result = analyze::Run(analysis_, database_.value());
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(result.error().what, HasSubstr("yields name, type; declared are name, latency_ns"));
}

TEST_F(RunAnalysis, NamesTheFileOfBrokenSql) {
  analysis_.sql = "SELECT nothing FROM layer";
  EXPECT_THAT(analyze::Run(analysis_, database_.value()).error().what,
              testing::EndsWith("own/query.sql"));
}

TEST_F(RunAnalysis, KeepsSeveralExperimentsApart) {
  LeadWithExperiment();
  Insert(kPoint, "(1, 'm', 'b', 'cpu', 'float32', 1, '{}', 100, 'done')");
  Insert(kLayer, "(1, 0, 'a', 'conv', 60, 1, 8, 'analytic', 'all')");
  NameExperiment("o''ne");
  Insert(kPoint, "(1, 'm', 'b', 'cpu', 'float32', 1, '{}', 100, 'done')");
  NameExperiment("two");
  Insert(kPoint, "(1, 'm', 'b', 'cpu', 'float32', 1, '{}', 100, 'done')");
  Insert(kLayer, "(1, 0, 'c', 'conv', 60, 1, 8, 'analytic', 'all')");
  NameExperiment("three");
  analysis_.sql =
      "-- each point's layers\nWITH named AS (SELECT l.name, l.latency_ns, count(*) OVER () AS n "
      "FROM layer l JOIN point p USING (point_id))\nSELECT name, latency_ns FROM named WHERE n = 1";
  const AnalysisResult result = Result();
  EXPECT_THAT(result.table.columns, ElementsAre("experiment", "name", "latency_ns"));
  EXPECT_EQ(result.columns[0].name, "experiment");
  ASSERT_THAT(result.table.rows, SizeIs(2));
  EXPECT_EQ(std::get<std::string>(result.table.rows[0][0]), "o'ne");
  EXPECT_EQ(std::get<std::string>(result.table.rows[1][1]), "c");
  ASSERT_THAT(result.missing, SizeIs(1));
  EXPECT_THAT(result.missing[0].how, HasSubstr("two: There are no layers here"));
}

TEST_F(RunAnalysis, SeesAllExperimentsAtOnceWhereAsked) {
  analysis_.across_experiments = true;
  analysis_.sql =
      "SELECT experiment AS name, sum(latency_ns) AS latency_ns FROM point "
      "GROUP BY experiment ORDER BY experiment";
  Insert(kPoint, "(1, 'm', 'b', 'cpu', 'float32', 1, '{}', 100, 'done')");
  EXPECT_EQ(std::get<std::string>(Result().table.rows.at(0).at(0)), "");  // One is open.
  LeadWithExperiment();
  NameExperiment("one");
  Insert(kPoint, "(1, 'm', 'b', 'cpu', 'float32', 1, '{}', 50, 'done')");
  NameExperiment("two");
  const AnalysisResult result = Result();
  EXPECT_THAT(result.table.columns, ElementsAre("name", "latency_ns"));
  ASSERT_THAT(result.table.rows, SizeIs(2));
  EXPECT_EQ(std::get<double>(result.table.rows[1][1]), 50);
}

TEST_F(RunAnalysis, NamesTheCommandThatGetsAMissingLevel) {
  Insert(kPoint,
         "(1, 'resnet50', 'b', 'cpu', 'float32', 1, '{}', 100, 'partial'),"
         "(2, 'resnet50', 'b', 'cpu', 'float32', 2, '{}', NULL, 'partial')");
  Insert(kLayer, "(1, 0, 'a', 'conv', 60, NULL, NULL, NULL, 'all')");
  const auto missing = Missing({"model", "layer", "memory", "kernel", "flops", "traffic", "roof"});
  std::vector<std::string> levels;
  for (const MissingLevel& level : missing) levels.push_back(level.level);
  EXPECT_THAT(levels, ElementsAre("model", "layer", "memory", "kernel", "roof"));
  EXPECT_THAT(missing[0].how, HasSubstr("at point 2 (batch 2)"));
  EXPECT_THAT(missing[0].how, HasSubstr("`xsp run resnet50 --batch 2 --depth model`"));
  EXPECT_THAT(missing[2].how, HasSubstr("There is no memory of layers here."));
  EXPECT_THAT(missing[3].how, HasSubstr("`xsp run resnet50 --batch 1,2 --depth kernel`"));
  EXPECT_THAT(missing[4].how, HasSubstr("`xsp system`"));
}

TEST_F(RunAnalysis, NamesTheFileThatFillsAnImport) {
  Insert(kPoint, "(1, 'm', 'kineto', 'cuda:0', 'float32', NULL, '{}', 100, 'done')");
  Insert(kRun, "(1, 1, 'imported', 'done', 'trace', NULL)");
  Insert(kKernel, "(1, 0, NULL, 'gemm', 'kernel', 5, 'single')");
  const auto missing = Missing({"batches", "layer", "kernel", "flops", "roof"});
  ASSERT_THAT(missing, SizeIs(4));
  for (const MissingLevel& level : missing) {
    EXPECT_THAT(level.how, testing::Not(HasSubstr("xsp run"))) << level.level;
  }
  EXPECT_EQ(missing[2].level, "flops");
  EXPECT_THAT(missing[2].how, HasSubstr("`xsp record --cuda-metrics flops,dram"));
}

TEST_F(RunAnalysis, RunsManyAsItRunsOne) {
  Insert(kPoint, "(1, 'm', 'b', 'cpu', 'float32', 1, '{}', 100, 'done')");
  Insert(kLayer, "(1, 0, 'a', 'conv', 60, 1, 8, 'analytic', 'all')");
  Analysis other = analysis_;
  other.needs = {"kernel"};
  const std::vector<Analysis> both = {analysis_, other};
  const auto results = RunAll(both, database_.value());
  ASSERT_TRUE(results.ok());
  ASSERT_THAT(results.value(), SizeIs(2));
  EXPECT_EQ(results.value()[1].analysis, &both[1]);
  EXPECT_THAT(results.value()[0].missing, IsEmpty());
  EXPECT_THAT(results.value()[1].missing, SizeIs(1));
}

TEST(Scope, LeavesSqlAloneWhereOneExperimentIsOpen) {
  EXPECT_EQ(OnOneExperiment("SELECT 1", {false, {""}}, ""), "SELECT 1");
}

TEST(Scope, AddsItsViewsBeforeThoseOfTheQuery) {
  const Experiments two = {true, {"a", "b"}};
  EXPECT_THAT(OnOneExperiment("/* c */ with recursive t AS (SELECT 1) FROM t", two, "a"),
              testing::StartsWith("/* c */ WITH RECURSIVE point AS (SELECT * EXCLUDE"));
  EXPECT_THAT(OnOneExperiment("SELECT 1", two, "a"), testing::StartsWith("WITH point AS"));
  // Tables led by `experiment` are there; the shared views over them are added.
  EXPECT_THAT(OnAllExperiments("SELECT 1", two), testing::StartsWith("WITH run_pair AS"));
}

}  // namespace
}  // namespace xsp::analyze
