#ifndef XSP_DERIVE_HISTORY_HISTORY_TESTING_H_
#define XSP_DERIVE_HISTORY_HISTORY_TESTING_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "core/json_text.h"
#include "store/experiment_writer.h"
#include "store/rows/kernel_row.h"
#include "store/rows/layer_row.h"
#include "store/rows/point_row.h"
#include "store/rows/run_row.h"
#include "store/rows/sample_row.h"
#include "trace/trace.h"

namespace xsp::history {

/// An experiment of a test, with one point.
struct TestExperiment {
  std::string name = "";
  std::string created = "";  ///< RFC 3339; empty: none is stored.
  double latency_ns = 1e6;
  bool was_busy = false;
  std::string version = "2.15.0";  ///< Of the framework.
  std::string cpu = "Test CPU", kernel = "6.1";
  std::int64_t batch = 1;
  int processes = 2;
  std::string model = "net", settings = R"({"threads":0,"seed":1})";
  std::string status = "done";
  double device_ns = 0;      ///< Of device work; 0: there is none.
  std::string session = "";  ///< Empty: none is stored.
};

inline store::PointRow TestPointOf(const TestExperiment& wanted) {
  store::PointRow point{.point_id = 1,
                        .model = wanted.model,
                        .backend = "PyTorch " + wanted.version,
                        .device = "cpu",
                        .precision = "float32",
                        .batch = wanted.batch,
                        .settings = wanted.settings,
                        .status = wanted.status};
  if (wanted.status != "done") return point;
  point.latency_ns = wanted.latency_ns;
  point.latency_low_ns = 0.99 * wanted.latency_ns;
  point.latency_high_ns = 1.01 * wanted.latency_ns;
  point.peak_bytes = 100 * wanted.latency_ns;
  return point;
}

/// One layer, with one kernel and one copy where the experiment has device work.
inline void AddTestLayers(store::ExperimentWriter& writer, const TestExperiment& wanted) {
  store::LayerRow layer{
      .point_id = 1, .layer_index = 0, .name = "conv1", .type = "Conv", .matched = "single"};
  layer.latency_ns = wanted.latency_ns / 2;
  layer.path = "features.conv1";
  std::vector<store::KernelRow> kernels;
  for (const char* type : {"kernel", "memcpy", "primitive"}) {
    if (!(wanted.device_ns > 0)) continue;
    store::KernelRow& kernel = kernels.emplace_back();
    kernel.point_id = 1;
    kernel.name = kernel.type = type;
    kernel.matched = "single";
    kernel.duration_ns = wanted.device_ns / 2;
  }
  if (!kernels.empty()) layer.device_ns = wanted.device_ns;
  EXPECT_TRUE(writer.AddRows(std::vector{layer}).ok());
  EXPECT_TRUE(writer.AddRows(kernels).ok());
}

/// Adds a run and, if it is done, 40 calls that vary by 1 %.
inline void AddTestRun(const TestExperiment& wanted, std::mt19937& random,
                       std::vector<store::RunRow>& runs, std::vector<store::SampleRow>& samples) {
  store::RunRow& run = runs.emplace_back();
  run.run_id = static_cast<std::int64_t>(runs.size());
  run.point_id = 1;
  run.rung = "model";
  run.status = wanted.status;
  run.path = "model-" + std::to_string(run.run_id);
  if (wanted.status != "done") {
    run.message = "out of memory";
    return;
  }
  for (std::int64_t call = 0; call < 40; ++call) {
    store::SampleRow& sample = samples.emplace_back();
    sample.run_id = run.run_id;
    sample.iteration = call;
    sample.latency_ns = static_cast<std::int64_t>(wanted.latency_ns *
                                                  (1 + static_cast<double>(random() % 100) / 1e4));
    sample.rung = "model";
    sample.block = call / 8;
  }
}

/// Writes it to `store` as `xsp run` does. Returns its folder.
inline std::filesystem::path WriteTestExperiment(const std::filesystem::path& store,
                                                 const TestExperiment& wanted) {
  using nlohmann::json;
  auto writer = store::ExperimentWriter::Create(store, wanted.name).value();
  std::mt19937 random(static_cast<std::uint32_t>(wanted.name.back()));
  const json run_json = {{"status", wanted.status},
                         {"disturbance", {{"busy", wanted.was_busy}}},
                         {"model", {{"sha256", "abc"}}},
                         {"stack",
                          {{"cpu", {{"model", wanted.cpu}, {"threads", "4"}}},
                           {"system", {{"kernel", wanted.kernel}}}}}};
  std::vector<store::RunRow> runs;
  std::vector<store::SampleRow> samples;
  for (int i = 0; i < wanted.processes; ++i) {
    AddTestRun(wanted, random, runs, samples);
    trace::Trace trace;
    trace::TraceWriter facts(trace);
    facts.SetFact("worker.name", "torch");
    facts.SetFact("framework.version", wanted.version);
    EXPECT_TRUE(writer.AddRun(runs.back().path, trace, core::JsonText(run_json)).ok());
  }
  EXPECT_TRUE(writer.AddRows(std::vector{TestPointOf(wanted)}).ok());
  EXPECT_TRUE(writer.AddRows(runs).ok());
  EXPECT_TRUE(writer.AddRows(samples).ok());
  AddTestLayers(writer, wanted);
  const std::filesystem::path folder = writer.Commit("{}").value();
  json experiment = core::ParseJson(std::ifstream(folder / "experiment.json"));
  experiment["created"] = wanted.created;
  experiment["model"] = wanted.model;
  experiment["tags"] = {{"branch", wanted.kernel}};
  experiment["disturbance"] = {{"busy", wanted.was_busy}};
  if (!wanted.session.empty()) experiment["session"] = wanted.session;
  std::ofstream(folder / "experiment.json") << experiment;
  return folder;
}

/// "2026-01-02T03:00:00Z" of day 2; 28 days a month.
inline std::string TestDate(int day) {
  char text[32];
  std::snprintf(text, sizeof text, "2026-%02d-%02dT03:00:00Z", 1 + (day - 1) / 28,
                1 + (day - 1) % 28);
  return text;
}

}  // namespace xsp::history

#endif  // XSP_DERIVE_HISTORY_HISTORY_TESTING_H_
