#ifndef XSP_ROOFS_CUDA_KERNELS_H_
#define XSP_ROOFS_CUDA_KERNELS_H_

// The launches of roofs/cuda, callable from a file that a host compiler reads. All are asynchronous
// on the default stream; what went wrong is asked of cudaGetLastError().

#include "measure/roof_loops/cuda_plan.h"

namespace xsp::roofs_cuda {

struct Shape {
  int blocks = 0;
  int threads = 0;  ///< A multiple of a warp.
};

inline constexpr int kSharedBytes = 16 * 1024;  ///< Of each block, for LaunchSharedRead.

/// `rounds` times every accumulator of every thread. `sink`: device memory of 4 KiB that is never
/// written in fact, so that nothing is left out.
void LaunchLoop(roof_loops::CudaLoop loop, Shape shape, long rounds, void* sink);

/// Reads `bytes` (a multiple of 1 MiB) `passes` times, past L1.
void LaunchRead(const void* from, long bytes, long passes, Shape shape, void* sink);

/// a = b + s c of arrays of floats, `bytes` each (a multiple of 1 MiB).
void LaunchTriad(void* a, const void* b, const void* c, long bytes, Shape shape);

/// Every thread reads 16 B of shared memory `rounds` x kCudaAccumulators times.
void LaunchSharedRead(Shape shape, long rounds, void* sink);

/// How fast an SM's clock runs under load: every block runs `rounds` of the FP32 loop, and the
/// first thread of block 0 writes to two long long at `out` how many cycles of its SM (clock64) and
/// how many ns of the GPU's timer (globaltimer) passed meanwhile. Their ratio is the clock, in GHz.
/// The timer advances in steps of up to about a us, so `rounds` should last for milliseconds.
void LaunchClock(Shape shape, long rounds, void* sink, void* out);

}  // namespace xsp::roofs_cuda

#endif  // XSP_ROOFS_CUDA_KERNELS_H_
