#ifndef XSP_DERIVE_EXPERIMENTS_DEVICE_ROOFS_H_
#define XSP_DERIVE_EXPERIMENTS_DEVICE_ROOFS_H_

#include <set>
#include <string>

#include "core/result.h"
#include "derive/roofs/roof.h"
#include "trace/trace.h"

namespace xsp::experiments {

/// Whether a device executed kernels of the trace. O(n).
bool HasDeviceKernels(const trace::Trace& trace);

/// Names of the devices as the trace states them (facts "deviceProperties.N.name" of PyTorch's
/// profiler, "cuda.device.N.name" of XSP's recordings; of several files with prefixes).
std::set<std::string> DeviceNames(const trace::Trace& trace);

/// Data-sheet roofs of the device with one of these names (roofs::DataSheetRoofs). Errors:
/// kNotPossible if there is no name, if there are several, or if machine/devices.csv has no row for
/// it; kEnvironment if that table is damaged.
Result<roofs::RoofReport> RoofsOfDevice(const std::set<std::string>& names);

}  // namespace xsp::experiments

#endif  // XSP_DERIVE_EXPERIMENTS_DEVICE_ROOFS_H_
