// How often verdicts on nodes are right, on simulated processes with what real ones differ in: a
// level of the whole process, a level of each layer in it, and calls that resemble their neighbours
// (lag-1 autocorrelation 0.5). The levels are those that bench/node_calibration.py measured
// (docs/statistics.md). The machine may change between the two experiments.

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "core/statistics.h"
#include "derive/compare/verdict.h"

namespace xsp::compare {
namespace {

constexpr std::size_t kModules = 6, kLayersOfModule = 10, kCalls = 30;

struct Noise {
  double process = 0.015;   ///< Standard deviation of the level of a process.
  double layer = 0.02;      ///< Of the level of a layer in its process.
  double call = 0.05;       ///< Of a layer's calls.
  double experiment = 0.0;  ///< By how much the second experiment is slower throughout.
};

/// Nodes in the order root-down: modules, each followed by its layers.
class SimulatedPair {
 public:
  SimulatedPair(std::uint32_t seed, const Noise& noise) : random_(seed), noise_(noise) {}

  /// Layers of module `slow` take (1 + planted) times as long on the second side.
  std::vector<NodeProcesses> Measure(std::size_t processes, std::size_t slow, double planted) {
    std::vector<NodeProcesses> nodes(kModules * (1 + kLayersOfModule));
    for (std::size_t i = 0; i < nodes.size(); ++i)
      nodes[i].is_work = i % (1 + kLayersOfModule) != 0;
    for (std::size_t process = 0; process < processes; ++process) {
      AddProcess(1, kModules, 0, nodes, &NodeProcesses::a);
      AddProcess(1 + noise_.experiment, slow, planted, nodes, &NodeProcesses::b);
    }
    return nodes;
  }

 private:
  double Factor(double deviation) { return std::exp(deviation * normal_(random_)); }

  std::vector<double> Calls(double level_ns) {
    std::vector<double> calls_ns;
    double state = normal_(random_);
    for (std::size_t call = 0; call < kCalls; ++call) {
      state = 0.5 * state + std::sqrt(0.75) * normal_(random_);
      const double outlier = random_() % 20 == 0 ? 10 : 1;  // Another program took the core.
      calls_ns.push_back(level_ns * std::exp(noise_.call * state) * outlier);
    }
    return calls_ns;
  }

  void AddProcess(double experiment, std::size_t slow, double planted,
                  std::vector<NodeProcesses>& nodes, std::vector<double> NodeProcesses::*side) {
    const double process = experiment * Factor(noise_.process);
    std::size_t node = 0;
    for (std::size_t module = 0; module < kModules; ++module) {
      std::vector<double>& of_module = nodes[node++].*side;
      of_module.push_back(0);
      for (std::size_t layer = 0; layer < kLayersOfModule; ++layer) {
        const double level_ns = 1000.0 * static_cast<double>(1 + layer) * process *
                                Factor(noise_.layer) * (module == slow ? 1 + planted : 1);
        const double typical_ns = core::TrimmedMean(Calls(level_ns));
        of_module.back() += typical_ns;
        (nodes[node++].*side).push_back(typical_ns);
      }
    }
  }

  std::mt19937 random_;
  std::normal_distribution<double> normal_;
  Noise noise_;
};

bool Claims(const NodeVerdict& node) {
  return node.verdict == Verdict::kFaster || node.verdict == Verdict::kSlower;
}

struct Counts {
  int wrong = 0;  ///< Trials in which any node is called different that is not.
  int found = 0;  ///< In which the module that is slower is called so.
};

/// `slow`: kModules: none.
Counts Count(int trials, std::size_t processes, std::size_t slow, double planted,
             const Noise& noise, const NodeRules& rules) {
  Counts counts;
  for (int trial = 0; trial < trials; ++trial) {
    SimulatedPair pair(static_cast<std::uint32_t>(trial + 1), noise);
    const auto verdicts = JudgeNodes(pair.Measure(processes, slow, planted), rules);
    bool is_wrong = false;
    for (std::size_t i = 0; i < verdicts.size(); ++i)
      is_wrong = is_wrong || (Claims(verdicts[i]) && i / (1 + kLayersOfModule) != slow);
    counts.wrong += is_wrong;
    if (slow < kModules)
      counts.found += verdicts[slow * (1 + kLayersOfModule)].verdict == Verdict::kSlower;
  }
  return counts;
}

constexpr NodeRules kTimes{{}, NodeEvidence::kTimes}, kTogether{{}, NodeEvidence::kEither},
    kOneAfterTheOther{{}, NodeEvidence::kAgainstRest};

TEST(NodeCalibration, OfEqualSidesSeldomClaimsANode) {
  for (const std::size_t processes : {std::size_t{3}, std::size_t{10}}) {
    EXPECT_LE(Count(200, processes, kModules, 0, {}, kTogether).wrong, 15) << processes;
    EXPECT_LE(Count(200, processes, kModules, 0, {}, kOneAfterTheOther).wrong, 15) << processes;
  }
}

// What a machine that became slower does to all nodes is no difference of any of them; without the
// rule it is called one of many.
TEST(NodeCalibration, OfAMachineThatChangedBetweenTheSidesSeldomClaimsANode) {
  const Noise changed{.process = 0.005, .experiment = 0.05};
  EXPECT_LE(Count(200, 10, kModules, 0, changed, kOneAfterTheOther).wrong, 15);
  EXPECT_GT(Count(200, 10, kModules, 0, changed, kTogether).wrong, 100);
}

TEST(NodeCalibration, FindsASlowerModuleOfTenProcesses) {
  const Noise quiet{.process = 0.01};
  for (const double planted : {0.03, 0.05, 0.10}) {
    const Counts together = Count(100, 10, 2, planted, quiet, kTogether);
    EXPECT_GE(together.found, 90) << planted;
    EXPECT_LE(together.wrong, 8) << planted;
    const Counts apart = Count(100, 10, 2, planted, quiet, kOneAfterTheOther);
    EXPECT_GE(apart.found, 90) << planted;
    EXPECT_LE(apart.wrong, 8) << planted;
  }
}

TEST(NodeCalibration, ProvesEquivalenceOnlyWithinTheBound) {
  const Noise quiet{.process = 0.005, .layer = 0.005};
  int wrong = 0, proved = 0;
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    SimulatedPair pair(seed, quiet);
    const auto verdicts = JudgeNodes(pair.Measure(10, 2, 0.03), {0.02, NodeEvidence::kTimes});
    wrong += verdicts[2 * (1 + kLayersOfModule)].verdict == Verdict::kEquivalent;
    proved += verdicts[0].verdict == Verdict::kEquivalent;
  }
  EXPECT_LE(wrong, 5);
  EXPECT_GE(proved, 90);
}

}  // namespace
}  // namespace xsp::compare
