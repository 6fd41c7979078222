#include "harness/warmup.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace xsp::worker {
namespace {

double Median(std::span<const std::uint64_t> values) {
  std::vector<std::uint64_t> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  const auto upper = static_cast<double>(sorted[middle]);
  return sorted.size() % 2 ? upper : (static_cast<double>(sorted[middle - 1]) + upper) / 2;
}

}  // namespace

bool Settled(std::span<const std::uint64_t> durations_ns, const WarmupRule& rule) {
  const auto window = static_cast<std::size_t>(rule.window);
  if (durations_ns.size() < 2 * window) return false;
  const auto last_two = durations_ns.last(2 * window);
  const double before = Median(last_two.first(window));
  const double after = Median(last_two.last(window));
  return std::abs(after - before) <= rule.tolerance * before;
}

bool LimitReached(std::span<const std::uint64_t> durations_ns, const WarmupRule& rule) {
  constexpr std::size_t kFewest = 3;
  if (durations_ns.size() >= static_cast<std::size_t>(rule.max_calls)) return true;
  if (rule.max_seconds <= 0 || durations_ns.size() < kFewest) return false;
  const auto sum_ns = std::accumulate(durations_ns.begin(), durations_ns.end(), std::uint64_t{0});
  return static_cast<double>(sum_ns) >= rule.max_seconds * 1e9;
}

}  // namespace xsp::worker
