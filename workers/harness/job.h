#ifndef XSP_WORKERS_HARNESS_JOB_H_
#define XSP_WORKERS_HARNESS_JOB_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "capture/counters/event.h"
#include "core/dtype.h"
#include "core/result.h"
#include "harness/worker.h"

namespace xsp::worker {

/// What synthetic values an input gets.
enum class Fill : std::uint8_t {
  kDefault,  ///< Standard normal; integers uniform in the range; fair booleans.
  kUniform,  ///< Floating point uniform in (0, 1]; else as by default.
  kZeros,
  kOnes,
  kRange,  ///< 0, 1, 2, ... along the last dimension (positions).
  kValue,  ///< InputSpec::value everywhere.
};

/// One input as the job names it; the batch is filled in already.
struct InputSpec {
  std::string name;
  xsp_worker_dtype dtype = XSP_FLOAT32;
  std::vector<std::int64_t> shape;
  Fill fill = Fill::kDefault;
  /// Integers are drawn from [low, high).
  std::pair<std::int64_t, std::int64_t> range = {0, 100};
  double value = 0;                          ///< For Fill::kValue.
  std::vector<std::size_t> batch_axes = {};  ///< Dimensions that are the batch.
};

/// What the user says of an input beside the manifest or the model's file; the rest is taken from
/// these.
struct GivenInput {
  std::string name;  ///< Empty: the model's only input.
  std::optional<xsp_worker_dtype> dtype;
  /// kBatchSize: the batch. Not there: as the model says.
  std::optional<std::vector<std::int64_t>> shape;
  std::optional<Fill> fill;
  std::optional<std::pair<std::int64_t, std::int64_t>> range;
  double value = 0;
};

/// In a given shape.
inline constexpr std::int64_t kBatchSize = -1;

struct WarmupRule {
  int window = 10;
  double tolerance = 0.02;
  int max_calls = 100;
  double max_seconds = 0;  ///< 0: no limit.
};

/// Samples that `evaluate` takes, and what is made of them.
struct DatasetSpec {
  nlohmann::json description;                           ///< As pipeline::OpenDataset takes it.
  std::string folder;                                   ///< Its paths are relative to it.
  std::int64_t samples = 0;                             ///< So many, spread evenly; 0: all.
  nlohmann::json preprocess = nlohmann::json::array();  ///< Steps, docs/pipelines.md.
  nlohmann::json postprocess = nlohmann::json::array();
  std::string steps_folder;  ///< Files that steps name are relative to it.
  std::string predictions;   ///< Where predictions are written: a line of JSON per sample.
};

/// A job file (docs/worker-protocol.md), checked.
struct Job {
  std::string model_name;
  std::string model_path;
  std::string device = "cpu";
  std::string precision = "default";
  std::string graph = "default";
  std::int64_t batch = 1;
  int threads = 0;
  std::uint64_t seed = 1;
  xsp_worker_rung rung = XSP_RUNG_MODEL;
  WarmupRule warmup;
  int iterations = 30;
  std::vector<InputSpec> inputs;                             ///< Empty: the worker infers them.
  std::vector<GivenInput> given;                             ///< Said beside them.
  std::vector<std::pair<std::string, std::string>> options;  ///< Of this framework alone.
  std::optional<DatasetSpec> dataset;
  std::vector<counters::Event>
      counters;                 ///< Of the rung `counters`; empty: what the kernel counts.
  double planted_slowdown = 0;  ///< Share by which calls of the job's rung are prolonged; baseline
                                ///< calls are not. For calibration.
  std::string outputs_folder;   ///< Where one call's results are written; empty: nowhere.
};

/// Parses and checks a job. Errors: bad_input, with the field's name first.
Status ParseJob(const std::string& text, Job& job);

/// Reads the file at `path`. Errors: bad_input, environment.
Status ReadJob(const std::string& path, Job& job);

/// "model", "layer", "kernel", "details", "counters".
const char* RungName(xsp_worker_rung rung);

/// The rung of that name; nothing: there is none.
std::optional<xsp_worker_rung> RungNamed(std::string_view name);

std::optional<xsp_worker_dtype> DtypeNamed(const std::string& name);

/// The same type by its other name: both lists have the same values.
inline core::Dtype CoreDtype(xsp_worker_dtype dtype) { return static_cast<core::Dtype>(dtype); }

/// Takes what is given over into `input`, the batch filled in.
void Overlay(const GivenInput& given, std::int64_t batch, InputSpec& input);

/// "normal", "uniform", "zeros", "ones", "range", "value".
const char* FillName(Fill fill);

}  // namespace xsp::worker

#endif  // XSP_WORKERS_HARNESS_JOB_H_
