#ifndef XSP_CAPTURE_MONITOR_NVML_NVML_H_
#define XSP_CAPTURE_MONITOR_NVML_NVML_H_

#include <memory>

#include "capture/monitor/nvml/nvml_api.h"
#include "capture/monitor/sampler.h"

namespace xsp::monitor::nvml {

/// Samples every GPU that `api` lists. A call that is missing or refused at the start is hidden,
/// with the library's reason; one that is refused later has no value.
///
/// Where the driver has no counters of PCIe bytes, NVML measures for 20 ms a direction in the call:
/// then one direction of one GPU is asked at each sample, alternately.
///
/// Power of a GPU is up to two series: nvml.power_watts, which on recent GPUs NVML averages over a
/// second, and for energy nvml.mean_power_watts, from the counter of energy, or where there is none
/// nvml.instant_power_watts.
std::unique_ptr<Sampler> OpenWith(const Api& api);

extern const SamplerSpec kSpec;

}  // namespace xsp::monitor::nvml

#endif  // XSP_CAPTURE_MONITOR_NVML_NVML_H_
