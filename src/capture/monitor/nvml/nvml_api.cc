#include "capture/monitor/nvml/nvml_api.h"

#include <dlfcn.h>

namespace xsp::monitor::nvml {

namespace {

constexpr const char* kLibrary = "libnvidia-ml.so.1";

template <typename Function>
void Find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
}

}  // namespace

Result<Api> LoadApi() {
  // Never unloaded: the driver's libraries keep threads and handlers of their own.
  void* const library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    return Error{ErrorKind::kNotPossible, "no libnvidia-ml.so.1 here: no NVIDIA driver", ""};
  Api api;
  Find(library, "nvmlInit_v2", api.init);
  Find(library, "nvmlShutdown", api.shutdown);
  Find(library, "nvmlErrorString", api.error_string);
  Find(library, "nvmlDeviceGetCount_v2", api.device_count);
  Find(library, "nvmlDeviceGetHandleByIndex_v2", api.device);
  Find(library, "nvmlDeviceGetName", api.name);
  Find(library, "nvmlDeviceGetUtilizationRates", api.utilization);
  Find(library, "nvmlDeviceGetMemoryInfo", api.memory);
  Find(library, "nvmlDeviceGetClockInfo", api.clock_mhz);
  Find(library, "nvmlDeviceGetCurrentClocksThrottleReasons", api.throttle_reasons);
  if (api.throttle_reasons == nullptr)
    Find(library, "nvmlDeviceGetCurrentClocksEventReasons", api.throttle_reasons);
  Find(library, "nvmlDeviceGetPowerUsage", api.power_mw);
  Find(library, "nvmlDeviceGetTotalEnergyConsumption", api.energy_mj);
  Find(library, "nvmlDeviceGetTemperature", api.temperature_c);
  Find(library, "nvmlDeviceGetPcieThroughput", api.pcie_kib_per_s);
  Find(library, "nvmlDeviceGetFieldValues", api.field_values);
  if (api.init != nullptr && api.device_count != nullptr && api.device != nullptr) return api;
  return Error{ErrorKind::kNotPossible, "libnvidia-ml.so.1 lacks nvmlInit_v2 or what lists devices",
               ""};
}

}  // namespace xsp::monitor::nvml
