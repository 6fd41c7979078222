// Bandwidth loops on 512-bit vectors. Compiled with -mavx512f.
#include "measure/roof_loops/bandwidth_loops.h"

#ifdef __AVX512F__
#include <immintrin.h>

namespace xsp::roof_loops {
namespace {

struct Traits {
  using Vector = float __attribute__((vector_size(64)));
  using Bits = long long __attribute__((vector_size(64)));
  static void Touch(Bits value) { asm volatile("" : : "v"(value)); }
  static void Stream(Vector* to, Vector value) {
    _mm512_stream_ps(reinterpret_cast<float*>(to), (__m512)value);
  }
  static void Fence() { _mm_sfence(); }
};

constexpr BandwidthKernel kKernel = BandwidthLoops<Traits>::Kernel("AVX-512", "avx512f", true);

}  // namespace

const BandwidthKernel* BandwidthAvx512() { return &kKernel; }

}  // namespace xsp::roof_loops
#else
namespace xsp::roof_loops {
const BandwidthKernel* BandwidthAvx512() { return nullptr; }
}  // namespace xsp::roof_loops
#endif
