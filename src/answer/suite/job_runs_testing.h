#ifndef XSP_ANSWER_SUITE_JOB_RUNS_TESTING_H_
#define XSP_ANSWER_SUITE_JOB_RUNS_TESTING_H_

// For tests of what reads the runs of `xsp suite jobs`.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "answer/suite/job_runs.h"
#include "store/experiment_changes.h"
#include "store/experiment_writer.h"
#include "store/rows/system_usage_row.h"

namespace xsp::suite {

/// Stores the experiment that the system monitor made during `run`, on a machine with this
/// processor of which up to `memory_mb` were in use, and of its GPUs, where it has some,
/// `gpu_memory_mb`.
inline void StoreJobRun(const std::filesystem::path& store, const std::string& name,
                        const JobRun& run, double memory_mb = 1000,
                        const std::string& cpu = "a processor",
                        std::optional<double> gpu_memory_mb = std::nullopt) {
  auto writer = store::ExperimentWriter::Create(store, name);
  ASSERT_TRUE(writer.ok());
  store::SystemUsageRow usage{};
  usage.run_id = 1;
  usage.cpu_pct = 50;
  usage.system_memory_mb_most = memory_mb;
  if (gpu_memory_mb) usage.gpu_pct_sum = 70;
  usage.gpu_memory_mb_sum_most = gpu_memory_mb;
  ASSERT_TRUE(writer.value().AddRows(std::vector{usage}).ok());
  ASSERT_TRUE(writer.value().Commit("{\"format_version\": 1}").ok());
  std::filesystem::create_directories(store / name / "monitor");
  std::ofstream(store / name / "monitor" / "run.json")
      << nlohmann::json{{"stack", {{"cpu", {{"model", cpu}}}}}};
  const auto tagged = store::TagExperiment(store, name, TagsOf(run));
  ASSERT_TRUE(tagged.ok()) << tagged.error().what;
}

}  // namespace xsp::suite

#endif  // XSP_ANSWER_SUITE_JOB_RUNS_TESTING_H_
