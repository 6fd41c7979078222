#ifndef XSP_CAPTURE_COLLECT_INTERCONNECT_INTERCONNECT_H_
#define XSP_CAPTURE_COLLECT_INTERCONNECT_INTERCONNECT_H_

#include <vector>

#include "capture/collect/collector.h"
#include "capture/collect/interconnect/nvlink.h"
#include "capture/collect/machine_files.h"

namespace xsp::collect::interconnect {

/// How sockets, GPUs and network controllers of the machine of `files` are connected, told from
/// /sys; NVLink by `nvidia_smi` (empty: no such program).
std::vector<Fact> Collect(const MachineFiles& files, const NvidiaSmi& nvidia_smi);

extern const CollectorSpec kSpec;

}  // namespace xsp::collect::interconnect

#endif  // XSP_CAPTURE_COLLECT_INTERCONNECT_INTERCONNECT_H_
