#include "compare/latency.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <string>

namespace xsp::compare {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr double kSignificance = 0.05;
constexpr int kResamples = 2000;

using Processes = std::span<const std::vector<double>>;

/// One resample: processes drawn with replacement, then calls of each.
double ResampledLatency(Processes processes, std::mt19937_64& random,
                        std::vector<double>& scratch) {
  const auto draw = [&](std::size_t count) {
    return static_cast<std::size_t>(random() % count);  // Biased by 2^-58 for counts like these.
  };
  double sum = 0;
  for (std::size_t i = 0; i < processes.size(); ++i) {
    const std::vector<double>& process = processes[draw(processes.size())];
    scratch.resize(process.size());
    for (double& value : scratch) value = process[draw(process.size())];
    sum += base::TrimmedMean(scratch);
  }
  return sum / static_cast<double>(processes.size());
}

bool IsEmpty(Processes processes) {
  return processes.empty() || std::any_of(processes.begin(), processes.end(),
                                          [](const auto& process) { return process.empty(); });
}

std::vector<double> AllCalls(const MeasuredPoint& point) {
  std::vector<double> all;
  for (const auto& process : point.processes) all.insert(all.end(), process.begin(), process.end());
  return all;
}

std::string Verdict(double p, const base::Interval& ratio, std::size_t processes) {
  if (processes < 2) return "not told (one process)";
  if (p >= kSignificance || !(ratio.low > 1 || ratio.high < 1)) return "no difference found";
  return ratio.high < 1 ? "faster" : "slower";
}

void AddGroup(const Group& group, store::Table& table) {
  struct Pair {
    std::size_t a, b;
    base::MannWhitney test;
  };
  std::vector<Pair> pairs;
  std::vector<double> p_values;
  for (std::size_t a = 0; a < group.size(); ++a) {
    for (std::size_t b = a + 1; b < group.size(); ++b) {
      const auto calls_a = AllCalls(group[a]), calls_b = AllCalls(group[b]);
      pairs.push_back({a, b, base::MannWhitneyU(calls_a, calls_b)});
      p_values.push_back(pairs.back().test.p);
    }
  }
  const std::vector<double> adjusted = AdjustedByHolm(p_values);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const base::Interval interval =
        LatencyRatioInterval(group[pairs[i].a].processes, group[pairs[i].b].processes);
    for (const bool swapped : {false, true}) {
      const MeasuredPoint& point = group[swapped ? pairs[i].b : pairs[i].a];
      const MeasuredPoint& against = group[swapped ? pairs[i].a : pairs[i].b];
      // One interval for both directions, so that they cannot contradict each other.
      const base::Interval ratio =
          swapped ? base::Interval{1 / interval.high, 1 / interval.low} : interval;
      const double delta = base::CliffsDelta(AllCalls(point), AllCalls(against));
      table.rows.push_back(
          {point.point_id, against.point_id, Latency(point.processes) / Latency(against.processes),
           ratio.low, ratio.high, adjusted[i], delta, std::string(base::CliffsMagnitude(delta)),
           static_cast<std::int64_t>(point.processes.size()),
           Verdict(adjusted[i], ratio,
                   std::min(point.processes.size(), against.processes.size()))});
    }
  }
}

}  // namespace

double Latency(Processes processes) {
  if (IsEmpty(processes)) return kUnknown;
  double sum = 0;
  for (const auto& process : processes) sum += base::TrimmedMean(process);
  return sum / static_cast<double>(processes.size());
}

base::Interval LatencyRatioInterval(Processes a, Processes b) {
  if (IsEmpty(a) || IsEmpty(b)) return {kUnknown, kUnknown};
  std::mt19937_64 random(base::kBootstrapSeed);
  std::vector<double> ratios, scratch;
  for (int i = 0; i < kResamples; ++i) {
    const double numerator = ResampledLatency(a, random, scratch);
    ratios.push_back(numerator / ResampledLatency(b, random, scratch));
  }
  return {base::Percentile(ratios, 2.5), base::Percentile(ratios, 97.5)};
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

store::Table CompareLatencies(const std::vector<Group>& groups) {
  store::Table table;
  table.columns = {"point_id", "against_point_id", "ratio",     "ratio_low", "ratio_high",
                   "p_value",  "cliffs_delta",     "magnitude", "processes", "verdict"};
  for (const Group& group : groups) AddGroup(group, table);
  return table;
}

}  // namespace xsp::compare
