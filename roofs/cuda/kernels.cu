#include "kernels.h"

namespace xsp::roofs_cuda {
namespace {

using roof_loops::CudaLoop;
using roof_loops::kCudaAccumulators;

// `keep` is 0 in every launch and no compiler can know: without a use the loops would be left out.
// (A condition on `rounds` would not do: where no round is made the result is known.)
constexpr int kKeep = 0;

// ---- vector units: one multiply-add of each accumulator a round -------------------------------

// Factors and addends depend on `zero`, which is 0 and differs between threads as far as the
// assembler can tell: HFMA2 with constants runs on one of its two units. DFMA is the faster with a
// constant (33.2 against 31.1 TFLOP/s on an H100): it reads fewer wide registers.
struct Fma64 {
  using Value = double;
  __device__ explicit Fma64(int) {}
  static __device__ Value Start(int i) { return 1.0 + i; }
  __device__ Value Step(Value x) const { return fma(x, 0.999, 0.001); }
};
struct Fma32 {
  using Value = float;
  float factor, addend;
  __device__ explicit Fma32(int zero) : factor(0.999F + zero), addend(0.001F + zero) {}
  static __device__ Value Start(int i) { return 1.0F + i; }
  __device__ Value Step(Value x) const { return fmaf(x, factor, addend); }
};
// Pairs of 16-bit numbers as the bits that PTX takes.
struct Fma16 {
  using Value = unsigned;
  unsigned factor, addend;
  __device__ explicit Fma16(int zero)
      : factor(0x38003800 + zero), addend(0x34003400 + zero) {}  // 0.5 and 0.25.
  static __device__ Value Start(int i) { return 0x3c003c00U + static_cast<unsigned>(i); }
  __device__ Value Step(Value x) const {
    asm("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(x) : "r"(factor), "r"(addend));
    return x;
  }
};
struct FmaBf16 {
  using Value = unsigned;
  unsigned factor, addend;
  __device__ explicit FmaBf16(int zero)
      : factor(0x3f003f00 + zero), addend(0x3e803e80 + zero) {}  // 0.5 and 0.25.
  static __device__ Value Start(int i) { return 0x3f803f80U + static_cast<unsigned>(i); }
  __device__ Value Step(Value x) const {
#if __CUDA_ARCH__ >= 800  // Not chosen before: measure/roof_loops/cuda_plan.h.
    asm("fma.rn.bf16x2 %0, %0, %1, %2;" : "+r"(x) : "r"(factor), "r"(addend));
#endif
    return x;
  }
};
struct Dp4a {
  using Value = int;
  int factor;
  __device__ explicit Dp4a(int zero) : factor(0x01020304 + zero) {}
  static __device__ Value Start(int i) { return i; }
  __device__ Value Step(Value x) const { return __dp4a(x, factor, x); }
};

template <typename Op>
__global__ void VectorLoop(long rounds, int keep, void* sink) {
  typename Op::Value values[kCudaAccumulators];
  const Op op(static_cast<int>(threadIdx.x) * keep);
#pragma unroll
  for (int i = 0; i < kCudaAccumulators; ++i) values[i] = Op::Start(i + threadIdx.x);
    // 256 instructions: counting rounds takes issue slots, of which a full-rate unit leaves none.
#pragma unroll 32
  for (long round = 0; round < rounds; ++round) {
#pragma unroll
    for (int i = 0; i < kCudaAccumulators; ++i) values[i] = op.Step(values[i]);
  }
  if (keep != 0) {
#pragma unroll
    for (int i = 0; i < kCudaAccumulators; ++i)
      static_cast<typename Op::Value*>(sink)[i] = values[i];
  }
}

// ---- tensor cores: mma of the PTX ISA, one instruction of each accumulator a round -------------

using Bits = unsigned;

struct Mma64 {
  struct Value {
    double c[2];
  };
  static __device__ void Step(Value& v, const Bits*, const Bits*) {
#if __CUDA_ARCH__ >= 800
    const double a = 0.5, b = 0.5;
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1},{%2},{%3},{%0,%1};"
                 : "+d"(v.c[0]), "+d"(v.c[1])
                 : "d"(a), "d"(b));
#endif
  }
};

struct Float4 {
  float c[4];
};
struct Int4 {
  int c[4];
};

// NAME, the accumulator's type and constraint, the least architecture, the instruction, and whether
// a has four registers (b two) or two (b one).
#define XSP_MMA_4_2(NAME, VALUE, C, ARCH, INSTRUCTION)                                    \
  struct NAME {                                                                           \
    using Value = VALUE;                                                                  \
    static __device__ void Step(Value& v, const Bits* a, const Bits* b) {                 \
      if constexpr (ARCH_AT_LEAST(ARCH)) {                                                \
        asm volatile("mma.sync.aligned." INSTRUCTION                                      \
                     " {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"                \
                     : "+" C(v.c[0]), "+" C(v.c[1]), "+" C(v.c[2]), "+" C(v.c[3])         \
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])); \
      }                                                                                   \
    }                                                                                     \
  };
