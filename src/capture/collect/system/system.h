#ifndef XSP_CAPTURE_COLLECT_SYSTEM_SYSTEM_H_
#define XSP_CAPTURE_COLLECT_SYSTEM_SYSTEM_H_

#include <vector>

#include "capture/collect/collector.h"
#include "capture/collect/machine_files.h"

namespace xsp::collect::system {

/// Kernel, distribution and settings of the machine of `files`. No host name, no user.
std::vector<Fact> Collect(const MachineFiles& files);

extern const CollectorSpec kSpec;

}  // namespace xsp::collect::system

#endif  // XSP_CAPTURE_COLLECT_SYSTEM_SYSTEM_H_
