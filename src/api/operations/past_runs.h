#ifndef XSP_API_OPERATIONS_PAST_RUNS_H_
#define XSP_API_OPERATIONS_PAST_RUNS_H_

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "measure/protocols/expected_time.h"

namespace xsp::api {

/// A run of the store, with what a plan compares it by.
struct StoredRun {
  std::string experiment;
  std::string created;  ///< RFC 3339, UTC.
  std::string rung;
  std::string worker;                ///< As `xsp run --backend` names it.
  nlohmann::json job;                ///< As its worker got it (docs/worker-protocol.md).
  std::optional<double> latency_ns;  ///< Of its point.
  protocols::PastRun past;
};

/// The runs of a model that workers made on a machine, of the newest experiments first, at most 12
/// for each worker. What cannot be read is left out. Errors: kEnvironment (the store cannot be
/// read). Threading: any thread.
Result<std::vector<StoredRun>> ReadPastRuns(const std::filesystem::path& store,
                                            const std::string& model, const std::string& machine);

/// What of two jobs differs that changes how long a call takes: `batch`, `precision`, `threads`,
/// ...
std::vector<std::string> DifferencesOf(const nlohmann::json& one, const nlohmann::json& other);

/// Those of `runs` with the worker and rung that differ least from a job, at most one an experiment
/// and three in all, the newest first. All differ from it by the same, `differs_by`, and, where it
/// is the batch size, have the same one. None: no run of that rung is stored.
struct ClosestRuns {
  std::vector<const StoredRun*> runs;
  std::vector<std::string> differs_by;
};
ClosestRuns FindClosest(const std::vector<StoredRun>& runs, const std::string& worker,
                        const std::string& rung, const nlohmann::json& job);

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_PAST_RUNS_H_
