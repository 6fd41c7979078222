#include "derive/compare/compared_sides.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <string>

namespace xsp::compare {
namespace {

using testing::HasSubstr;

/// Two layers of these times, ns, and 10 ns between them.
SideTrees Process(double first_ns, double second_ns) {
  SideTrees trees;
  trees.calls = 1;
  trees.host.SetTime(trees.host.Add(0, NodeKind::kOperator, "first"), first_ns);
  trees.host.SetTime(trees.host.Add(0, NodeKind::kOperator, "second"), second_ns);
  trees.host.SetTime(trees.host.Add(0, NodeKind::kBetween, "(between layers)"), 10);
  trees.wall_ns = first_ns + second_ns + 10;
  return trees;
}

/// A side of several processes around these times, with unprofiled calls of the same latency.
Side MakeSide(const std::string& experiment, double first_ns, double second_ns,
              std::mt19937& random, int processes = 5) {
  std::normal_distribution<double> noise(0, 0.005);
  Side side;
  side.source.experiment = experiment;
  side.run.run_id = 1;
  for (int i = 0; i < processes; ++i) {
    SideTrees trees =
        Process(first_ns * std::exp(noise(random)), second_ns * std::exp(noise(random)));
    side.calls.push_back({std::vector<double>(8, trees.wall_ns)});
    if (i == 0) {
      side.trees = std::move(trees);
    } else {
      side.processes.push_back(std::move(trees));
    }
  }
  return side;
}

std::map<std::string, Verdict> VerdictsOf(const ComparedSides& compared) {
  std::map<std::string, Verdict> verdicts;
  for (std::size_t i = 0; i < compared.trees.nodes.size(); ++i)
    verdicts[compared.trees.nodes[i].path] = compared.node_verdicts[i].verdict;
  return verdicts;
}

TEST(CompareSides, JudgesTheWholeAndEachNodeByProcesses) {
  std::mt19937 random(1);
  Sides sides;
  sides.a = MakeSide("a", 1000, 500, random);
  sides.b = MakeSide("b", 1000, 700, random);
  const ComparedSides compared = CompareSides(sides, {});
  EXPECT_EQ(compared.verdict, Verdict::kSlower);
  EXPECT_TRUE(compared.is_ratio_of_latencies);
  EXPECT_NEAR(*compared.ratio, 1710.0 / 1510, 0.02);
  EXPECT_LT(*compared.low, *compared.ratio);
  EXPECT_GT(*compared.high, *compared.ratio);
  EXPECT_THAT(compared.reason, HasSubstr("one after the other"));
  auto verdicts = VerdictsOf(compared);
  EXPECT_EQ(verdicts["second"], Verdict::kSlower);
  EXPECT_EQ(verdicts["first"], Verdict::kNoDifference);
  EXPECT_EQ(compared.residual_ns, 0);
}

TEST(CompareSides, OfTwoSessionsAllowForWhatOtherSessionsDifferBy) {
  std::mt19937 random(1);
  Sides sides;
  sides.a = MakeSide("a", 1000, 500, random);
  sides.b = MakeSide("b", 1000, 700, random);
  const ComparedSides alone = CompareSides(sides, {});
  ASSERT_TRUE(alone.sessions);
  EXPECT_FALSE(alone.sessions->IsKnown());
  EXPECT_THAT(alone.reason, HasSubstr("holds within these two sessions only"));
  const SessionNoise noise =
      SessionNoiseOf(std::vector<std::vector<double>>{{1000, 1150, 1010, 1080}});
  const ComparedSides widened = CompareSides(sides, {}, noise);
  EXPECT_EQ(widened.verdict, Verdict::kNoDifference);
  EXPECT_EQ(widened.ratio, alone.ratio);
  EXPECT_LT(*widened.low, *alone.low);
  EXPECT_GT(*widened.high, *alone.high);
  EXPECT_THAT(widened.reason, HasSubstr("4 other sessions"));
  EXPECT_EQ(CompareSides(sides, 0.05, noise).verdict, Verdict::kInconclusive);
  ASSERT_TRUE(widened.node_verdicts[0].times && alone.node_verdicts[0].times);
  EXPECT_LT(widened.node_verdicts[0].times->low, alone.node_verdicts[0].times->low);
  EXPECT_GT(widened.node_verdicts[0].times->high, alone.node_verdicts[0].times->high);
  // Points of one experiment alternated.
  sides.b.source.experiment = "a";
  sides.b.run.run_id = 2;
  EXPECT_FALSE(CompareSides(sides, {}, noise).sessions);
  EXPECT_EQ(CompareSides(sides, {}, noise).verdict, Verdict::kSlower);
}

TEST(CompareSides, ABusyMachineAllowsNoClaimBetweenExperiments) {
  std::mt19937 random(1);
  Sides sides;
  sides.a = MakeSide("a", 1000, 500, random);
  sides.b = MakeSide("b", 1000, 700, random);
  sides.b.source.name = "after";
  sides.b.was_busy = true;
  const ComparedSides compared = CompareSides(sides, {});
  EXPECT_EQ(compared.verdict, Verdict::kInconclusive);
  EXPECT_THAT(compared.reason, HasSubstr("busy while after was measured"));
  EXPECT_EQ(VerdictsOf(compared)["second"], Verdict::kInconclusive);
  EXPECT_EQ(VerdictsOf(compared)["first"], Verdict::kNoDifference);
  // Within one experiment both had the same disturbance.
  sides.b.source.experiment = "a";
  sides.b.run.run_id = 2;
  EXPECT_EQ(CompareSides(sides, {}).verdict, Verdict::kSlower);
}

TEST(CompareSides, ExperimentsOfOneSessionWereMeasuredTogether) {
  std::mt19937 random(1);
  Sides sides;
  sides.a = MakeSide("a", 1000, 500, random);
  sides.b = MakeSide("b", 1000, 700, random);
  EXPECT_FALSE(WereMeasuredTogether(sides));
  sides.a.session = "s";
  EXPECT_FALSE(WereMeasuredTogether(sides));
  sides.b.session = "another";
  EXPECT_FALSE(WereMeasuredTogether(sides));
  sides.b.session = "s";
  sides.b.was_busy = true;
  ASSERT_TRUE(WereMeasuredTogether(sides));
  const ComparedSides compared = CompareSides(sides, {});
  EXPECT_FALSE(compared.sessions);
  EXPECT_EQ(compared.verdict, Verdict::kSlower);
  EXPECT_EQ(compared.reason, "");
  EXPECT_EQ(VerdictsOf(compared)["second"], Verdict::kSlower);
}

/// Ten layers of 100 ns, in each process slower by a factor of its own, the last of them by `slow`;
/// without calls that are not profiled.
Side MakeSideOfLayers(const std::string& experiment, double machine, double slow,
                      std::mt19937& random) {
  std::normal_distribution<double> of_process(0, 0.05), of_layer(0, 0.005);
  Side side;
  side.source.experiment = experiment;
  for (int process = 0; process < 10; ++process) {
    SideTrees trees;
    trees.calls = 1;
    const double factor = machine * std::exp(of_process(random));
    for (int layer = 0; layer < 10; ++layer) {
      const double time_ns = 100 * factor * std::exp(of_layer(random)) * (layer == 9 ? slow : 1);
      trees.host.SetTime(trees.host.Add(0, NodeKind::kOperator, "layer " + std::to_string(layer)),
                         time_ns);
      trees.wall_ns += time_ns;
    }
    // Half of the call is no layer, and differs much.
    const double between_ns = 1000 * std::exp(10 * of_process(random));
    trees.host.SetTime(trees.host.Add(0, NodeKind::kBetween, "(between layers)"), between_ns);
    trees.wall_ns += between_ns;
    if (process == 0) {
      side.trees = std::move(trees);
    } else {
      side.processes.push_back(std::move(trees));
    }
  }
  return side;
}

TEST(CompareSides, FindALayerThatStandsOutOfProcessesThatDifferThroughout) {
  std::mt19937 random(7);
  Sides sides;
  sides.a = MakeSideOfLayers("a", 1, 1, random);
  sides.b = MakeSideOfLayers("b", 1, 1.05, random);
  const ComparedSides compared = CompareSides(sides, {});
  for (const auto& [path, verdict] : VerdictsOf(compared)) {
    const Verdict of_layer = path == "layer 9" ? Verdict::kSlower : Verdict::kNoDifference;
    EXPECT_EQ(verdict, path == "(between layers)" ? Verdict::kUnknownNoise : of_layer) << path;
  }
  const NodeVerdict& found = compared.node_verdicts[9];
  ASSERT_TRUE(found.times && found.relative);
  EXPECT_LT(found.relative->high - found.relative->low,
            0.2 * (found.times->high - found.times->low));
  EXPECT_NEAR(found.relative->ratio, 1.05, 0.01);
}

TEST(CompareSides, ClaimNoLayerOfAMachineThatBecameSlower) {
  std::mt19937 random(8);
  Sides sides;
  sides.a = MakeSideOfLayers("a", 1, 1, random);
  sides.b = MakeSideOfLayers("b", 1.3, 1, random);
  for (const auto& [path, verdict] : VerdictsOf(CompareSides(sides, {}))) {
    if (path == "(between layers)") continue;
    EXPECT_EQ(verdict, Verdict::kInconclusive) << path;
  }
}

TEST(CompareSides, OfOneExperimentHasNothingToAdd) {
  std::mt19937 random(2);
  Sides sides;
  sides.a = MakeSide("a", 1000, 500, random);
  sides.b = MakeSide("a", 1000, 700, random);
  sides.b.run.run_id = 2;
  EXPECT_EQ(CompareSides(sides, {}).reason, "");
}

TEST(CompareSides, AreEquivalentWithinTheBound) {
  std::mt19937 random(3);
  Sides sides;
  sides.a = MakeSide("a", 1000, 500, random);
  sides.b = MakeSide("b", 1001, 500, random);
  EXPECT_EQ(CompareSides(sides, 0.05).verdict, Verdict::kEquivalent);
  const ComparedSides narrow = CompareSides(sides, 0.0005);
  EXPECT_EQ(narrow.verdict, Verdict::kInconclusive);
  EXPECT_THAT(narrow.reason, HasSubstr("wider than the bound"));
}

TEST(CompareSides, OfFewProcessesThatDifferMuchSayNothing) {
  std::mt19937 random(3);
  Sides sides;
  sides.a = MakeSide("a", 1000, 500, random, 2);
  sides.b = MakeSide("a", 1000, 500, random, 2);
  sides.b.run.run_id = 2;
  sides.b.calls.back() = {std::vector<double>(8, 9000)};
  const ComparedSides compared = CompareSides(sides, {});
  EXPECT_EQ(compared.verdict, Verdict::kInconclusive);
  EXPECT_THAT(compared.reason, HasSubstr("wider than half to twice the time: more processes than 2 "
                                         "and 2 make it narrower"));
  EXPECT_FALSE(compared.low);
  EXPECT_FALSE(compared.high);
}

TEST(CompareSides, KnowNoNoiseOfOneProcess) {
  std::mt19937 random(4);
  Sides sides;
  sides.a = MakeSide("a", 1000, 500, random, 1);
  sides.b = MakeSide("b", 2000, 500, random);
  const ComparedSides compared = CompareSides(sides, 0.02);
  EXPECT_EQ(compared.verdict, Verdict::kUnknownNoise);
  EXPECT_THAT(compared.reason, HasSubstr("1 of the first side, 5 of the second"));
  EXPECT_NEAR(*compared.ratio, 2510.0 / 1510, 0.03);
  EXPECT_FALSE(compared.low);
  sides.a.calls.clear();
  sides.b.calls.clear();
  EXPECT_THAT(CompareSides(sides, 0.02).reason, HasSubstr("each side is one recording"));
  for (const auto& [path, verdict] : VerdictsOf(compared))
    EXPECT_EQ(verdict, Verdict::kUnknownNoise) << path;
}

TEST(CompareSides, ClaimNothingOfWhatIsNotComparable) {
  std::mt19937 random(5);
  Sides sides;
  sides.a = MakeSide("a", 1000, 500, random);
  sides.b = MakeSide("b", 9000, 500, random);
  sides.a.facts = {{"batch", "1", true}};
  sides.b.facts = {{"batch", "8", true}};
  const ComparedSides compared = CompareSides(sides, {});
  EXPECT_EQ(compared.verdict, Verdict::kInconclusive);
  EXPECT_THAT(compared.reason, HasSubstr("batch sizes differ"));
}

TEST(CompareSides, OfWhichOneHasNoLayersCompareWholeCalls) {
  std::mt19937 random(9);
  Sides sides;
  sides.a = MakeSide("a", 1000, 500, random);
  sides.b = MakeSide("b", 1500, 700, random);
  sides.a.source.name = "interrupted";
  sides.b.source.name = "b";
  sides.a.run.rung = "model";
  sides.b.run.rung = "layer";
  sides.a.processes.clear();
  sides.a.trees.host = ComparisonTree();
  sides.a.trees.host.SetTime(sides.a.trees.host.Add(0, NodeKind::kBetween, "(between layers)"),
                             sides.a.trees.wall_ns);
  const ComparedSides compared = CompareSides(sides, {});
  EXPECT_EQ(compared.verdict, Verdict::kSlower);
  EXPECT_EQ(compared.comparable.verdict, Comparable::kPartly);
  EXPECT_THAT(compared.comparable.without_layers, HasSubstr("interrupted has no layers"));
  EXPECT_EQ(compared.trees.aligned_share, 0);
  EXPECT_EQ(compared.residual_ns, 0);
  // Calls without profiling on one side, with it on the other.
  sides.b.calls.clear();
  const ComparedSides mixed = CompareSides(sides, {});
  EXPECT_EQ(mixed.verdict, Verdict::kInconclusive);
  EXPECT_THAT(mixed.reason, HasSubstr("in the rung model, those of b in layer"));
}

TEST(CompareSides, OfNoTimeHaveNoRatio) {
  Sides sides;
  sides.a.source.experiment = "a";
  sides.b.source.experiment = "b";
  const ComparedSides compared = CompareSides(sides, {});
  EXPECT_FALSE(compared.ratio);
  EXPECT_EQ(compared.residual_ns, 0);
  EXPECT_TRUE(std::isnan(compared.trees.aligned_share));
}

TEST(CompareSides, SeldomCallEqualProgramsDifferent) {
  std::mt19937 random(6);
  int different = 0;
  for (int i = 0; i < 200; ++i) {
    Sides sides;
    sides.a = MakeSide("a", 1000, 500, random);
    sides.b = MakeSide("b", 1000, 500, random);
    different += CompareSides(sides, {}).verdict != Verdict::kNoDifference;
  }
  EXPECT_LE(different, 18);  // 10 expected of 200; more than 18 in one of 200 seeds.
}

}  // namespace
}  // namespace xsp::compare
