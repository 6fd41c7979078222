#ifndef XSP_CAPTURE_COLLECT_MEMORY_MEMORY_H_
#define XSP_CAPTURE_COLLECT_MEMORY_MEMORY_H_

#include <vector>

#include "capture/collect/collector.h"
#include "capture/collect/machine_files.h"

namespace xsp::collect::memory {

/// Memory, huge pages, swap and NUMA nodes of the machine of `files`. Sizes in bytes.
std::vector<Fact> Collect(const MachineFiles& files);

extern const CollectorSpec kSpec;

}  // namespace xsp::collect::memory

#endif  // XSP_CAPTURE_COLLECT_MEMORY_MEMORY_H_
