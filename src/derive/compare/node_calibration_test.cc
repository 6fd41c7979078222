// How often verdicts on nodes are right, on simulated processes with what real ones differ in: a
// level of the whole process, a level of each layer in it, and calls that resemble their neighbours
// (lag-1 autocorrelation 0.5). bench/node_calibration.py does the same with real ones.

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "derive/compare/call_slowness.h"
#include "derive/compare/typical_times.h"
#include "derive/compare/verdict.h"

namespace xsp::compare {
namespace {

constexpr std::size_t kModules = 6, kLayersOfModule = 10, kCalls = 30;

struct Noise {
  double process = 0.01;    ///< Standard deviation of the level of a process.
  double layer = 0.015;     ///< Of the level of a layer in its process.
  double call = 0.05;       ///< Of a layer's calls.
  double experiment = 0.0;  ///< By how much the second experiment is slower throughout.
  /// By how much calls are slower while another program uses the processor: intervals of calls, of
  /// which each process has its own share. Kinds of layers suffer from half of it to one and a half
  /// times.
  double others = 0.0;
};

/// Modules, each followed by its layers.
class SimulatedPair {
 public:
  SimulatedPair(std::uint32_t seed, const Noise& noise) : random_(seed), noise_(noise) {}

  /// Layers of module `slow` take (1 + planted) times as long on the second side. Not
  /// `knows_slopes`: all have slope 1.
  std::vector<NodeProcesses> Measure(std::size_t processes, std::size_t slow, double planted,
                                     bool knows_slopes) {
    std::vector<NodeProcesses> nodes(kModules * (1 + kLayersOfModule));
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      nodes[i].is_work = i % (1 + kLayersOfModule) != 0;
      if (nodes[i].is_work)
        nodes[i].parent = static_cast<std::int32_t>(i - i % (1 + kLayersOfModule));
    }
    for (std::size_t process = 0; process < processes; ++process) {
      AddProcess(1, kModules, 0, nodes, &NodeProcesses::a);
      AddProcess(1 + noise_.experiment, slow, planted, nodes, &NodeProcesses::b);
    }
    if (knows_slopes)
      for (std::size_t i = 0; i < nodes.size(); ++i)
        nodes[i].slope = SlopeOf(with_slowness_[i], slowness_squares_);
    return nodes;
  }

 private:
  double Factor(double deviation) { return std::exp(deviation * normal_(random_)); }

  /// Whether another program uses the processor, in each call.
  std::vector<bool> Others() {
    const double share = uniform_(random_);
    std::vector<bool> others(kCalls, false);
    if (noise_.others == 0) return others;
    for (std::size_t call = 0; call < kCalls; ++call) {
      const bool is_new_interval = call == 0 || random_() % 10 == 0;
      others[call] = is_new_interval ? uniform_(random_) < share : others[call - 1];
    }
    return others;
  }

  /// `slope`: of what others add the part that the layer suffers.
  std::vector<double> Calls(double level_ns, const std::vector<bool>& others, double slope) {
    std::vector<double> calls_ns;
    calls_ns.reserve(kCalls);
    double state = normal_(random_);
    for (std::size_t call = 0; call < kCalls; ++call) {
      state = 0.5 * state + std::sqrt(0.75) * normal_(random_);
      const double outlier = random_() % 20 == 0 ? 10 : 1;  // Another program took the core.
      const double slower = others[call] ? 1 + slope * noise_.others : 1;
      calls_ns.push_back(level_ns * std::exp(noise_.call * state) * outlier * slower);
    }
    return calls_ns;
  }

