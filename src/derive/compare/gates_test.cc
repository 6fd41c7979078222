#include "derive/compare/gates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "store/experiment_writer.h"
#include "store/rows/energy_row.h"
#include "store/rows/run_row.h"
#include "store/store_testing.h"

namespace xsp::compare {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// Two convolutions, in modules of their own, and 10 ns between them.
SideTrees TreesOf(double first_ns, double second_ns) {
  SideTrees trees;
  trees.calls = 1;
  const auto add = [&](const char* module, double own_ns) {
    const std::int32_t parent = trees.host.Add(0, NodeKind::kModule, module);
    trees.host.SetTime(trees.host.Add(parent, NodeKind::kOperator, "aten::conv2d"), own_ns);
  };
  add("conv1", first_ns);
  add("conv2", second_ns);
  trees.host.SetTime(trees.host.Add(0, NodeKind::kBetween, "(between layers)"), 10);
  trees.wall_ns = first_ns + second_ns + 10;
  return trees;
}

struct TestSide {
  double first_ns = 1000, second_ns = 500;
  int processes = 5;
  double noise = 0.005;  ///< Of each process, relative.
};

/// Processes around these times, with unprofiled calls of the same latency.
Side Measured(const std::string& experiment, const TestSide& wanted, std::mt19937& random) {
  std::normal_distribution<double> noise(0, wanted.noise);
  Side side;
  side.source = {experiment, experiment, 1, {}};
  side.run.run_id = 1;
  for (int i = 0; i < wanted.processes; ++i) {
    SideTrees trees = TreesOf(wanted.first_ns * std::exp(noise(random)),
                              wanted.second_ns * std::exp(noise(random)));
    side.calls.push_back({std::vector<double>(8, trees.wall_ns)});
    if (i == 0) {
      side.trees = std::move(trees);
    } else {
      side.processes.push_back(std::move(trees));
    }
  }
  return side;
}

Sides Pair(const TestSide& a, const TestSide& b, std::uint32_t seed = 1) {
  std::mt19937 random(seed);
  Sides sides;
  sides.a = Measured("before", a, random);
  sides.b = Measured("after", b, random);
  return sides;
}

struct Judged {
  std::vector<GateResult> results;
  const GateResult& operator[](std::size_t i) const { return results.at(i); }
};

Judged JudgeTexts(const Sides& sides, const std::string& gates, std::optional<double> noise = {},
                  const SideMeasures& a = {}, const SideMeasures& b = {}) {
  const std::vector<std::string> texts = {gates};
  return {JudgeGates(sides, CompareSides(sides, {}), a, b, ParseGates(texts).value(), noise)};
}

GateOutcome OutcomeOf(const Sides& sides, const std::string& gate,
                      std::optional<double> noise = {}) {
  return JudgeTexts(sides, gate, noise)[0].outcome;
}

TEST(JudgeGates, PassWhereTheWholeIntervalIsWithinTheLimit) {
  const GateResult result = JudgeTexts(Pair({}, {}), "latency=5%")[0];
  EXPECT_EQ(result.outcome, GateOutcome::kPass) << result.reason;
  EXPECT_LE(*result.value.high, 1.05);
  EXPECT_EQ(result.reason, "");
  EXPECT_TRUE(result.nodes.empty());
}

TEST(JudgeGates, NameTheRowsOfARegression) {
  const GateResult result = JudgeTexts(Pair({}, {.second_ns = 900}), "latency=5%")[0];
  EXPECT_EQ(result.outcome, GateOutcome::kRegression) << result.reason;
  EXPECT_GT(*result.value.low, 1.05);
  ASSERT_FALSE(result.nodes.empty());
  EXPECT_EQ(result.nodes[0].path, "conv2/aten::conv2d");
  EXPECT_NEAR(result.nodes[0].difference_ns, 400, 30);
  EXPECT_NEAR(result.nodes[0].share, 1, 0.1);
}

TEST(JudgeGates, NameTheRowsByWhatIsTypicalOfTheirCalls) {
  // Another program held up one call of each process, in the layer that did not change.
  Sides sides = Pair({}, {.second_ns = 900});
  const auto hold_up = [](SideTrees& trees) {
    for (const ComparisonNode& node : trees.host.nodes())
      trees.host_typical.own_ns.push_back(node.own_ns);
    trees.host_typical.with_slowness_ns.resize(trees.host.size(), 0);
    trees.host.SetTime(2, 9000);
  };
  hold_up(sides.b.trees);
  for (SideTrees& process : sides.b.processes) hold_up(process);
  const GateResult result = JudgeTexts(sides, "latency=5%")[0];
  ASSERT_FALSE(result.nodes.empty());
  EXPECT_EQ(result.nodes[0].path, "conv2/aten::conv2d");
  EXPECT_NEAR(*result.nodes[0].b_ns, 900, 15);
  EXPECT_NEAR(result.nodes[0].share, 1, 0.1);
}

TEST(JudgeGates, AreInconclusiveWhereTheIntervalHoldsTheLimit) {
  // Slower, surely: by more than 3 % or less is open.
  const TestSide noisy{.processes = 4, .noise = 0.02}, slower{1045, 525, 4, 0.02};
  int worse = 0;
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    const GateResult result = JudgeTexts(Pair(noisy, slower, seed), "latency=3%")[0];
    if (result.outcome != GateOutcome::kInconclusive || *result.value.low <= 1) continue;
    ++worse;
    EXPECT_THAT(result.reason, HasSubstr("worse, but not certainly by more than 3 %"));
  }
  EXPECT_GT(worse, 20);
  const GateResult open = JudgeTexts(
      Pair({.processes = 3, .noise = 0.1}, {.processes = 3, .noise = 0.1}), "latency=3%")[0];
  EXPECT_EQ(open.outcome, GateOutcome::kInconclusive);
  EXPECT_THAT(open.reason, HasSubstr("not certainly within 3 %"));
}

