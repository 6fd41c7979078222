#ifndef XSP_ANSWER_SUGGEST_SUGGEST_TESTING_H_
#define XSP_ANSWER_SUGGEST_SUGGEST_TESTING_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/json_text.h"
#include "store/experiment_writer.h"
#include "store/rows/accuracy_row.h"
#include "store/rows/evaluation_row.h"
#include "store/rows/kernel_row.h"
#include "store/rows/point_row.h"
#include "store/rows/roof_row.h"
#include "store/rows/run_row.h"
#include "store/rows/sample_row.h"
#include "trace/trace.h"

namespace xsp::suggest {

/// An experiment of `xsp run` for a test: one model on one backend at several batch sizes.
struct TestExperiment {
  std::string name;
  std::string created = "2026-11-01T00:00:00.000Z";
  std::string model = "net";  ///< As it was given to `xsp run`.
  std::string sha256 = std::string(64, 'a');
  std::string cpu = "AMD EPYC 7763 64-Core Processor";
  std::string precision = "default";
  std::string status = "done";  ///< Of its points.
  std::int64_t iterations = 30;
  bool is_disturbed = false;
  std::string dataset = {};  ///< With a top_1 of 0.75 over 40 samples.
  std::vector<std::int64_t> batches = {1};
  double latency_ms = 10;    ///< At batch 1; in proportion to the batch size.
  int calls = 0;             ///< Samples of each point: 1, 2, ... times a microsecond.
  bool has_kernels = false;  ///< One compute-bound kernel over 80 % of the call.
};

inline store::PointRow PointOf(const TestExperiment& made, std::int64_t id, std::int64_t batch) {
  const double ns = made.latency_ms * 1e6 * static_cast<double>(batch);
  const nlohmann::json settings = {
      {"worker", "torch"}, {"threads", 0}, {"iterations", made.iterations}};
  return {.point_id = id,
          .model = made.model,
          .backend = "PyTorch 2.15.0",
          .device = "cpu",
          .precision = made.has_kernels ? "float32" : made.precision,
          .batch = batch,
          .settings = core::JsonText(settings),
          .latency_ns = ns,
          .latency_low_ns = 0.95 * ns,
          .latency_high_ns = 1.05 * ns,
          .cores = 2,
          .status = made.status};
}

/// Writes it to `store`. Returns its folder.
inline std::filesystem::path Write(const TestExperiment& made, const std::filesystem::path& store) {
  auto writer = store::ExperimentWriter::Create(store, made.name).value();
  std::vector<store::PointRow> points;
  std::vector<store::RunRow> runs;
  std::vector<store::SampleRow> samples;
  std::vector<store::KernelRow> kernels;
  for (const std::int64_t batch : made.batches) {
    const auto id = static_cast<std::int64_t>(points.size()) + 1;
    points.push_back(PointOf(made, id, batch));
    runs.push_back({.run_id = id,
                    .point_id = id,
                    .rung = "model",
                    .status = "done",
                    .path = "model-" + std::to_string(id),
                    .latency_ns = points.back().latency_ns,
                    .peak_resident_bytes = 1000000 * batch});
    for (std::int64_t i = 0; i < made.calls; ++i)
      samples.push_back({.run_id = id,
                         .iteration = i,
                         .latency_ns = (i + 1) * 1000,
                         .disturbed = false,
                         .rung = "model"});
    if (made.has_kernels)
      kernels.push_back({.point_id = id,
                         .kernel_index = 0,
                         .name = "gemm",
                         .type = "primitive",
                         .dtype = "float32",
                         .unit = "vector",
                         .duration_ns = 0.8 * *points.back().latency_ns,
                         .flops = 1e6 * static_cast<double>(batch),
                         .read_bytes = 1.0,
                         .write_bytes = 1.0,
                         .source_run = id,
                         .matched = "single"});
  }
  EXPECT_TRUE(writer.AddRows(points).ok());
  EXPECT_TRUE(writer.AddRows(runs).ok());
  EXPECT_TRUE(writer.AddRows(samples).ok());
  EXPECT_TRUE(writer.AddRows(kernels).ok());
  EXPECT_TRUE(writer
                  .AddRows(std::vector<store::RoofRow>{{.kind = "flops",
                                                        .name = "float32 vector",
                                                        .dtype = "float32",
                                                        .unit = "vector",
                                                        .cores = 2,
                                                        .value = 1e11,
                                                        .provenance = "measured:xsp",
                                                        .how = "",
                                                        .used = true},
                                                       {.kind = "bandwidth",
                                                        .name = "DRAM triad",
                                                        .cores = 2,
                                                        .value = 1e10,
                                                        .provenance = "measured:xsp",
                                                        .how = "",
                                                        .used = true}})
                  .ok());
  if (!made.dataset.empty()) {
    EXPECT_TRUE(writer
                    .AddRows(std::vector<store::EvaluationRow>{{.point_id = 1,
                                                                .run_id = 1,
                                                                .dataset = made.dataset,
                                                                .samples = 40,
                                                                .predicted = 40,
                                                                .failed = 0,
                                                                .left_out = 0}})
                    .ok());
    EXPECT_TRUE(
        writer
            .AddRows(std::vector<store::AccuracyRow>{
                {.point_id = 1, .run_id = 1, .metric = "top_1", .value = 0.75, .samples = 40},
                {.point_id = 1,
                 .run_id = 1,
                 .metric = "same_top_1",
                 .reference = "another backend",
                 .value = 1.0,
                 .samples = 40}})
            .ok());
  }
  const nlohmann::json run = {{"rung", "model"}, {"stack", {{"cpu", {{"model", made.cpu}}}}}};
  EXPECT_TRUE(writer.AddRun("model-1", trace::Trace(), core::JsonText(run)).ok());
  nlohmann::json document = {
      {"kind", "run"},
      {"status", "done"},
      {"request", {{"model", made.model}, {"manifest", ""}, {"precision", made.precision}}},
      {"workers", {{{"name", "torch"}, {"model_file", {{"sha256", made.sha256}}}}}},
      {"disturbance", {{"busy", made.is_disturbed}}}};
  if (!made.dataset.empty()) document["request"]["dataset"] = {{"name", made.dataset}};
  const std::filesystem::path folder = writer.Commit(core::JsonText(document)).value();
  // The store sets the time of now.
  const std::filesystem::path file = folder / "experiment.json";
  nlohmann::json stored = core::ParseJson(std::ifstream(file));
  stored["created"] = made.created;
  std::ofstream(file) << stored;
  return folder;
}

}  // namespace xsp::suggest

#endif  // XSP_ANSWER_SUGGEST_SUGGEST_TESTING_H_
