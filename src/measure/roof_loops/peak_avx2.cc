// FP32 and FP64 by AVX2 FMA. Compiled with -mavx2 -mfma; runs only where the CPU has it.
#include "measure/roof_loops/peak_kernel.h"

#ifdef __FMA__
#include <immintrin.h>

namespace xsp::roof_loops {
namespace {

// Two FMA units of 4 cycles latency need 8; 12 leave registers for the operands.
constexpr int kAccumulators = 12;

double RunFloat32(long rounds) {
  __m256 sum[kAccumulators];
  for (auto& s : sum) s = _mm256_set1_ps(1.0F);
  __m256 a = _mm256_set1_ps(0.5F), b = _mm256_set1_ps(0.25F);
  asm volatile("" : "+x"(a), "+x"(b));  // Hides that they are constant.
  for (long round = 0; round < rounds; ++round) {
#pragma GCC unroll 32
    for (int i = 0; i < kAccumulators; ++i) sum[i] = _mm256_fmadd_ps(sum[i], a, b);
  }
  for (auto& s : sum) asm volatile("" : : "x"(s));  // Counts as a use of the result.
  return 2.0 * 8 * kAccumulators * static_cast<double>(rounds);
}

double RunFloat64(long rounds) {
  __m256d sum[kAccumulators];
  for (auto& s : sum) s = _mm256_set1_pd(1.0);
  __m256d a = _mm256_set1_pd(0.5), b = _mm256_set1_pd(0.25);
  asm volatile("" : "+x"(a), "+x"(b));
  for (long round = 0; round < rounds; ++round) {
#pragma GCC unroll 32
    for (int i = 0; i < kAccumulators; ++i) sum[i] = _mm256_fmadd_pd(sum[i], a, b);
  }
  for (auto& s : sum) asm volatile("" : : "x"(s));
  return 2.0 * 4 * kAccumulators * static_cast<double>(rounds);
}

constexpr PeakKernel kKernels[] = {
    {"float32", "vector", "AVX2 FMA, 12 accumulators", "avx2 fma", nullptr, nullptr, RunFloat32},
    {"float64", "vector", "AVX2 FMA, 12 accumulators", "avx2 fma", nullptr, nullptr, RunFloat64},
};

}  // namespace

PeakFamily PeakAvx2() { return {kKernels, 2}; }

}  // namespace xsp::roof_loops
#else
namespace xsp::roof_loops {
PeakFamily PeakAvx2() { return {nullptr, 0}; }
}  // namespace xsp::roof_loops
#endif
