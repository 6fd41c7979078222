// BF16 pairs into FP32 by AVX-512. Compiled with -mavx512bf16; runs only where the CPU has it.
#include "measure/roof_loops/peak_kernel.h"

#ifdef __AVX512BF16__
#include <immintrin.h>

namespace xsp::roof_loops {
namespace {

constexpr int kAccumulators = 24;

double Run(long rounds) {
  __m512 sum[kAccumulators];
  for (auto& s : sum) s = _mm512_set1_ps(1.0F);
  __m512bh a = (__m512bh)_mm512_set1_epi16(0x3f00);  // 0.5
  __m512bh b = (__m512bh)_mm512_set1_epi16(0);       // The sum stays finite.
  asm volatile("" : "+v"(a), "+v"(b));               // Hides that they are constant.
  for (long round = 0; round < rounds; ++round) {
#pragma GCC unroll 32
    for (int i = 0; i < kAccumulators; ++i) sum[i] = _mm512_dpbf16_ps(sum[i], a, b);
  }
  for (auto& s : sum) asm volatile("" : : "v"(s));  // Counts as a use of the result.
  return 2.0 * 32 * kAccumulators * static_cast<double>(rounds);
}

constexpr PeakKernel kKernels[] = {
    {"bfloat16", "vector", "AVX-512 BF16 dot product, 24 accumulators", "avx512f avx512_bf16",
     nullptr, nullptr, Run},
};

}  // namespace

PeakFamily PeakAvx512Bf16() { return {kKernels, 1}; }

}  // namespace xsp::roof_loops
#else
namespace xsp::roof_loops {
PeakFamily PeakAvx512Bf16() { return {nullptr, 0}; }
}  // namespace xsp::roof_loops
#endif
