#include "capture/events/cuda_metric_sets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "source_dir.h"

namespace xsp::events {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

const fs::path kTable = fs::path(XSP_SOURCE_DIR) / "machine/cuda_metrics.csv";

class CudaMetricSetsTest : public testing::Test {
 protected:
  void SetUp() override { setenv("XSP_RECORD_CUDA_METRICS_TABLE", kTable.c_str(), 1); }
  void TearDown() override { unsetenv("XSP_RECORD_CUDA_METRICS_TABLE"); }
};

TEST_F(CudaMetricSetsTest, SetsAreThoseOfTheTable) {
  const auto sets = CudaMetricSets(kTable);
  ASSERT_TRUE(sets.ok());
  EXPECT_THAT(sets.value(), ElementsAre("flops", "roofline", "dram", "l2", "occupancy"));
  const auto none = CudaMetricSets("/nonexistent.csv");
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().kind, ErrorKind::kEnvironment);
}

TEST_F(CudaMetricSetsTest, SetsAndRawNamesPassAndOtherWordsAreNamed) {
  EXPECT_TRUE(CheckCudaMetrics("roofline, l2,sm__cycles_active.avg").ok());
  for (const char* wrong : {"roofline,speed", "ROOFLINE", "speed"}) {
    const Status status = CheckCudaMetrics(wrong);
    ASSERT_FALSE(status.ok()) << wrong;
    EXPECT_EQ(status.error().kind, ErrorKind::kUsage);
    EXPECT_THAT(status.error().hint, HasSubstr("flops, roofline"));
  }
  EXPECT_THAT(CheckCudaMetrics("dram,speed").error().what, HasSubstr("speed"));
  EXPECT_FALSE(CheckCudaMetrics(" , ").ok()) << "nothing would be measured";
}

}  // namespace
}  // namespace xsp::events
