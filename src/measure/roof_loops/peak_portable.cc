// FP32 and FP64 on 128-bit vectors in the compiler's own words: SSE2 on x86-64 (a multiplication
// and an addition), and whatever other architectures have.
#include "measure/roof_loops/peak_kernel.h"

namespace xsp::roof_loops {
namespace {

using Float4 = float __attribute__((vector_size(16)));
using Double2 = double __attribute__((vector_size(16)));

constexpr int kAccumulators = 12;

double RunFloat32(long rounds) {
  Float4 sum[kAccumulators];
  for (auto& s : sum) s = Float4{1, 1, 1, 1};
  Float4 a = {0.5F, 0.5F, 0.5F, 0.5F}, b = {0.25F, 0.25F, 0.25F, 0.25F};
  asm volatile("" : "+m"(a), "+m"(b));  // Hides that they are constant.
  for (long round = 0; round < rounds; ++round) {
#pragma GCC unroll 32
    for (int i = 0; i < kAccumulators; ++i) sum[i] = sum[i] * a + b;
  }
  for (auto& s : sum) asm volatile("" : : "m"(s));  // Counts as a use of the result.
  return 2.0 * 4 * kAccumulators * static_cast<double>(rounds);
}

double RunFloat64(long rounds) {
  Double2 sum[kAccumulators];
  for (auto& s : sum) s = Double2{1, 1};
  Double2 a = {0.5, 0.5}, b = {0.25, 0.25};
  asm volatile("" : "+m"(a), "+m"(b));
  for (long round = 0; round < rounds; ++round) {
#pragma GCC unroll 32
    for (int i = 0; i < kAccumulators; ++i) sum[i] = sum[i] * a + b;
  }
  for (auto& s : sum) asm volatile("" : : "m"(s));
  return 2.0 * 2 * kAccumulators * static_cast<double>(rounds);
}

constexpr const char* kHow = "128-bit multiplications and additions, 12 accumulators";
constexpr PeakKernel kKernels[] = {
    {"float32", "vector", kHow, "", nullptr, nullptr, RunFloat32},
    {"float64", "vector", kHow, "", nullptr, nullptr, RunFloat64},
};

}  // namespace

PeakFamily PeakPortable() { return {kKernels, 2}; }

}  // namespace xsp::roof_loops
