// FP32 and FP64 by POWER's VSX, INT8 by its AltiVec. Every processor that runs ppc64le programs has
// both: it is POWER8 or later.
#include "measure/roof_loops/peak_kernel.h"

#if defined(__powerpc64__) && defined(__VSX__)
#include <altivec.h>

namespace xsp::roof_loops {
namespace {

using Float4 = __vector float;
using Double2 = __vector double;
using Int4 = __vector signed int;
using SignedBytes = __vector signed char;
using UnsignedBytes = __vector unsigned char;

// Two units of 7 cycles latency need 14, the four of POWER10 more; AltiVec's 32 registers leave
// room for the operands.
constexpr int kAccumulators = 24;

// `Operation` is one instruction on (sum, a, b); `kLanes` its multiply-adds.
template <int kLanes, typename Sum, typename A, typename B, typename Operation>
double Run(long rounds, Sum start, A a, B b, Operation operation) {
  Sum sum[kAccumulators];
  for (auto& s : sum) s = start;
  asm volatile("" : "+v"(a), "+v"(b));  // Hides that they are constant.
  for (long round = 0; round < rounds; ++round) {
#pragma GCC unroll 32
    for (int i = 0; i < kAccumulators; ++i) sum[i] = operation(sum[i], a, b);
  }
  for (auto& s : sum) asm volatile("" : : "v"(s));  // Counts as a use of the result.
  return 2.0 * kLanes * kAccumulators * static_cast<double>(rounds);
}

double RunFloat32(long rounds) {
  return Run<4>(rounds, Float4{1, 1, 1, 1}, Float4{0.5F, 0.5F, 0.5F, 0.5F}, Float4{0, 0, 0, 0},
                [](Float4 s, Float4 a, Float4 b) { return vec_madd(a, b, s); });
}

double RunFloat64(long rounds) {
  return Run<2>(rounds, Double2{1, 1}, Double2{0.5, 0.5}, Double2{0, 0},
                [](Double2 s, Double2 a, Double2 b) { return vec_madd(a, b, s); });
}

double RunInt8(long rounds) {
  return Run<16>(rounds, Int4{1, 1, 1, 1}, vec_splat_s8(-2), vec_splat_u8(3),
                 [](Int4 s, SignedBytes a, UnsignedBytes b) { return vec_msum(a, b, s); });
}

constexpr PeakKernel kKernels[] = {
    {"float32", "vector", "VSX FMA, 24 accumulators", "altivec", nullptr, nullptr, RunFloat32},
    {"float64", "vector", "VSX FMA, 24 accumulators", "altivec", nullptr, nullptr, RunFloat64},
    {"int8", "vector", "AltiVec sums of products, 24 accumulators", "altivec", nullptr, nullptr,
     RunInt8},
};

}  // namespace

PeakFamily PeakVsx() {
  return {kKernels, static_cast<int>(sizeof(kKernels) / sizeof(kKernels[0]))};
}

}  // namespace xsp::roof_loops
#else
namespace xsp::roof_loops {
PeakFamily PeakVsx() { return {nullptr, 0}; }
}  // namespace xsp::roof_loops
#endif
