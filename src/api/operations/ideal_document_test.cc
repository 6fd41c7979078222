#include "api/operations/ideal_document.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "core/json_text.h"
#include "store/experiment_writer.h"
#include "store/rows/kernel_row.h"
#include "store/rows/layer_row.h"
#include "store/rows/point_row.h"
#include "store/rows/roof_row.h"
#include "store/rows/run_row.h"

namespace xsp::api {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class IdealDocumentTest : public testing::Test {
 protected:
  ~IdealDocumentTest() override {
    std::error_code ignored;
    fs::remove_all(store_, ignored);
  }

  /// An experiment on a machine with this CPU: a convolution that took `conv_ns` and a sort of
  /// unknown cost. Of 4 calls `disturbed` had interference.
  fs::path Write(std::string_view name, std::string_view cpu, double conv_ns,
                 std::int64_t disturbed = 0) {
    auto writer = store::ExperimentWriter::Create(store_, name).value();
    EXPECT_TRUE(writer
                    .AddRows(std::vector<store::PointRow>{{.point_id = 1,
                                                           .model = "m",
                                                           .backend = std::string(name),
                                                           .device = "cpu",
                                                           .precision = "float32",
                                                           .batch = 1,
                                                           .settings = "{}",
                                                           .latency_ns = 9000,
                                                           .cores = 2,
                                                           .status = "done"}})
                    .ok());
    EXPECT_TRUE(writer
                    .AddRows(std::vector<store::RunRow>{{.run_id = 1,
                                                         .point_id = 1,
                                                         .rung = "layer",
                                                         .status = "done",
                                                         .path = "layer",
                                                         .samples = 4,
                                                         .disturbed = disturbed,
                                                         .latency_ns = 9000,
                                                         .threads = 2}})
                    .ok());
    EXPECT_TRUE(writer
                    .AddRows(std::vector<store::LayerRow>{{.point_id = 1,
                                                           .layer_index = 0,
                                                           .name = "conv",
                                                           .type = "Conv",
                                                           .shape = "[1,8]",
                                                           .latency_ns = conv_ns,
                                                           .source_run = 1,
                                                           .matched = "all"},
                                                          {.point_id = 1,
                                                           .layer_index = 1,
                                                           .name = "sort",
                                                           .type = "Sort",
                                                           .shape = "[1,8]",
                                                           .latency_ns = conv_ns,
                                                           .source_run = 1,
                                                           .matched = "all"}})
                    .ok());
    EXPECT_TRUE(writer
                    .AddRows(std::vector<store::KernelRow>{{.point_id = 1,
                                                            .kernel_index = 0,
                                                            .layer_index = 0,
                                                            .name = "Conv",
                                                            .type = "native",
                                                            .dtype = "float32",
                                                            .unit = "vector",
                                                            .duration_ns = conv_ns,
                                                            .flops = 1000,
                                                            .read_bytes = 320,
                                                            .write_bytes = 32,
                                                            .flops_provenance = "analytic",
                                                            .traffic_provenance = "analytic",
                                                            .matched = "all"}})
                    .ok());
    EXPECT_TRUE(writer
                    .AddRows(std::vector<store::RoofRow>{{.kind = "flops",
                                                          .name = "float32 vector",
                                                          .dtype = "float32",
                                                          .unit = "vector",
                                                          .cores = 2,
                                                          .value = 1e9,
                                                          .provenance = "measured:xsp",
                                                          .how = "test",
                                                          .used = true}})
                    .ok());
    const json machine = {{"stack", {{"cpu", {{"model", cpu}}}}}};
    return writer.Commit(core::JsonText(machine)).value();
  }

  json Ideal(const fs::path& experiment, const std::vector<fs::path>& others,
             bool with_disturbed = false) {
    core::NoProgress progress;
    auto document = IdealDocument({experiment, others, with_disturbed}, progress);
    EXPECT_TRUE(document.ok()) << document.error().what;
    return document.ok() ? std::move(document).value() : json();
  }

