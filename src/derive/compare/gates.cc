#include "derive/compare/gates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace xsp::compare {
namespace {

constexpr std::size_t kMaxNodes = 5;
/// More than anyone measures for one gate.
constexpr double kMaxSuggestedProcesses = 100;
/// Ratios and limits are rounded: one at its limit is within.
constexpr double kRounding = 1e-9;

/// Facts that a machine has and a change of the program has not.
constexpr std::array<std::string_view, 5> kMachineFacts = {"device", "gpu", "cpu", "cores",
                                                           "clocks"};

bool AreSameRun(const Side& a, const Side& b) {
  return a.source.experiment == b.source.experiment && a.run.run_id == b.run.run_id &&
         a.source.run_id == b.source.run_id;
}

/// What holds for all gates of a pair.
struct PairConditions {
  std::optional<double> noise = {};
  bool is_same_run = false;
  std::string unlike = {};  ///< Why the sides cannot be judged; empty: they can.
  std::string busy = {};    ///< The side that was measured on a busy machine; empty: none.
};

std::string WhyUnlike(const Comparability& comparable) {
  if (comparable.verdict == Comparable::kNot) return comparable.reason;
  for (const SideDifference& difference : comparable.differences)
    if (std::ranges::find(kMachineFacts, difference.what) != kMachineFacts.end())
      return fmt::format(
          "the sides were measured on different machines ({}: {} | {}): measure both "
          "on one",
          difference.what, difference.a, difference.b);
  return {};
}

PairConditions FindConditions(const Sides& sides, const ComparedSides& compared,
                              std::optional<double> noise) {
  PairConditions conditions{.noise = noise, .is_same_run = AreSameRun(sides.a, sides.b)};
  conditions.unlike = WhyUnlike(compared.comparable);
  // Sides that alternated had the same interference.
  if (!WereMeasuredTogether(sides)) {
    if (sides.b.was_busy) conditions.busy = sides.b.source.name;
    if (sides.a.was_busy) conditions.busy = sides.a.source.name;
  }
  return conditions;
}

std::string Percent(double share) { return fmt::format("{:.3g} %", 100 * share); }

/// The interval in which the ratio of the worse direction lies.
struct WorseRatio {
  double centre, low, high;
};

/// How many processes of each side would decide, at the spread of those measured; 0: too many.
int SuggestedProcesses(const WorseRatio& worse, double limit, std::size_t processes) {
  const double half = 0.5 * (std::log(worse.high) - std::log(worse.low));
  const double distance = std::abs(std::log(worse.centre) - std::log(limit));
  const double wanted = std::ceil(static_cast<double>(processes) * std::pow(half / distance, 2));
  return wanted <= kMaxSuggestedProcesses ? static_cast<int>(wanted) : 0;
}

/// Why an interval that holds the limit decides nothing, and what would.
std::string WhyUndecided(const Gate& gate, const GateRatio& value, const WorseRatio& worse,
                         double limit, std::optional<double> assumed) {
  std::string text =
      worse.low > 1
          ? fmt::format("worse, but not certainly by more than {}", Percent(gate.limit))
          : fmt::format("not certainly within {}, and not certainly worse", Percent(gate.limit));
  if (assumed)
    return text + fmt::format("; the interval has the assumed noise of {}", Percent(*assumed));
  if (value.is_of_sessions)
    return text +
           "; the interval has what other sessions differ by: `xsp run --against` measures both "
           "sides alternately";
  const int wanted = SuggestedProcesses(worse, limit, value.processes);
  if (wanted > static_cast<int>(value.processes))
    return text + fmt::format("; about {} processes of each side would decide (--processes {})",
                              wanted, wanted);
  return text + fmt::format("; {} processes cannot decide a difference this close to the limit",
                            value.processes);
}

/// What is to be done where the noise of a value is not known.
std::string WhyNoiseUnknown(const GateRatio& value, const PairConditions& conditions) {
  if (value.low && !conditions.busy.empty())
    return fmt::format(
        "the machine was busy while {} was measured: measure again, both sides one "
        "after the other on one quiet machine, or assume a noise (--gate-noise)",
        conditions.busy);
  return "what two processes of one program differ by is not known: measure several of each side "
         "(--processes 5), or assume a noise (--gate-noise)";
}

/// The ratio in the worse direction with its interval; nothing: none is known.
std::optional<WorseRatio> WorseOf(const Gate& gate, GateRatio& value,
                                  const PairConditions& conditions,
                                  std::optional<double>& assumed) {
  double low = *value.ratio, high = *value.ratio;
  const bool is_known = value.is_exact || (value.low && value.high);
  if (is_known && !value.is_exact) {
    low = *value.low;
    high = *value.high;
  }
  const bool is_trusted = is_known && (conditions.busy.empty() || !value.is_time);
  if (!is_trusted) {
    if (!conditions.noise) return std::nullopt;
    assumed = conditions.noise;
    low /= 1 + *assumed;
    high *= 1 + *assumed;
    value.low = low;
    value.high = high;
  }
  if (gate.metric == GateMetric::kThroughput)
    return WorseRatio{1 / *value.ratio, 1 / high, 1 / low};
  return WorseRatio{*value.ratio, low, high};
}

/// A value that the first side has none of.
void JudgeFromNothing(GateResult& result) {
  const bool is_more = *result.value.b > 0;
  result.outcome = is_more ? GateOutcome::kRegression : GateOutcome::kPass;
  result.reason = is_more ? "the first side has nothing of it" : "neither side has anything of it";
}

GateResult JudgeValue(const Gate& gate, GateRatio value, const PairConditions& conditions) {
  GateResult result{.gate = gate, .value = std::move(value)};
  GateRatio& found = result.value;
  if (!found.missing.empty()) {
    result.reason = found.missing;
    return result;
  }
  if (conditions.is_same_run) {
    found.ratio = found.low = found.high = 1;
    result.outcome = GateOutcome::kPass;
    result.reason = "both sides are the same run";
    return result;
  }
  if (!conditions.unlike.empty()) {
    result.reason = conditions.unlike;
    return result;
  }
  if (!found.ratio || *found.ratio <= 0) {
    if (found.a && found.b && *found.a == 0) {
      JudgeFromNothing(result);
    } else {
      result.outcome = *found.b == 0 ? GateOutcome::kPass : GateOutcome::kInconclusive;
      result.reason = *found.b == 0 ? "the second side has nothing of it" : "no ratio is known";
    }
    return result;
  }
  std::optional<double> assumed;
  const std::optional<WorseRatio> worse = WorseOf(gate, found, conditions, assumed);
  if (!worse) {
    result.reason = WhyNoiseUnknown(found, conditions);
    return result;
  }
  const double limit =
      gate.metric == GateMetric::kThroughput ? 1 / (1 - gate.limit) : 1 + gate.limit;
  if (worse->high <= limit * (1 + kRounding)) {
    result.outcome = GateOutcome::kPass;
  } else if (worse->low > limit * (1 + kRounding)) {
    result.outcome = GateOutcome::kRegression;
  } else {
    result.reason = WhyUndecided(gate, found, *worse, limit, assumed);
    return result;
  }
  if (assumed) result.reason = fmt::format("with an assumed noise of {}", Percent(*assumed));
  return result;
}

/// How much worse the second side is, for ordering.
double Worseness(const GateResult& result) {
  if (!result.value.ratio)
    return result.value.missing.empty() ? std::numeric_limits<double>::max() : 0;
  const double ratio = *result.value.ratio;
  return result.gate.metric == GateMetric::kThroughput ? 1 / ratio : ratio;
}

bool IsTimeOfRows(GateMetric metric) {
  return metric != GateMetric::kMemory && metric != GateMetric::kEnergy;
}

/// Names what took more time, where the second side is worse and the gate did not pass.
void AddNodes(const ComparedSides& compared, GateValues& values, GateResult& result) {
  const bool is_worse = Worseness(result) > 1;
  if (result.outcome == GateOutcome::kPass || !is_worse || !IsTimeOfRows(result.gate.metric))
    return;
  std::optional<std::vector<std::size_t>> rows;
  if (result.gate.metric >= GateMetric::kLayer)
    rows = FindGateRows(compared.trees, result.gate).rows;
  const bool are_rows = rows && result.gate.metric != GateMetric::kModule;
  // None where the runs with profiling show nothing of what the calls without it do.
  result.nodes = LargestIncreases(compared.trees, values.TimesOfA(), values.TimesOfB(),
                                  are_rows ? *rows : LeavesBelow(compared.trees, rows), kMaxNodes);
}

}  // namespace

