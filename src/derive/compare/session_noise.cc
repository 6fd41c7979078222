#include "derive/compare/session_noise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/distributions.h"
#include "core/statistics.h"

namespace xsp::compare {

SessionNoise SessionNoiseOf(std::span<const std::vector<double>> latencies) {
  SessionNoise noise;
  double squares = 0;
  for (const std::vector<double>& program : latencies) {
    if (program.size() < 2) continue;
    std::vector<double> logs;
    for (const double latency : program) logs.push_back(std::log(latency));
    const double mean = core::Mean(logs);
    for (const double log : logs) squares += (log - mean) * (log - mean);
    noise.sessions += program.size();
    noise.degrees += program.size() - 1;
    const auto [smallest, largest] = std::ranges::minmax(program);
    noise.largest_ratio = std::max(noise.largest_ratio, largest / smallest);
  }
  if (noise.degrees > 0) noise.spread = std::sqrt(squares / static_cast<double>(noise.degrees));
  return noise;
}

core::ProcessRatio WidenedBySessions(const core::ProcessRatio& found, const SessionNoise& noise) {
  if (!noise.IsKnown() || std::isnan(found.ratio.interval.low) || !(noise.spread > 0)) return found;
  const core::StudentsT student(static_cast<double>(noise.degrees));
  const double error = std::sqrt(2.0) * noise.spread;
  const double half = boost::math::quantile(boost::math::complement(student, 0.025)) * error;
  const double log = std::log(found.ratio.centre);
  core::ProcessRatio widened = found;
  core::Interval& interval = widened.ratio.interval;
  interval.low = std::min(interval.low, std::exp(log - half));
  interval.high = std::max(interval.high, std::exp(log + half));
  const double p = 2 * boost::math::cdf(boost::math::complement(student, std::abs(log) / error));
  widened.p = std::max(found.p, p);
  return widened;
}

std::string DescribeSessionNoise(const SessionNoise& noise) {
  if (noise.IsKnown())
    return fmt::format(
        "the interval includes what {} other sessions of the same program on this machine differ "
        "by (standard deviation {:.2g} %)",
        noise.sessions, 100 * noise.spread);
  std::string text =
      "the sides were measured one after the other, and the interval holds within these two "
      "sessions only: ";
  if (noise.degrees > 0)
    text += fmt::format("two other sessions of one program differed by {:.3g} % on this machine",
                        100 * (noise.largest_ratio - 1));
  else
    text += "what two sessions of one program differ by on this machine is not known";
  return text +
         "; three other sessions in the store include it, and `xsp run --against` measures "
         "both sides alternately";
}

}  // namespace xsp::compare
