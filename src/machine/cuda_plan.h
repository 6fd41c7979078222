#ifndef XSP_MACHINE_CUDA_PLAN_H_
#define XSP_MACHINE_CUDA_PLAN_H_

// What roofs/cuda measures, without CUDA: which loops a GPU has, and how much a launch of one does.

#include <cstdint>
#include <span>
#include <vector>

namespace xsp::machine {

enum class CudaLoop {
  kFloat64,
  kFloat32,
  kFloat16,
  kBfloat16,
  kInt8,
  kFloat64Mma,
  kTfloat32Mma,
  kFloat16Mma,
  kFloat16Mma75,
  kBfloat16Mma,
  kFloat8Mma,
  kInt8Mma,
};

/// Accumulators of each thread (or warp): enough that one's latency hides behind the others.
inline constexpr int kCudaAccumulators = 8;
inline constexpr int kCudaWarp = 32;

/// A loop of independent multiply-adds in registers. Static data.
struct CudaLoopSpec {
  CudaLoop loop;
  const char* dtype;     ///< As Roof::dtype.
  const char* unit;      ///< "vector" or "tensor"
  const char* how;       ///< "mma.sync m16n8k16, FP32 accumulators"
  int least_capability;  ///< Compute capability, 10 x major + minor, that has the instruction.
  int most_capability;   ///< The last for which this loop is taken; 0: any later one.
  /// Operations of one warp for one accumulator and round: 2 x lanes x width, or 2 x m x n x k.
  double operations_a_warp;
};

/// Every loop.
std::span<const CudaLoopSpec> AllCudaLoops();

/// Those that a GPU of this compute capability (90: 9.0) has, one for each data type and unit.
std::vector<const CudaLoopSpec*> CudaLoopsFor(int capability);

/// Operations of one launch: whole warps x accumulators x rounds x operations_a_warp.
double OperationsOf(const CudaLoopSpec& spec, int blocks, int threads, std::int64_t rounds);

/// What cuBLAS is asked for, beside: square products of one size, 2 n^3 operations.
double OperationsOfProduct(std::int64_t n);

/// The largest n, a multiple of 1024 up to 8192, whose three n x n matrices of `element_bytes` (the
/// result of `result_bytes`) take at most `memory_bytes`; 0: not even 1024.
std::int64_t ProductSize(std::int64_t memory_bytes, int element_bytes, int result_bytes);

/// Working sets in bytes, multiples of 1 MiB (shared memory aside); 0: cannot be measured.
struct CudaWorkingSets {
  std::int64_t l2_bytes = 0;    ///< Half of the L2 cache.
  std::int64_t dram_bytes = 0;  ///< All arrays together: 8 times the L2 cache, at least 1 GiB, at
                                ///< most a quarter of the free memory.
  bool exceeds_l2 = true;       ///< The DRAM set is at least 4 times the L2 cache.
};
CudaWorkingSets PlanCudaWorkingSets(std::int64_t l2_bytes, std::int64_t free_bytes);

}  // namespace xsp::machine

#endif  // XSP_MACHINE_CUDA_PLAN_H_
