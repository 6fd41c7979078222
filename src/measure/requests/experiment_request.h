#ifndef XSP_MEASURE_REQUESTS_EXPERIMENT_REQUEST_H_
#define XSP_MEASURE_REQUESTS_EXPERIMENT_REQUEST_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/progress.h"
#include "measure/requests/dataset_request.h"
#include "os/interrupt.h"

namespace xsp::requests {

/// The depths that --depth knows, shallow to deep. `model`, `layer`, `kernel` and `counters` are
/// rungs of the workers of this tree; `library` needs a worker that offers it.
inline constexpr const char* kDepths[] = {"model", "layer", "library", "kernel", "counters"};

/// A load scenario in place of the rungs (measure/protocols/scenario.h, docs/scenarios.md).
struct ScenarioRequest {
  std::string kind;  ///< single-stream, offline, server or multi-stream; empty: none.
  std::int64_t latency_bound_ns = 0;  ///< server: what the percentile must stay under.
  double percentile = 0;  ///< Of latency, in (0, 100); 0: the scenario's own (MLPerf's).
  int queries = 0;        ///< Model calls, server: for each rate tried; 0: the scenario's default.
  int streams = 0;        ///< multi-stream: samples a query; 0: 8.
};

/// What `xsp run` was asked for.
struct ExperimentRequest {
  std::string model;               ///< A file, or a name of the zoo.
  std::filesystem::path manifest;  ///< Empty: `model.yaml` beside the file, if there is one.
  std::string name;                ///< Of the experiment; empty: model and time.
  /// A random text that experiments share whose workers alternate; empty: measured alone.
  std::string session;
  /// Inputs of the model as the user gives them (measure/manifest/given_input.h), over what
  /// manifest and file say.
  std::vector<std::string> inputs;
  /// Worker names; `all`: every one here that takes a format of the model; empty: the one that
  /// the model asks for.
  std::vector<std::string> backends;
  std::filesystem::path worker;  ///< A worker program to use whatever the backend; or empty.
  std::string device = "cpu";
  std::vector<std::int64_t> batches = {1};
  std::string depth;    ///< The deepest rung; empty: kernel, or as deep as the worker can.
  bool only = false;    ///< That rung alone, without the shallower ones and without details.
  int iterations = 30;  ///< Model calls per rung after warm-up, without a precision target.
  /// Half the width of the latency's 95 % interval over the latency, down to which each run is
  /// sampled: 0.05. 0: exactly `iterations` calls.
  double precision_target = 0;
  /// With a target: of the turns of a rung, after which its sampling ends. Processes of a rung
  /// share it evenly.
  double time_limit_s = 15;
  /// Processes of the rung `model` per point, so that what processes of one program differ by is
  /// known; 0: 5 with a session, 3 with several backends, else 1. From 5 on, a rung whose profiling
  /// cannot be switched within a process is compared with the rung above in as many pairs of
  /// processes (with 0: only the rung that comparisons take their times from).
  int processes = 0;
  /// How often each process of a timed rung loads the model, within `iterations` calls.
  int loads = 1;
  double warmup_limit_s = 60;  ///< Warm-up of a run that has not settled by then; 0: no limit.
  int threads = 0;             ///< 0: the framework's default.
  std::string graph = "default";
  std::string precision = "default";
  /// Settings that only some frameworks have: NAME=VALUE for every backend, BACKEND:NAME=VALUE for
  /// one.
  std::vector<std::string> options;
  std::uint64_t seed = 1;
  std::filesystem::path store;
  double deadline_s = 0;  ///< Longest silence of a worker: loading with warm-up, or one block of
                          ///< calls. 0: 600 s for the first, 20 times the expected for the other.
  std::int64_t memory_limit_bytes = 0;  ///< Of each worker, by cgroup; 0: none.
  ScenarioRequest scenario;
  DatasetRequest dataset;
  /// Gets the results of each point's first call, in a folder named by its number (as
  /// docs/worker-protocol.md says of `outputs`). Empty: they are not kept.
  std::filesystem::path keep_outputs;
  double monitor_rate_hz = 10;  ///< Of the system monitor beside the workers; 0: none.
  std::string live_otlp;        ///< URL to which spans are sent while workers run; empty: none.
  std::filesystem::path live_folder;  ///< Gets their tables meanwhile; empty: none does.
  bool roofs = true;                  ///< Store this machine's roofs (measured when not cached).
  std::map<std::string, std::string> tags;  ///< Of the experiment, by key (store::TagExperiment).
  std::string command;                      ///< The command line, stored for reproduction.
  core::Progress* progress = nullptr;       ///< Borrowed; null: not reported.
  os::Interrupts* interrupts = nullptr;     ///< Borrowed; null: nothing asks it to stop.
};

}  // namespace xsp::requests

#endif  // XSP_MEASURE_REQUESTS_EXPERIMENT_REQUEST_H_
