#ifndef XSP_WORKERS_ONNXRUNTIME_SESSION_OPTIONS_H_
#define XSP_WORKERS_ONNXRUNTIME_SESSION_OPTIONS_H_

#include <string>
#include <string_view>

#include "harness/worker.h"
#include "onnxruntime/runtime.h"

namespace xsp::worker_onnxruntime {

/// "cpu" for CPUExecutionProvider, "cuda" for CUDAExecutionProvider, ...: the provider's name in
/// lower case without "ExecutionProvider". Empty for a provider that runs nothing here (Azure).
std::string DeviceOf(std::string_view provider);

/// Whether a node of that device has finished when its profile says so. On the others the profile
/// times launches only.
bool RunsNodesToTheirEnd(std::string_view device);

/// Whether a device's kernels are CUDA's, which libxsp-cuda.so records.
bool RunsOnCuda(std::string_view device);

/// "disabled", "basic", "extended" and "all", the last what a user gets.
const std::vector<std::string>& GraphLevels();

/// The settings of a job. Throws WorkerError: bad_input for an option's value, not_possible for a
/// provider that the machine cannot run.
SessionOptions MakeSessionOptions(const xsp_worker_job& job);

/// What to do about a model that cannot be read.
constexpr const char* kExportHint = "copy or export the model again; it must be an ONNX file";

/// Loads the job's model. Throws WorkerError.
Session CreateSession(OrtEnv& environment, const xsp_worker_job& job,
                      const OrtSessionOptions* options);

}  // namespace xsp::worker_onnxruntime

#endif  // XSP_WORKERS_ONNXRUNTIME_SESSION_OPTIONS_H_
