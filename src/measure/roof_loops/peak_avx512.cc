// FP32 and FP64 by AVX-512 FMA. Compiled with -mavx512f; runs only where the CPU has it.
#include "measure/roof_loops/peak_kernel.h"

#ifdef __AVX512F__
#include <immintrin.h>

namespace xsp::roof_loops {
namespace {

// Two FMA units of 4 cycles latency need 8; more hide what else delays one of them.
constexpr int kAccumulators = 24;

double RunFloat32(long rounds) {
  __m512 sum[kAccumulators];
  for (auto& s : sum) s = _mm512_set1_ps(1.0F);
  __m512 a = _mm512_set1_ps(0.5F), b = _mm512_set1_ps(0.25F);
  asm volatile("" : "+v"(a), "+v"(b));  // Hides that they are constant.
  for (long round = 0; round < rounds; ++round) {
#pragma GCC unroll 32
    for (int i = 0; i < kAccumulators; ++i) sum[i] = _mm512_fmadd_ps(sum[i], a, b);
  }
  for (auto& s : sum) asm volatile("" : : "v"(s));  // Counts as a use of the result.
  return 2.0 * 16 * kAccumulators * static_cast<double>(rounds);
}

double RunFloat64(long rounds) {
  __m512d sum[kAccumulators];
  for (auto& s : sum) s = _mm512_set1_pd(1.0);
  __m512d a = _mm512_set1_pd(0.5), b = _mm512_set1_pd(0.25);
  asm volatile("" : "+v"(a), "+v"(b));
  for (long round = 0; round < rounds; ++round) {
#pragma GCC unroll 32
    for (int i = 0; i < kAccumulators; ++i) sum[i] = _mm512_fmadd_pd(sum[i], a, b);
  }
  for (auto& s : sum) asm volatile("" : : "v"(s));
  return 2.0 * 8 * kAccumulators * static_cast<double>(rounds);
}

constexpr PeakKernel kKernels[] = {
    {"float32", "vector", "AVX-512 FMA, 24 accumulators", "avx512f", nullptr, nullptr, RunFloat32},
    {"float64", "vector", "AVX-512 FMA, 24 accumulators", "avx512f", nullptr, nullptr, RunFloat64},
};

}  // namespace

PeakFamily PeakAvx512() { return {kKernels, 2}; }

}  // namespace xsp::roof_loops
#else
namespace xsp::roof_loops {
PeakFamily PeakAvx512() { return {nullptr, 0}; }
}  // namespace xsp::roof_loops
#endif
