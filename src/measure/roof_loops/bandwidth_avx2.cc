// Bandwidth loops on 256-bit vectors. Compiled with -mavx2 -mfma.
#include "measure/roof_loops/bandwidth_loops.h"

#ifdef __AVX2__
#include <immintrin.h>

namespace xsp::roof_loops {
namespace {

struct Traits {
  using Vector = float __attribute__((vector_size(32)));
  using Bits = long long __attribute__((vector_size(32)));
  static void Touch(Bits value) { asm volatile("" : : "x"(value)); }
  static void Stream(Vector* to, Vector value) {
    _mm256_stream_ps(reinterpret_cast<float*>(to), (__m256)value);
  }
  static void Fence() { _mm_sfence(); }
};

constexpr BandwidthKernel kKernel = BandwidthLoops<Traits>::Kernel("AVX2", "avx2 fma", true);

}  // namespace

const BandwidthKernel* BandwidthAvx2() { return &kKernel; }

}  // namespace xsp::roof_loops
#else
namespace xsp::roof_loops {
const BandwidthKernel* BandwidthAvx2() { return nullptr; }
}  // namespace xsp::roof_loops
#endif
