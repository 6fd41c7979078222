#include "derive/compare/latency.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "store/nullable.h"

namespace xsp::compare {
namespace {

constexpr double kSignificance = 0.05;

std::vector<double> CallsOf(const std::vector<std::vector<double>>& blocks) {
  std::vector<double> calls;
  for (const auto& block : blocks) calls.insert(calls.end(), block.begin(), block.end());
  return calls;
}

std::vector<double> AllCalls(const MeasuredPoint& point) {
  std::vector<double> all;
  for (const auto& process : point.processes) {
    const auto calls = CallsOf(process);
    all.insert(all.end(), calls.begin(), calls.end());
  }
  return all;
}

std::vector<std::vector<double>> BlockMeans(Processes processes) {
  std::vector<std::vector<double>> means;
  for (const auto& process : processes) {
    auto& of_process = means.emplace_back();
    for (const auto& block : process) of_process.push_back(core::TrimmedMean(block));
  }
  return means;
}

std::string VerdictText(double adjusted_p, double ratio, std::size_t processes) {
  if (processes < 2) return "not told (one process)";
  if (!(adjusted_p < kSignificance)) return "no difference found";
  return ratio < 1 ? "faster" : "slower";
}

void AddGroup(const Group& group, std::vector<store::ComparisonRow>& rows) {
  struct Pair {
    std::size_t a, b;
    core::ProcessRatio found;
  };
  std::vector<Pair> pairs;
  std::vector<double> p_values;
  for (std::size_t a = 0; a < group.size(); ++a) {
    for (std::size_t b = a + 1; b < group.size(); ++b) {
      pairs.push_back({a, b, LatencyRatio(group[a].processes, group[b].processes)});
      // Without a second process nothing is claimed, and nothing is to be adjusted for.
      const double p = pairs.back().found.p;
      p_values.push_back(std::isnan(p) ? 1 : p);
    }
  }
  const std::vector<double> adjusted = AdjustedByHolm(p_values);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const core::Estimate& found = pairs[i].found.ratio;
    for (const bool swapped : {false, true}) {
      const MeasuredPoint& point = group[swapped ? pairs[i].b : pairs[i].a];
      const MeasuredPoint& against = group[swapped ? pairs[i].a : pairs[i].b];
      // One interval for both directions, so that they cannot contradict each other.
      const double ratio = swapped ? 1 / found.centre : found.centre;
      const core::Interval interval =
          swapped ? core::Interval{1 / found.interval.high, 1 / found.interval.low}
                  : found.interval;
      const double delta = core::CliffsDelta(AllCalls(point), AllCalls(against));
      rows.push_back(
          {.point_id = point.point_id,
           .against_point_id = against.point_id,
           .ratio = ratio,
           .ratio_low = store::NumberOrNull(interval.low),
           .ratio_high = store::NumberOrNull(interval.high),
           .p_value = adjusted[i],
           .cliffs_delta = delta,
           .magnitude = std::string(core::CliffsMagnitude(delta)),
           .processes = static_cast<std::int64_t>(point.processes.size()),
           .verdict = VerdictText(adjusted[i], ratio,
                                  std::min(point.processes.size(), against.processes.size()))});
    }
  }
}

}  // namespace

double Latency(Processes processes) {
  std::vector<double> means;
  for (const auto& process : processes) means.push_back(core::TrimmedMean(CallsOf(process)));
  return core::Mean(means);
}

core::ProcessRatio LatencyRatio(Processes a, Processes b) {
  return core::CompareProcesses(BlockMeans(a), BlockMeans(b));
}

std::vector<double> AdjustedByHolm(std::span<const double> p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  std::vector<double> adjusted(p_values.size());
  double largest = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const double scaled = p_values[order[rank]] * static_cast<double>(order.size() - rank);
    largest = std::max(largest, std::min(scaled, 1.0));
    adjusted[order[rank]] = largest;
  }
  return adjusted;
}

std::vector<store::ComparisonRow> CompareLatencies(const std::vector<Group>& groups) {
  std::vector<store::ComparisonRow> rows;
  for (const Group& group : groups) AddGroup(group, rows);
  return rows;
}

}  // namespace xsp::compare
