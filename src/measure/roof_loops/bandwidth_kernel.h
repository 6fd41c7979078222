#ifndef XSP_MEASURE_ROOF_LOOPS_BANDWIDTH_KERNEL_H_
#define XSP_MEASURE_ROOF_LOOPS_BANDWIDTH_KERNEL_H_

// Plain types only, for the reason given in peak_kernel.h.

namespace xsp::roof_loops {

/// Arrays are aligned to 64 bytes and `bytes` long, a multiple of kBandwidthStep.
inline constexpr long kBandwidthStep = 1024;

/// The loops of one instruction family. Static data. Each walks its arrays `passes` times.
/// Streaming stores go past the caches (no read for ownership), as in STREAM (McCalpin 1995).
struct BandwidthKernel {
  const char* how;    ///< "AVX-512"
  const char* flags;  ///< What /proc/cpuinfo must list, separated by blanks; empty: nothing.
  bool streams;       ///< The family has streaming stores; else the two functions store plainly.
  void (*read)(const void* a, long bytes, long passes);
  void (*write)(void* a, long bytes, long passes);
  void (*write_streaming)(void* a, long bytes, long passes);
  void (*triad)(void* a, const void* b, const void* c, long bytes, long passes);  ///< a = b + s c
  void (*triad_streaming)(void* a, const void* b, const void* c, long bytes, long passes);
};

// One file each; null where the compiler or the architecture does not know the instructions.
const BandwidthKernel* BandwidthAvx512();
const BandwidthKernel* BandwidthAvx2();
const BandwidthKernel* BandwidthPortable();

}  // namespace xsp::roof_loops

#endif  // XSP_MEASURE_ROOF_LOOPS_BANDWIDTH_KERNEL_H_
