#include "derive/compare/best_known.h"

#include <gtest/gtest.h>

#include <random>

namespace xsp::compare {
namespace {

/// A 3 x 3 convolution of 64 channels of 56 x 56, as PyTorch lists it.
LayerWork Convolution() {
  const double outputs = 64.0 * 56 * 56;
  return {
      "aten::conv2d", "[1,64,56,56]", "float32", outputs * 2 * 9 * 64, 4 * (outputs + 64 * 64 * 9),
      4 * outputs};
}

TEST(DoesWorkOf, AFusedConvolutionOfAnotherFramework) {
  LayerWork fused = Convolution();
  fused.type = "FusedConv";
  fused.shape = "[1,56,56,64]";
  *fused.flops += 2 * 64.0 * 56 * 56;       // A sum and an activation.
  *fused.read_bytes += *fused.write_bytes;  // The other operand of the sum.
  EXPECT_TRUE(DoesWorkOf(fused, Convolution()));
  EXPECT_FALSE(DoesWorkOf(Convolution(), fused)) << "it does less";
}

TEST(DoesWorkOf, NoOtherKernelSizeTypeShapeOrDirection) {
  LayerWork pointwise = Convolution();  // 1 x 1 with 576 channels: as many FLOPs.
  *pointwise.read_bytes = 4 * (576.0 * 56 * 56 + 576 * 64);
  EXPECT_FALSE(DoesWorkOf(pointwise, Convolution()));
  LayerWork half = Convolution();
  half.dtype = "bfloat16";
  EXPECT_FALSE(DoesWorkOf(half, Convolution()));
  LayerWork larger = Convolution();
  larger.shape = "[2,64,56,56]";
  EXPECT_FALSE(DoesWorkOf(larger, Convolution()));
  LayerWork transposed = Convolution();
  transposed.type = "ConvTranspose";
  EXPECT_FALSE(DoesWorkOf(transposed, Convolution()));
  LayerWork slower = Convolution();
  *slower.flops *= 2;
  EXPECT_FALSE(DoesWorkOf(slower, Convolution()));
}

TEST(DoesWorkOf, OtherLayersOnlyWithEqualCosts) {
  const LayerWork relu = {"aten::relu_", "[1,64,8,8]", "float32", 4096.0, 16384.0, 16384.0};
  LayerWork other = relu;
  other.type = "Relu";
  EXPECT_TRUE(DoesWorkOf(other, relu));
  *other.read_bytes *= 2;
  EXPECT_FALSE(DoesWorkOf(other, relu));
}

TEST(DoesWorkOf, NothingWhereACostIsUnknown) {
  LayerWork unknown = Convolution();
  unknown.flops.reset();
  EXPECT_FALSE(DoesWorkOf(unknown, unknown));
  LayerWork shapeless = Convolution();
  shapeless.shape.clear();
  EXPECT_FALSE(DoesWorkOf(shapeless, shapeless));
}

class Store {
 public:
  explicit Store(unsigned seed) : random_(seed) {}

  LayerWork Work() {
    static const char* const kTypes[] = {"aten::conv2d", "Conv",       "FusedConv",
                                         "Relu",         "aten::relu", "MatMul"};
    static const char* const kShapes[] = {"[1,4,2]", "[1,2,4]", "[8]", "[2,8]", ""};
    LayerWork work = {kTypes[Pick(6)],     kShapes[Pick(5)],     Pick(4) == 0 ? "int8" : "float32",
                      64.0 + 8 * Pick(12), 100.0 + 16 * Pick(6), 32.0};
    if (Pick(20) == 0) work.flops.reset();
    if (Pick(20) == 0) work.read_bytes.reset();
    return work;
  }
  WorkTime Time() {
    return {Work(), static_cast<double>(1 + Pick(50)), static_cast<std::int64_t>(Pick(4))};
  }
  int Pick(int below) { return std::uniform_int_distribution<int>(0, below - 1)(random_); }

 private:
  std::mt19937 random_;
};

TEST(BestKnown, IsThatOfALookAtAllTimesOfRandomStores) {
  int found = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    Store store(seed);
    std::vector<WorkTime> times(static_cast<std::size_t>(store.Pick(200)));
    for (WorkTime& time : times) time = store.Time();
    const BestKnown best(times);
    for (int i = 0; i < 40; ++i) {
      const LayerWork work = store.Work();
      const std::int64_t threads = store.Pick(4);
      std::optional<std::size_t> slow;
      for (std::size_t t = 0; t < times.size(); ++t) {
        if (times[t].threads > threads || !DoesWorkOf(times[t].work, work)) continue;
        if (!slow || times[t].time_ns < times[*slow].time_ns) slow = t;
      }
      EXPECT_EQ(best.Find(work, threads), slow) << "seed " << seed;
      found += slow.has_value();
    }
  }
  EXPECT_GT(found, 100);
}

}  // namespace
}  // namespace xsp::compare
