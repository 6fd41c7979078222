#include "derive/timeline/occupancy/resident_blocks.h"

#include <gtest/gtest.h>

#include <string_view>

namespace xsp::timeline::occupancy {
namespace {

struct Case {
  std::string_view compute_capability;
  std::int64_t threads, registers, shared_bytes, expected;
};

// Drawn at random; expected: cudaOccMaxActiveBlocksPerMultiprocessor of NVIDIA's cuda_occupancy.h
// (CUDA 13.0), which agreed in 200,000 such cases.
constexpr Case kCases[] = {
    Case{"8.9", 384, 223, 24554, 0},  Case{"7.2", 864, 187, 2256, 0},
    Case{"12.1", 836, 38, 9355, 1},   Case{"8.0", 79, 98, 74975, 2},
    Case{"10.0", 793, 35, 0, 1},      Case{"12.1", 75, 197, 6523, 2},
    Case{"10.0", 832, 76, 43535, 0},  Case{"12.1", 736, 127, 0, 0},
    Case{"7.5", 320, 15, 4551, 3},    Case{"7.0", 211, 243, 33117, 1},
    Case{"12.0", 672, 159, 4717, 0},  Case{"12.1", 615, 90, 40797, 1},
    Case{"8.9", 352, 30, 0, 4},       Case{"8.9", 75, 1, 100923, 1},
    Case{"10.0", 192, 97, 0, 2},      Case{"7.0", 352, 73, 11528, 2},
    Case{"8.0", 406, 169, 16386, 0},  Case{"10.3", 992, 114, 40765, 0},
    Case{"7.5", 224, 138, 0, 1},      Case{"7.5", 421, 232, 51282, 0},
    Case{"8.0", 679, 132, 46966, 0},  Case{"7.2", 512, 97, 36495, 1},
    Case{"7.0", 362, 70, 58717, 1},   Case{"7.0", 781, 110, 97599, 0},
    Case{"8.6", 576, 26, 22345, 2},   Case{"7.0", 437, 146, 54996, 0},
    Case{"8.7", 1024, 88, 162577, 0}, Case{"8.9", 288, 66, 0, 3},
    Case{"12.1", 614, 248, 0, 0},     Case{"10.0", 768, 44, 0, 1},
    Case{"7.5", 960, 193, 13020, 0},  Case{"12.1", 544, 162, 24653, 0},
    Case{"8.6", 736, 49, 24720, 1},   Case{"7.0", 700, 31, 17164, 2},
    Case{"7.0", 474, 9, 0, 4},        Case{"7.0", 544, 253, 47461, 0},
    Case{"8.9", 1023, 75, 70457, 0},  Case{"12.0", 579, 34, 0, 2},
    Case{"8.9", 448, 39, 78575, 1},   Case{"12.0", 89, 144, 0, 4},
};

TEST(ResidentBlocksTest, AgreesWithTheCalculatorOfNvidia) {
  for (const Case& one : kCases) {
    const auto limits = LimitsOf(one.compute_capability);
    ASSERT_TRUE(limits) << one.compute_capability;
    EXPECT_EQ(ResidentBlocks(*limits, {1, one.threads, one.registers, one.shared_bytes}).blocks,
              one.expected)
        << one.compute_capability << ' ' << one.threads << ' ' << one.registers << ' '
        << one.shared_bytes;
  }
}

TEST(ResidentBlocksTest, SaysWhatLimits) {
  const MultiprocessorLimits limits = *LimitsOf("9.0");
  const auto limiter = [&](std::int64_t threads, std::int64_t registers, std::int64_t shared) {
    return ToString(ResidentBlocks(limits, {1, threads, registers, shared}).limiter);
  };
  EXPECT_EQ(limiter(32, 16, 0), "blocks");
  EXPECT_EQ(limiter(1024, 16, 0), "threads");
  EXPECT_EQ(limiter(256, 128, 0), "registers");
  EXPECT_EQ(limiter(256, 16, 100000), "shared memory");
}

TEST(ResidentBlocksTest, ImpossibleSizesHoldNothing) {
  const MultiprocessorLimits limits = *LimitsOf("8.0");
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  EXPECT_EQ(ResidentBlocks(limits, {1, kHuge, 32, 0}).blocks, 0);
  EXPECT_EQ(ResidentBlocks(limits, {1, 32, kHuge, 0}).blocks, 0);
  EXPECT_EQ(ResidentBlocks(limits, {1, 32, 32, kHuge}).blocks, 0);
}

}  // namespace
}  // namespace xsp::timeline::occupancy
