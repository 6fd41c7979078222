#include "capture/record/cuda/cupti/cupti_api.h"

#include <gtest/gtest.h>

namespace xsp::record::cuda {
namespace {

using Names = std::vector<std::string>;
const Names kNewestFirst = {"libcupti.so.13", "libcupti.so.12"};
const Names kOlderFirst = {"libcupti.so.12", "libcupti.so.13"};

TEST(CuptiSonames, TheNewestComesFirstWhereTheDriverServesIt) {
  EXPECT_EQ(CuptiSonames(0, 13'000), kNewestFirst);
  EXPECT_EQ(CuptiSonames(13, 13'020), kNewestFirst);
  EXPECT_EQ(CuptiSonames(0, 0), kNewestFirst) << "the driver does not say";
}

// CUPTI of CUDA 13 on such a driver is refused, where that of CUDA 12 would have done.
TEST(CuptiSonames, ThatOfCuda12ComesFirstForItsDriversAndPrograms) {
  EXPECT_EQ(CuptiSonames(0, 12'080), kOlderFirst);
  EXPECT_EQ(CuptiSonames(12, 12'080), kOlderFirst);
  EXPECT_EQ(CuptiSonames(12, 13'000), kOlderFirst);
}

}  // namespace
}  // namespace xsp::record::cuda
