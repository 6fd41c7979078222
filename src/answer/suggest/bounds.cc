#include "answer/suggest/bounds.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "core/nearest_word.h"

namespace xsp::suggest {
namespace {

constexpr std::string_view kAccuracyPrefix = "accuracy.";

struct Unit {
  std::string_view name;
  double factor;  ///< To the metric's unit.
};

constexpr Unit kTimes[] = {{"ns", 1},   {"us", 1e3}, {"\u00b5s", 1e3},
                           {"ms", 1e6}, {"s", 1e9},  {"min", 60e9}};
constexpr Unit kRates[] = {{"/s", 1}, {"/min", 1.0 / 60}, {"/h", 1.0 / 3600}};
constexpr Unit kSizes[] = {{"B", 1},
                           {"kB", 1e3},
                           {"MB", 1e6},
                           {"GB", 1e9},
                           {"TB", 1e12},
                           {"KiB", 1024},
                           {"MiB", 1024 * 1024},
                           {"GiB", 1073741824.0},
                           {"TiB", 1099511627776.0}};
constexpr Unit kEnergies[] = {{"uJ", 1e-6}, {"mJ", 1e-3}, {"J", 1}, {"kJ", 1e3}, {"Wh", 3600}};
constexpr Unit kShares[] = {{"", 1}, {"%", 0.01}};
constexpr Unit kPlain[] = {{"", 1}};

std::span<const Unit> UnitsOf(const NamedMetric& metric) {
  switch (metric.metric) {
    case Metric::kLatency:
    case Metric::kLatencyP99:
      return kTimes;
    case Metric::kThroughput:
      return kRates;
    case Metric::kMemory:
      return kSizes;
    case Metric::kEnergy:
      return kEnergies;
    case Metric::kAccuracy:
      return metric.accuracy_metric == "bleu" ? std::span<const Unit>(kPlain) : kShares;
    case Metric::kCost:
      return kPlain;
  }
  return {};
}

std::string UnitNames(std::span<const Unit> units) {
  std::vector<std::string_view> names;
  for (const Unit& unit : units)
    if (!unit.name.empty()) names.push_back(unit.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

Error Wrong(std::string what, std::string hint) {
  return {ErrorKind::kUsage, std::move(what), std::move(hint), -1, "bound"};
}

/// The limit of "50ms" in the metric's unit.
Result<double> ParseLimit(const NamedMetric& metric, std::string_view text,
                          std::string_view whole) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
  if (error != std::errc() || !std::isfinite(number))
    return Wrong(fmt::format("a bound has no number: {}", whole), "For example: latency=50ms");
  const std::span<const Unit> units = UnitsOf(metric);
  const auto known = std::ranges::find(units, unit, &Unit::name);
  if (known == units.end()) {
    const std::string names = UnitNames(units);
    const std::string hint =
        names.empty() ? "It is a plain number." : fmt::format("Units: {}", names);
    return unit.empty() ? Wrong(fmt::format("a bound has no unit: {}", whole), hint)
                        : Wrong(fmt::format("a bound has an unknown unit: {}", whole), hint);
  }
  const double limit = number * known->factor;
  if (!(limit > 0)) return Wrong(fmt::format("a bound is not positive: {}", whole), "");
  const double highest = metric.accuracy_metric == "bleu" ? 100 : 1;
  if (metric.metric == Metric::kAccuracy && limit > highest)
    return Wrong(fmt::format("no accuracy is above {}: {}", highest, whole),
                 "It is a share, as 0.75 or 75%; of bleu a score up to 100.");
  return limit;
}

}  // namespace

Result<NamedMetric> ParseMetric(std::string_view text) {
  if (const MetricInfo* const info = FindMetric(text)) return NamedMetric{info->metric, ""};
  if (text.starts_with(kAccuracyPrefix) && text.size() > kAccuracyPrefix.size())
    return NamedMetric{Metric::kAccuracy, std::string(text.substr(kAccuracyPrefix.size()))};
  std::vector<std::string_view> names;
  for (const MetricInfo& info : AllMetrics()) names.push_back(info.name);
  const std::string_view nearest = core::NearestWord(text, names);
  return Error{ErrorKind::kUsage, fmt::format("no such metric: {}", text),
               nearest.empty() ? fmt::format("There are: {}, accuracy.METRIC (as accuracy.top_5)",
                                             fmt::join(names, ", "))
                               : fmt::format("Did you mean {}?", nearest)};
}

Result<std::vector<Bound>> ParseBounds(const std::vector<std::string>& texts) {
  std::vector<Bound> bounds;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      return Wrong(fmt::format("not a bound: {}", text), "For example: --bound latency=50ms");
    XSP_TRY(const NamedMetric metric, ParseMetric(std::string_view(text).substr(0, equals)));
    XSP_TRY(const double limit,
            ParseLimit(metric, std::string_view(text).substr(equals + 1), text));
    for (const Bound& other : bounds)
      if (other.metric == metric.metric)
        return Wrong(
            fmt::format("{} has two bounds: {}, {}", InfoOf(metric.metric).name, other.text, text),
            "Give one bound for each metric.");
    bounds.push_back({metric.metric, metric.accuracy_metric, limit, text});
  }
  return bounds;
}

std::string Describe(const Bound& bound) {
  const MetricInfo& info = InfoOf(bound.metric);
  std::string name(info.name);
  if (!bound.accuracy_metric.empty()) name += "." + bound.accuracy_metric;
  return fmt::format("{} at {} {}", name,
                     info.direction == Direction::kLowIsBetter ? "most" : "least",
                     bound.text.substr(bound.text.find('=') + 1));
}

std::string_view ToString(Fit fit) {
  switch (fit) {
    case Fit::kYes:
      return "yes";
    case Fit::kMaybe:
      return "maybe";
    case Fit::kBroken:
      return "no";
    case Fit::kUnknown:
      return "not known";
  }
  return "";
}

Fit FitOf(const Value& value, const Bound& bound) {
  if (!value.is_known()) return Fit::kUnknown;
  const Direction direction = InfoOf(bound.metric).direction;
  const auto keeps = [&](double end) {
    return direction == Direction::kLowIsBetter ? end <= bound.limit : end >= bound.limit;
  };
  if (!value.has_interval()) return keeps(value.centre) ? Fit::kMaybe : Fit::kBroken;
  if (keeps(value.WorseEnd(direction))) return Fit::kYes;
  return keeps(value.BetterEnd(direction)) ? Fit::kMaybe : Fit::kBroken;
}

Fit WorstFit(const std::vector<Fit>& fits) {
  const auto has = [&](Fit fit) { return std::ranges::find(fits, fit) != fits.end(); };
  for (const Fit fit : {Fit::kUnknown, Fit::kBroken, Fit::kMaybe})
    if (has(fit)) return fit;
  return Fit::kYes;
}

}  // namespace xsp::suggest