TEST(JudgeGates, SuggestAsManyProcessesAsDecide) {
  const TestSide noisy{.processes = 4, .noise = 0.02}, slower{1100, 550, 4, 0.02};
  int suggested = 0, decided = 0;
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    const GateResult result = JudgeTexts(Pair(noisy, slower, seed), "latency=7%")[0];
    const std::size_t at = result.reason.find("--processes ");
    if (at == std::string::npos) continue;
    ++suggested;
    TestSide more_of_a = noisy, more_of_b = slower;
    more_of_a.processes = more_of_b.processes = std::stoi(result.reason.substr(at + 12));
    decided += OutcomeOf(Pair(more_of_a, more_of_b, seed + 1000), "latency=7%") !=
               GateOutcome::kInconclusive;
  }
  ASSERT_GT(suggested, 50);
  EXPECT_GT(decided, suggested / 2);
}

/// How many of 400 comparisons of equal or slower programs come out as `outcome`.
int CountOf(GateOutcome outcome, const std::string& gate, double ratio, double noise = 0.01) {
  int count = 0;
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    const Sides sides = Pair({.noise = noise}, {1000 * ratio, 500 * ratio, 5, noise}, seed);
    count += OutcomeOf(sides, gate) == outcome;
  }
  return count;
}

TEST(JudgeGates, SeldomCallEqualProgramsARegression) {
  // One-sided 2.5 %: 10 of 400 expected, more than 19 in one of 200 series.
  EXPECT_LE(CountOf(GateOutcome::kRegression, "latency=0%", 1), 19);
  EXPECT_EQ(CountOf(GateOutcome::kRegression, "latency=3%", 1), 0);
}

TEST(JudgeGates, SeldomDecideWrongAtTheLimit) {
  EXPECT_LE(CountOf(GateOutcome::kRegression, "latency=3%", 1.03), 19);
  EXPECT_LE(CountOf(GateOutcome::kPass, "latency=3%", 1.0301), 19);
}

TEST(JudgeGates, FindAPlantedRegression) {
  EXPECT_EQ(CountOf(GateOutcome::kRegression, "latency=3%", 2, 0.1), 400);
  EXPECT_GE(CountOf(GateOutcome::kRegression, "latency=3%", 1.06), 360);
  EXPECT_EQ(CountOf(GateOutcome::kRegression, "throughput=3%", 2), 400);
}

