#include "derive/experiments/imported_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "core/json_text.h"
#include "os/files.h"
#include "source_dir.h"
#include "store/database.h"

namespace xsp::experiments {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

fs::path Sample() {
  return fs::path(XSP_SOURCE_DIR) / "src/ingest/importers/xsp_recording/sample/two_calls.xspr";
}

class ImportTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "xsp-import-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    request_.store = folder_ / "store";
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  fs::path folder_;
  ImportRequest request_;
};

TEST_F(ImportTest, ARecordingBecomesAnExperimentWithOneRun) {
  request_.files = {Sample()};
  request_.keep_files = true;
  const ImportOutcome outcome = ImportFiles(request_).value();
  EXPECT_EQ(outcome.path, request_.store / "two_calls");
  EXPECT_EQ(outcome.inputs.at(0).format, "xsp_recording");
  const std::map<std::string, std::int64_t> spans(outcome.spans.begin(), outcome.spans.end());
  EXPECT_EQ(spans.at("model"), 2);
  EXPECT_TRUE(fs::exists(outcome.run / "attachments" / "two_calls.xspr"));
  const store::Database database = store::Database::Open({outcome.path}).value();
  const store::Table runs = database.Query("SELECT rung, status FROM run").value();
  ASSERT_EQ(runs.rows.size(), 1u);
  EXPECT_EQ(std::get<std::string>(runs.rows[0][0]), "imported");
  EXPECT_EQ(database.Query("SELECT model, backend FROM point").value().rows.size(), 1u);
  EXPECT_EQ(database.Query("SELECT * FROM roof").value().rows.size(), 0u);
  const auto json = core::ParseJson(os::ReadFile(outcome.path / "experiment.json").value());
  EXPECT_EQ(json["imported_from"][0], "two_calls.xspr (xsp_recording)");
}

TEST_F(ImportTest, TraceEventsOfAnyProgramClaimNoBackend) {
  const fs::path tracer = folder_ / "tracer.json";
  std::ofstream(tracer)
      << R"json({"traceEvents": [{"ph": "X", "name": "f (a.py:1)", "pid": 1, "tid": 1, "ts": 1, "dur": 2}]})json";
  request_.files = {tracer};
  const ImportOutcome outcome = ImportFiles(request_).value();
  EXPECT_EQ(outcome.inputs.at(0).format, "chrome");
  const store::Database database = store::Database::Open({outcome.path}).value();
  const store::Table points = database.Query("SELECT backend FROM point").value();
  EXPECT_EQ(std::get<std::string>(points.rows.at(0).at(0)), "unknown");
}

TEST_F(ImportTest, SeriesAreARunOfCountersAloneAndStandBesideATraceThatIsImportedAlong) {
  const fs::path importers = fs::path(XSP_SOURCE_DIR) / "src/ingest/importers";
  const fs::path dmon = importers / "nvidia_smi_dmon/sample/two_gpus.log";
  const auto rung_and_rows = [&](const std::vector<fs::path>& files, const std::string& name) {
    request_.files = files;
    request_.name = name;
    const ImportOutcome outcome = ImportFiles(request_).value();
    const store::Database database = store::Database::Open({outcome.path}).value();
    const store::Table table =
        database
            .Query(
                "SELECT rung, (SELECT count(*) > 0 FROM span), (SELECT count(*) FROM counter "
                "WHERE name = 'nvml.power_watts') FROM run")
            .value();
    return std::tuple(std::get<std::string>(table.rows.at(0).at(0)),
                      std::get<bool>(table.rows.at(0).at(1)),
                      std::get<std::int64_t>(table.rows.at(0).at(2)));
  };
  EXPECT_EQ(rung_and_rows({dmon}, "alone"), std::tuple("counters", false, 6));
  EXPECT_EQ(rung_and_rows({importers / "kineto/sample/two_kernels.json", dmon}, "joined"),
            std::tuple("imported", true, 6));
}

