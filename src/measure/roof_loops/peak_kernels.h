#ifndef XSP_MEASURE_ROOF_LOOPS_PEAK_KERNELS_H_
#define XSP_MEASURE_ROOF_LOOPS_PEAK_KERNELS_H_

#include <vector>

#include "measure/roof_loops/bandwidth_kernel.h"
#include "measure/roof_loops/peak_kernel.h"
#include "os/processor.h"

namespace xsp::roof_loops {

/// The widest kernel per data type and unit that this build holds and `processor` can run.
/// Calls each kernel's prepare(), so call it only for the processor that runs this.
std::vector<PeakKernel> UsablePeakKernels(const os::Processor& processor);

/// The widest bandwidth loops that `processor` can run. Never null.
const BandwidthKernel* UsableBandwidthKernel(const os::Processor& processor);

/// Whether `processor` lists every one of the blank-separated `flags`.
bool HasAll(const os::Processor& processor, const char* flags);

}  // namespace xsp::roof_loops

#endif  // XSP_MEASURE_ROOF_LOOPS_PEAK_KERNELS_H_