TEST(JudgeGates, NameNoRowWhereTheRunsWithProfilingShowNoIncrease) {
  Sides sides = Pair({2000, 1000}, {});
  std::swap(sides.a.calls, sides.b.calls);
  const GateResult result = JudgeTexts(sides, "latency=3%")[0];
  EXPECT_EQ(result.outcome, GateOutcome::kRegression);
  EXPECT_TRUE(result.nodes.empty());
}

TEST(JudgeGates, LimitTheLossOfThroughput) {
  const Sides sides = Pair({}, {2000, 1000});
  const GateResult result = JudgeTexts(sides, "throughput=45%")[0];
  EXPECT_EQ(result.outcome, GateOutcome::kRegression);
  EXPECT_NEAR(*result.value.ratio, 0.5, 0.01);
  EXPECT_LT(*result.value.low, *result.value.ratio);
  EXPECT_GT(*result.value.high, *result.value.ratio);
  EXPECT_NEAR(*result.value.a, 1e9 / 1510, 1e9 / 1510 * 0.01);
  EXPECT_EQ(OutcomeOf(sides, "throughput=55%"), GateOutcome::kPass);
  EXPECT_EQ(OutcomeOf(Pair({2000, 1000}, {}), "throughput=0%"), GateOutcome::kPass);
}

TEST(JudgeGates, SumTheRowsOfAPattern) {
  const Sides sides = Pair({}, {.second_ns = 900});
  const Judged judged =
      JudgeTexts(sides, "layer:conv2*=10%,layer:conv1*=10%,layer:aten::*=10%,module:conv?=10%");
  EXPECT_EQ(judged[0].outcome, GateOutcome::kRegression);
  EXPECT_NEAR(*judged[0].value.ratio, 1.8, 0.05);
  EXPECT_EQ(judged[1].outcome, GateOutcome::kPass);
  EXPECT_EQ(judged[2].outcome, GateOutcome::kRegression);
  EXPECT_NEAR(*judged[2].value.ratio, 1900.0 / 1500, 0.02);
  EXPECT_EQ(judged[2].value.note, "2 rows together");
  EXPECT_EQ(judged[3].outcome, GateOutcome::kRegression);
  EXPECT_EQ(judged[3].nodes.at(0).path, "conv2/aten::conv2d");
}

TEST(JudgeGates, SayWhichRowsAreNearAPatternWithoutOne) {
  const Judged judged = JudgeTexts(Pair({}, {}), "layer:atn::conv2d=10%,kernel:*=10%");
  EXPECT_EQ(judged[0].outcome, GateOutcome::kInconclusive);
  EXPECT_THAT(judged[0].reason, AllOf(HasSubstr("no layer matches"), HasSubstr("aten::conv2d")));
  EXPECT_EQ(judged[1].outcome, GateOutcome::kInconclusive);
  EXPECT_THAT(judged[1].reason, HasSubstr("no device work"));
}

TEST(JudgeGates, ARowThatTheFirstSideLacksIsARegression) {
  Sides sides = Pair({.processes = 1}, {.processes = 1});
  sides.b.trees.host.SetTime(sides.b.trees.host.Add(0, NodeKind::kOperator, "aten::copy_"), 300);
  const GateResult result = JudgeTexts(sides, "layer:aten::copy_=10%")[0];
  EXPECT_EQ(result.outcome, GateOutcome::kRegression);
  EXPECT_FALSE(result.value.ratio);
  EXPECT_EQ(result.reason, "the first side has nothing of it");
  EXPECT_EQ(result.nodes.at(0).path, "aten::copy_");
}

