#include "derive/experiments/replay_references.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/json_text.h"
#include "derive/experiments/imported_files.h"
#include "os/files.h"
#include "store/database.h"

namespace xsp::experiments {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

std::string Event(const std::string& category, const std::string& name, int thread, int ts,
                  int duration, const std::string& args = "") {
  return fmt::format(
      R"({{"ph":"X","cat":"{}","name":"{}","pid":{},"tid":{},"ts":{},"dur":{},"args":{{{}}}}})",
      category, name, category == "kernel" ? 0 : 100, thread, ts, duration, args);
}

/// Operators "op 0", "op 1", ... that launch one kernel each.
std::string Eager(const std::vector<std::string>& kernels) {
  std::string events;
  for (int i = 0; i < static_cast<int>(kernels.size()); ++i) {
    const int at = 1000 + 100 * i;
    const std::string id = fmt::format(R"("correlation":{})", 10 + i);
    events += Event("cpu_op", fmt::format("op {}", i), 100, at, 90, R"("Input Dims":[[4,4]])") +
              "," + Event("cuda_runtime", "cudaLaunchKernel", 100, at + 10, 5, id) + "," +
              Event("kernel", kernels[static_cast<std::size_t>(i)], 7, at + 20, 40,
                    id + R"(,"device":0,"stream":7)") +
              ",";
  }
  return events;
}

/// One launch of all of them.
std::string Replay(const std::vector<std::string>& kernels) {
  std::string events = Event("cuda_runtime", "cudaGraphLaunch", 100, 5000, 5, R"("correlation":9)");
  for (int i = 0; i < static_cast<int>(kernels.size()); ++i)
    events += "," + Event("kernel", kernels[static_cast<std::size_t>(i)], 7, 5100 + 50 * i, 40,
                          R"("correlation":9,"device":0,"stream":7)");
  return events;
}

class ReplayReferencesTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "xsp-references-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    request_.store = folder_ / "store";
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  Result<ImportOutcome> Import(const std::string& name, std::string events,
                               const std::string& model, const std::string& reference = "") {
    if (events.ends_with(',')) events.pop_back();
    const fs::path file = folder_ / (name + ".json");
    std::ofstream(file) << R"({"schemaVersion":1,"deviceProperties":[],"traceEvents":[)" << events
                        << "]}";
    request_.files = {file};
    request_.name = name;
    request_.model = model;
    request_.reference = reference;
    return ImportFiles(request_);
  }

  /// The operator of each kernel, "-" without.
  static std::vector<std::string> Operators(const ImportOutcome& outcome) {
    const auto database = store::Database::Open({outcome.path}).value();
    const auto rows = database.Query(R"(
        SELECT coalesce(o.name, '-') FROM span k JOIN kernel_layer l ON l.kernel_id = k.id
        LEFT JOIN span o ON o.id = l.layer_id ORDER BY k.start_ns)");
    std::vector<std::string> found;
    for (const auto& row : rows.value().rows) found.push_back(std::get<std::string>(row[0]));
    return found;
  }

  fs::path folder_;
  ImportRequest request_;
};

TEST_F(ReplayReferencesTest, AReplayIsExplainedByAnotherRunOfTheSameModel) {
  ASSERT_TRUE(Import("A", Eager({"gemm", "mean", "scale"}), "net").ok());
  const ImportOutcome replay = Import("replay", Replay({"gemm", "mean", "scale"}), "net").value();
  EXPECT_THAT(Operators(replay), ElementsAre("op 0", "op 1", "op 2"));
  EXPECT_EQ(replay.reference_runs, "A");
  const auto json = core::ParseJson(os::ReadFile(replay.run / "run.json").value());
  EXPECT_EQ(json["facts"]["replay.reference_runs"], "A");
  const auto database = store::Database::Open({replay.path}).value();
  const auto kernels = database.Query("SELECT DISTINCT placed_by, confidence FROM kernel").value();
  ASSERT_EQ(kernels.rows.size(), 1u);
  EXPECT_EQ(std::get<std::string>(kernels.rows[0][0]), "sequence: other run");
  EXPECT_EQ(std::get<double>(kernels.rows[0][1]), 1.0);
  const auto told = database.Query(
      "SELECT DISTINCT value FROM attribute WHERE key IN ('replay_reference', 'input_shapes') "
      "ORDER BY ALL");
  ASSERT_EQ(told.value().rows.size(), 2u);
  EXPECT_EQ(std::get<std::string>(told.value().rows[0][0]), "[[4,4]]");
  EXPECT_EQ(std::get<std::string>(told.value().rows[1][0]), "run A");
}

TEST_F(ReplayReferencesTest, RunsOfOtherModelsOrOfUnstatedOnesAreNotAsked) {
  ASSERT_TRUE(Import("A", Eager({"gemm", "mean"}), "net").ok());
  const auto other = Import("B", Replay({"gemm", "mean"}), "another").value();
  EXPECT_THAT(Operators(other), ElementsAre("-", "-"));
  const auto unstated = Import("C", Replay({"gemm", "mean"}), "").value();
  EXPECT_THAT(Operators(unstated), ElementsAre("-", "-"));
  EXPECT_EQ(unstated.reference_runs, "");
  ASSERT_EQ(unstated.diagnostics.size(), 1u);
  EXPECT_EQ(unstated.diagnostics[0].name, "correlate_replay_unexplained");
  EXPECT_THAT(unstated.diagnostics[0].hint, HasSubstr("--reference"));
}

TEST_F(ReplayReferencesTest, ANamedRunIsTakenWhateverItsModel) {
  const ImportOutcome eager = Import("A", Eager({"gemm", "mean"}), "net").value();
  for (const std::string& name : {std::string("A"), eager.run.string()}) {
    const auto replay = Import("B", Replay({"gemm", "mean"}), "another", name);
    ASSERT_TRUE(replay.ok());
    EXPECT_THAT(Operators(replay.value()), ElementsAre("op 0", "op 1"));
  }
}

TEST_F(ReplayReferencesTest, WhatTheFilesSayThemselvesComesFirst) {
  ASSERT_TRUE(Import("A", Eager({"mean", "gemm"}), "net").ok());
  const auto replay =
      Import("B", Eager({"gemm", "mean"}) + Replay({"gemm", "mean"}), "net", "A").value();
  EXPECT_THAT(Operators(replay), ElementsAre("op 0", "op 1", "op 0", "op 1"));
  EXPECT_EQ(replay.reference_runs, "");
}

TEST_F(ReplayReferencesTest, ANamedRunThatTellsNothingIsAnError) {
  ASSERT_TRUE(Import("A", Replay({"gemm", "mean"}), "net").ok());
  const auto useless = Import("B", Replay({"gemm", "mean"}), "net", "A");
  ASSERT_FALSE(useless.ok());
  EXPECT_THAT(useless.error().what, HasSubstr("has no kernel"));
  const auto missing = Import("C", Replay({"gemm", "mean"}), "net", "nowhere");
  ASSERT_FALSE(missing.ok());
  EXPECT_THAT(missing.error().what, HasSubstr("no such run: nowhere"));
}

}  // namespace
}  // namespace xsp::experiments
