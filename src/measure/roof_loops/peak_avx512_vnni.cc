// INT8 by AVX-512 VNNI. Compiled with -mavx512vnni; runs only where the CPU has it.
#include "measure/roof_loops/peak_kernel.h"

#ifdef __AVX512VNNI__
#include <immintrin.h>

namespace xsp::roof_loops {
namespace {

constexpr int kAccumulators = 24;

/// As an array of __m512i, g++ 12 copies every accumulator to the stack and back in every round,
/// which halves the rate.
using Sums = int __attribute__((vector_size(64)));

double Run(long rounds) {
  Sums sum[kAccumulators];
  for (auto& s : sum) s = Sums{} + 1;
  __m512i a = _mm512_set1_epi8(3), b = _mm512_set1_epi8(-2);
  asm volatile("" : "+v"(a), "+v"(b));  // Hides that they are constant.
  for (long round = 0; round < rounds; ++round) {
#pragma GCC unroll 32
    for (int i = 0; i < kAccumulators; ++i)
      sum[i] = (Sums)_mm512_dpbusd_epi32((__m512i)sum[i], a, b);
  }
  for (auto& s : sum) asm volatile("" : : "v"(s));  // Counts as a use of the result.
  return 2.0 * 64 * kAccumulators * static_cast<double>(rounds);
}

constexpr PeakKernel kKernels[] = {
    {"int8", "vector", "AVX-512 VNNI dot product, 24 accumulators", "avx512f avx512_vnni", nullptr,
     nullptr, Run},
};

}  // namespace

PeakFamily PeakAvx512Vnni() { return {kKernels, 1}; }

}  // namespace xsp::roof_loops
#else
namespace xsp::roof_loops {
PeakFamily PeakAvx512Vnni() { return {nullptr, 0}; }
}  // namespace xsp::roof_loops
#endif