TEST(JudgeGates, WithoutSeveralProcessesANoiseHasToBeAssumed) {
  const Sides sides = Pair({.processes = 1}, {1100, 550, 1});
  const GateResult unknown = JudgeTexts(sides, "latency=3%")[0];
  EXPECT_EQ(unknown.outcome, GateOutcome::kInconclusive);
  EXPECT_THAT(unknown.reason, HasSubstr("--gate-noise"));
  EXPECT_EQ(OutcomeOf(sides, "latency=3%", 0.0), GateOutcome::kRegression);
  EXPECT_EQ(OutcomeOf(sides, "latency=3%", 0.02), GateOutcome::kRegression);
  EXPECT_EQ(OutcomeOf(sides, "latency=3%", 0.2), GateOutcome::kInconclusive);
  EXPECT_EQ(OutcomeOf(sides, "latency=30%", 0.02), GateOutcome::kPass);
  const GateResult assumed = JudgeTexts(sides, "latency=3%", 0.02)[0];
  EXPECT_THAT(assumed.reason, HasSubstr("assumed noise of 2 %"));
  EXPECT_NEAR(*assumed.value.low, *assumed.value.ratio / 1.02, 1e-9);
}

TEST(JudgeGates, AllowForWhatOtherSessionsDifferBy) {
  const Sides sides = Pair({}, {1100, 550});
  EXPECT_EQ(OutcomeOf(sides, "latency=3%"), GateOutcome::kRegression);
  const SessionNoise noise =
      SessionNoiseOf(std::vector<std::vector<double>>{{1000, 1100, 1020, 1060}});
  const ComparedSides compared = CompareSides(sides, {}, noise);
  const std::vector<std::string> texts = {"latency=3%,layer:*=3%"};
  for (const GateResult& result :
       JudgeGates(sides, compared, {}, {}, ParseGates(texts).value(), {})) {
    EXPECT_EQ(result.outcome, GateOutcome::kInconclusive) << result.gate.text;
    EXPECT_THAT(result.reason, HasSubstr("what other sessions differ by"));
    EXPECT_LT(*result.value.low, 1);
  }
}

TEST(JudgeGates, AnAssumedNoiseReplacesNoIntervalThatIsKnown) {
  const Sides sides = Pair({}, {});
  EXPECT_EQ(OutcomeOf(sides, "latency=5%", 10.0), GateOutcome::kPass);
}

TEST(JudgeGates, OfABusyMachineAreInconclusive) {
  Sides sides = Pair({}, {2000, 1000});
  sides.b.was_busy = true;
  const GateResult result = JudgeTexts(sides, "latency=3%")[0];
  EXPECT_EQ(result.outcome, GateOutcome::kInconclusive);
  EXPECT_THAT(result.reason, HasSubstr("busy while after was measured"));
  // The interval, widened by what the other programs may have done.
  EXPECT_EQ(OutcomeOf(sides, "latency=3%", 0.5), GateOutcome::kRegression);
  EXPECT_EQ(OutcomeOf(sides, "latency=3%", 1.5), GateOutcome::kInconclusive);
  // Both alternated.
  sides.b.source.experiment = "before";
  sides.b.run.run_id = 2;
  EXPECT_EQ(OutcomeOf(sides, "latency=3%"), GateOutcome::kRegression);
}

TEST(JudgeGates, OfOtherMachinesOrBatchSizesAreInconclusive) {
  Sides sides = Pair({}, {2000, 1000});
  sides.a.facts = {{"cpu", "Zen 4", true}};
  sides.b.facts = {{"cpu", "Zen 5", true}};
  const GateResult machines = JudgeTexts(sides, "latency=3%", 0.0)[0];
  EXPECT_EQ(machines.outcome, GateOutcome::kInconclusive);
  EXPECT_THAT(machines.reason, HasSubstr("different machines (cpu: Zen 4 | Zen 5)"));
  sides.a.facts = {{"batch", "1", true}};
  sides.b.facts = {{"batch", "8", true}};
  EXPECT_THAT(JudgeTexts(sides, "memory=3%", 0.0, {.allocated_peak_bytes = 1},
                         {.allocated_peak_bytes = 1})[0]
                  .reason,
              HasSubstr("batch sizes differ"));
  // What is under test may differ.
  sides.a.facts = {{"framework", "PyTorch 2.14", true}};
  sides.b.facts = {{"framework", "PyTorch 2.15", true}};
  EXPECT_EQ(OutcomeOf(sides, "latency=3%"), GateOutcome::kRegression);
}