  void AddProcess(double experiment, std::size_t slow, double planted,
                  std::vector<NodeProcesses>& nodes, std::vector<double> NodeProcesses::*side) {
    const double process = experiment * Factor(noise_.process);
    const std::vector<bool> others = Others();
    std::vector<std::vector<double>> calls_ns(nodes.size());
    std::vector<std::span<const double>> work_ns;
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      const std::size_t module = node / (1 + kLayersOfModule), layer = node % (1 + kLayersOfModule);
      if (layer == 0) continue;
      const double level_ns = 1000.0 * static_cast<double>(layer) * process * Factor(noise_.layer) *
                              (module == slow ? 1 + planted : 1);
      calls_ns[node] = Calls(level_ns, others, 0.5 + 0.5 * static_cast<double>(module % 3));
      work_ns.emplace_back(calls_ns[node]);
    }
    AddTimes(FindTypicalTimes(calls_ns, CallSlowness(work_ns), 0), nodes, side);
  }

  /// The times of a process, and what they say about slopes.
  void AddTimes(TypicalTimes times, std::vector<NodeProcesses>& nodes,
                std::vector<double> NodeProcesses::*side) {
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      if (nodes[node].parent < 0) continue;
      const auto module = static_cast<std::size_t>(nodes[node].parent);
      times.own_ns[module] += times.own_ns[node];
      times.with_slowness_ns[module] += times.with_slowness_ns[node];
    }
    with_slowness_.resize(nodes.size(), 0);
    slowness_squares_ += times.slowness_squares;
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      (nodes[node].*side).push_back(times.own_ns[node]);
      with_slowness_[node] += times.with_slowness_ns[node] / times.own_ns[node];
    }
  }

  std::mt19937 random_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_;
  Noise noise_;
  std::vector<double> with_slowness_;
  double slowness_squares_ = 0;
};

bool Claims(const NodeVerdict& node) {
  return node.verdict == Verdict::kFaster || node.verdict == Verdict::kSlower;
}

struct Counts {
  int wrong = 0;       ///< Trials in which any node is called different that is not.
  int found = 0;       ///< In which the module that is slower is called so.
  int equivalent = 0;  ///< In which it is called equivalent.
};

struct Scenario {
  int trials;
  std::size_t processes;
  std::size_t slow;  ///< kModules: none.
  double planted;
  Noise noise = {};
  bool knows_slopes = true;
};

constexpr NodeRules kTimes{{}, NodeEvidence::kTimes, 0}, kTogether{{}, NodeEvidence::kEither, 0},
    kOneAfterTheOther{{}, NodeEvidence::kAgainstRest, 0};

/// The same trials by each of the rules.
std::vector<Counts> Count(const Scenario& scenario, const std::vector<NodeRules>& rules) {
  std::vector<Counts> counts(rules.size());
  for (int trial = 0; trial < scenario.trials; ++trial) {
    SimulatedPair pair(static_cast<std::uint32_t>(trial + 1), scenario.noise);
    const auto nodes =
        pair.Measure(scenario.processes, scenario.slow, scenario.planted, scenario.knows_slopes);
    for (std::size_t rule = 0; rule < rules.size(); ++rule) {
      const auto verdicts = JudgeNodes(nodes, rules[rule]);
      bool is_wrong = false;
      for (std::size_t i = 0; i < verdicts.size(); ++i)
        is_wrong = is_wrong || (Claims(verdicts[i]) && i / (1 + kLayersOfModule) != scenario.slow);
      counts[rule].wrong += is_wrong;
      if (scenario.slow == kModules) continue;
      const Verdict of_slow = verdicts[scenario.slow * (1 + kLayersOfModule)].verdict;
      counts[rule].found += of_slow == Verdict::kSlower;
      counts[rule].equivalent += of_slow == Verdict::kEquivalent;
    }
  }
  return counts;
}

TEST(NodeCalibration, OfEqualSidesSeldomClaimsANode) {
  const auto counts = Count({200, 5, kModules, 0}, {kTimes, kTogether, kOneAfterTheOther});
  for (const Counts& of_rule : counts) EXPECT_LE(of_rule.wrong, 15);
}

