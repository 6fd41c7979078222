#include "measure/roof_loops/cuda_plan.h"

#include <algorithm>
#include <string_view>

namespace xsp::roof_loops {

namespace {

constexpr double kPerMultiplyAdd = 2;
constexpr std::int64_t kMiB = std::int64_t{1} << 20;

constexpr double Vector(int lanes) { return kPerMultiplyAdd * kCudaWarp * lanes; }
constexpr double Mma(int m, int n, int k) { return kPerMultiplyAdd * m * n * k; }

// Capabilities of mma shapes and types: PTX ISA, section "Warp Level Matrix Instructions: mma".
constexpr CudaLoopSpec kLoops[] = {
    {CudaLoop::kFloat64, "float64", "vector", "fma.f64", 75, 0, Vector(1)},
    {CudaLoop::kFloat32, "float32", "vector", "fma.f32", 75, 0, Vector(1)},
    {CudaLoop::kFloat16, "float16", "vector", "fma.f16x2", 75, 0, Vector(2)},
    {CudaLoop::kBfloat16, "bfloat16", "vector", "fma.bf16x2", 80, 0, Vector(2)},
    {CudaLoop::kInt8, "int8", "vector", "dp4a", 75, 0, Vector(4)},
    {CudaLoop::kFloat64Mma, "float64", "tensor", "mma.sync m8n8k4", 80, 0, Mma(8, 8, 4)},
    {CudaLoop::kTfloat32Mma, "tfloat32", "tensor", "mma.sync m16n8k8, FP32 accumulators", 80, 0,
     Mma(16, 8, 8)},
    {CudaLoop::kFloat16Mma75, "float16", "tensor", "mma.sync m16n8k8, FP32 accumulators", 75, 79,
     Mma(16, 8, 8)},
    {CudaLoop::kFloat16Mma, "float16", "tensor", "mma.sync m16n8k16, FP32 accumulators", 80, 0,
     Mma(16, 8, 16)},
    {CudaLoop::kBfloat16Mma, "bfloat16", "tensor", "mma.sync m16n8k16, FP32 accumulators", 80, 0,
     Mma(16, 8, 16)},
    {CudaLoop::kFloat8Mma, "float8", "tensor", "mma.sync m16n8k32 e4m3, FP32 accumulators", 89, 0,
     Mma(16, 8, 32)},
    {CudaLoop::kInt8Mma, "int8", "tensor", "mma.sync m16n8k32, INT32 accumulators", 80, 0,
     Mma(16, 8, 32)},
};

std::int64_t Whole(std::int64_t bytes) { return bytes / kMiB * kMiB; }

}  // namespace

std::span<const CudaLoopSpec> AllCudaLoops() { return kLoops; }

bool HasTensorFloat64(int capability) {
  return capability == 80 || capability == 90 || capability == 100 || capability == 107;
}

std::vector<const CudaLoopSpec*> CudaLoopsFor(int capability) {
  std::vector<const CudaLoopSpec*> loops;
  for (const CudaLoopSpec& spec : kLoops) {
    const bool ends = spec.most_capability > 0 && capability > spec.most_capability;
    if (spec.loop == CudaLoop::kFloat64Mma && !HasTensorFloat64(capability)) continue;
    if (capability >= spec.least_capability && !ends) loops.push_back(&spec);
  }
  return loops;
}

double OperationsOf(const CudaLoopSpec& spec, int blocks, int threads, std::int64_t rounds) {
  return spec.operations_a_warp * kCudaAccumulators * static_cast<double>(rounds) * blocks *
         (threads / kCudaWarp);
}

double OperationsOfProduct(std::int64_t n) {
  const auto side = static_cast<double>(n);
  return kPerMultiplyAdd * side * side * side;
}

std::int64_t ProductSize(std::int64_t memory_bytes, int element_bytes, int result_bytes) {
  for (std::int64_t n = 8192; n >= kSmallestProduct; n -= kSmallestProduct)
    if (n * n * (2 * element_bytes + result_bytes) <= memory_bytes) return n;
  return 0;
}

std::int64_t ProductSizeInTime(std::int64_t fitting_n, double probe_ms) {
  std::int64_t n = kSmallestProduct;
  const auto ms = [&](std::int64_t side) {
    return probe_ms * OperationsOfProduct(side) / OperationsOfProduct(kSmallestProduct);
  };
  while (n + kSmallestProduct <= fitting_n && ms(n + kSmallestProduct) <= kLongestProductMs)
    n += kSmallestProduct;
  return n;
}

CudaWorkingSets PlanCudaWorkingSets(std::int64_t l2_bytes, std::int64_t free_bytes) {
  CudaWorkingSets sets;
  sets.l2_bytes = Whole(l2_bytes / 2);
  sets.dram_bytes = Whole(std::min(std::max(32 * l2_bytes, 1024 * kMiB), free_bytes / 2));
  sets.exceeds_l2 = sets.dram_bytes >= 16 * l2_bytes;
  return sets;
}

}  // namespace xsp::roof_loops