std::string_view ToString(GateOutcome outcome) {
  switch (outcome) {
    case GateOutcome::kPass:
      return "pass";
    case GateOutcome::kInconclusive:
      return "inconclusive";
    case GateOutcome::kRegression:
      return "regression";
  }
  return "";
}

std::vector<GateResult> JudgeGates(const Sides& sides, const ComparedSides& compared,
                                   const SideMeasures& a, const SideMeasures& b,
                                   std::span<const Gate> gates, std::optional<double> noise) {
  GateValues values(sides, compared, a, b);
  const PairConditions conditions = FindConditions(sides, compared, noise);
  std::vector<GateResult> results;
  for (const Gate& gate : gates) {
    std::vector<GateResult> candidates;
    for (GateRatio& value : values.Of(gate))
      candidates.push_back(JudgeValue(gate, std::move(value), conditions));
    const auto worst = std::ranges::max_element(candidates, {}, [](const GateResult& result) {
      return std::pair(result.outcome, Worseness(result));
    });
    AddNodes(compared, values, *worst);
    results.push_back(std::move(*worst));
  }
  return results;
}

GateOutcome WorstOutcome(std::span<const GateResult> results) {
  GateOutcome worst = GateOutcome::kPass;
  for (const GateResult& result : results) worst = std::max(worst, result.outcome);
  return worst;
}

}  // namespace xsp::compare
