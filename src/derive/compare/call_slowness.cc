#include "derive/compare/call_slowness.h"

#include <algorithm>
#include <cstddef>

#include "core/statistics.h"

namespace xsp::compare {
namespace {

struct WeightedRatio {
  double ratio, weight;
};

/// Mean of the half of the weight that has neither the smallest nor the largest ratios. 0: no
/// weight.
double InterquartileMean(std::vector<WeightedRatio> ratios) {
  std::sort(ratios.begin(), ratios.end(),
            [](const WeightedRatio& a, const WeightedRatio& b) { return a.ratio < b.ratio; });
  double weight = 0, below = 0, sum = 0, counted = 0;
  for (const WeightedRatio& ratio : ratios) weight += ratio.weight;
  for (const WeightedRatio& ratio : ratios) {
    const double from = std::max(below, 0.25 * weight);
    below += ratio.weight;
    const double inside = std::max(std::min(below, 0.75 * weight) - from, 0.0);
    sum += inside * ratio.ratio;
    counted += inside;
  }
  return counted > 0 ? sum / counted : 0;
}

}  // namespace

std::vector<double> CallSlowness(std::span<const std::span<const double>> leaves_ns) {
  constexpr double kFastPercent = 20;
  std::vector<std::vector<WeightedRatio>> calls;
  for (const std::span<const double> leaf_ns : leaves_ns) {
    calls.resize(std::max(calls.size(), leaf_ns.size()));
    const double fast_ns = core::Percentile(leaf_ns, kFastPercent);
    if (!(fast_ns > 0)) continue;
    for (std::size_t call = 0; call < leaf_ns.size(); ++call)
      if (leaf_ns[call] > 0) calls[call].push_back({leaf_ns[call] / fast_ns, fast_ns});
  }
  std::vector<double> slowness(calls.size(), 0);
  for (std::size_t call = 0; call < calls.size(); ++call)
    slowness[call] = InterquartileMean(std::move(calls[call]));
  std::vector<double> known;
  for (const double of_call : slowness)
    if (of_call > 0) known.push_back(of_call);
  const double mean = core::Mean(known);
  for (double& of_call : slowness) of_call = of_call > 0 ? of_call / mean - 1 : 0;
  return slowness;
}

}  // namespace xsp::compare
