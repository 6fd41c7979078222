#ifndef XSP_CAPTURE_RECORD_CUDA_CUPTI_PROFILER_API_H_
#define XSP_CAPTURE_RECORD_CUDA_CUPTI_PROFILER_API_H_

#include <cupti.h>

#include <string>

#include "capture/record/cuda/cupti/cupti_api.h"

// The range profiler came with CUDA 12.6 Update 2; the library is also built with older headers,
// and then says that it cannot measure.
#if __has_include(<cupti_range_profiler.h>) && __has_include(<cupti_profiler_host.h>)
#define XSP_HAS_RANGE_PROFILER 1
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#else
#define XSP_HAS_RANGE_PROFILER 0
#endif

namespace xsp::record::cuda {

#if XSP_HAS_RANGE_PROFILER

/// What CUPTI's host API (cuptiProfilerHost*) and its target are in.
inline constexpr char kHostLibrary[] = "libnvperf_host.so";
inline constexpr char kTargetLibrary[] = "libnvperf_target.so";

/// CUPTI's profiler of ranges: what the target does (range profiler) and what reads its data
/// (host), and the few functions of the driver that are asked about launches. Null where missing.
struct ProfilerApi {
  decltype(&cuptiProfilerInitialize) Initialize = nullptr;
  decltype(&cuptiProfilerDeviceSupported) DeviceSupported = nullptr;
  decltype(&cuptiProfilerGetCounterAvailability) GetCounterAvailability = nullptr;
  decltype(&cuptiDeviceGetChipName) GetChipName = nullptr;
  decltype(&cuptiProfilerHostInitialize) HostInitialize = nullptr;
  decltype(&cuptiProfilerHostDeinitialize) HostDeinitialize = nullptr;
  decltype(&cuptiProfilerHostGetMetricProperties) HostGetMetricProperties = nullptr;
  decltype(&cuptiProfilerHostConfigAddMetrics) HostConfigAddMetrics = nullptr;
  decltype(&cuptiProfilerHostGetConfigImageSize) HostGetConfigImageSize = nullptr;
  decltype(&cuptiProfilerHostGetConfigImage) HostGetConfigImage = nullptr;
  decltype(&cuptiProfilerHostGetNumOfPasses) HostGetNumOfPasses = nullptr;
  decltype(&cuptiProfilerHostEvaluateToGpuValues) HostEvaluateToGpuValues = nullptr;
  decltype(&cuptiRangeProfilerEnable) Enable = nullptr;
  decltype(&cuptiRangeProfilerDisable) Disable = nullptr;
  decltype(&cuptiRangeProfilerGetCounterDataSize) GetCounterDataSize = nullptr;
  decltype(&cuptiRangeProfilerCounterDataImageInitialize) CounterDataImageInitialize = nullptr;
  decltype(&cuptiRangeProfilerSetConfig) SetConfig = nullptr;
  decltype(&cuptiRangeProfilerStart) Start = nullptr;
  decltype(&cuptiRangeProfilerStop) Stop = nullptr;
  decltype(&cuptiRangeProfilerPushRange) PushRange = nullptr;
  decltype(&cuptiRangeProfilerPopRange) PopRange = nullptr;
  decltype(&cuptiRangeProfilerDecodeData) DecodeData = nullptr;
  decltype(&cuptiRangeProfilerGetCounterDataInfo) GetCounterDataInfo = nullptr;
  decltype(&cuptiRangeProfilerCounterDataGetRangeInfo) GetRangeInfo = nullptr;
  decltype(&cuptiGetStreamIdEx) GetStreamId = nullptr;
  decltype(&cuptiGetDeviceId) GetDeviceId = nullptr;
  CUresult (*DeviceGetAttribute)(int*, CUdevice_attribute, CUdevice) = nullptr;  ///< Optional.
  CUresult (*StreamIsCapturing)(CUstream, CUstreamCaptureStatus*) = nullptr;     ///< Optional.
  CUresult (*CtxGetCurrent)(CUcontext*) = nullptr;                               ///< Optional.
  CUresult (*CtxPushCurrent)(CUcontext) = nullptr;                               ///< Optional.
  CUresult (*CtxPopCurrent)(CUcontext*) = nullptr;                               ///< Optional.
  CUresult (*GetErrorName)(CUresult, const char**) = nullptr;                    ///< Optional.

  std::string missing;  ///< The first function without which nothing can be measured.
};

/// Finds them in the CUPTI that is loaded and in the driver that is, and loads the libraries beside
/// that CUPTI that it needs for them. Never throws.
ProfilerApi LoadProfiler(const CuptiApi& cupti);

#endif

}  // namespace xsp::record::cuda

#endif  // XSP_CAPTURE_RECORD_CUDA_CUPTI_PROFILER_API_H_