TEST(JudgeGates, ASidePassesAgainstItself) {
  Sides sides = Pair({.processes = 1}, {.processes = 1});
  sides.b.source.experiment = "before";
  const GateResult result = JudgeTexts(sides, "latency=0%")[0];
  EXPECT_EQ(result.outcome, GateOutcome::kPass);
  EXPECT_EQ(result.reason, "both sides are the same run");
  EXPECT_EQ(result.value.ratio, 1);
}

TEST(JudgeGates, CompareAllocatedMemoryDirectly) {
  const Sides sides = Pair({.processes = 1}, {.processes = 1});
  const SideMeasures a{.allocated_peak_bytes = 1000, .resident_peak_bytes = {1e6}};
  const auto outcome = [&](double b_bytes) {
    return JudgeTexts(sides, "memory=5%", {}, a, {.allocated_peak_bytes = b_bytes})[0].outcome;
  };
  EXPECT_EQ(outcome(1050), GateOutcome::kPass);
  EXPECT_EQ(outcome(1051), GateOutcome::kRegression);
  EXPECT_EQ(outcome(10), GateOutcome::kPass);
  const GateResult unknown = JudgeTexts(sides, "memory=5%", {}, a, {})[0];
  EXPECT_EQ(unknown.outcome, GateOutcome::kInconclusive);
  EXPECT_EQ(unknown.reason, "the peak memory of after is not known");
}

TEST(JudgeGates, CompareResidentMemoryByProcesses) {
  const Sides sides = Pair({.processes = 1}, {.processes = 1});
  const SideMeasures a{.resident_peak_bytes = {1000, 1001, 1002}};
  EXPECT_EQ(
      JudgeTexts(sides, "memory=5%", {}, a, {.resident_peak_bytes = {1200, 1201, 1202}})[0].outcome,
      GateOutcome::kRegression);
  EXPECT_EQ(JudgeTexts(sides, "memory=5%", {}, a, {.resident_peak_bytes = {1001, 1002}})[0].outcome,
            GateOutcome::kPass);
  EXPECT_EQ(JudgeTexts(sides, "memory=5%", {}, a, {.resident_peak_bytes = {1200}})[0].outcome,
            GateOutcome::kInconclusive);
}

TEST(JudgeGates, JudgeTheWorstPartOfTheEnergy) {
  const Sides sides = Pair({.processes = 1}, {.processes = 1});
  const SideMeasures a{.call_joules = {{"gpu 0", {1}}, {"package-0", {2}}, {"package-1", {1}}}};
  const SideMeasures b{.call_joules = {{"gpu 0", {2}}, {"package-0", {2}}}};
  const GateResult result = JudgeTexts(sides, "energy=5%", 0.01, a, b)[0];
  EXPECT_EQ(result.outcome, GateOutcome::kRegression);
  EXPECT_EQ(result.value.note, "gpu 0");
  EXPECT_EQ(JudgeTexts(sides, "energy=5%", 0.01, a, {})[0].outcome, GateOutcome::kInconclusive);
}

TEST(JudgeGates, CompareDeviceTimeOfProcesses) {
  Sides sides = Pair({}, {});
  EXPECT_THAT(JudgeTexts(sides, "device=3%")[0].reason, HasSubstr("before has no device work"));
  const auto add_device = [](Side& side, double scale) {
    std::vector<SideTrees*> all = {&side.trees};
    for (SideTrees& process : side.processes) all.push_back(&process);
    double jitter = 0;
    for (SideTrees* trees : all) {
      const std::int32_t layer = trees->device.Add(0, NodeKind::kOperator, "aten::conv2d");
      trees->device_ns = 100 * scale + jitter++;
      trees->device.SetTime(trees->device.Add(layer, NodeKind::kKernel, "gemm<a, b>"),
                            trees->device_ns);
      trees->device_spans = 1;
    }
  };
  sides.basis = Basis::kDevice;
  add_device(sides.a, 1);
  add_device(sides.b, 2);
  const Judged judged = JudgeTexts(sides, "device=20%,kernel:gemm<a? b>=20%,layer:*=20%");
  for (const GateResult& result : judged.results) {
    EXPECT_EQ(result.outcome, GateOutcome::kRegression) << result.gate.text << result.reason;
    EXPECT_TRUE(result.value.low);
  }
  EXPECT_EQ(judged[0].nodes.at(0).path, "aten::conv2d/gemm<a, b>");
}

