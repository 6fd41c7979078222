#include "measure/roof_loops/peak_kernels.h"

#include <algorithm>
#include <cstring>
#include <sstream>
#include <string>

namespace xsp::roof_loops {

// The kernel's list is asked rather than CPUID: it leaves out what the operating system or a
// hypervisor has switched off.
bool HasAll(const os::Processor& processor, const char* flags) {
  std::istringstream words(flags);
  for (std::string flag; words >> flag;) {
    if (!processor.Has(flag)) return false;
  }
  return true;
}

std::vector<PeakKernel> UsablePeakKernels(const os::Processor& processor) {
  std::vector<PeakKernel> usable;
  // Widest first: the first of a data type and unit wins.
  for (const PeakFamily& family :
       {PeakAvx512(), PeakAvx512Bf16(), PeakAvx512Fp16(), PeakAvx512Vnni(), PeakAvxVnni(),
        PeakAvx2(), PeakNeon(), PeakVsx(), PeakAmx(), PeakPortable()}) {
    for (int i = 0; i < family.count; ++i) {
      const PeakKernel& kernel = family.kernels[i];
      const bool have = std::any_of(usable.begin(), usable.end(), [&](const PeakKernel& other) {
        return std::strcmp(other.dtype, kernel.dtype) == 0 &&
               std::strcmp(other.unit, kernel.unit) == 0;
      });
      if (have || !HasAll(processor, kernel.flags)) continue;
      if (kernel.prepare == nullptr || kernel.prepare()) usable.push_back(kernel);
    }
  }
  return usable;
}

const BandwidthKernel* UsableBandwidthKernel(const os::Processor& processor) {
  for (const BandwidthKernel* kernel : {BandwidthAvx512(), BandwidthAvx2()}) {
    if (kernel != nullptr && HasAll(processor, kernel->flags)) return kernel;
  }
  return BandwidthPortable();
}

}  // namespace xsp::roof_loops
