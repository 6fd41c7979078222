#include "measure/protocols/plan.h"

#include <gtest/gtest.h>

namespace xsp::protocols {
namespace {

class PlanTest : public testing::Test {
 protected:
  PlanTest() {
    backend_.name = "fake";
    backend_.worker.name = "fake";
    backend_.worker.rungs = {"model", "layer", "kernel", "details"};
    backend_.worker.devices = {"cpu", "cuda:0"};
    backend_.model.name = "m";
    request_.depth = "kernel";
  }

  requests::ExperimentRequest request_;
  workers::Backend backend_;
};

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
