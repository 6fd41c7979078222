#include "measure/roof_loops/cuda_plan.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace xsp::roof_loops {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

std::set<std::string> Names(int capability) {
  std::set<std::string> names;
  for (const CudaLoopSpec* spec : CudaLoopsFor(capability))
    EXPECT_TRUE(names.insert(std::string(spec->dtype) + " " + spec->unit).second) << capability;
  return names;
}

TEST(CudaPlanTest, AGpuIsMeasuredInWhatItHasOnceEach) {
  const std::set<std::string> turing = Names(75), ampere = Names(80), ada = Names(89);
  EXPECT_TRUE(turing.contains("float16 tensor"));
  EXPECT_FALSE(turing.contains("bfloat16 tensor"));
  EXPECT_FALSE(turing.contains("bfloat16 vector"));
  EXPECT_TRUE(ampere.contains("tfloat32 tensor"));
  EXPECT_TRUE(ampere.contains("float64 tensor"));
  EXPECT_FALSE(ampere.contains("float8 tensor"));
  EXPECT_TRUE(ada.contains("float8 tensor"));
  EXPECT_EQ(Names(120), Names(89));
  EXPECT_TRUE(Names(70).empty());
}

TEST(CudaPlanTest, OnlyTensorCoresThatTakeFp64HaveAnFp64Roof) {
  for (const int with : {80, 90, 100, 107})
    EXPECT_TRUE(Names(with).contains("float64 tensor")) << with;
  for (const int without : {75, 86, 87, 88, 89, 103, 110, 120, 121})
    EXPECT_FALSE(Names(without).contains("float64 tensor")) << without;
}

TEST(CudaPlanTest, ProductsOfSlowUnitsAreSmaller) {
  // 2 n^3 FLOP: 1024 at 60 TFLOP/s takes 0.036 ms, 8192 then 18 ms.
  EXPECT_EQ(ProductSizeInTime(8192, 0.036), 8192);
  EXPECT_EQ(ProductSizeInTime(4096, 0.036), 4096);
  // FP64 of a desktop card, 0.6 TFLOP/s: 3.6 ms; n = 2048 takes 29 ms, 3072 97 ms.
  EXPECT_EQ(ProductSizeInTime(8192, 3.6), 2048);
  EXPECT_EQ(ProductSizeInTime(8192, 400), 1024);
}

TEST(CudaPlanTest, OperationsAreCountedByHand) {
  const auto spec = [](CudaLoop loop) -> const CudaLoopSpec& {
    for (const CudaLoopSpec& each : AllCudaLoops())
      if (each.loop == loop) return each;
    return AllCudaLoops().front();
  };
  // 2 blocks of 4 warps, 10 rounds of 8 multiply-adds a thread, 2 FLOP each.
  EXPECT_DOUBLE_EQ(OperationsOf(spec(CudaLoop::kFloat32), 2, 128, 10), 2. * 128 * 10 * 8 * 2);
  EXPECT_DOUBLE_EQ(OperationsOf(spec(CudaLoop::kFloat16), 2, 128, 10), 2. * 128 * 10 * 8 * 4);
  EXPECT_DOUBLE_EQ(OperationsOf(spec(CudaLoop::kInt8), 1, 32, 1), 32. * 8 * 8);
  EXPECT_DOUBLE_EQ(OperationsOf(spec(CudaLoop::kBfloat16Mma), 3, 64, 5),
                   3. * 2 * 5 * 8 * (2 * 16 * 8 * 16));
  EXPECT_DOUBLE_EQ(OperationsOfProduct(1024), 2147483648.);
}

TEST(CudaPlanTest, ProductsFitIntoTheMemory) {
  EXPECT_EQ(ProductSize(std::int64_t{80} << 30, 4, 4), 8192);
  EXPECT_EQ(ProductSize(1024 * 1024 * 12, 4, 4), 1024);
  EXPECT_EQ(ProductSize(1024 * 1024 * 12 - 1, 4, 4), 0);
  EXPECT_EQ(ProductSize(std::int64_t{4096} * 4096 * 6, 1, 4), 4096);
}

TEST(CudaPlanTest, WorkingSetsLieInTheirLevel) {
  const CudaWorkingSets h100 = PlanCudaWorkingSets(50 * kMiB, 79 * 1024 * kMiB);
  EXPECT_EQ(h100.l2_bytes, 25 * kMiB);
  EXPECT_EQ(h100.dram_bytes, 1600 * kMiB);
  EXPECT_TRUE(h100.exceeds_l2);
  const CudaWorkingSets large = PlanCudaWorkingSets(256 * kMiB, 79 * 1024 * kMiB);
  EXPECT_EQ(large.dram_bytes, 8192 * kMiB);
  const CudaWorkingSets full = PlanCudaWorkingSets(50 * kMiB, 600 * kMiB);
  EXPECT_EQ(full.dram_bytes, 300 * kMiB);
  EXPECT_FALSE(full.exceeds_l2);
}

}  // namespace
}  // namespace xsp::roof_loops
