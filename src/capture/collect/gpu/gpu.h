#ifndef XSP_CAPTURE_COLLECT_GPU_GPU_H_
#define XSP_CAPTURE_COLLECT_GPU_GPU_H_

#include <vector>

#include "capture/collect/collector.h"
#include "capture/collect/machine_files.h"

namespace xsp::collect::gpu {

/// GPUs of the machine of `files` by their drivers and on the PCI bus. No serial numbers.
/// `has_nvidia_smi`: whether the program is to be found.
std::vector<Fact> Collect(const MachineFiles& files, bool has_nvidia_smi);

extern const CollectorSpec kSpec;

}  // namespace xsp::collect::gpu

#endif  // XSP_CAPTURE_COLLECT_GPU_GPU_H_