#define XSP_MMA_2_1(NAME, VALUE, C, ARCH, INSTRUCTION)                                            \
  struct NAME {                                                                                   \
    using Value = VALUE;                                                                          \
    static __device__ void Step(Value& v, const Bits* a, const Bits* b) {                         \
      if constexpr (ARCH_AT_LEAST(ARCH)) {                                                        \
        asm volatile("mma.sync.aligned." INSTRUCTION " {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};" \
                     : "+" C(v.c[0]), "+" C(v.c[1]), "+" C(v.c[2]), "+" C(v.c[3])                 \
                     : "r"(a[0]), "r"(a[1]), "r"(b[0]));                                          \
      }                                                                                           \
    }                                                                                             \
  };
#ifdef __CUDA_ARCH__
#define ARCH_AT_LEAST(ARCH) (__CUDA_ARCH__ >= (ARCH))
#else
#define ARCH_AT_LEAST(ARCH) false
#endif

XSP_MMA_4_2(MmaTf32, Float4, "f", 800, "m16n8k8.row.col.f32.tf32.tf32.f32")
XSP_MMA_4_2(Mma16, Float4, "f", 800, "m16n8k16.row.col.f32.f16.f16.f32")
XSP_MMA_2_1(Mma16Of75, Float4, "f", 750, "m16n8k8.row.col.f32.f16.f16.f32")
XSP_MMA_4_2(MmaBf16, Float4, "f", 800, "m16n8k16.row.col.f32.bf16.bf16.f32")
XSP_MMA_4_2(Mma8, Float4, "f", 890, "m16n8k32.row.col.f32.e4m3.e4m3.f32")
XSP_MMA_4_2(MmaInt8, Int4, "r", 800, "m16n8k32.row.col.s32.s8.s8.s32")

template <typename Op>
__global__ void TensorLoop(long rounds, int keep, void* sink) {
  typename Op::Value values[kCudaAccumulators] = {};
  const Bits a[4] = {}, b[2] = {};  // Zeros keep every sum finite; they take less power than data.
#pragma unroll 2
  for (long round = 0; round < rounds; ++round) {
#pragma unroll
    for (int i = 0; i < kCudaAccumulators; ++i) Op::Step(values[i], a, b);
  }
  if (keep != 0) {
#pragma unroll
    for (int i = 0; i < kCudaAccumulators; ++i)
      static_cast<typename Op::Value*>(sink)[i] = values[i];
  }
}

// ---- memory
// --------------------------------------------------------------------------------------

__global__ void Read(const float4* from, long count, long passes, float4* sink) {
  float4 sum = make_float4(0, 0, 0, 0);
  const long step = static_cast<long>(gridDim.x) * blockDim.x;
  for (long pass = 0; pass < passes; ++pass) {
#pragma unroll 8
    for (long i = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
      const float4 value = __ldcg(from + i);
      sum.x += value.x;
      sum.y += value.y;
      sum.z += value.z;
      sum.w += value.w;
    }
  }
  if (sum.x == 12345.678F) *sink = sum;
}

__global__ void Triad(float4* a, const float4* b, const float4* c, long count) {
  const long step = static_cast<long>(gridDim.x) * blockDim.x;
#pragma unroll 4
  for (long i = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    const float4 left = b[i], right = c[i];
    a[i] = make_float4(left.x + 3 * right.x, left.y + 3 * right.y, left.z + 3 * right.z,
                       left.w + 3 * right.w);
  }
}

__global__ void SharedRead(long rounds, int keep, float4* sink) {
  __shared__ float4 shared[kSharedBytes / sizeof(float4)];
  constexpr unsigned kCount = kSharedBytes / sizeof(float4);
  for (unsigned i = threadIdx.x; i < kCount; i += blockDim.x) shared[i] = make_float4(1, 2, 3, 4);
  __syncthreads();
  const auto start = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  float4 value = make_float4(0, 0, 0, 0);
  for (long round = 0; round < rounds; ++round) {
#pragma unroll
    for (unsigned i = 0; i < kCudaAccumulators; ++i) {
      const unsigned at =
          start + ((threadIdx.x + 32 * i) % kCount) * static_cast<unsigned>(sizeof(float4));
      // Volatile: every round reads anew; nothing is added, else additions would be the limit.
      asm volatile("ld.volatile.shared.v4.f32 {%0,%1,%2,%3},[%4];"
                   : "=f"(value.x), "=f"(value.y), "=f"(value.z), "=f"(value.w)
                   : "r"(at));
    }
  }
  if (keep != 0) *sink = value;
}

