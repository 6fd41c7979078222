#ifndef XSP_MEASURE_ROOF_LOOPS_CUDA_PLAN_H_
#define XSP_MEASURE_ROOF_LOOPS_CUDA_PLAN_H_

// What roofs/cuda measures, without CUDA: which loops a GPU has, and how much a launch of one does.

#include <cstdint>
#include <span>
#include <vector>

namespace xsp::roof_loops {

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

/// Whether tensor cores of this compute capability take FP64: 8.0, 9.0, 10.0 and 10.7, and not
/// 10.3, 11.0 or 12.x (CUDA Programming Guide 13.4, section 5.1.3, table "Input Data Types
/// Supported by Tensor Core Acceleration per Compute Capability"; an edition before 10.7 says the
/// same of the others). Others accept the instruction (PTX ISA: mma with .f64 needs sm_80 or later)
/// and run it on the few FP64 units beside (the GA102 whitepaper: "a small number of FP64 ... to
/// ensure any programs with FP64 code operate correctly, including FP64 Tensor Core code"): a roof
/// of its own it is there none.
bool HasTensorFloat64(int capability);

/// Operations of one launch: whole warps x accumulators x rounds x operations_a_warp.
double OperationsOf(const CudaLoopSpec& spec, int blocks, int threads, std::int64_t rounds);

/// What cuBLAS is asked for, beside: square products of one size, 2 n^3 operations.
double OperationsOfProduct(std::int64_t n);

inline constexpr std::int64_t kSmallestProduct = 1024;

/// The largest n, a multiple of 1024 up to 8192, whose three n x n matrices of `element_bytes` (the
/// result of `result_bytes`) take at most `memory_bytes`; 0: not even 1024.
std::int64_t ProductSize(std::int64_t memory_bytes, int element_bytes, int result_bytes);

/// A measurement of a product, of all its repeats in one launch, takes about this long at most: a
/// card whose FP64 runs at 1/64 of its FP32 would take minutes for what a fast one needs to be
/// busy.
inline constexpr double kLongestProductMs = 50;

/// The largest n up to `fitting_n` at which one product takes at most kLongestProductMs, where one
/// of kSmallestProduct took `probe_ms`: time grows with n^3 (slower at first, so this is no too
/// large one). At least kSmallestProduct.
std::int64_t ProductSizeInTime(std::int64_t fitting_n, double probe_ms);

/// Working sets in bytes, multiples of 1 MiB (shared memory aside); 0: cannot be measured.
struct CudaWorkingSets {
  std::int64_t l2_bytes = 0;  ///< Half of the L2 cache.
  /// All arrays together: 32 times the L2 cache, at least 1 GiB, at most half of the free memory. A
  /// pass over m times the cache finds up to 1/m of it still there.
  std::int64_t dram_bytes = 0;
  bool exceeds_l2 = true;  ///< The DRAM set is at least 16 times the L2 cache.
};
CudaWorkingSets PlanCudaWorkingSets(std::int64_t l2_bytes, std::int64_t free_bytes);

}  // namespace xsp::roof_loops

#endif  // XSP_MEASURE_ROOF_LOOPS_CUDA_PLAN_H_