TEST_F(ImportTest, CountedKernelsHaveNoTimes) {
  const fs::path counted = folder_ / "counted.json";
  std::ofstream(counted) << R"json({"schemaVersion": 1, "traceEvents": [
    {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 1, "dur": 9},
    {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 2, "dur": 1},
    {"ph": "X", "cat": "cuda_profiler_range", "name": "gemm", "pid": 0, "tid": 0, "ts": 3, "dur": 5, "args":
      {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum": 100}}]})json";
  request_.files = {counted};
  const ImportOutcome outcome = ImportFiles(request_).value();
  const store::Database database = store::Database::Open({outcome.path}).value();
  const auto row = [&](const std::string& sql) {
    return database.Query(sql).value().rows.at(0).at(0);
  };
  EXPECT_EQ(row("SELECT rung FROM run"), store::Cell(std::string("counters")));
  EXPECT_EQ(row("SELECT count(*) FROM kernel WHERE duration_ns IS NULL AND flops = 200"),
            store::Cell(std::int64_t{1}));
  EXPECT_EQ(row("SELECT count(*) FROM layer WHERE latency_ns IS NULL"),
            store::Cell(std::int64_t{1}));
  EXPECT_EQ(row("SELECT count(*) FROM idle"), store::Cell(std::int64_t{0}));
}

TEST_F(ImportTest, AFolderStandsForTheFilesInItThatAreKnown) {
  fs::create_directories(folder_ / "ranks" / "deeper");
  fs::copy_file(Sample(), folder_ / "ranks" / "a.xspr");
  std::ofstream(folder_ / "ranks" / "notes.txt") << "neither this nor that";
  request_.files = {folder_ / "ranks"};
  const ImportOutcome outcome = ImportFiles(request_).value();
  EXPECT_EQ(outcome.path, request_.store / "ranks");
  ASSERT_EQ(outcome.inputs.size(), 1u);
  EXPECT_EQ(outcome.passed_over.size(), 1u);
  request_.files = {folder_ / "ranks" / "deeper"};
  EXPECT_THAT(ImportFiles(request_).error().what, HasSubstr("no file of a known format"));
}

TEST_F(ImportTest, AFileThatIsGivenTwiceIsRefused) {
  fs::create_symlink(Sample(), folder_ / "link.xspr");
  request_.files = {Sample(), folder_ / "link.xspr"};
  const auto outcome = ImportFiles(request_);
  EXPECT_EQ(outcome.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(outcome.error().what, HasSubstr("given twice"));
}

TEST_F(ImportTest, ACopyOfAFileIsLeftOutAndNoted) {
  for (const char* name : {"a.xspr", "b.xspr", "c.xspr"}) fs::copy_file(Sample(), folder_ / name);
  std::ofstream(folder_ / "b.xspr", std::ios::app) << '\n';  // Of another size, and another file.
  request_.files = {folder_ / "a.xspr", folder_ / "b.xspr", folder_ / "c.xspr"};
  const ImportOutcome outcome = ImportFiles(request_).value();
  EXPECT_EQ(outcome.inputs.size(), 2u);
  const std::map<std::string, std::int64_t> spans(outcome.spans.begin(), outcome.spans.end());
  EXPECT_EQ(spans.at("model"), 4);
  const auto noted = std::ranges::find(outcome.diagnostics, "import_copied_file",
                                       &ImportOutcome::Diagnostic::name);
  ASSERT_NE(noted, outcome.diagnostics.end());
  EXPECT_EQ(noted->count, 1);
  EXPECT_EQ(noted->example,
            (folder_ / "c.xspr").string() + ", a copy of " + (folder_ / "a.xspr").string());
}

TEST_F(ImportTest, APipeIsRefused) {
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  request_.files = {folder_ / "pipe"};
  const auto outcome = ImportFiles(request_);
  EXPECT_EQ(outcome.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(outcome.error().what, HasSubstr("not a regular file"));
}

TEST_F(ImportTest, ABadFileLeavesNoExperiment) {
  std::ofstream(folder_ / "noise") << "neither this nor that";
  request_.files = {Sample(), folder_ / "noise"};
  EXPECT_EQ(ImportFiles(request_).error().kind, ErrorKind::kBadInput);
  EXPECT_FALSE(fs::exists(request_.store / "two_calls"));
  request_.files.clear();
  EXPECT_EQ(ImportFiles(request_).error().kind, ErrorKind::kUsage);
}

}  // namespace
}  // namespace xsp::experiments
