#include "onnxruntime/runtime.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>

#include "harness/guarded.h"

namespace xsp::worker_onnxruntime {
namespace {

constexpr std::uint32_t kOldestApi = 17;
constexpr std::uint32_t kRunProfilingApi = 25;

// OrtApi is a table of functions that only grows; the library's own assertions
// (core/session/onnxruntime_c_api.cc) keep each function in its slot. Headers older than 1.25 end
// before these two.
constexpr std::size_t kEnableRunProfilingSlot = 415;
constexpr std::size_t kDisableRunProfilingSlot = 416;
static_assert(offsetof(OrtApi, SetEpDynamicOptions) / sizeof(void*) == 284,
              "the slots are counted from this function of version 1.20");
#if ORT_API_VERSION >= 25
static_assert(offsetof(OrtApi, RunOptionsEnableProfiling) / sizeof(void*) ==
              kEnableRunProfilingSlot);
static_assert(offsetof(OrtApi, RunOptionsDisableProfiling) / sizeof(void*) ==
              kDisableRunProfilingSlot);
#endif

Runtime Open() {
  Runtime runtime;
  const char* chosen = std::getenv("XSP_ONNXRUNTIME_LIBRARY");
  runtime.path = chosen && *chosen ? chosen : XSP_ONNXRUNTIME_LIBRARY;
  void* library = dlopen(runtime.path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    runtime.problem = std::string("cannot open the library of ONNX Runtime: ") + dlerror();
    return runtime;
  }
  using GetApiBase = const OrtApiBase* (*)();
  const auto get = reinterpret_cast<GetApiBase>(dlsym(library, "OrtGetApiBase"));
  if (!get) {
    runtime.problem = "not the library of ONNX Runtime: " + runtime.path;
    return runtime;
  }
  runtime.version = get()->GetVersionString();
  // A library that does not know the version asked for says so on stderr: ask for old ones first.
  runtime.api = get()->GetApi(kOldestApi);
  if (!runtime.api) {
    runtime.problem =
        "the library of ONNX Runtime is too old, it must be 1.17 or newer: " + runtime.version +
        ", " + runtime.path;
    return runtime;
  }
  const auto minor =
      std::strtoul(runtime.version.c_str() + runtime.version.find('.') + 1, nullptr, 10);
  const OrtApi* newer = minor >= kRunProfilingApi ? get()->GetApi(kRunProfilingApi) : nullptr;
  if (newer) {
    const auto* slots = reinterpret_cast<void* const*>(newer);
    runtime.enable_run_profiling =
        reinterpret_cast<decltype(runtime.enable_run_profiling)>(slots[kEnableRunProfilingSlot]);
    runtime.disable_run_profiling =
        reinterpret_cast<decltype(runtime.disable_run_profiling)>(slots[kDisableRunProfilingSlot]);
  }
  return runtime;
}

bool IsOfUnknownOperator(const std::string& message) {
  return message.find("is not a registered function/op") != std::string::npos ||
         message.find("No Op registered for") != std::string::npos;
}

ErrorKind KindOf(OrtErrorCode code, const std::string& message) {
  if (worker::IsOutOfMemory(message)) return ErrorKind::kEnvironment;
  if (IsOfUnknownOperator(message)) return ErrorKind::kNotPossible;
  switch (code) {
    case ORT_NOT_IMPLEMENTED:
      return ErrorKind::kNotPossible;
    case ORT_EP_FAIL:
    case ORT_ENGINE_ERROR:
      return ErrorKind::kEnvironment;
    default:
      return ErrorKind::kBadInput;
  }
}

/// The sentence that matters: without the place in the library's source, which leads it.
std::string Essence(const std::string& message) {
  std::string line = message.substr(0, message.find('\n'));
  // "/onnxruntime_src/.../file.cc:123 ReturnType Function(Arguments) what happened"
  const std::size_t end = line.starts_with('/') ? line.rfind(") ") : std::string::npos;
  if (end != std::string::npos) line = line.substr(end + 2);
  return line.empty() ? "no reason given" : line;
}

}  // namespace

const Runtime& Library() {
  static const Runtime runtime = Open();
  return runtime;
}

const OrtApi& Api() {
  const Runtime& library = Library();
  if (!library.api) {
    throw WorkerError(ErrorKind::kEnvironment, library.problem,
                      "build the worker anew (tools/build), or name the library in "
                      "XSP_ONNXRUNTIME_LIBRARY");
  }
  return *library.api;
}

void Check(OrtStatus* status, const std::string& context, const std::string& hint) {
  if (!status) return;
  const OrtErrorCode code = Api().GetErrorCode(status);
  const std::string message = Api().GetErrorMessage(status);
  Api().ReleaseStatus(status);
  const ErrorKind kind = KindOf(code, message);
  if (worker::IsOutOfMemory(message)) {
    throw WorkerError(worker::ErrorOf(Essence(message) + " (out of memory)", context, hint));
  }
  throw WorkerError(
      kind, context + ": " + Essence(message),
      kind == ErrorKind::kNotPossible
          ? "this ONNX Runtime lacks the operator or its kernel: use a newer version, or "
            "another backend"
          : hint);
}

std::vector<std::string> AvailableProviders() {
  char** names = nullptr;
  int count = 0;
  Check(Api().GetAvailableProviders(&names, &count), "cannot list the providers", "");
  std::vector<std::string> providers(names, names + count);
  Check(Api().ReleaseAvailableProviders(names, count), "cannot list the providers", "");
  return providers;
}

}  // namespace xsp::worker_onnxruntime
