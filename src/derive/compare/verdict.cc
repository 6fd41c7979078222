#include "derive/compare/verdict.h"

#include <algorithm>
#include <cmath>

#include "core/distributions.h"
#include "core/statistics.h"

namespace xsp::compare {
namespace {

constexpr double kLargestP = 0.05;
constexpr double kTwice = 2;

NodeRatio RatioOf(const core::ProcessRatio& found) {
  return {found.ratio.centre, found.ratio.interval.low, found.ratio.interval.high};
}

struct TestedNode {
  std::size_t index;  ///< Of the node.
  core::ProcessRatio times;
  double p;               ///< By the evidence that is asked for.
  double ratio;           ///< Second over first, by the same evidence.
  double relative_p = 1;  ///< Of the relative times, in either direction.
};

/// The normal deviate, above 0, of a two-sided p value, and the reverse.
double DeviateOf(double p) {
  constexpr double kSmallest = 1e-300;
  return boost::math::quantile(
      boost::math::complement(core::Normal(), std::clamp(p, kSmallest, 1.0) / 2));
}
double POfDeviate(double deviate) {
  return 2 * boost::math::cdf(boost::math::complement(core::Normal(), deviate));
}

/// P value of the relative times; 1 where the times differ in the other direction.
double RelativeP(const core::ProcessRatio& relative, const core::ProcessRatio& times) {
  // The node that is the median of all differs by rounding only, without any variance.
  constexpr double kRounding = 1e-9;
  const double log = std::log(relative.ratio.centre);
  const core::Interval interval = times.ratio.interval;
  const bool is_contradicted = log > 0 ? interval.high < 1 : interval.low > 1;
  return std::abs(log) > kRounding && !is_contradicted ? relative.p : 1;
}

/// By its relative times, or by both.
void UseRest(const core::ProcessRatio& relative, NodeEvidence evidence, TestedNode& node) {
  const double p = RelativeP(relative, node.times);
  node.relative_p = relative.p;
  const bool tests_both = evidence == NodeEvidence::kEither;
  if (!tests_both || p < node.times.p) node.ratio = relative.ratio.centre;
  node.p = tests_both ? std::min(2 * std::min(p, node.times.p), 1.0) : p;
}

/// Widens p values between two experiments where most nodes differ by more than processes do: what
/// the machine changed between them differs by kind of work, too. The median of the squared normal
/// deviates over work is what it should be, 0.455, times an inflation that the few nodes that did
/// change do not move (empirical null, Efron 2004; genomic control, Devlin and Roeder 1999).
void Inflate(std::span<const NodeProcesses> nodes, std::vector<TestedNode>& tested) {
  constexpr double kMedianOfChiSquared = 0.4549;
  constexpr std::size_t kFewest = 20;  // Of fewer, chance alone moves the median by half.
  std::vector<double> squares;
  for (const TestedNode& node : tested)
    if (nodes[node.index].is_work) squares.push_back(std::pow(DeviateOf(node.relative_p), 2));
  if (squares.size() < kFewest) return;
  const double inflation = core::Median(squares) / kMedianOfChiSquared;
  if (inflation <= 1) return;
  for (TestedNode& node : tested) node.p = POfDeviate(DeviateOf(node.p) / std::sqrt(inflation));
}

double DifferenceNs(const NodeProcesses& node) {
  return std::abs(core::Mean(node.b) - core::Mean(node.a));
}

/// Compares each node that can be tested, and notes the ratios in `verdicts`.
std::vector<TestedNode> TestNodes(std::span<const NodeProcesses> nodes, const NodeRules& rules,
                                  std::vector<NodeVerdict>& verdicts) {
  const NodeEvidence evidence = rules.evidence;
  const bool uses_rest = evidence != NodeEvidence::kTimes;
  const CommonFactors factors = uses_rest ? FindCommonFactors(nodes) : CommonFactors();
  std::vector<TestedNode> tested;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const core::ProcessRatio of_processes = CompareProcessesOf(nodes[i]);
    // Times of a coarse clock can be the same in all processes, which is not what they vary by.
    const core::Interval interval = of_processes.ratio.interval;
    if (std::isnan(of_processes.p) || !(interval.high > interval.low)) continue;
    const core::ProcessRatio times = WidenedBySessions(of_processes, rules.sessions);
    TestedNode& node = tested.emplace_back(TestedNode{i, times, times.p, times.ratio.centre, 1});
    verdicts[i].times = RatioOf(times);
    if (!uses_rest) continue;
    const core::ProcessRatio relative = CompareProcessesOf(WithoutCommonFactors(nodes[i], factors));
    verdicts[i].relative = RatioOf(relative);
    UseRest(relative, evidence, node);
  }
  if (evidence == NodeEvidence::kAgainstRest) Inflate(nodes, tested);
  for (TestedNode& node : tested)
    if (nodes[node.index].is_work && DifferenceNs(nodes[node.index]) < rules.tick_ns) node.p = 1;
  return tested;
}

}  // namespace

std::string_view ToString(Verdict verdict) {
  switch (verdict) {
    case Verdict::kFaster:
      return "faster";
    case Verdict::kSlower:
      return "slower";
    case Verdict::kNoDifference:
      return "no_difference";
    case Verdict::kEquivalent:
      return "equivalent";
    case Verdict::kInconclusive:
      return "inconclusive";
    case Verdict::kUnknownNoise:
      return "unknown_noise";
  }
  return "";
}

Verdict Judge(const core::ProcessRatio& found, double p, std::optional<double> bound) {
  const core::Interval interval = found.ratio.interval;
  if (std::isnan(interval.low) || std::isnan(interval.high) || std::isnan(p))
    return Verdict::kUnknownNoise;
  if (bound && interval.low >= 1 / (1 + *bound) && interval.high <= 1 + *bound)
    return Verdict::kEquivalent;
  if (p < kLargestP) return found.ratio.centre < 1 ? Verdict::kFaster : Verdict::kSlower;
  const bool says_nothing = interval.low < 1 / kTwice && interval.high > kTwice;
  return bound || says_nothing ? Verdict::kInconclusive : Verdict::kNoDifference;
}

std::vector<NodeVerdict> JudgeNodes(std::span<const NodeProcesses> nodes, const NodeRules& rules) {
  std::vector<NodeVerdict> verdicts(nodes.size());
  const std::vector<TestedNode> tested = TestNodes(nodes, rules, verdicts);
  std::vector<double> p_values, p_of_times, weights;
  for (const TestedNode& node : tested) {
    p_values.push_back(node.p);
    p_of_times.push_back(node.times.p);
    weights.push_back(MeanTimeNs(nodes[node.index]));
  }
  const std::vector<double> adjusted = AdjustedByWeightedHolm(p_values, weights);
  const std::vector<double> of_times = AdjustedByWeightedHolm(p_of_times, weights);
  for (std::size_t k = 0; k < tested.size(); ++k) {
    Verdict& verdict = verdicts[tested[k].index].verdict;
    verdict = Judge(tested[k].times, adjusted[k], rules.bound);
    if (verdict == Verdict::kFaster || verdict == Verdict::kSlower)
      verdict = tested[k].ratio < 1 ? Verdict::kFaster : Verdict::kSlower;
    if (verdict == Verdict::kNoDifference && rules.evidence == NodeEvidence::kAgainstRest &&
        of_times[k] < kLargestP)
      verdict = Verdict::kInconclusive;
  }
  return verdicts;
}

}  // namespace xsp::compare
