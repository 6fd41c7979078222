#include "capture/record/cuda/cupti/watched_calls.h"

#include <array>

namespace xsp::record::cuda {
namespace {

constexpr WatchedCall OfDriver(CUpti_CallbackId id, CallRole role) {
  return {CUPTI_CB_DOMAIN_DRIVER_API, id, role};
}
constexpr WatchedCall OfRuntime(CUpti_CallbackId id, CallRole role) {
  return {CUPTI_CB_DOMAIN_RUNTIME_API, id, role};
}

/// Of what the runtime does by way of the driver, the driver's call is enough: it is reported as
/// well. Launches first, as they are many.
constexpr std::array kWatchedCalls = {
    OfDriver(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, CallRole::kLaunch),
    OfDriver(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz, CallRole::kLaunch),
    OfDriver(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx, CallRole::kLaunch),
    OfDriver(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz, CallRole::kLaunch),
    OfDriver(CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel, CallRole::kLaunch),
    OfDriver(CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz, CallRole::kLaunch),
    OfDriver(CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch, CallRole::kGraphLaunch),
    OfDriver(CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz, CallRole::kGraphLaunch),
    OfDriver(CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture, CallRole::kCaptureBegin),
    OfDriver(CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_ptsz, CallRole::kCaptureBegin),
    OfDriver(CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2, CallRole::kCaptureBegin),
    OfDriver(CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2_ptsz, CallRole::kCaptureBegin),
#if CUPTI_API_VERSION >= 21  // CUDA 12.3.
    OfDriver(CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph, CallRole::kCaptureBegin),
    OfDriver(CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph_ptsz, CallRole::kCaptureBegin),
#endif
    OfDriver(CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture, CallRole::kCaptureEnd),
    OfDriver(CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture_ptsz, CallRole::kCaptureEnd),
    OfDriver(CUPTI_DRIVER_TRACE_CBID_cuCtxDestroy, CallRole::kContextEnd),
    OfDriver(CUPTI_DRIVER_TRACE_CBID_cuCtxDestroy_v2, CallRole::kContextEnd),
    OfDriver(CUPTI_DRIVER_TRACE_CBID_cuDevicePrimaryCtxReset, CallRole::kContextEnd),
    OfDriver(CUPTI_DRIVER_TRACE_CBID_cuDevicePrimaryCtxReset_v2, CallRole::kContextEnd),
    OfDriver(CUPTI_DRIVER_TRACE_CBID_cuDevicePrimaryCtxRelease, CallRole::kContextEnd),
    OfDriver(CUPTI_DRIVER_TRACE_CBID_cuDevicePrimaryCtxRelease_v2, CallRole::kContextEnd),
    OfRuntime(CUPTI_RUNTIME_TRACE_CBID_cudaDeviceReset_v3020, CallRole::kContextEnd),
    OfDriver(CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiate, CallRole::kInstantiate),
    OfDriver(CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiate_v2, CallRole::kInstantiate),
    OfDriver(CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithFlags, CallRole::kInstantiate),
    OfDriver(CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithParams, CallRole::kInstantiate),
    OfDriver(CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithParams_ptsz, CallRole::kInstantiate),
    OfRuntime(CUPTI_RUNTIME_TRACE_CBID_cudaGraphInstantiate_v10000, CallRole::kInstantiate),
    OfRuntime(CUPTI_RUNTIME_TRACE_CBID_cudaGraphInstantiate_v12000, CallRole::kInstantiate),
    OfRuntime(CUPTI_RUNTIME_TRACE_CBID_cudaGraphInstantiateWithFlags_v11040,
              CallRole::kInstantiate),
    OfRuntime(CUPTI_RUNTIME_TRACE_CBID_cudaGraphInstantiateWithParams_v12000,
              CallRole::kInstantiate),
    OfRuntime(CUPTI_RUNTIME_TRACE_CBID_cudaGraphInstantiateWithParams_ptsz_v12000,
              CallRole::kInstantiate),
    OfDriver(CUPTI_DRIVER_TRACE_CBID_cuProfilerStop, CallRole::kProfilerStop),
    OfRuntime(CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStop_v4000, CallRole::kProfilerStop),
};

/// The parameters of a call, as the structure that its signature has.
template <typename Parameters>
const Parameters& ParametersOf(const CUpti_CallbackData& call) {
  return *static_cast<const Parameters*>(call.functionParams);
}

}  // namespace

std::span<const WatchedCall> WatchedCalls() { return kWatchedCalls; }

CallRole RoleOf(CUpti_CallbackDomain domain, CUpti_CallbackId id) {
  for (const WatchedCall& call : kWatchedCalls)
    if (call.id == id && call.domain == domain) return call.role;
  return CallRole::kOther;
}

CUstream StreamOf(CUpti_CallbackId id, const CUpti_CallbackData& call) {
  switch (id) {
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz: {
      const auto& parameters = ParametersOf<cuLaunchKernelEx_params>(call);
      return parameters.config == nullptr ? nullptr : parameters.config->hStream;
    }
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz:
      return ParametersOf<cuLaunchCooperativeKernel_params>(call).hStream;
    default:
      return ParametersOf<cuLaunchKernel_params>(call).hStream;
  }
}

bool IsPerThread(CUpti_CallbackId id) {
  return id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz ||
         id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz ||
         id == CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz;
}

void DescribeLaunch(CUpti_CallbackId id, const CUpti_CallbackData& call, MeasuredLaunch* launch) {
  const auto set = [](std::uint32_t(&to)[3], unsigned x, unsigned y, unsigned z) {
    to[0] = x, to[1] = y, to[2] = z;
  };
  const auto fill = [&](const auto& from) {
    set(launch->grid, from.gridDimX, from.gridDimY, from.gridDimZ);
    set(launch->block, from.blockDimX, from.blockDimY, from.blockDimZ);
    launch->dynamic_shared_bytes = from.sharedMemBytes;
  };
  switch (id) {
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz: {
      const auto& parameters = ParametersOf<cuLaunchKernelEx_params>(call);
      if (parameters.config != nullptr) fill(*parameters.config);
      break;
    }
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz:
      fill(ParametersOf<cuLaunchCooperativeKernel_params>(call));
      break;
    default:
      fill(ParametersOf<cuLaunchKernel_params>(call));
  }
  if (call.functionName != nullptr) launch->call = call.functionName;
  if (call.symbolName != nullptr) launch->kernel = call.symbolName;
}

CUstream CapturedStreamOf(const CUpti_CallbackData& call) {
  // The first parameter of all of them.
  static_assert(offsetof(cuStreamBeginCapture_v2_params, hStream) == 0 &&
                offsetof(cuStreamBeginCapture_v2_ptsz_params, hStream) == 0 &&
                offsetof(cuStreamEndCapture_params, hStream) == 0 &&
                offsetof(cuStreamEndCapture_ptsz_params, hStream) == 0);
  return ParametersOf<cuStreamEndCapture_params>(call).hStream;
}

ContextEnding EndingOf(CUpti_CallbackDomain domain, CUpti_CallbackId id,
                       const CUpti_CallbackData& call) {
  if (domain != CUPTI_CB_DOMAIN_DRIVER_API || call.functionParams == nullptr) return {};
  switch (id) {
    case CUPTI_DRIVER_TRACE_CBID_cuCtxDestroy:
    case CUPTI_DRIVER_TRACE_CBID_cuCtxDestroy_v2:
      return {.context = ParametersOf<cuCtxDestroy_v2_params>(call).ctx};
    case CUPTI_DRIVER_TRACE_CBID_cuDevicePrimaryCtxReset:
    case CUPTI_DRIVER_TRACE_CBID_cuDevicePrimaryCtxReset_v2:
      return {.device = ParametersOf<cuDevicePrimaryCtxReset_v2_params>(call).dev};
    case CUPTI_DRIVER_TRACE_CBID_cuDevicePrimaryCtxRelease:
    case CUPTI_DRIVER_TRACE_CBID_cuDevicePrimaryCtxRelease_v2:
      return {.device = ParametersOf<cuDevicePrimaryCtxRelease_v2_params>(call).dev};
    default:
      return {};
  }
}

}  // namespace xsp::record::cuda
