#include "harness/warmup.h"

#include <algorithm>
#include <cmath>
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

}  // namespace xsp::worker