// What a machine that became slower does to all nodes is no difference of any of them; by their
// times alone it is.
TEST(NodeCalibration, OfAMachineThatChangedBetweenTheSidesSeldomClaimsANode) {
  const auto counts = Count({.trials = 100,
                             .processes = 10,
                             .slow = kModules,
                             .planted = 0,
                             .noise = {.process = 0.005, .experiment = 0.05}},
                            {kOneAfterTheOther, kTimes});
  EXPECT_LE(counts[0].wrong, 9);
  EXPECT_GT(counts[1].wrong, 90);
}

TEST(NodeCalibration, FindsASlowerModuleOfTenProcesses) {
  for (const double planted : {0.03, 0.05, 0.10}) {
    const auto counts = Count({50, 10, 2, planted}, {kTogether, kOneAfterTheOther});
    EXPECT_GE(counts[0].found, 45) << planted;
    // A change of a sixth of the nodes looks a little like a machine that changed.
    EXPECT_GE(counts[1].found, planted < 0.05 ? 40 : 45) << planted;
    for (const Counts& of_rule : counts) EXPECT_LE(of_rule.wrong, 6) << planted;
  }
}

TEST(NodeCalibration, FindsItWhereProcessesDifferMoreThroughout) {
  const Noise unequal{.process = 0.07};
  const auto counts = Count({50, 10, 2, 0.05, unequal}, {kTimes, kOneAfterTheOther});
  EXPECT_LT(counts[0].found, 25);
  EXPECT_GT(counts[1].found, 2 * counts[0].found);
  EXPECT_LE(counts[1].wrong, 6);
}

// A change as large as what layers differ by from process to process: half of its layers do not
// stand out, and must not pass for the rest.
TEST(NodeCalibration, ANoisyModuleThatIsSlowerMakesNoOtherFaster) {
  const Noise noisy{.layer = 0.05};
  const auto counts = Count({100, 10, 2, 0.05, noisy}, {kTogether, kOneAfterTheOther});
  EXPECT_GE(counts[0].found, 85);
  EXPECT_GE(counts[1].found, 50);
  for (const Counts& of_rule : counts) EXPECT_LE(of_rule.wrong, 9);
}

// Another program on the same processor slows some intervals of calls down by half, kinds of work
// unequally: what a process differs by throughout is not one factor.
TEST(NodeCalibration, FindsItWhereOthersUseTheProcessor) {
  const Noise others{.others = 0.5};
  for (const double planted : {0.05, 0.10}) {
    const auto counts = Count({50, 10, 2, planted, others}, {kTogether, kOneAfterTheOther});
    for (const Counts& of_rule : counts) {
      EXPECT_GE(of_rule.found, 45) << planted;
      EXPECT_LE(of_rule.wrong, 6) << planted;
    }
  }
  const auto equal = Count({100, 10, kModules, 0, others}, {kTogether, kOneAfterTheOther});
  for (const Counts& of_rule : equal) EXPECT_LE(of_rule.wrong, 9);
}

TEST(NodeCalibration, MissesItThereWithoutTheSlopesOfWork) {
  const auto counts = Count({.trials = 50,
                             .processes = 10,
                             .slow = 2,
                             .planted = 0.05,
                             .noise = {.others = 0.5},
                             .knows_slopes = false},
                            {kTogether, kOneAfterTheOther});
  for (const Counts& of_rule : counts) EXPECT_LT(of_rule.found, 10);
}

TEST(NodeCalibration, ProvesEquivalenceOnlyWithinTheBound) {
  const NodeRules within{0.02, NodeEvidence::kTimes, 0};
  const Noise quiet{.process = 0.004, .layer = 0.005};
  EXPECT_LE(Count({50, 10, 2, 0.03, quiet}, {within})[0].equivalent, 3);
  EXPECT_GE(Count({50, 10, 2, 0.00, quiet}, {within})[0].equivalent, 45);
}

}  // namespace
}  // namespace xsp::compare
