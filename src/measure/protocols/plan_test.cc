#include "measure/protocols/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "core/json_text.h"

namespace xsp::protocols {
namespace {

using testing::Contains;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsSupersetOf;
using testing::Not;
using testing::Pair;
using testing::UnorderedElementsAre;

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
  const auto settings = core::ParseJson(plan.value().points.at(0).settings);
  EXPECT_EQ(settings["options"], (nlohmann::json{{"cuda_graph", "1"}}));
  EXPECT_EQ(plan.value().groups.at(0).at(0).session.job["options"], settings["options"]);
  request_.options.clear();
  EXPECT_FALSE(
      core::ParseJson(MakePlan(request_, {backend_}, 2, "/scratch").value().points.at(0).settings)
          .contains("options"));
}

class PlanOfProcesses : public PlanTest {
 protected:
  /// Names of the runs of the only group.
  std::vector<std::string> NamesOf(const std::vector<workers::Backend>& backends) {
    const auto plan = MakePlan(request_, backends, 2, "/scratch");
    std::vector<std::string> names;
    for (const PlannedRun& run : plan.value().groups.at(0)) names.push_back(run.name);
    return names;
  }
};

TEST_F(PlanOfProcesses, RepeatTheRungThatTimesLayers) {
  request_.processes = 2;
  EXPECT_THAT(NamesOf({backend_}), ElementsAre("b1-model", "b1-model-2", "b1-layer", "b1-layer-2",
                                               "b1-kernel", "b1-details"));
  request_.processes = 0;
  EXPECT_THAT(NamesOf({backend_}), ElementsAre("b1-model", "b1-layer", "b1-kernel", "b1-details"));
}

TEST_F(PlanOfProcesses, LoadTheModelAsOftenAsAskedWhereTheirTimesCount) {
  request_.loads = 3;
  const auto plan = MakePlan(request_, {backend_}, 2, "/scratch");
  ASSERT_TRUE(plan.ok());
  for (const PlannedRun& run : plan.value().groups.at(0))
    EXPECT_EQ(run.sampling.loads, run.rung == "details" ? 1 : 3) << run.name;
  backend_.worker.protocol = 2;
  const auto refused = MakePlan(request_, {backend_}, 2, "/scratch");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kNotPossible);
  EXPECT_EQ(refused.error().what, "the worker fake cannot load its model anew");
}

TEST_F(PlanOfProcesses, AreFiveOfExperimentsThatAlternate) {
  request_.session = "s";
  EXPECT_EQ(NamesOf({backend_}).size(), 5U + 5 + 1 + 1);
  // Pairs only of the rung that is compared.
  backend_.worker.switches["kernel"] = workers::WorkerProgram::Switch::kProcess;
  EXPECT_EQ(NamesOf({backend_}).size(), 5U + 5 + 1 + 1);
  backend_.worker.switches["layer"] = workers::WorkerProgram::Switch::kProcess;
  EXPECT_EQ(NamesOf({backend_}).size(), 5U + 1 + 2 * 5 + 1 + 1);
  request_.processes = 3;
  EXPECT_EQ(NamesOf({backend_}).size(), 3U + 1 + 1 + 1);
}

TEST_F(PlanOfProcesses, RepeatTheRungThatTimesKernelsOfADevice) {
  request_.processes = 2;
  request_.device = "cuda:0";
  EXPECT_THAT(NamesOf({backend_}), ElementsAre("b1-model", "b1-model-2", "b1-layer", "b1-kernel",
                                               "b1-kernel-2", "b1-details"));
}

TEST_F(PlanOfProcesses, HavePairsWhereProfilingCannotBeSwitched) {
  request_.depth = "layer";
  request_.processes = 5;
  backend_.worker.switches["layer"] = workers::WorkerProgram::Switch::kProcess;
  const auto names = NamesOf({backend_});
  EXPECT_THAT(names, Contains("b1-layer-pair5"));
  EXPECT_THAT(names, Not(Contains("b1-layer-2")));
}

TEST_F(PlanOfProcesses, ShareTheLimitOfTimeOfARung) {
  request_.depth = "layer";
  request_.processes = 5;
  request_.time_limit_s = 15;
  const auto limits = [&] {
    std::map<std::string, double> of_rungs;
    const auto plan = MakePlan(request_, {backend_}, 2, "/scratch");
    for (const PlannedRun& run : plan.value().groups.at(0))
      of_rungs[run.process_pair > 0 ? "pairs" : run.rung] += run.sampling.time_limit_s;
    return of_rungs;
  };
  EXPECT_THAT(limits(), UnorderedElementsAre(Pair("model", DoubleNear(15, 1e-9)),
                                             Pair("layer", DoubleNear(15, 1e-9)),
                                             Pair("details", DoubleNear(15, 1e-9))));
  backend_.worker.switches["layer"] = workers::WorkerProgram::Switch::kProcess;
  EXPECT_THAT(limits()["pairs"], DoubleNear(15, 1e-9));
}

TEST_F(PlanOfProcesses, AreThreeOfEachOfSeveralBackends) {
  request_.depth = "layer";
  workers::Backend other = backend_;
  other.name = "other";
  EXPECT_THAT(NamesOf({backend_, other}),
              IsSupersetOf({"fake-b1-layer-3", "other-b1-layer-3", "other-b1-model-3"}));
}

}  // namespace
}  // namespace xsp::protocols
