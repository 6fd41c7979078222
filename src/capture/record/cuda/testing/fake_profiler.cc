// The range profiler of the tests' libcupti: real structures, made-up counters (fake_profiler.h).
#include "capture/record/cuda/testing/fake_profiler.h"

#include <cuda.h>
#include <cupti.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

void FakeCallback(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data);

struct CUpti_Profiler_Host_Object {
  std::vector<std::string> metrics;
};
struct CUpti_RangeProfiler_Object {
  bool is_configured = false, is_started = false;
  int pushed = 0;
  uint8_t* image = nullptr;
  size_t most_ranges = 0;
  std::vector<uint64_t> kernels;  ///< Since Start.
};

namespace {

constexpr size_t kPasses = 3;
constexpr char kChip[] = "GH100";
constexpr uint64_t kImageMagic = 0x4547414d49505343;

/// The counter data image: kernels by number, after the count.
struct Image {
  uint64_t magic, most, count, dropped;
};

bool Mode(std::string_view mode) {
  const char* asked = getenv("FAKE_CUPTI");
  return asked != nullptr && mode == asked;
}

/// The text after "metrics_refuses:".
std::string_view RefusedText() {
  constexpr std::string_view kMode = "metrics_refuses:";
  const char* asked = getenv("FAKE_CUPTI");
  const std::string_view mode = asked == nullptr ? "" : asked;
  return mode.substr(0, kMode.size()) == kMode ? mode.substr(kMode.size()) : std::string_view();
}

CUpti_RangeProfiler_Object* enabled_object;
CUcontext enabled_context;
std::mutex kernel_mutex;  // Kernels that are not measured may run beside one that is.
uint64_t launched, all_runs;
thread_local bool in_resource_callback = false;
std::atomic<int> captures{0};  // Of the context that is measured.
std::string range_name;

/// Never destroyed: the process may end while a kernel waits.
struct Waiting {
  std::mutex mutex;
  std::condition_variable changed;
  bool is_waiting = false, is_released = false;
};
Waiting& waiting = *new Waiting;

void WaitForRelease() {
  std::unique_lock lock(waiting.mutex);
  waiting.is_waiting = true;
  waiting.changed.notify_all();
  waiting.changed.wait(lock, [] { return waiting.is_released; });
}

/// Of the driver, where there is one.
template <typename Function>
Function* OfDriver(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

bool IsCurrent(CUcontext context) {
  static const auto get = OfDriver<CUresult(CUcontext*)>("cuCtxGetCurrent");
  CUcontext current = nullptr;
  return get == nullptr || (get(&current) == CUDA_SUCCESS && current == context);
}

/// As whoever launches has done before.
void MakeCurrent(CUcontext context) {
  static const auto set = OfDriver<CUresult(CUcontext)>("cuCtxSetCurrent");
  if (set != nullptr) set(context);
}

void RunKernel(CUcontext context) {
  const std::lock_guard lock(kernel_mutex);
  CUpti_RangeProfiler_Object* object = context == enabled_context ? enabled_object : nullptr;
  const uint64_t number = launched++;
  const bool in_range =
      object != nullptr && object->is_started && (!Mode("metrics_push") || object->pushed > 0);
  all_runs += in_range ? kPasses : 1;
  if (in_range) object->kernels.push_back(number);
}

bool HasMetric(std::string_view name) {
  if (name.find("__") == std::string_view::npos || name.find('.') == std::string_view::npos)
    return false;
  if (name.find("nonsense") != std::string_view::npos) return false;
  // As a Hopper: nothing of narrower types than FP8.
  if (name.find("src_fp4") != std::string_view::npos) return false;
  return !Mode("metrics_no_half") || name.find("op_hfma") == std::string_view::npos;
}

/// What an older CUPTI does with a structure that it does not know.
bool IsKnownSize(size_t size, size_t newest) { return !Mode("metrics_short") || size < newest; }

/// What CUPTI forbids, and a GPU's driver may answer by hanging.
void EndIfMisused(bool waits_for_context) {
  if (in_resource_callback || (waits_for_context && captures > 0)) _exit(kFakeMisuse);
}

bool IsHostLibrary(std::string_view path) {
  constexpr std::string_view kName = "/libnvperf_host.so";
  return path.size() >= kName.size() && path.substr(path.size() - kName.size()) == kName;
}

/// CUPTI opens it by its bare name, which finds one that is loaded.
bool IsHostLibraryLoaded() {
  bool is_loaded = false;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* found) {
        if (IsHostLibrary(info->dlpi_name)) *static_cast<bool*>(found) = true;
        return 0;
      },
      &is_loaded);
  return is_loaded;
}

