#include "measure/protocols/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "capture/attach/injection.h"

namespace xsp::protocols {
namespace {

using testing::IsEmpty;

class PlanTest : public testing::Test {
 protected:
  PlanTest() {
    backend_.name = "fake";
    backend_.worker.name = "fake";
    backend_.worker.rungs = {"model", "layer", "kernel", "details"};
    backend_.worker.devices = {"cpu", "cuda:0"};
    backend_.model.name = "m";
    request_.depth = "kernel";
    unsetenv("CUDA_INJECTION64_PATH");
  }
  ~PlanTest() override { unsetenv("CUDA_INJECTION64_PATH"); }

  std::vector<PlannedRun> Runs() {
    const auto plan = MakePlan(request_, {backend_}, 2, "/scratch");
    EXPECT_TRUE(plan.ok());
    return plan.ok() ? plan.value().groups.at(0) : std::vector<PlannedRun>();
  }

  requests::ExperimentRequest request_;
  workers::Backend backend_;
};

TEST_F(PlanTest, KernelsOfACudaDeviceAreRecordedByTheInjectedLibrary) {
  const auto injection = attach::CudaInjection(attach::LibraryFolder());
  if (!injection) GTEST_SKIP() << "libxsp-cuda.so is not built (tools/setup --cuda)";
  request_.device = "cuda:0";
  bool has_kernel = false;
  for (const PlannedRun& run : Runs()) {
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

TEST_F(PlanTest, WhatTheUserInjectsStays) {
  setenv("CUDA_INJECTION64_PATH", "/opt/another.so", 1);
  request_.device = "cuda:0";
  for (const PlannedRun& run : Runs()) EXPECT_THAT(run.session.environment, IsEmpty());
}

TEST_F(PlanTest, NothingIsInjectedOnACpu) {
  request_.device = "cpu";
  for (const PlannedRun& run : Runs()) EXPECT_THAT(run.session.environment, IsEmpty());
}

TEST_F(PlanTest, OptionsOfABackendArePartOfItsPoint) {
  request_.options = {"cuda_graph=1", "other:cuda_graph=0"};
  const auto plan = MakePlan(request_, {backend_}, 2, "/scratch");
  ASSERT_TRUE(plan.ok());
  const auto settings = nlohmann::json::parse(plan.value().points.at(0).settings);
  EXPECT_EQ(settings["options"], (nlohmann::json{{"cuda_graph", "1"}}));
  EXPECT_EQ(plan.value().groups.at(0).at(0).session.job["options"], settings["options"]);
  request_.options.clear();
  EXPECT_FALSE(nlohmann::json::parse(
                   MakePlan(request_, {backend_}, 2, "/scratch").value().points.at(0).settings)
                   .contains("options"));
}

}  // namespace
}  // namespace xsp::protocols
