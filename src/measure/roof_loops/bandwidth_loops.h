#ifndef XSP_MEASURE_ROOF_LOOPS_BANDWIDTH_LOOPS_H_
#define XSP_MEASURE_ROOF_LOOPS_BANDWIDTH_LOOPS_H_

// The loops of bandwidth_kernel.h over vectors of any width, for files that are compiled for one
// instruction set each. In an unnamed namespace on purpose: every such file gets its own copy, made
// with its own flags, and the linker can not mix them.

#include "measure/roof_loops/bandwidth_kernel.h"

namespace xsp::roof_loops {
namespace {

/// `Traits`: Vector (of float), Bits (of integers, same size), Touch(Bits) (loads into a register
/// and no more: an addition would be the limit in L1), Stream(Vector*, Vector), Fence().
template <typename Traits>
struct BandwidthLoops {
  using Vector = typename Traits::Vector;
  using Bits = typename Traits::Bits;
  static constexpr int kUnroll = 8;
  static_assert(kBandwidthStep % (kUnroll * sizeof(Vector)) == 0);

  static void Read(const void* a, long bytes, long passes) {
    const long count = bytes / static_cast<long>(sizeof(Bits));
    const auto* in = static_cast<const Bits*>(a);
    for (long pass = 0; pass < passes; ++pass) {
      asm volatile("" : : : "memory");  // Every pass reads anew.
      for (long i = 0; i < count; i += kUnroll) {
#pragma GCC unroll 8
        for (int k = 0; k < kUnroll; ++k) Traits::Touch(in[i + k]);
      }
    }
  }

  template <typename Store>
  static void WriteWith(void* a, long bytes, long passes, Store store) {
    const long count = bytes / static_cast<long>(sizeof(Vector));
    auto* out = static_cast<Vector*>(a);
    Vector value = Vector{} + 1.0F;
    asm volatile("" : "+m"(value));  // Else this becomes a call of memset.
    for (long pass = 0; pass < passes; ++pass) {
      for (long i = 0; i < count; i += kUnroll) {
#pragma GCC unroll 8
        for (int k = 0; k < kUnroll; ++k) store(out + i + k, value);
      }
      asm volatile("" : : : "memory");
    }
  }

  template <typename Store>
  static void TriadWith(void* a, const void* b, const void* c, long bytes, long passes,
                        Store store) {
    const long count = bytes / static_cast<long>(sizeof(Vector));
    auto* out = static_cast<Vector*>(a);
    const auto* left = static_cast<const Vector*>(b);
    const auto* right = static_cast<const Vector*>(c);
    const Vector factor = Vector{} + 3.0F;
    for (long pass = 0; pass < passes; ++pass) {
      for (long i = 0; i < count; i += kUnroll) {
#pragma GCC unroll 8
        for (int k = 0; k < kUnroll; ++k) store(out + i + k, left[i + k] + factor * right[i + k]);
      }
      asm volatile("" : : : "memory");
    }
  }

  static void Plainly(Vector* to, Vector value) { *to = value; }

  static void Write(void* a, long bytes, long passes) { WriteWith(a, bytes, passes, Plainly); }
  static void WriteStreaming(void* a, long bytes, long passes) {
    WriteWith(a, bytes, passes, Traits::Stream);
    Traits::Fence();
  }
  static void Triad(void* a, const void* b, const void* c, long bytes, long passes) {
    TriadWith(a, b, c, bytes, passes, Plainly);
  }
  static void TriadStreaming(void* a, const void* b, const void* c, long bytes, long passes) {
    TriadWith(a, b, c, bytes, passes, Traits::Stream);
    Traits::Fence();
  }

  static constexpr BandwidthKernel Kernel(const char* how, const char* flags, bool streams) {
    return {how, flags, streams, Read, Write, WriteStreaming, Triad, TriadStreaming};
  }
};

}  // namespace
}  // namespace xsp::roof_loops

#endif  // XSP_MEASURE_ROOF_LOOPS_BANDWIDTH_LOOPS_H_
