#ifndef XSP_WORKERS_ONNXRUNTIME_RUNTIME_H_
#define XSP_WORKERS_ONNXRUNTIME_RUNTIME_H_

#include <onnxruntime_c_api.h>

#include <memory>
#include <string>
#include <vector>

#include "harness/worker_errors.h"

namespace xsp::worker_onnxruntime {

using worker::WorkerError;

/// The library, opened once. What it needs to be: at least version 1.17; layer times need 1.25.
struct Runtime {
  const OrtApi* api = nullptr;  ///< Null: it cannot be used, `problem` says why.
  std::string version;          ///< "1.31.0".
  std::string path;             ///< Of the file.
  std::string problem;
  /// Switch the profile of single runs; null in libraries that have none.
  OrtStatus* (*enable_run_profiling)(OrtRunOptions* options, const char* file_prefix) = nullptr;
  OrtStatus* (*disable_run_profiling)(OrtRunOptions* options) = nullptr;
};

/// Opens the library at the first call; any thread. The environment variable
/// XSP_ONNXRUNTIME_LIBRARY names another file than the one the build found.
const Runtime& Library();

/// The API. Throws WorkerError (environment) when there is no library that can be used.
const OrtApi& Api();

/// Throws WorkerError when `status` is one: what the library says, `context` before it. Unsupported
/// operators are not_possible; missing memory and broken providers are the environment's. Frees it.
void Check(OrtStatus* status, const std::string& context, const std::string& hint);

/// Names of the providers that the library was built with, in its order.
std::vector<std::string> AvailableProviders();

/// A handle of the library with the function of the API that frees it.
template <typename T, void (*OrtApi::*const kRelease)(T*)>
struct Release {
  void operator()(T* handle) const { (Library().api->*kRelease)(handle); }
};
using Env = std::unique_ptr<OrtEnv, Release<OrtEnv, &OrtApi::ReleaseEnv>>;
using SessionOptions =
    std::unique_ptr<OrtSessionOptions, Release<OrtSessionOptions, &OrtApi::ReleaseSessionOptions>>;
using Session = std::unique_ptr<OrtSession, Release<OrtSession, &OrtApi::ReleaseSession>>;
using RunOptions =
    std::unique_ptr<OrtRunOptions, Release<OrtRunOptions, &OrtApi::ReleaseRunOptions>>;
using MemoryInfo =
    std::unique_ptr<OrtMemoryInfo, Release<OrtMemoryInfo, &OrtApi::ReleaseMemoryInfo>>;
using Value = std::unique_ptr<OrtValue, Release<OrtValue, &OrtApi::ReleaseValue>>;
using TypeInfo = std::unique_ptr<OrtTypeInfo, Release<OrtTypeInfo, &OrtApi::ReleaseTypeInfo>>;
using ShapeInfo =
    std::unique_ptr<OrtTensorTypeAndShapeInfo,
                    Release<OrtTensorTypeAndShapeInfo, &OrtApi::ReleaseTensorTypeAndShapeInfo>>;

}  // namespace xsp::worker_onnxruntime

#endif  // XSP_WORKERS_ONNXRUNTIME_RUNTIME_H_
