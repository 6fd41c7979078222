#ifndef XSP_CAPTURE_COLLECT_CGROUP_CGROUP_H_
#define XSP_CAPTURE_COLLECT_CGROUP_CGROUP_H_

#include <vector>

#include "capture/collect/collector.h"
#include "capture/collect/machine_files.h"

namespace xsp::collect::cgroup {

/// What the control group of the process of `files` (proc/self) may use: the tightest limit from it
/// up to the root, in version 1 or 2. The path of the group is not kept: it names users and hosts.
std::vector<Fact> Collect(const MachineFiles& files);

extern const CollectorSpec kSpec;

}  // namespace xsp::collect::cgroup

#endif  // XSP_CAPTURE_COLLECT_CGROUP_CGROUP_H_
