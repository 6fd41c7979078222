#ifndef XSP_MEASURE_SWEEPS_SWEEP_STORE_TESTING_H_
#define XSP_MEASURE_SWEEPS_SWEEP_STORE_TESTING_H_

// For tests: what a store says of experiments, without having measured anything.

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "core/json_text.h"
#include "measure/sweeps/stored_measurements.h"

namespace xsp::sweeps {

/// Writes what MeasurementIn() and stacks are read from, in one step like a real writer.
inline void WriteExperiment(const std::filesystem::path& store, const StoredMeasurement& of,
                            const nlohmann::json& stack) {
  namespace fs = std::filesystem;
  using nlohmann::json;
  const fs::path staging = store / ("." + of.experiment + ".tmp-test");
  fs::create_directories(staging / "b1-model");
  json request = of.subject.settings;
  request["batches"] = of.subject.batches;
  request["model"] = "as it was called";
  json failures = json::array();
  for (const Error& failure : of.failures)
    failures.push_back(
        {{"kind", static_cast<int>(failure.kind)}, {"what", failure.what}, {"hint", failure.hint}});
  const json experiment = {
      {"format_version", 4},
      {"kind", "run"},
      {"created", of.created},
      {"status", of.status},
      {"model", of.subject.model},
      {"backend", of.subject.framework},
      {"model_file", {{"sha256", of.subject.model_sha256}, {"inputs", of.subject.inputs}}},
      {"workers", json::array({{{"name", of.subject.worker}}})},
      {"request", request},
      {"failures", failures},
      {"disturbance", {{"seconds", of.seconds}}},
      {"tags", of.tags}};
  std::ofstream(staging / "experiment.json") << core::JsonText(experiment);
  std::ofstream(staging / "b1-model" / "run.json") << core::JsonText(
      json({{"format_version", 4}, {"rung", "model"}, {"status", "done"}, {"stack", stack}}));
  fs::rename(staging, store / of.experiment);
}

}  // namespace xsp::sweeps

#endif  // XSP_MEASURE_SWEEPS_SWEEP_STORE_TESTING_H_
