#include "derive/compare/verdict.h"

#include <cmath>
#include <limits>

#include "derive/compare/latency.h"

namespace xsp::compare {
namespace {

constexpr double kLargestP = 0.05;

/// One block of one value for each process with a time.
std::vector<std::vector<double>> BlocksOf(const std::vector<double>& processes) {
  std::vector<std::vector<double>> blocks;
  for (const double time_ns : processes)
    if (time_ns > 0) blocks.push_back({time_ns});
  return blocks;
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

std::vector<Verdict> JudgeNodes(std::span<const NodeProcesses> nodes, std::optional<double> bound) {
  std::vector<Verdict> verdicts(nodes.size(), Verdict::kUnknownNoise);
  std::vector<std::size_t> tested;
  std::vector<core::ProcessRatio> ratios;
  std::vector<double> p_values;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto a = BlocksOf(nodes[i].a), b = BlocksOf(nodes[i].b);
    if (a.size() < 2 || b.size() < 2) continue;
    const core::ProcessRatio ratio = core::CompareProcesses(b, a);
    if (std::isnan(ratio.p)) continue;
    tested.push_back(i);
    ratios.push_back(ratio);
    p_values.push_back(ratio.p);
  }
  const std::vector<double> adjusted = AdjustedByHolm(p_values);
  for (std::size_t k = 0; k < tested.size(); ++k)
    verdicts[tested[k]] = Judge(ratios[k], adjusted[k], bound);
  return verdicts;
}

}  // namespace xsp::compare
