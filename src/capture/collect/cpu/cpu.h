#ifndef XSP_CAPTURE_COLLECT_CPU_CPU_H_
#define XSP_CAPTURE_COLLECT_CPU_CPU_H_

#include <vector>

#include "capture/collect/collector.h"
#include "capture/collect/machine_files.h"

namespace xsp::collect::cpu {

/// Model, cores, instruction sets and caches of the machine of `files`, and which of its CPUs may
/// be used (of this process, whatever the files).
std::vector<Fact> Collect(const MachineFiles& files);

extern const CollectorSpec kSpec;

}  // namespace xsp::collect::cpu

#endif  // XSP_CAPTURE_COLLECT_CPU_CPU_H_