TEST(WorstOutcome, OrdersRegressionBeforeInconclusive) {
  EXPECT_EQ(WorstOutcome({}), GateOutcome::kPass);
  const Judged judged = JudgeTexts(Pair({}, {2000, 1000}), "memory=3%,latency=3%,throughput=90%");
  EXPECT_EQ(judged[0].outcome, GateOutcome::kInconclusive);
  EXPECT_EQ(judged[2].outcome, GateOutcome::kPass);
  EXPECT_EQ(WorstOutcome(judged.results), GateOutcome::kRegression);
}

/// A point with processes of two rungs, of which one was measured for an overhead alone.
Side StoredSide(const std::filesystem::path& store) {
  store::ExperimentWriter writer = store::ExperimentWriter::Create(store, "x").value();
  std::vector<store::RunRow> runs;
  const auto add = [&](const char* rung, std::int64_t bytes) -> store::RunRow& {
    return runs.emplace_back(store::RunRow{.run_id = static_cast<std::int64_t>(runs.size()) + 1,
                                           .point_id = 1,
                                           .rung = rung,
                                           .status = "done",
                                           .path = rung,
                                           .peak_resident_bytes = bytes});
  };
  add("model", 100);
  add("model", 102);
  add("layer", 500);
  add("model", 900).process_pair = 1;
  add("model", 901).status = "failed";
  EXPECT_TRUE(writer.AddRows(runs).ok());
  std::vector<store::EnergyRow> energy;
  const auto add_energy = [&](std::int64_t run_id, const char* scope,
                              std::optional<double> joules) {
    store::EnergyRow& row = energy.emplace_back();
    row.point_id = 1;
    row.run_id = run_id;
    row.scope = scope;
    row.part = "gpu 0";
    row.spans = 4;
    row.energy_joules = joules;
  };
  add_energy(1, "call", 8);
  add_energy(2, "call", {});
  add_energy(3, "call", 80);
  add_energy(1, "run", 80);
  EXPECT_TRUE(writer.AddRows(energy).ok());
  Side side;
  side.source = {"x", writer.Commit("{}").value(), 1, {}};
  side.point.peak_bytes = 77;
  side.run = runs[2];
  return side;
}

TEST(ReadMeasures, TakesProcessesWithUnprofiledCalls) {
  const store::TestFolder folder;
  Side side = StoredSide(folder.path());
  const SideMeasures measures = ReadMeasures(side).value();
  EXPECT_EQ(measures.allocated_peak_bytes, 77);
  EXPECT_EQ(measures.resident_peak_bytes, (std::vector<double>{100, 102}));
  EXPECT_EQ(measures.call_joules.at("gpu 0"), std::vector<double>{2});
  side.source.run_id = 3;
  EXPECT_EQ(ReadMeasures(side).value().resident_peak_bytes, std::vector<double>{500});
  EXPECT_EQ(ReadMeasures(side).value().call_joules.at("gpu 0"), std::vector<double>{20});
}

TEST(ReadMeasures, TakesTheSidesRungWhereNoCallIsUnprofiled) {
  const store::TestFolder folder;
  store::ExperimentWriter writer = store::ExperimentWriter::Create(folder.path(), "x").value();
  const std::vector<store::RunRow> runs = {{.run_id = 1,
                                            .point_id = 1,
                                            .rung = "it's",
                                            .status = "done",
                                            .path = "r",
                                            .peak_resident_bytes = 5}};
  EXPECT_TRUE(writer.AddRows(runs).ok());
  Side side;
  side.source = {"x", writer.Commit("{}").value(), 1, {}};
  side.run = runs[0];
  EXPECT_EQ(ReadMeasures(side).value().resident_peak_bytes, std::vector<double>{5});
}

}  // namespace
}  // namespace xsp::compare
