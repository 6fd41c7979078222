#ifndef XSP_MEASURE_SWEEPS_MACHINE_FIT_H_
#define XSP_MEASURE_SWEEPS_MACHINE_FIT_H_

#include <string>
#include <vector>

#include "capture/collect/collector.h"
#include "measure/sweeps/sweep.h"

namespace xsp::sweeps {

/// Why the machine with the stack `stack` is none of those that `constraint` means: "its
/// architecture is x86_64, not aarch64". Empty: it is one. What the machine hides does not fit.
std::string WhyNotThisMachine(const MachineConstraint& constraint,
                              const std::vector<collect::Fact>& stack);

}  // namespace xsp::sweeps

#endif  // XSP_MEASURE_SWEEPS_MACHINE_FIT_H_
