// INT8 by AVX-VNNI (256 bits). Compiled with -mavxvnni; runs only where the CPU has it.
#include "measure/roof_loops/peak_kernel.h"

#ifdef __AVXVNNI__
#include <immintrin.h>

namespace xsp::roof_loops {
namespace {

constexpr int kAccumulators = 12;

/// As an array of __m256i, g++ 12 copies every accumulator to the stack and back in every round,
/// which halves the rate.
using Sums = int __attribute__((vector_size(32)));

double Run(long rounds) {
  Sums sum[kAccumulators];
  for (auto& s : sum) s = Sums{} + 1;
  __m256i a = _mm256_set1_epi8(3), b = _mm256_set1_epi8(-2);
  asm volatile("" : "+x"(a), "+x"(b));  // Hides that they are constant.
  for (long round = 0; round < rounds; ++round) {
#pragma GCC unroll 32
    for (int i = 0; i < kAccumulators; ++i)
      sum[i] = (Sums)_mm256_dpbusd_avx_epi32((__m256i)sum[i], a, b);
  }
  for (auto& s : sum) asm volatile("" : : "x"(s));  // Counts as a use of the result.
  return 2.0 * 32 * kAccumulators * static_cast<double>(rounds);
}

constexpr PeakKernel kKernels[] = {
    {"int8", "vector", "AVX-VNNI dot product, 12 accumulators", "avx2 avx_vnni", nullptr, nullptr,
     Run},
};

}  // namespace

PeakFamily PeakAvxVnni() { return {kKernels, 1}; }

}  // namespace xsp::roof_loops
#else
namespace xsp::roof_loops {
PeakFamily PeakAvxVnni() { return {nullptr, 0}; }
}  // namespace xsp::roof_loops
#endif