/// Tells of one end of a call of the driver, or of the runtime.
void TellCall(CUpti_CallbackDomain domain, CUpti_CallbackId id, CUpti_ApiCallbackSite site,
              const void* parameters, CUresult result = CUDA_SUCCESS) {
  CUpti_CallbackData call = {};
  call.callbackSite = site;
  call.functionParams = parameters;
  call.functionReturnValue = &result;
  static const auto get = OfDriver<CUresult(CUcontext*)>("cuCtxGetCurrent");
  if (get != nullptr) get(&call.context);
  FakeCallback(domain, id, &call);
}
template <typename Parameters>
void TellDriverCall(CUpti_CallbackId id, CUpti_ApiCallbackSite site, const Parameters& parameters,
                    CUresult result = CUDA_SUCCESS) {
  TellCall(CUPTI_CB_DOMAIN_DRIVER_API, id, site, &parameters, result);
}

void Launch(const char* kernel, uintptr_t context, uintptr_t stream, bool fails) {
  MakeCurrent(reinterpret_cast<CUcontext>(context));
  cuLaunchKernel_params parameters = {};
  parameters.gridDimX = 8;
  parameters.gridDimY = parameters.gridDimZ = 1;
  parameters.blockDimX = 128;
  parameters.blockDimY = parameters.blockDimZ = 1;
  parameters.sharedMemBytes = 256;
  parameters.hStream = reinterpret_cast<CUstream>(stream);
  CUresult result = fails ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  uint64_t between = 0;
  CUpti_CallbackData call = {};
  call.functionName = "cuLaunchKernel";
  call.functionParams = &parameters;
  call.functionReturnValue = &result;
  call.symbolName = kernel;
  call.context = reinterpret_cast<CUcontext>(context);
  call.correlationData = &between;  // And no correlationId: no activity is enabled.
  call.callbackSite = CUPTI_API_ENTER;
  FakeCallback(CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, &call);
  if (!fails && stream % 2 == 0) {
    RunKernel(call.context);
    if (Mode("metrics_hidden") && std::string_view(kernel) == "hidden") RunKernel(call.context);
    if (std::string_view(kernel) == "waits") WaitForRelease();
  }
  call.callbackSite = CUPTI_API_EXIT;
  FakeCallback(CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, &call);
}

void LaunchGraph(uintptr_t context, uintptr_t stream, int kernels) {
  MakeCurrent(reinterpret_cast<CUcontext>(context));
  cuGraphLaunch_params parameters = {};
  parameters.hStream = reinterpret_cast<CUstream>(stream);
  CUresult result = CUDA_SUCCESS;
  CUpti_CallbackData call = {};
  call.functionName = "cuGraphLaunch";
  call.functionParams = &parameters;
  call.functionReturnValue = &result;
  call.context = reinterpret_cast<CUcontext>(context);
  call.callbackSite = CUPTI_API_ENTER;
  FakeCallback(CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch, &call);
  for (int i = 0; i < kernels; ++i) RunKernel(call.context);
  call.callbackSite = CUPTI_API_EXIT;
  FakeCallback(CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch, &call);
}

void BeginCapture(uintptr_t context, uintptr_t stream, bool fails) {
  MakeCurrent(reinterpret_cast<CUcontext>(context));
  const auto id = CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2;
  cuStreamBeginCapture_v2_params parameters = {};
  parameters.hStream = reinterpret_cast<CUstream>(stream);
  TellDriverCall(id, CUPTI_API_ENTER, parameters);
  if (!fails) {
    const std::lock_guard lock(kernel_mutex);
    // What is open would be ended by its next wait for the context.
    if (enabled_object != nullptr && enabled_object->is_started) _exit(kFakeMisuse);
    ++captures;
  }
  TellDriverCall(id, CUPTI_API_EXIT, parameters,
                 fails ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : CUDA_SUCCESS);
}

