#ifndef XSP_CAPTURE_COLLECT_FREQUENCY_FREQUENCY_H_
#define XSP_CAPTURE_COLLECT_FREQUENCY_FREQUENCY_H_

#include <vector>

#include "capture/collect/collector.h"
#include "capture/collect/machine_files.h"

namespace xsp::collect::frequency {

/// Who sets the clock of the machine of `files`, how high, and how often heat held it back.
std::vector<Fact> Collect(const MachineFiles& files);

extern const CollectorSpec kSpec;

}  // namespace xsp::collect::frequency

#endif  // XSP_CAPTURE_COLLECT_FREQUENCY_FREQUENCY_H_
