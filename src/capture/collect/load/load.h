#ifndef XSP_CAPTURE_COLLECT_LOAD_LOAD_H_
#define XSP_CAPTURE_COLLECT_LOAD_LOAD_H_

#include <cstdint>
#include <map>
#include <vector>

#include "capture/collect/collector.h"
#include "capture/collect/machine_files.h"
#include "capture/collect/machine_load.h"

namespace xsp::collect::load {

/// The machine at one moment: its counters, and the CPU time of each process (no names).
struct Snapshot {
  MachineLoad machine;
  std::map<std::int64_t, std::int64_t> cpu_ns;  ///< By process id.
};

Snapshot Take(const MachineFiles& files);

/// What `own_process` shares the machine with, from two moments: other processes' share of the CPU
/// time, how many of them took more than a fifth of one CPU, and what the kernel states now.
std::vector<Fact> Describe(const MachineFiles& files, const Snapshot& before, const Snapshot& after,
                           std::int64_t own_process);

extern const CollectorSpec kSpec;

}  // namespace xsp::collect::load

#endif  // XSP_CAPTURE_COLLECT_LOAD_LOAD_H_
