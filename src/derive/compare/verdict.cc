#include "derive/compare/verdict.h"

#include <algorithm>
#include <cmath>

namespace xsp::compare {
namespace {

constexpr double kLargestP = 0.05;

NodeRatio RatioOf(const core::ProcessRatio& found) {
  return {found.ratio.centre, found.ratio.interval.low, found.ratio.interval.high};
}

struct TestedNode {
  std::size_t index;  ///< Of the node.
  core::ProcessRatio times;
  double p;  ///< By the evidence that is asked for.
};

/// P value of the relative times; 1 where they differ in another direction than the times do.
double RelativeP(const core::ProcessRatio& relative, const core::ProcessRatio& times) {
  // The node that is the median of all differs by rounding only, without any variance.
  constexpr double kRounding = 1e-9;
  const double log = std::log(relative.ratio.centre);
  const bool is_same_direction = (log > 0) == (times.ratio.centre > 1);
  return std::abs(log) > kRounding && is_same_direction ? relative.p : 1;
}

/// Compares each node that can be tested, and notes the ratios in `verdicts`.
std::vector<TestedNode> TestNodes(std::span<const NodeProcesses> nodes, NodeEvidence evidence,
                                  std::vector<NodeVerdict>& verdicts) {
  const bool uses_rest = evidence != NodeEvidence::kTimes;
  const CommonFactors factors = uses_rest ? FindCommonFactors(nodes) : CommonFactors();
  std::vector<TestedNode> tested;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const core::ProcessRatio times = CompareProcessesOf(nodes[i]);
    if (std::isnan(times.p)) continue;
    TestedNode& node = tested.emplace_back(TestedNode{i, times, times.p});
    verdicts[i].times = RatioOf(times);
    if (!uses_rest) continue;
    const core::ProcessRatio relative = CompareProcessesOf(WithoutCommonFactors(nodes[i], factors));
    verdicts[i].relative = RatioOf(relative);
    node.p = RelativeP(relative, times);
    if (evidence == NodeEvidence::kEither) node.p = std::min(2 * std::min(node.p, times.p), 1.0);
  }
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
  return bound ? Verdict::kInconclusive : Verdict::kNoDifference;
}

std::vector<NodeVerdict> JudgeNodes(std::span<const NodeProcesses> nodes, const NodeRules& rules) {
  std::vector<NodeVerdict> verdicts(nodes.size());
  const std::vector<TestedNode> tested = TestNodes(nodes, rules.evidence, verdicts);
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
    if (verdict == Verdict::kNoDifference && rules.evidence == NodeEvidence::kAgainstRest &&
        of_times[k] < kLargestP)
      verdict = Verdict::kInconclusive;
  }
  return verdicts;
}

}  // namespace xsp::compare
