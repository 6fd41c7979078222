#include "derive/compare/verdict.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <vector>

namespace xsp::compare {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

core::ProcessRatio Ratio(double centre, double low, double high, double p) {
  return {{centre, {low, high}, 6}, p};
}

TEST(Verdict, IsFasterOrSlowerWhereTheTestFindsADifference) {
  EXPECT_EQ(Judge(Ratio(0.9, 0.85, 0.95, 0.001), 0.001, {}), Verdict::kFaster);
  EXPECT_EQ(Judge(Ratio(1.1, 1.05, 1.15, 0.001), 0.001, {}), Verdict::kSlower);
  EXPECT_EQ(Judge(Ratio(1.1, 0.95, 1.25, 0.2), 0.2, {}), Verdict::kNoDifference);
  // The adjusted value decides.
  EXPECT_EQ(Judge(Ratio(1.1, 1.05, 1.15, 0.001), 0.06, {}), Verdict::kNoDifference);
}

TEST(Verdict, IsEquivalentOnlyWhereTheWholeIntervalLiesWithinTheBound) {
  EXPECT_EQ(Judge(Ratio(1.005, 0.99, 1.015, 0.4), 0.4, 0.02), Verdict::kEquivalent);
  // A small difference that does not matter.
  EXPECT_EQ(Judge(Ratio(1.01, 1.005, 1.015, 0.001), 0.001, 0.02), Verdict::kEquivalent);
  EXPECT_EQ(Judge(Ratio(1.005, 0.97, 1.04, 0.4), 0.4, 0.02), Verdict::kInconclusive);
  EXPECT_EQ(Judge(Ratio(1.1, 1.05, 1.15, 0.001), 0.001, 0.02), Verdict::kSlower);
  // 1 / 1.02 is 0.9804: the bound is symmetric in ratios.
  EXPECT_EQ(Judge(Ratio(0.99, 0.9805, 1.0, 0.4), 0.4, 0.02), Verdict::kEquivalent);
  EXPECT_EQ(Judge(Ratio(0.99, 0.9803, 1.0, 0.4), 0.4, 0.02), Verdict::kInconclusive);
}

TEST(Verdict, IsInconclusiveWhereNotEvenALargeDifferenceCanBeRuledOut) {
  EXPECT_EQ(Judge(Ratio(8.8, 4e-12, 2e13, 0.7), 0.7, {}), Verdict::kInconclusive);
  EXPECT_EQ(Judge(Ratio(1, 0.49, 2.05, 0.9), 0.9, {}), Verdict::kInconclusive);
  EXPECT_EQ(Judge(Ratio(1, 0.51, 2.05, 0.9), 0.9, {}), Verdict::kNoDifference);
  EXPECT_EQ(Judge(Ratio(1, 0.49, 1.95, 0.9), 0.9, {}), Verdict::kNoDifference);
}

TEST(Verdict, IsNotKnownWithoutAnInterval) {
  EXPECT_EQ(Judge(Ratio(0.5, kNaN, kNaN, kNaN), kNaN, {}), Verdict::kUnknownNoise);
  EXPECT_EQ(Judge(Ratio(0.5, kNaN, kNaN, kNaN), kNaN, 0.02), Verdict::kUnknownNoise);
}

TEST(JudgeNodes, NeedsTwoProcessesOfEachSide) {
  const std::vector<NodeProcesses> nodes = {
      {{10, 10.1, 9.9}, {20, 20.1, 19.9}}, {{10}, {20}}, {{10, 10.1}, {}}, {{10, 0}, {20, 21}}};
  const auto verdicts = JudgeNodes(nodes, {});
  EXPECT_EQ(verdicts[0].verdict, Verdict::kSlower);
  for (std::size_t i = 1; i < nodes.size(); ++i)
    EXPECT_EQ(verdicts[i].verdict, Verdict::kUnknownNoise) << i;
}

TEST(JudgeNodes, KnowsNoNoiseOfTimesThatACoarseClockMakesEqual) {
  const std::vector<NodeProcesses> nodes = {{{3000, 3000, 3000}, {4000, 4000, 4000}}};
  EXPECT_EQ(JudgeNodes(nodes, {})[0].verdict, Verdict::kUnknownNoise);
  EXPECT_EQ(JudgeNodes(nodes, {{}, NodeEvidence::kAgainstRest, 0})[0].verdict,
            Verdict::kUnknownNoise);
}

TEST(JudgeNodes, ClaimsNoLeafThatDiffersByLessThanATickOfTheClock) {
  const std::vector<NodeProcesses> nodes = {{{3000, 3001, 3000}, {3500, 3500, 3501}}};
  EXPECT_EQ(JudgeNodes(nodes, {.tick_ns = 1})[0].verdict, Verdict::kSlower);
  EXPECT_EQ(JudgeNodes(nodes, {.tick_ns = 1000})[0].verdict, Verdict::kNoDifference);
}

/// The first node is slower by 10 % relative to the rest. The processes of b are faster by 2 % in
/// the mean, and all differ by `percent` for reasons of their own.
std::vector<NodeProcesses> SlowerThanTheRest(double percent) {
  std::vector<NodeProcesses> nodes(5);
  const std::vector<double> process = {1, -1, 0.5, -0.5, 0.2, -0.2};
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (std::size_t k = 0; k < process.size(); ++k) {
      const double factor = std::exp(0.01 * percent * process[k]);
      const double noise = 1 + 0.001 * static_cast<double>((i + 3) * (k + 2) % 5);
      nodes[i].a.push_back(1000 * factor * noise);
      nodes[i].b.push_back(1000 * factor * noise * 0.89 * (i == 0 ? 1.1 : 1));
    }
  return nodes;
}

TEST(JudgeNodes, SaysHowANodeDiffersFromTheRestWhereItsTimesSayNothing) {
  // 0.89 times 1.1 is 0.979.
  const NodeVerdict node =
      JudgeNodes(SlowerThanTheRest(20), {.evidence = NodeEvidence::kAgainstRest})[0];
  EXPECT_LT(node.times->ratio, 1);
  EXPECT_GT(node.times->high, 1);
  EXPECT_NEAR(node.relative->ratio, 1.1, 0.005);
  EXPECT_EQ(node.verdict, Verdict::kSlower);
}

TEST(JudgeNodes, ClaimsNothingAgainstTheRestThatTheTimesContradict) {
  const NodeVerdict node =
      JudgeNodes(SlowerThanTheRest(0), {.evidence = NodeEvidence::kAgainstRest})[0];
  EXPECT_LT(node.times->high, 1);
  EXPECT_NEAR(node.relative->ratio, 1.1, 0.005);
  EXPECT_EQ(node.verdict, Verdict::kInconclusive);
}

TEST(JudgeNodes, AdjustsForTheNumberOfNodes) {
  // 1,000 comparisons of processes of one distribution: unadjusted, 50 would be called different.
  std::mt19937 random(3);
  std::normal_distribution<double> noise(0, 0.05);
  int comparisons_with_error = 0;
  for (int comparison = 0; comparison < 40; ++comparison) {
    std::vector<NodeProcesses> nodes(50);
    for (NodeProcesses& node : nodes) {
      for (int process = 0; process < 5; ++process) {
        node.a.push_back(std::exp(noise(random)));
        node.b.push_back(std::exp(noise(random)));
      }
    }
    bool has_error = false;
    for (const NodeVerdict& node : JudgeNodes(nodes, {}))
      has_error = has_error || node.verdict != Verdict::kNoDifference;
    comparisons_with_error += has_error;
  }
  EXPECT_LE(comparisons_with_error, 6);  // 2 expected.
}

}  // namespace
}  // namespace xsp::compare
