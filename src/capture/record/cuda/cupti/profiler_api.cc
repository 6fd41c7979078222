#include "capture/record/cuda/cupti/profiler_api.h"

#if XSP_HAS_RANGE_PROFILER

#include <dlfcn.h>

#include <cstdlib>
#include <memory>

namespace xsp::record::cuda {
namespace {

class ProfilerFinder {
 public:
  ProfilerFinder(void* library, std::string& missing) : library_(library), missing_(missing) {}

  template <typename Function>
  void Find(const char* name, Function& function) {
    if (library_ != nullptr) function = reinterpret_cast<Function>(dlsym(library_, name));
  }
  template <typename Function>
  void Need(const char* name, Function& function) {
    Find(name, function);
    if (function == nullptr && missing_.empty()) missing_ = name;
  }

 private:
  void* library_;
  std::string& missing_;
};

/// CUPTI opens libraries of its own by their bare names, and has no path to search but the
/// loader's, on which neither a Python package nor extras/CUPTI lies. One that is loaded is found
/// by its name: so those beside CUPTI are. Where there are none, CUPTI says so.
void LoadBeside(const std::string& cupti_path) {
  struct Free {
    void operator()(char* text) const { std::free(text); }
  };
  const std::unique_ptr<char, Free> real(realpath(cupti_path.c_str(), nullptr));
  std::string folder = real == nullptr ? cupti_path : real.get();
  const std::size_t slash = folder.rfind('/');
  if (slash == std::string::npos) return;
  folder.resize(slash + 1);
  for (const char* name : {kHostLibrary, kTargetLibrary})
    dlopen((folder + name).c_str(), RTLD_NOW | RTLD_LOCAL);
}

}  // namespace

ProfilerApi LoadProfiler(const CuptiApi& cupti) {
  ProfilerApi api;
  LoadBeside(cupti.path);
  ProfilerFinder finder(dlopen(cupti.path.c_str(), RTLD_LAZY | RTLD_NOLOAD), api.missing);
  finder.Need("cuptiProfilerInitialize", api.Initialize);
  finder.Find("cuptiProfilerDeviceSupported", api.DeviceSupported);
  finder.Find("cuptiProfilerGetCounterAvailability", api.GetCounterAvailability);
  finder.Need("cuptiDeviceGetChipName", api.GetChipName);
  finder.Need("cuptiProfilerHostInitialize", api.HostInitialize);
  finder.Need("cuptiProfilerHostDeinitialize", api.HostDeinitialize);
  finder.Find("cuptiProfilerHostGetMetricProperties", api.HostGetMetricProperties);
  finder.Need("cuptiProfilerHostConfigAddMetrics", api.HostConfigAddMetrics);
  finder.Need("cuptiProfilerHostGetConfigImageSize", api.HostGetConfigImageSize);
  finder.Need("cuptiProfilerHostGetConfigImage", api.HostGetConfigImage);
  finder.Need("cuptiProfilerHostGetNumOfPasses", api.HostGetNumOfPasses);
  finder.Need("cuptiProfilerHostEvaluateToGpuValues", api.HostEvaluateToGpuValues);
  finder.Need("cuptiRangeProfilerEnable", api.Enable);
  finder.Need("cuptiRangeProfilerDisable", api.Disable);
  finder.Need("cuptiRangeProfilerGetCounterDataSize", api.GetCounterDataSize);
  finder.Need("cuptiRangeProfilerCounterDataImageInitialize", api.CounterDataImageInitialize);
  finder.Need("cuptiRangeProfilerSetConfig", api.SetConfig);
  finder.Need("cuptiRangeProfilerStart", api.Start);
  finder.Need("cuptiRangeProfilerStop", api.Stop);
  finder.Need("cuptiRangeProfilerPushRange", api.PushRange);
  finder.Need("cuptiRangeProfilerPopRange", api.PopRange);
  finder.Need("cuptiRangeProfilerDecodeData", api.DecodeData);
  finder.Need("cuptiRangeProfilerGetCounterDataInfo", api.GetCounterDataInfo);
  finder.Need("cuptiRangeProfilerCounterDataGetRangeInfo", api.GetRangeInfo);
  finder.Need("cuptiGetStreamIdEx", api.GetStreamId);
  finder.Need("cuptiGetDeviceId", api.GetDeviceId);
  std::string unused;
  ProfilerFinder driver(dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD), unused);
  driver.Find("cuDeviceGetAttribute", api.DeviceGetAttribute);
  driver.Find("cuStreamIsCapturing", api.StreamIsCapturing);
  driver.Find("cuCtxGetCurrent", api.CtxGetCurrent);
  driver.Find("cuCtxPushCurrent_v2", api.CtxPushCurrent);
  driver.Find("cuCtxPopCurrent_v2", api.CtxPopCurrent);
  driver.Find("cuGetErrorName", api.GetErrorName);
  return api;
}

}  // namespace xsp::record::cuda

#endif
