// FP16 by AVX-512 FMA. Compiled with -mavx512fp16; runs only where the CPU has it.
#include "measure/roof_loops/peak_kernel.h"

#ifdef __AVX512FP16__
#include <immintrin.h>

namespace xsp::roof_loops {
namespace {

constexpr int kAccumulators = 24;

double Run(long rounds) {
  __m512h sum[kAccumulators];
  for (auto& s : sum) s = _mm512_castsi512_ph(_mm512_set1_epi16(0x3c00));
  __m512h a = _mm512_castsi512_ph(_mm512_set1_epi16(0x3800));  // 0.5
  __m512h b = _mm512_castsi512_ph(_mm512_set1_epi16(0x3400));  // 0.25
  asm volatile("" : "+v"(a), "+v"(b));                         // Hides that they are constant.
  for (long round = 0; round < rounds; ++round) {
#pragma GCC unroll 32
    for (int i = 0; i < kAccumulators; ++i) sum[i] = _mm512_fmadd_ph(sum[i], a, b);
  }
  for (auto& s : sum) asm volatile("" : : "v"(s));  // Counts as a use of the result.
  return 2.0 * 32 * kAccumulators * static_cast<double>(rounds);
}

constexpr PeakKernel kKernels[] = {
    {"float16", "vector", "AVX-512 FP16 FMA, 24 accumulators", "avx512f avx512_fp16", nullptr,
     nullptr, Run},
};

}  // namespace

PeakFamily PeakAvx512Fp16() { return {kKernels, 1}; }

}  // namespace xsp::roof_loops
#else
namespace xsp::roof_loops {
PeakFamily PeakAvx512Fp16() { return {nullptr, 0}; }
}  // namespace xsp::roof_loops
#endif
