#ifndef XSP_DERIVE_EXPERIMENTS_DEVICE_ROOFS_H_
#define XSP_DERIVE_EXPERIMENTS_DEVICE_ROOFS_H_

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/result.h"
#include "derive/roofs/roof.h"
#include "derive/roofs/roof_file.h"
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

/// What a user names the roofs of a trace by. Both empty: the trace states its device.
struct RoofSource {
  std::string device;          ///< Whose data sheet they are.
  std::filesystem::path file;  ///< Of `xsp system --format json` on the trace's machine.
};

/// Reads the roofs that `source` names; empty if it names none. Errors: kUsage if it names a device
/// and a file, else those of roofs::DataSheetOf() and roofs::ReadRoofFile().
Result<std::vector<roofs::NamedRoofs>> ReadNamedRoofs(const RoofSource& source);

/// The roofs of a trace: of those that the user named the GPU's, if a device executed kernels of
/// the trace, else the CPU's; if none was named, RoofsOfDevice(). Among several GPUs it is the one
/// that the trace names. Nothing: none was named, and no device executed kernels, so that the trace
/// may be of any CPU. Errors: those of RoofsOfDevice(); kBadInput if no processor fits.
Result<std::optional<roofs::RoofReport>> RoofsOfTrace(const std::vector<roofs::NamedRoofs>& named,
                                                      bool on_device,
                                                      const std::set<std::string>& devices);

}  // namespace xsp::experiments

#endif  // XSP_DERIVE_EXPERIMENTS_DEVICE_ROOFS_H_
