#include "derive/experiments/experiment_builder.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/json_text.h"
#include "ingest/trace_files/trace_loader.h"
#include "os/files.h"
#include "source_dir.h"
#include "store/database.h"

namespace xsp::experiments {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class ExperimentBuilderTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "xsp-builder-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  static trace::Trace TwoCalls() {
    const fs::path sample =
        fs::path(XSP_SOURCE_DIR) / "src/ingest/importers/xsp_recording/sample/two_calls.xspr";
    return trace_files::LoadTrace({trace_files::Recognise(sample).value()}).value();
  }
  static match::RunInput Run(const std::string& name) {
    match::RunInput run;
    run.point_id = 1;
    run.rung = "kernel";
    run.status = "done";
    run.path = name;
    return run;
  }
  static std::vector<match::PointInput> OnePoint() {
    return {{1, "net", "torch", "cpu", "float32", 1, "{}", 0, 1}};
  }
  Result<ExperimentBuilder> Create(const char* name) {
    return ExperimentBuilder::Create(folder_ / "store", name);
  }
  /// Every row of the experiment tables that both ways write, as text.
  static std::string TablesOf(const fs::path& experiment) {
    const store::Database database = store::Database::Open({experiment}).value();
    std::string text;
    for (const char* table : {"point", "layer", "kernel", "sample", "call_tree", "steps"}) {
      if (!fs::exists(experiment / (std::string(table) + ".parquet"))) continue;
      const store::Table rows =
          database.Query("SELECT CAST(COLUMNS(*) AS VARCHAR) FROM " + std::string(table)).value();
      text += table;
      for (const auto& row : rows.rows) {
        text += '\n';
        for (const store::Cell& cell : row)
          text +=
              (std::holds_alternative<std::string>(cell) ? std::get<std::string>(cell) : "-") + '|';
      }
    }
    return text;
  }

  fs::path folder_;
};

TEST_F(ExperimentBuilderTest, ARunGivesTheSameTablesHeldInMemoryOrReadAgain) {
  ExperimentBuilder added = Create("added").value();
  ASSERT_TRUE(added.AddRun(Run("a"), {}, TwoCalls(), true).ok());
  ASSERT_TRUE(added.MakeTables(OnePoint()).ok());
  const fs::path first = added.Commit({.kind = "run", .status = "done"}).value();

  ExperimentBuilder taken = Create("taken").value();
  ASSERT_TRUE(taken.TakeRun(Run("a"), {}, TwoCalls()).ok());
  ASSERT_TRUE(taken.MakeTables(OnePoint()).ok());
  const fs::path second = taken.Commit({.kind = "run", .status = "done"}).value();

  const std::string tables = TablesOf(first);
  EXPECT_NE(tables.find("kernel\n"), std::string::npos);
  EXPECT_EQ(tables, TablesOf(second));
}

TEST_F(ExperimentBuilderTest, RunJsonTakesRungStatusAndMessageFromTheRun) {
  ExperimentBuilder builder = Create("one").value();
  match::RunInput run = Run("b1-kernel");
  run.status = "failed";
  run.message = "it broke";
  ASSERT_TRUE(builder.AddRun(run, {.details = {{"calls", 3}}}, TwoCalls(), false).ok());
  EXPECT_EQ(builder.next_run_id(), 2);
  ASSERT_TRUE(builder.MakeTables(OnePoint()).ok());
  const fs::path path = builder.Commit({.kind = "run", .model = "net"}).value();
  const json stored = core::ParseJson(os::ReadFile(path / "b1-kernel" / "run.json").value());
  EXPECT_EQ(stored["rung"], "kernel");
  EXPECT_EQ(stored["status"], "failed");
  EXPECT_EQ(stored["message"], "it broke");
  EXPECT_EQ(stored["calls"], 3);
  const json experiment = core::ParseJson(os::ReadFile(path / "experiment.json").value());
  EXPECT_EQ(experiment["model"], "net");
  EXPECT_FALSE(experiment["xsp_version"].get<std::string>().empty());
}

TEST_F(ExperimentBuilderTest, ARunThatLeftNothingHasARowAndNoFolder) {
  ExperimentBuilder builder = Create("one").value();
  match::RunInput run = Run("gone");
  run.status = "failed";
  ASSERT_TRUE(builder.AddRun(run, {}, trace::Trace(), false).ok());
  EXPECT_TRUE(builder.runs().front().folder.empty());
  ASSERT_TRUE(builder.MakeTables(OnePoint()).ok());
  const fs::path path = builder.Commit({}).value();
  const store::Database database = store::Database::Open({path}).value();
  EXPECT_EQ(
      std::get<std::string>(database.Query("SELECT status FROM run").value().rows.at(0).at(0)),
      "failed");
}

TEST_F(ExperimentBuilderTest, WithoutCommitNothingIsLeft) {
  {
    ExperimentBuilder builder = Create("one").value();
    ASSERT_TRUE(builder.TakeRun(Run("a"), {}, TwoCalls()).ok());
  }
  EXPECT_TRUE(fs::is_empty(folder_ / "store"));
}

}  // namespace
}  // namespace xsp::experiments
