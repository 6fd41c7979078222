// FP32, FP64, FP16, BF16 and INT8 by Arm's NEON. Compiled with -march=armv8.2-a+fp16+dotprod+bf16
// on 64-bit Arm; runs only what the CPU has.
#include "measure/roof_loops/peak_kernel.h"

#ifdef __aarch64__
#include <arm_neon.h>

namespace xsp::roof_loops {
namespace {

// Four units of 4 cycles latency need 16; 32 registers leave room for the operands.
constexpr int kAccumulators = 24;

// `Operation` is one instruction on (sum, a, b); `kLanes` its multiply-adds.
template <int kLanes, typename Sum, typename Operand, typename Operation>
double Run(long rounds, Sum start, Operand a, Operand b, Operation operation) {
  Sum sum[kAccumulators];
  for (auto& s : sum) s = start;
  asm volatile("" : "+w"(a), "+w"(b));  // Hides that they are constant.
  for (long round = 0; round < rounds; ++round) {
#pragma GCC unroll 32
    for (int i = 0; i < kAccumulators; ++i) sum[i] = operation(sum[i], a, b);
  }
  for (auto& s : sum) asm volatile("" : : "w"(s));  // Counts as a use of the result.
  return 2.0 * kLanes * kAccumulators * static_cast<double>(rounds);
}

double RunFloat32(long rounds) {
  return Run<4>(rounds, vdupq_n_f32(1), vdupq_n_f32(0.5F), vdupq_n_f32(0),
                [](auto s, auto a, auto b) { return vfmaq_f32(s, a, b); });
}

double RunFloat64(long rounds) {
  return Run<2>(rounds, vdupq_n_f64(1), vdupq_n_f64(0.5), vdupq_n_f64(0),
                [](auto s, auto a, auto b) { return vfmaq_f64(s, a, b); });
}

#ifdef __ARM_FEATURE_FP16_VECTOR_ARITHMETIC
double RunFloat16(long rounds) {
  const float16x8_t zero = vreinterpretq_f16_u16(vdupq_n_u16(0));
  return Run<8>(rounds, zero, zero, zero,
                [](auto s, auto a, auto b) { return vfmaq_f16(s, a, b); });
}
#endif

#ifdef __ARM_FEATURE_BF16_VECTOR_ARITHMETIC
double RunBfloat16(long rounds) {
  const bfloat16x8_t zero = vreinterpretq_bf16_u16(vdupq_n_u16(0));
  return Run<8>(rounds, vdupq_n_f32(1), zero, zero,
                [](auto s, auto a, auto b) { return vbfdotq_f32(s, a, b); });
}
#endif

#ifdef __ARM_FEATURE_DOTPROD
double RunInt8(long rounds) {
  return Run<16>(rounds, vdupq_n_s32(1), vdupq_n_s8(3), vdupq_n_s8(-2),
                 [](auto s, auto a, auto b) { return vdotq_s32(s, a, b); });
}
#endif

constexpr PeakKernel kKernels[] = {
    {"float32", "vector", "NEON FMA, 24 accumulators", "asimd", nullptr, nullptr, RunFloat32},
    {"float64", "vector", "NEON FMA, 24 accumulators", "asimd", nullptr, nullptr, RunFloat64},
#ifdef __ARM_FEATURE_FP16_VECTOR_ARITHMETIC
    {"float16", "vector", "NEON FP16 FMA, 24 accumulators", "asimdhp", nullptr, nullptr,
     RunFloat16},
#endif
#ifdef __ARM_FEATURE_BF16_VECTOR_ARITHMETIC
    {"bfloat16", "vector", "NEON BF16 dot product, 24 accumulators", "bf16", nullptr, nullptr,
     RunBfloat16},
#endif
#ifdef __ARM_FEATURE_DOTPROD
    {"int8", "vector", "NEON dot product, 24 accumulators", "asimddp", nullptr, nullptr, RunInt8},
#endif
};

}  // namespace

PeakFamily PeakNeon() {
  return {kKernels, static_cast<int>(sizeof(kKernels) / sizeof(kKernels[0]))};
}

}  // namespace xsp::roof_loops
#else
namespace xsp::roof_loops {
PeakFamily PeakNeon() { return {nullptr, 0}; }
}  // namespace xsp::roof_loops
#endif
