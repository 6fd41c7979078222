#ifndef XSP_CAPTURE_COLLECT_CONTAINER_CONTAINER_H_
#define XSP_CAPTURE_COLLECT_CONTAINER_CONTAINER_H_

#include <functional>
#include <vector>

#include "capture/collect/collector.h"
#include "capture/collect/machine_files.h"

namespace xsp::collect::container {

/// Whether an environment variable of this process is set.
using HasVariable = std::function<bool(const char*)>;

/// Whether this process runs in a container, and of which kind, by the marks that the engines leave
/// in `files` and in the environment. No name of an image, a host or a user.
std::vector<Fact> Collect(const MachineFiles& files, const HasVariable& has_variable);

extern const CollectorSpec kSpec;

}  // namespace xsp::collect::container

#endif  // XSP_CAPTURE_COLLECT_CONTAINER_CONTAINER_H_