void EndCapture(uintptr_t context, uintptr_t stream) {
  MakeCurrent(reinterpret_cast<CUcontext>(context));
  const auto id = CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture;
  cuStreamEndCapture_params parameters = {};
  parameters.hStream = reinterpret_cast<CUstream>(stream);
  TellDriverCall(id, CUPTI_API_ENTER, parameters);
  --captures;
  TellDriverCall(id, CUPTI_API_EXIT, parameters);
}

void LoseContext(uintptr_t context) {
  CUpti_ResourceData resource = {};
  resource.context = reinterpret_cast<CUcontext>(context);
  in_resource_callback = true;
  FakeCallback(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING, &resource);
  in_resource_callback = false;
  if (enabled_context == resource.context) enabled_object = nullptr;
}

void DestroyContext(uintptr_t context) {
  const auto id = CUPTI_DRIVER_TRACE_CBID_cuCtxDestroy_v2;
  cuCtxDestroy_v2_params parameters = {};
  parameters.ctx = reinterpret_cast<CUcontext>(context);
  TellDriverCall(id, CUPTI_API_ENTER, parameters);
  LoseContext(context);
  TellDriverCall(id, CUPTI_API_EXIT, parameters);
}

void ResetDevice(uintptr_t context) {
  const auto runtime = CUPTI_RUNTIME_TRACE_CBID_cudaDeviceReset_v3020;
  const auto driver = CUPTI_DRIVER_TRACE_CBID_cuDevicePrimaryCtxReset_v2;
  const cuDevicePrimaryCtxReset_v2_params parameters = {};
  TellCall(CUPTI_CB_DOMAIN_RUNTIME_API, runtime, CUPTI_API_ENTER, nullptr);
  TellDriverCall(driver, CUPTI_API_ENTER, parameters);
  LoseContext(context);
  TellDriverCall(driver, CUPTI_API_EXIT, parameters);
  TellCall(CUPTI_CB_DOMAIN_RUNTIME_API, runtime, CUPTI_API_EXIT, nullptr);
}

