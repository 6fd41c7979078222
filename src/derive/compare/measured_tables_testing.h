#ifndef XSP_DERIVE_COMPARE_MEASURED_TABLES_TESTING_H_
#define XSP_DERIVE_COMPARE_MEASURED_TABLES_TESTING_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <string_view>

#include "derive/compare/measured_tables.h"
#include "store/experiment_writer.h"

namespace xsp::compare {

/// A point of a test. Its calls and layers are random, from `seed`.
struct TestPoint {
  std::string model = "net", backend = "PyTorch 2.15", device = "cpu", precision = "float32";
  std::optional<std::int64_t> batch = 1;
  std::uint32_t seed = 1;
  int processes = 3;  ///< Of the rung `model`.
};

/// Adds a run of `blocks` blocks of 8 calls of about `mean_ns`. Returns its row, to be changed.
inline store::RunRow& AddTestRun(MeasuredTables& tables, std::string_view rung, int blocks,
                                 double mean_ns, std::mt19937& random) {
  const auto run_id = static_cast<std::int64_t>(tables.run.size()) + 1;
  for (std::int64_t i = 0; i < blocks * 8; ++i) {
    const double spread = static_cast<double>(random() % 1000) / 1e5;
    tables.sample.push_back({.run_id = run_id,
                             .iteration = i,
                             .latency_ns = static_cast<std::int64_t>(mean_ns * (1 + spread)),
                             .disturbed = i % 5 == 0,
                             .rung = std::string(rung),
                             .process = run_id,
                             .block = i / 8});
  }
  return tables.run.emplace_back(
      store::RunRow{.run_id = run_id,
                    .point_id = tables.point.back().point_id,
                    .rung = std::string(rung),
                    .status = "done",
                    .path = std::string(rung) + "-" + std::to_string(run_id)});
}

/// Adds the point with runs of the rungs `model` and `layer`, and with ten layers, of which some
/// lack a shape, a path or a latency.
inline void AddTestPoint(MeasuredTables& tables, const TestPoint& wanted) {
  const auto point_id = static_cast<std::int64_t>(tables.point.size()) + 1;
  tables.point.push_back({.point_id = point_id,
                          .model = wanted.model,
                          .backend = wanted.backend,
                          .device = wanted.device,
                          .precision = wanted.precision,
                          .batch = wanted.batch,
                          .settings = "{}",
                          .status = "done"});
  std::mt19937 random(wanted.seed);
  const double mean_ns = 1e6 * (1 + static_cast<double>(wanted.seed) / 10);
  for (int i = 0; i < wanted.processes; ++i)
    AddTestRun(tables, "model", 4, mean_ns * (1 + 0.01 * i), random);
  AddTestRun(tables, "layer", 4, 2 * mean_ns, random);
  for (std::int64_t i = 0; i < 10; ++i) {
    store::LayerRow& layer =
        tables.layer.emplace_back(store::LayerRow{.point_id = point_id,
                                                  .layer_index = i,
                                                  .name = "layer " + std::to_string(i),
                                                  .type = random() % 2 == 0 ? "Conv" : "Relu",
                                                  .matched = "single"});
    if (random() % 4 != 0) layer.shape = "[[1," + std::to_string(random() % 3 + 2) + "]]";
    if (random() % 4 != 0) layer.latency_ns = static_cast<double>(random() % 100000) / 7;
    if (random() % 2 == 0) layer.path = "block." + std::to_string(i);
  }
}

/// Writes `tables` to an experiment that is not committed.
inline store::ExperimentWriter WriteTestTables(const MeasuredTables& tables,
                                               const std::filesystem::path& store) {
  auto writer = store::ExperimentWriter::Create(store, "x").value();
  EXPECT_TRUE(writer.AddRows(tables.point).ok());
  EXPECT_TRUE(writer.AddRows(tables.run).ok());
  EXPECT_TRUE(writer.AddRows(tables.sample).ok());
  EXPECT_TRUE(writer.AddRows(tables.layer).ok());
  return writer;
}

}  // namespace xsp::compare

#endif  // XSP_DERIVE_COMPARE_MEASURED_TABLES_TESTING_H_
