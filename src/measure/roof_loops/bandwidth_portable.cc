// Bandwidth loops on 128-bit vectors, for any CPU. Streaming stores on x86-64 only.
#include "measure/roof_loops/bandwidth_loops.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace xsp::roof_loops {
namespace {

struct Traits {
  using Vector = float __attribute__((vector_size(16)));
  using Bits = long long __attribute__((vector_size(16)));
#if defined(__SSE2__)
  static void Touch(Bits value) { asm volatile("" : : "x"(value)); }
#elif defined(__aarch64__)
  static void Touch(Bits value) { asm volatile("" : : "w"(value)); }
#else
  static void Touch(Bits value) { asm volatile("" : : "r"(value[0]), "r"(value[1])); }
#endif
#ifdef __SSE2__
  static constexpr bool kStreams = true;
  static void Stream(Vector* to, Vector value) {
    _mm_stream_ps(reinterpret_cast<float*>(to), (__m128)value);
  }
  static void Fence() { _mm_sfence(); }
#else
  static constexpr bool kStreams = false;
  static void Stream(Vector* to, Vector value) { *to = value; }
  static void Fence() {}
#endif
};

constexpr BandwidthKernel kKernel = BandwidthLoops<Traits>::Kernel("128-bit", "", Traits::kStreams);

}  // namespace

const BandwidthKernel* BandwidthPortable() { return &kKernel; }

}  // namespace xsp::roof_loops