  const fs::path store_ = fs::path(testing::TempDir()) / ("xsp-ideal-" + std::to_string(getpid()));
};

TEST_F(IdealDocumentTest, TakesTheBestOfThisMachineAlone) {
  const fs::path own = Write("own", "EPYC", 5000);
  const std::vector<fs::path> all = {own, Write("fast", "EPYC", 2000),
                                     Write("busy", "EPYC", 1500, 3), Write("other", "Xeon", 1000)};
  const json document = Ideal(own, all);
  EXPECT_EQ(document["experiments"]["same_machine"], 2);
  EXPECT_EQ(document["experiments"]["other_machine"], 1);
  const json& point = document["points"][0];
  const json& conv = point["layers"][0];
  EXPECT_EQ(conv["best_known_ns"], 2000);
  EXPECT_EQ(conv["best_known"]["experiment"], "fast");
  EXPECT_EQ(conv["bound_ns"], 1000) << "1000 FLOP at 1 GFLOP/s";
  EXPECT_EQ(conv["resource"], "float32 vector");
  const json& sort = point["layers"][1];
  EXPECT_TRUE(sort["bound_ns"].is_null());
  EXPECT_EQ(sort["best_known_ns"], 5000) << "work of an unknown cost is not recognised elsewhere";
  EXPECT_EQ(point["measured_ns"], 10000);
  EXPECT_EQ(point["best_known_ns"], 7000);
  EXPECT_EQ(point["bound_ns"], 1000);
  EXPECT_EQ(point["bounded_ns"], 5000);
  EXPECT_EQ(point["improved_layers"], 1);
  EXPECT_TRUE(point["critical_path"].is_null());
}

TEST_F(IdealDocumentTest, TakesTimesOfDisturbedRunsWhereAskedTo) {
  const fs::path own = Write("own", "EPYC", 5000);
  const fs::path busy = Write("busy", "EPYC", 1500, 3);
  EXPECT_EQ(Ideal(own, {busy})["points"][0]["layers"][0]["best_known_ns"], 5000);
  EXPECT_EQ(Ideal(own, {busy}, true)["points"][0]["layers"][0]["best_known_ns"], 1500);
}

TEST_F(IdealDocumentTest, IsNeverAboveWhatWasMeasuredAndSaysWhatExceedsARoof) {
  const fs::path own = Write("own", "EPYC", 800);
  const json point = Ideal(own, {Write("slow", "EPYC", 4000)})["points"][0];
  EXPECT_EQ(point["layers"][0]["best_known_ns"], 800);
  EXPECT_TRUE(point["layers"][0]["best_known"].is_null());
  EXPECT_TRUE(point["layers"][0]["exceeded"]);
  EXPECT_EQ(point["exceeded_layers"], 1);
}

TEST_F(IdealDocumentTest, LeavesOutWhatIsDamagedAndCountsIt) {
  const fs::path own = Write("own", "EPYC", 5000);
  const fs::path damaged = Write("damaged", "EPYC", 10);
  std::ofstream(damaged / "layer.parquet") << "not Parquet";
  const fs::path none = store_ / "none";
  fs::create_directories(none);
  const json document = Ideal(own, {damaged, Write("fast", "EPYC", 2000), none});
  EXPECT_EQ(document["experiments"]["unreadable"], 2);
  EXPECT_EQ(document["points"][0]["layers"][0]["best_known_ns"], 2000);
}

TEST_F(IdealDocumentTest, OfAnUnknownMachineLooksAtItselfOnly) {
  const fs::path own = Write("own", "", 5000);
  const json document = Ideal(own, {Write("fast", "", 2000)});
  EXPECT_TRUE(document["cpu"].is_null());
  EXPECT_EQ(document["points"][0]["layers"][0]["best_known_ns"], 5000);
}

}  // namespace
}  // namespace xsp::api
