#ifndef XSP_MACHINE_PEAK_KERNELS_H_
#define XSP_MACHINE_PEAK_KERNELS_H_

#include <vector>

#include "base/processor.h"
#include "machine/bandwidth_kernel.h"
#include "machine/peak_kernel.h"

namespace xsp::machine {

/// The widest kernel per data type and unit that this build holds and `processor` can run.
/// Calls each kernel's prepare(), so call it only for the processor that runs this.
std::vector<PeakKernel> UsablePeakKernels(const base::Processor& processor);

/// The widest bandwidth loops that `processor` can run. Never null.
const BandwidthKernel* UsableBandwidthKernel(const base::Processor& processor);

/// Whether `processor` lists every one of the blank-separated `flags`.
bool HasAll(const base::Processor& processor, const char* flags);

}  // namespace xsp::machine

#endif  // XSP_MACHINE_PEAK_KERNELS_H_
