#include "measure/executors/local_executor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "capture/attach/injection.h"

namespace xsp::executors {
namespace {

using testing::IsEmpty;

class LocalExecutorTest : public testing::Test {
 protected:
  LocalExecutorTest() { unsetenv("CUDA_INJECTION64_PATH"); }
  ~LocalExecutorTest() override { unsetenv("CUDA_INJECTION64_PATH"); }

  /// A run of each rung on `device_`, resolved.
  std::vector<protocols::PlannedRun> Runs() {
    std::vector<protocols::PlannedRun> runs;
    for (const char* rung : {"model", "layer", "kernel", "details"}) {
      protocols::PlannedRun& run = runs.emplace_back();
      run.rung = rung;
      run.session.job["device"] = device_;
      EXPECT_TRUE(executor_.Resolve(run).ok());
    }
    return runs;
  }

  LocalExecutor executor_{0};
  std::string device_;
};

TEST_F(LocalExecutorTest, KernelsOfACudaDeviceAreRecordedByTheInjectedLibrary) {
  const auto injection = attach::CudaInjection(attach::LibraryFolder());
  if (!injection) GTEST_SKIP() << "libxsp-cuda.so is not built (tools/setup --cuda)";
  device_ = "cuda:0";
  bool has_kernel = false;
  for (const protocols::PlannedRun& run : Runs()) {
    if (run.rung != "kernel") {
      EXPECT_THAT(run.session.environment, IsEmpty()) << run.rung << " is not to pay for it";
      continue;
    }
    has_kernel = true;
    ASSERT_EQ(run.session.environment.size(), 1u);
    EXPECT_EQ(run.session.environment[0].first, "CUDA_INJECTION64_PATH");
    EXPECT_EQ(run.session.environment[0].second, injection->second);
  }
  EXPECT_TRUE(has_kernel);
}

TEST_F(LocalExecutorTest, WhatTheUserInjectsStays) {
  setenv("CUDA_INJECTION64_PATH", "/opt/another.so", 1);
  device_ = "cuda:0";
  for (const protocols::PlannedRun& run : Runs()) EXPECT_THAT(run.session.environment, IsEmpty());
}

TEST_F(LocalExecutorTest, NothingIsInjectedOnACpu) {
  device_ = "cpu";
  for (const protocols::PlannedRun& run : Runs()) EXPECT_THAT(run.session.environment, IsEmpty());
}

/// Yields one run a plan, and takes long enough for the monitor to sample.
class OneCall final : public protocols::Protocol {
 public:
  std::vector<protocols::MeasuredRun> Measure(const std::vector<protocols::PlannedRun>& group,
                                              std::int64_t first_run_id, os::Interrupts&,
                                              protocols::ProgressEstimator&) override {
    first_run_id_ = first_run_id;
    return std::vector<protocols::MeasuredRun>(group.size());
  }
  std::int64_t first_run_id_ = 0;
};

TEST_F(LocalExecutorTest, AGroupComesBackWithWhatTheMonitorSampledBesideIt) {
  core::NoProgress nobody;
  os::Interrupts interrupts;
  protocols::ProgressEstimator estimator(nobody, {});
  OneCall protocol;
  const MeasuredGroup bare = executor_.Measure(protocol, {{}, {}}, 7, interrupts, estimator);
  EXPECT_EQ(bare.runs.size(), 2u);
  EXPECT_EQ(protocol.first_run_id_, 7);
  EXPECT_EQ(bare.series.rows(), 0u);
  LocalExecutor monitored(100);
  // The monitor reads once more when it ends: there is a row, however short the group was.
  EXPECT_GT(monitored.Measure(protocol, {{}}, 1, interrupts, estimator).series.rows(), 0u);
}

TEST_F(LocalExecutorTest, KnowsWhatAJobMayUse) {
  EXPECT_GE(executor_.allowance().cores(), 1);
  EXPECT_TRUE(executor_.stack().contains("cpu"));
}

}  // namespace
}  // namespace xsp::executors