void ReleaseContext() {
  const auto id = CUPTI_DRIVER_TRACE_CBID_cuDevicePrimaryCtxRelease_v2;
  const cuDevicePrimaryCtxRelease_v2_params parameters = {};
  TellDriverCall(id, CUPTI_API_ENTER, parameters);
  TellDriverCall(id, CUPTI_API_EXIT, parameters);
}

}  // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))
#define CHECK_SIZE(type) \
  if (parameters->structSize != type##_STRUCT_SIZE) return CUPTI_ERROR_INVALID_PARAMETER
#define CHECK_CURRENT(context) \
  EndIfMisused(false);         \
  if (!IsCurrent(context)) return CUPTI_ERROR_INVALID_CONTEXT

EXPORT const FakeProfiler* fake_profiler() {
  static const FakeProfiler profiler = {Launch,
                                        LaunchGraph,
                                        BeginCapture,
                                        EndCapture,
                                        DestroyContext,
                                        ResetDevice,
                                        ReleaseContext,
                                        LoseContext,
                                        [] { return all_runs; },
                                        [] {
                                          std::unique_lock lock(waiting.mutex);
                                          waiting.changed.wait(lock,
                                                               [] { return waiting.is_waiting; });
                                        },
                                        [] {
                                          const std::lock_guard lock(waiting.mutex);
                                          waiting.is_released = true;
                                          waiting.changed.notify_all();
                                        }};
  return &profiler;
}

EXPORT CUptiResult cuptiGetDeviceId(CUcontext, uint32_t* device) {
  *device = 0;
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiGetStreamIdEx(CUcontext, CUstream stream, uint8_t per_thread,
                                      uint32_t* id) {
  *id = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(stream)) + 100u * per_thread;
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiProfilerInitialize(CUpti_Profiler_Initialize_Params* parameters) {
  CHECK_SIZE(CUpti_Profiler_Initialize_Params);
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiProfilerDeviceSupported(CUpti_Profiler_DeviceSupported_Params* parameters) {
  if (parameters->api != CUPTI_PROFILER_RANGE_PROFILING) return CUPTI_ERROR_INVALID_PARAMETER;
  const auto yes = CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
  const bool old = Mode("metrics_old_chip");
  parameters->isSupported = old ? CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED : yes;
  parameters->architecture = parameters->isSupported;
  parameters->sli = parameters->vGpu = parameters->confidentialCompute = parameters->cmp =
      parameters->wsl = yes;
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiDeviceGetChipName(CUpti_Device_GetChipName_Params* parameters) {
  CHECK_SIZE(CUpti_Device_GetChipName_Params);
  parameters->pChipName = kChip;
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult
cuptiProfilerGetCounterAvailability(CUpti_Profiler_GetCounterAvailability_Params* parameters) {
  if (Mode("metrics_no_permission")) return CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
  if (parameters->pCounterAvailabilityImage == nullptr) {
    parameters->counterAvailabilityImageSize = 8;
  } else if (parameters->counterAvailabilityImageSize != 8) {
    return CUPTI_ERROR_INVALID_PARAMETER;
  } else {
    memset(parameters->pCounterAvailabilityImage, 0x5a, 8);
  }
  return CUPTI_SUCCESS;
}

EXPORT CUptiResult cuptiProfilerHostInitialize(CUpti_Profiler_Host_Initialize_Params* parameters) {
  if (Mode("metrics_nvperf") && !IsHostLibraryLoaded()) return CUPTI_ERROR_NOT_INITIALIZED;
  if (!IsKnownSize(parameters->structSize, CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE) ||
      parameters->profilerType != CUPTI_PROFILER_TYPE_RANGE_PROFILER ||
      parameters->pCounterAvailabilityImage == nullptr ||
      parameters->pCounterAvailabilityImage[7] != 0x5a)
    return CUPTI_ERROR_INVALID_PARAMETER;
  if (std::string_view(parameters->pChipName) != kChip) return CUPTI_ERROR_INVALID_CHIP_NAME;
  parameters->pHostObject = new CUpti_Profiler_Host_Object;
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult
cuptiProfilerHostDeinitialize(CUpti_Profiler_Host_Deinitialize_Params* parameters) {
  CHECK_SIZE(CUpti_Profiler_Host_Deinitialize_Params);
  delete parameters->pHostObject;
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult
cuptiProfilerHostGetMetricProperties(CUpti_Profiler_Host_GetMetricProperties_Params* parameters) {
  if (!IsKnownSize(parameters->structSize,
                   CUpti_Profiler_Host_GetMetricProperties_Params_STRUCT_SIZE))
    return CUPTI_ERROR_INVALID_PARAMETER;
  return HasMetric(parameters->pMetricName) ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_METRIC_NAME;
}
EXPORT CUptiResult
cuptiProfilerHostConfigAddMetrics(CUpti_Profiler_Host_ConfigAddMetrics_Params* parameters) {
  CHECK_SIZE(CUpti_Profiler_Host_ConfigAddMetrics_Params);
  for (size_t i = 0; i < parameters->numMetrics; ++i) {
    const std::string name = parameters->ppMetricNames[i];
    // Known, but in a configuration that cannot be scheduled.
    const std::string_view refused = RefusedText();
    if (!HasMetric(name) || name.find("unschedulable") != std::string::npos ||
        (!refused.empty() && name.find(refused) != std::string::npos))
      return CUPTI_ERROR_INVALID_METRIC_NAME;
    parameters->pHostObject->metrics.push_back(name);
  }
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult
cuptiProfilerHostGetConfigImageSize(CUpti_Profiler_Host_GetConfigImageSize_Params* parameters) {
  CHECK_SIZE(CUpti_Profiler_Host_GetConfigImageSize_Params);
  parameters->configImageSize = 16 * parameters->pHostObject->metrics.size();
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult
cuptiProfilerHostGetConfigImage(CUpti_Profiler_Host_GetConfigImage_Params* parameters) {
  CHECK_SIZE(CUpti_Profiler_Host_GetConfigImage_Params);
  memset(parameters->pConfigImage, 0xc0, parameters->configImageSize);
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult
cuptiProfilerHostGetNumOfPasses(CUpti_Profiler_Host_GetNumOfPasses_Params* parameters) {
  CHECK_SIZE(CUpti_Profiler_Host_GetNumOfPasses_Params);
  parameters->numOfPasses = kPasses;
  return CUPTI_SUCCESS;
}

EXPORT CUptiResult cuptiRangeProfilerEnable(CUpti_RangeProfiler_Enable_Params* parameters) {
  CHECK_SIZE(CUpti_RangeProfiler_Enable_Params);
  CHECK_CURRENT(parameters->ctx);
  if (Mode("metrics_mig")) return CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED;
  if (Mode("metrics_busy")) return CUPTI_ERROR_HARDWARE_BUSY;
  if (enabled_object != nullptr) return CUPTI_ERROR_INVALID_OPERATION;  // One context at a time.
  enabled_object = parameters->pRangeProfilerObject = new CUpti_RangeProfiler_Object;
  enabled_context = parameters->ctx;
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiRangeProfilerDisable(CUpti_RangeProfiler_Disable_Params* parameters) {
  CHECK_SIZE(CUpti_RangeProfiler_Disable_Params);
  CHECK_CURRENT(enabled_context);
  delete parameters->pRangeProfilerObject;
  enabled_object = nullptr;
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult
cuptiRangeProfilerGetCounterDataSize(CUpti_RangeProfiler_GetCounterDataSize_Params* parameters) {
  CHECK_SIZE(CUpti_RangeProfiler_GetCounterDataSize_Params);
  CHECK_CURRENT(enabled_context);
  if (parameters->numMetrics == 0 || parameters->maxNumRangeTreeNodes < parameters->maxNumOfRanges)
    return CUPTI_ERROR_INVALID_PARAMETER;
  parameters->pRangeProfilerObject->most_ranges = parameters->maxNumOfRanges;
  parameters->counterDataSize = sizeof(Image) + parameters->maxNumOfRanges * sizeof(uint64_t);
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiRangeProfilerCounterDataImageInitialize(
    CUpti_RangeProfiler_CounterDataImage_Initialize_Params* parameters) {
  CHECK_SIZE(CUpti_RangeProfiler_CounterDataImage_Initialize_Params);
  CHECK_CURRENT(enabled_context);
  const size_t most = (parameters->counterDataSize - sizeof(Image)) / sizeof(uint64_t);
  const Image image = {kImageMagic, most, 0, 0};
  memcpy(parameters->pCounterData, &image, sizeof image);
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiRangeProfilerSetConfig(CUpti_RangeProfiler_SetConfig_Params* parameters) {
  CHECK_SIZE(CUpti_RangeProfiler_SetConfig_Params);
  CHECK_CURRENT(enabled_context);
  if (parameters->range != CUPTI_AutoRange || parameters->replayMode != CUPTI_KernelReplay ||
      parameters->numNestingLevels != 1 || parameters->minNestingLevel != 1 ||
      parameters->targetNestingLevel != parameters->minNestingLevel || parameters->passIndex != 0 ||
      parameters->pConfig == nullptr || parameters->pConfig[0] != 0xc0 ||
      parameters->maxRangesPerPass > parameters->pRangeProfilerObject->most_ranges)
    return CUPTI_ERROR_INVALID_PARAMETER;
  parameters->pRangeProfilerObject->image = parameters->pCounterDataImage;
  parameters->pRangeProfilerObject->is_configured = true;
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiRangeProfilerStart(CUpti_RangeProfiler_Start_Params* parameters) {
  EndIfMisused(true);
  CHECK_SIZE(CUpti_RangeProfiler_Start_Params);
  CHECK_CURRENT(enabled_context);
  CUpti_RangeProfiler_Object& object = *parameters->pRangeProfilerObject;
  if (!object.is_configured || object.is_started) return CUPTI_ERROR_INVALID_OPERATION;
  object.is_started = true;
  object.kernels.clear();
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiRangeProfilerStop(CUpti_RangeProfiler_Stop_Params* parameters) {
  EndIfMisused(true);
  CHECK_SIZE(CUpti_RangeProfiler_Stop_Params);
  CHECK_CURRENT(enabled_context);
  if (Mode("metrics_stop_fails")) return CUPTI_ERROR_UNKNOWN;
  CUpti_RangeProfiler_Object& object = *parameters->pRangeProfilerObject;
  if (!object.is_started || object.pushed != 0) return CUPTI_ERROR_INVALID_OPERATION;
  object.is_started = false;
  parameters->isAllPassSubmitted = 1;
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiRangeProfilerPushRange(CUpti_RangeProfiler_PushRange_Params* parameters) {
  CHECK_SIZE(CUpti_RangeProfiler_PushRange_Params);
  CHECK_CURRENT(enabled_context);
  ++parameters->pRangeProfilerObject->pushed;
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiRangeProfilerPopRange(CUpti_RangeProfiler_PopRange_Params* parameters) {
  CHECK_SIZE(CUpti_RangeProfiler_PopRange_Params);
  CHECK_CURRENT(enabled_context);
  --parameters->pRangeProfilerObject->pushed;
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiRangeProfilerDecodeData(CUpti_RangeProfiler_DecodeData_Params* parameters) {
  CHECK_SIZE(CUpti_RangeProfiler_DecodeData_Params);
  CHECK_CURRENT(enabled_context);
  CUpti_RangeProfiler_Object& object = *parameters->pRangeProfilerObject;
  if (object.is_started) return CUPTI_ERROR_INVALID_OPERATION;
  Image image;
  memcpy(&image, object.image, sizeof image);
  if (image.magic != kImageMagic) return CUPTI_ERROR_INVALID_PARAMETER;
  for (const uint64_t kernel : object.kernels) {
    if (Mode("metrics_nothing")) break;
    if (image.count == image.most) {
      ++image.dropped;
      continue;
    }
    memcpy(object.image + sizeof image + image.count++ * sizeof kernel, &kernel, sizeof kernel);
  }
  memcpy(object.image, &image, sizeof image);
  parameters->numOfRangeDropped = image.dropped;
  object.kernels.clear();
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult
cuptiRangeProfilerGetCounterDataInfo(CUpti_RangeProfiler_GetCounterDataInfo_Params* parameters) {
  CHECK_SIZE(CUpti_RangeProfiler_GetCounterDataInfo_Params);
  parameters->numTotalRanges = reinterpret_cast<const Image*>(parameters->pCounterDataImage)->count;
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiRangeProfilerCounterDataGetRangeInfo(
    CUpti_RangeProfiler_CounterData_GetRangeInfo_Params* parameters) {
  CHECK_SIZE(CUpti_RangeProfiler_CounterData_GetRangeInfo_Params);
  const auto count = reinterpret_cast<const Image*>(parameters->pCounterDataImage)->count;
  const size_t index = parameters->rangeIndex;
  range_name = std::to_string(Mode("metrics_reversed") ? count - 1 - index : index);
  if (Mode("metrics_push")) range_name = "xsp/" + range_name;
  parameters->rangeName = range_name.c_str();
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult
cuptiProfilerHostEvaluateToGpuValues(CUpti_Profiler_Host_EvaluateToGpuValues_Params* parameters) {
  CHECK_SIZE(CUpti_Profiler_Host_EvaluateToGpuValues_Params);
  const auto count = reinterpret_cast<const Image*>(parameters->pCounterDataImage)->count;
  const size_t index =
      Mode("metrics_reversed") ? count - 1 - parameters->rangeIndex : parameters->rangeIndex;
  uint64_t kernel;
  memcpy(&kernel, parameters->pCounterDataImage + sizeof(Image) + index * sizeof kernel,
         sizeof kernel);
  for (size_t i = 0; i < parameters->numMetrics; ++i)
    parameters->pMetricValues[i] = FakeCounter(parameters->ppMetricNames[i], kernel);
  return CUPTI_SUCCESS;
}
