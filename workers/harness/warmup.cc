#include "harness/warmup.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace xsp::worker {
namespace {

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::vector<double> Values(std::span<const std::uint64_t> values) {
  return {values.begin(), values.end()};
}

/// Standard error of the difference of two medians of windows like this one, from its median
/// absolute deviation as of a normal distribution.
double Noise(const std::vector<double>& window, double median) {
  std::vector<double> deviations;
  for (const double value : window) deviations.push_back(std::abs(value - median));
  constexpr double kSigmaOfMad = 1.4826, kMedianOverMean = 1.2533;
  return kSigmaOfMad * kMedianOverMean * Median(deviations) *
         std::sqrt(2 / static_cast<double>(window.size()));
}

/// Calls of a window: the rule's, of slow models as many as take a second.
std::size_t WindowOf(std::span<const std::uint64_t> durations_ns, const WarmupRule& rule) {
  constexpr std::size_t kMinCalls = 2, kWindowNs = 1'000'000'000;
  const auto most = static_cast<std::size_t>(rule.window);
  const std::uint64_t call_ns = std::max<std::uint64_t>(durations_ns.back(), 1);
  return std::clamp<std::size_t>(kWindowNs / call_ns, std::min(kMinCalls, most), most);
}

}  // namespace

bool Settled(std::span<const std::uint64_t> durations_ns, const WarmupRule& rule) {
  if (durations_ns.empty()) return false;
  const std::size_t window = WindowOf(durations_ns, rule);
  if (durations_ns.size() < 2 * window) return false;
  const auto last_two = durations_ns.last(2 * window);
  const std::vector<double> later = Values(last_two.last(window));
  const double before = Median(Values(last_two.first(window))), after = Median(later);
  return before - after <= std::max(rule.tolerance * before, Noise(later, after));
}

bool LimitReached(std::span<const std::uint64_t> durations_ns, const WarmupRule& rule) {
  constexpr std::size_t kFewest = 3;
  if (durations_ns.size() >= static_cast<std::size_t>(rule.max_calls)) return true;
  if (rule.max_seconds <= 0 || durations_ns.size() < kFewest) return false;
  const auto sum_ns = std::accumulate(durations_ns.begin(), durations_ns.end(), std::uint64_t{0});
  return static_cast<double>(sum_ns) >= rule.max_seconds * 1e9;
}

std::uint64_t WarmLatency(std::span<const std::uint64_t> durations_ns, const WarmupRule& rule) {
  if (durations_ns.empty()) return 0;
  const std::size_t calls = std::min(WindowOf(durations_ns, rule), durations_ns.size());
  return static_cast<std::uint64_t>(Median(Values(durations_ns.last(calls))));
}

}  // namespace xsp::worker
