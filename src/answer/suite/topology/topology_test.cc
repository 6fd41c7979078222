#include <gmock/gmock.h>

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "answer/suite/suite_command_testing.h"
#include "answer/suite/topology/machines.h"
#include "core/json_text.h"
#include "store/experiment_writer.h"
#include "store/rows/point_row.h"
#include "store/store_testing.h"

namespace xsp::suite::topology {

extern const SuiteSpec kSpec;

namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

nlohmann::json Stack(const char* reach) {
  return {{"cpu", {{"model", "Xeon"}, {"sockets", "2"}}},
          {"interconnect",
           {{"gpus", "2"},
            {"networks", "1"},
            {"numa_distances", "node0: 10 21; node1: 21 10"},
            {"gpu0", {{"address", "0000:18:00.0"}, {"numa_node", "0"}}},
            {"reach", {{"gpu0", reach}, {"gpu1", "gpu0 SYS, nic0 PIX"}}}}},
          {"hidden", {{"interconnect.nvlink.active_links", "no NVLink"}, {"gpu.models", "x"}}}};
}

Experiment ExperimentOf(const char* name, const char* reach, double latency_ns) {
  return {name, MachineOf(Stack(reach)), {{"resnet50 torch b1 float32", latency_ns}}};
}

TEST(TopologyTest, MachineIsNamedAndItsLinksAreCounted) {
  const Machine machine = MachineOf(Stack("gpu1 SYS, nic0 NODE"));
  EXPECT_EQ(machine.name, "2 x Xeon, 2 GPUs");
  EXPECT_EQ(machine.facts.at("gpu0.numa_node"), "0");
  EXPECT_EQ(machine.hidden.size(), 1U);
  const auto links = LinksOf(machine);
  ASSERT_EQ(links.size(), 4U);
  EXPECT_EQ(links.at(0).from, "gpu0");
  EXPECT_EQ(links.at(1).to, "nic0");
  EXPECT_EQ(links.at(1).how, "NODE");
}

TEST(TopologyTest, NvlinkIsTheWayWhereThereIsOne) {
  nlohmann::json stack = Stack("gpu1 SYS");
  stack["interconnect"]["nvlink"] = {
      {"gpu0", {{"links", "18 x 26.562 GB/s"}, {"reaches", "gpu1 NV18"}}}};
  EXPECT_EQ(LinksOf(MachineOf(stack)).at(0).how, "NV18");
}

TEST(TopologyTest, DifferencesOfWiringAreFoundAndSpeedsHeldAgainstTheFirst) {
  const Answer answer = Summarise({ExperimentOf("a", "gpu1 SYS, nic0 NODE", 4e6),
                                   ExperimentOf("b", "gpu1 NV4, nic0 NODE", 2e6),
                                   ExperimentOf("c", "gpu1 NV4, nic0 NODE", 9e6)});
  // a and b differ in one of their facts; c is b's machine.
  EXPECT_THAT(answer.sentences.front(), HasSubstr("2 machines differ in 1 of 7 facts"));
  EXPECT_THAT(answer.sentences, Contains(HasSubstr("1 NV (NVLink)")));
  const auto& latencies = answer.tables.at(2).rows.rows;
  ASSERT_EQ(latencies.size(), 2U);
  EXPECT_EQ(latencies.at(1).at(3), store::Cell(2.0));
  EXPECT_EQ(latencies.at(1).at(1), store::Cell(std::string("2 x Xeon, 2 GPUs (b)")));
}

TEST(TopologyTest, MomentaryLinkSpeedMakesNoSecondMachine) {
  const auto at = [](const char* name, const char* speed, const char* speed_maximum) {
    nlohmann::json stack = Stack("gpu1 SYS");
    stack["interconnect"]["gpu0"]["link_speed"] = speed;
    stack["interconnect"]["gpu0"]["link_speed_maximum"] = speed_maximum;
    return Experiment{name, MachineOf(stack), {}};
  };
  const Answer same =
      Summarise({at("idle", "2.5 GT/s", "32 GT/s"), at("busy", "32 GT/s", "32 GT/s")});
  EXPECT_THAT(same.method, Contains(HasSubstr("one machine")));
  const Answer other = Summarise({at("a", "16 GT/s", "16 GT/s"), at("b", "32 GT/s", "32 GT/s")});
  EXPECT_THAT(other.sentences.front(), HasSubstr("2 machines differ in 1 of "));
}

/// Writes an experiment with one point, and an interconnect where `reach` is not null; returns its
/// folder.
std::string Written(const store::TestFolder& store, const char* name, const char* reach) {
  auto writer = store::ExperimentWriter::Create(store.path(), name);
  EXPECT_TRUE(writer.ok());
  const std::vector<store::PointRow> points = {{.point_id = 1,
                                                .model = "net",
                                                .backend = "torch",
                                                .device = "cpu",
                                                .precision = "float32",
                                                .batch = 1,
                                                .settings = "{}",
                                                .latency_ns = 2000,
                                                .status = "done"}};
  EXPECT_TRUE(writer.value().AddRows(points).ok());
  const nlohmann::json run =
      reach == nullptr ? nlohmann::json::object() : nlohmann::json{{"stack", Stack(reach)}};
  EXPECT_TRUE(writer.value().AddRun("run", store::RandomTrace(1, 3), core::JsonText(run)).ok());
  const auto folder = writer.value().Commit("{}");
  return folder.ok() ? folder.value().string() : folder.error().what;
}

TEST(TopologyTest, NamedRunWithoutAnInterconnectIsLeftOut) {
  const store::TestFolder store;
  const std::string imported = Written(store, "imported", nullptr);
  const auto answer = RunCommand(kSpec, {{"run", {Written(store, "here", "gpu1 SYS"), imported}}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_EQ(answer.value().sentences.size(), 1U);
  EXPECT_THAT(answer.value().method,
              Contains(HasSubstr("1 experiment has no captured interconnect and is excluded: " +
                                 imported)));
  const auto none = RunCommand(kSpec, {{"run", {imported}}});
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(none.error().what, HasSubstr(imported));
}

TEST(TopologyTest, ReadsTheLatencyOfEachWorkload) {
  const store::TestFolder store;
  const auto experiment = ReadExperiment(Written(store, "here", "gpu1 SYS"));
  ASSERT_TRUE(experiment.ok()) << experiment.error().what;
  ASSERT_TRUE(experiment.value().has_value());
  ASSERT_EQ(experiment.value()->workloads.size(), 1U);
  EXPECT_EQ(experiment.value()->workloads.front().latency_ns, 2000);
}

TEST(TopologyTest, OneMachineIsSaidToBeOne) {
  const Answer answer = Summarise({ExperimentOf("a", "gpu1 SYS", 1e6)});
  EXPECT_THAT(answer.method, Contains(HasSubstr("one machine")));
  EXPECT_TRUE(answer.tables.at(2).rows.rows.empty());
}

TEST(TopologyTest, StoreWithoutExperimentsSaysWhatToDo) {
  const auto answer = RunCommand(kSpec, {});
  ASSERT_FALSE(answer.ok());
  EXPECT_THAT(answer.error().hint, HasSubstr("xsp run"));
}

}  // namespace
}  // namespace xsp::suite::topology