__global__ void ClockLoop(long rounds, int keep, void* sink, long long* out) {
  unsigned long long before_ns, after_ns;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(before_ns));
  const long long before = clock64();
  float values[kCudaAccumulators];
  const Fma32 op(static_cast<int>(threadIdx.x) * keep);
#pragma unroll
  for (int i = 0; i < kCudaAccumulators; ++i) values[i] = Fma32::Start(i + threadIdx.x);
#pragma unroll 32
  for (long round = 0; round < rounds; ++round) {
#pragma unroll
    for (int i = 0; i < kCudaAccumulators; ++i) values[i] = op.Step(values[i]);
  }
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kCudaAccumulators; ++i) sum += values[i];
  if (sum == 12345.678F) *static_cast<float*>(sink) = sum;
  const long long after = clock64();
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(after_ns));
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    out[0] = after - before;
    out[1] = static_cast<long long>(after_ns - before_ns);
  }
}

}  // namespace

void LaunchLoop(CudaLoop loop, Shape shape, long rounds, void* sink) {
  switch (loop) {
    case CudaLoop::kFloat64:
      VectorLoop<Fma64><<<shape.blocks, shape.threads>>>(rounds, kKeep, sink);
      break;
    case CudaLoop::kFloat32:
      VectorLoop<Fma32><<<shape.blocks, shape.threads>>>(rounds, kKeep, sink);
      break;
    case CudaLoop::kFloat16:
      VectorLoop<Fma16><<<shape.blocks, shape.threads>>>(rounds, kKeep, sink);
      break;
    case CudaLoop::kBfloat16:
      VectorLoop<FmaBf16><<<shape.blocks, shape.threads>>>(rounds, kKeep, sink);
      break;
    case CudaLoop::kInt8:
      VectorLoop<Dp4a><<<shape.blocks, shape.threads>>>(rounds, kKeep, sink);
      break;
    case CudaLoop::kFloat64Mma:
      TensorLoop<Mma64><<<shape.blocks, shape.threads>>>(rounds, kKeep, sink);
      break;
    case CudaLoop::kTfloat32Mma:
      TensorLoop<MmaTf32><<<shape.blocks, shape.threads>>>(rounds, kKeep, sink);
      break;
    case CudaLoop::kFloat16Mma:
      TensorLoop<Mma16><<<shape.blocks, shape.threads>>>(rounds, kKeep, sink);
      break;
    case CudaLoop::kFloat16Mma75:
      TensorLoop<Mma16Of75><<<shape.blocks, shape.threads>>>(rounds, kKeep, sink);
      break;
    case CudaLoop::kBfloat16Mma:
      TensorLoop<MmaBf16><<<shape.blocks, shape.threads>>>(rounds, kKeep, sink);
      break;
    case CudaLoop::kFloat8Mma:
      TensorLoop<Mma8><<<shape.blocks, shape.threads>>>(rounds, kKeep, sink);
      break;
    case CudaLoop::kInt8Mma:
      TensorLoop<MmaInt8><<<shape.blocks, shape.threads>>>(rounds, kKeep, sink);
      break;
  }
}

void LaunchRead(const void* from, long bytes, long passes, Shape shape, void* sink) {
  Read<<<shape.blocks, shape.threads>>>(static_cast<const float4*>(from),
                                        bytes / static_cast<long>(sizeof(float4)), passes,
                                        static_cast<float4*>(sink));
}

void LaunchTriad(void* a, const void* b, const void* c, long bytes, Shape shape) {
  Triad<<<shape.blocks, shape.threads>>>(static_cast<float4*>(a), static_cast<const float4*>(b),
                                         static_cast<const float4*>(c),
                                         bytes / static_cast<long>(sizeof(float4)));
}

void LaunchSharedRead(Shape shape, long rounds, void* sink) {
  SharedRead<<<shape.blocks, shape.threads>>>(rounds, kKeep, static_cast<float4*>(sink));
}

void LaunchClock(Shape shape, long rounds, void* sink, void* out) {
  ClockLoop<<<shape.blocks, shape.threads>>>(rounds, kKeep, sink, static_cast<long long*>(out));
}

}  // namespace xsp::roofs_cuda
