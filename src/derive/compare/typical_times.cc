#include "derive/compare/typical_times.h"

#include <cstddef>

#include "core/statistics.h"

namespace xsp::compare {
namespace {

struct TypicalTime {
  double own_ns = 0, with_slowness_ns = 0;
};

TypicalTime FindTypicalTime(std::span<const double> calls_ns, std::span<const double> slowness,
                            double tick_ns) {
  const double longest_ns = LongestTypicalTime(calls_ns, tick_ns);
  std::vector<double> typical_ns;
  for (const double call_ns : calls_ns)
    if (call_ns <= longest_ns) typical_ns.push_back(call_ns);
  TypicalTime found;
  if (typical_ns.empty()) return found;
  found.own_ns = core::Mean(typical_ns);
  for (std::size_t call = 0; call < calls_ns.size() && call < slowness.size(); ++call)
    if (calls_ns[call] <= longest_ns)
      found.with_slowness_ns += (calls_ns[call] - found.own_ns) * slowness[call];
  found.with_slowness_ns /= static_cast<double>(calls_ns.size());
  return found;
}

}  // namespace

double LongestTypicalTime(std::span<const double> calls_ns, double tick_ns) {
  constexpr double kOfWork = 3;
  return kOfWork * (core::TrimmedMean(calls_ns) + tick_ns);
}

TypicalTimes FindTypicalTimes(std::span<const std::vector<double>> calls_ns,
                              std::span<const double> slowness, double tick_ns) {
  TypicalTimes times;
  for (const std::vector<double>& of_node : calls_ns) {
    const TypicalTime found = FindTypicalTime(of_node, slowness, tick_ns);
    times.own_ns.push_back(found.own_ns);
    times.with_slowness_ns.push_back(found.with_slowness_ns);
  }
  for (const double of_call : slowness)
    times.slowness_squares += of_call * of_call / static_cast<double>(slowness.size());
  return times;
}

}  // namespace xsp::compare
