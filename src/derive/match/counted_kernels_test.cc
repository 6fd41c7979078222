#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "derive/match/match_testing.h"

namespace xsp::match {
namespace {

TEST(CountedKernels, HaveWhatWasCountedAndNoTimes) {
  TestExperiment experiment;
  Recording counters;
  const auto call = counters.Call(0, 0, 90000);
  const auto conv = counters.Layer(call, "conv2d", 5, 40000);
  counters.Metric(counters.Kernel(conv, "gemm", 10, 30000, "kernel"), "flops.float32.vector", 4000,
                  "reported:cupti");
  experiment.AddRun("counters", counters);
  const ExperimentTables tables = experiment.Match();
  ASSERT_EQ(tables.kernel.size(), 1u);
  EXPECT_EQ(tables.kernel[0].name, "gemm");
  EXPECT_EQ(tables.kernel[0].layer_index, 0);
  EXPECT_EQ(tables.kernel[0].flops, 4000);
  EXPECT_FALSE(tables.kernel[0].duration_ns);
  ASSERT_EQ(tables.layer.size(), 1u);
  EXPECT_EQ(tables.layer[0].flops, 4000);
  EXPECT_FALSE(tables.layer[0].latency_ns);
  EXPECT_FALSE(tables.layer[0].device_ns);
}

}  // namespace
}  // namespace xsp::match
