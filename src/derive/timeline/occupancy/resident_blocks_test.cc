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

// What Nsight Compute 2025.3 states of kernels of ResNet-50 and a transformer layer on an H200 (the
// least of its launch__occupancy_limit_*; driver 580.159.04, PyTorch 2.11).
constexpr Case kOfNsightCompute[] = {
    Case{"9.0", 1, 16, 0, 32},        Case{"9.0", 32, 200, 8464, 8},
    Case{"9.0", 64, 16, 0, 32},       Case{"9.0", 64, 64, 2304, 16},
    Case{"9.0", 64, 80, 6912, 12},    Case{"9.0", 64, 92, 6528, 10},
    Case{"9.0", 64, 168, 81920, 2},   Case{"9.0", 80, 39, 6656, 16},
    Case{"9.0", 128, 16, 0, 16},      Case{"9.0", 128, 32, 0, 16},
    Case{"9.0", 128, 39, 24, 12},     Case{"9.0", 128, 48, 0, 10},
    Case{"9.0", 128, 61, 8208, 8},    Case{"9.0", 128, 72, 49152, 4},
    Case{"9.0", 128, 88, 49152, 4},   Case{"9.0", 128, 92, 98304, 2},
    Case{"9.0", 128, 119, 122880, 1}, Case{"9.0", 128, 120, 65536, 3},
    Case{"9.0", 128, 124, 4096, 4},   Case{"9.0", 128, 154, 73728, 3},
    Case{"9.0", 128, 159, 528, 3},    Case{"9.0", 128, 168, 36352, 3},
    Case{"9.0", 128, 168, 73728, 3},  Case{"9.0", 128, 168, 122880, 1},
    Case{"9.0", 128, 214, 81920, 2},  Case{"9.0", 128, 216, 98304, 2},
    Case{"9.0", 128, 218, 19200, 2},  Case{"9.0", 128, 224, 98304, 2},
    Case{"9.0", 128, 230, 122880, 1}, Case{"9.0", 128, 242, 81920, 2},
    Case{"9.0", 128, 246, 81920, 2},  Case{"9.0", 128, 250, 67584, 2},
    Case{"9.0", 256, 18, 36, 8},      Case{"9.0", 256, 20, 1024, 8},
    Case{"9.0", 256, 26, 0, 8},       Case{"9.0", 256, 32, 1184, 8},
    Case{"9.0", 256, 32, 2112, 8},    Case{"9.0", 256, 32, 4224, 8},
    Case{"9.0", 256, 32, 4356, 8},    Case{"9.0", 256, 36, 2112, 6},
    Case{"9.0", 256, 144, 231424, 1}, Case{"9.0", 256, 224, 147456, 1},
    Case{"9.0", 288, 55, 16144, 4},   Case{"9.0", 384, 168, 134144, 1},
    Case{"9.0", 384, 168, 164308, 1}, Case{"9.0", 384, 168, 231424, 1},
    Case{"9.0", 512, 16, 0, 4},       Case{"9.0", 512, 32, 0, 4},
    Case{"9.0", 512, 32, 16, 4},      Case{"9.0", 512, 32, 2064, 4},
    Case{"9.0", 512, 32, 4096, 4},
};

TEST(ResidentBlocksTest, AgreesWithNsightComputeOnAnH200) {
  for (const Case& one : kOfNsightCompute) {
    EXPECT_EQ(ResidentBlocks(*LimitsOf(one.compute_capability),
                             {1, one.threads, one.registers, one.shared_bytes})
                  .blocks,
              one.expected)
        << one.threads << ' ' << one.registers << ' ' << one.shared_bytes;
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
