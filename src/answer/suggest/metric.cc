#include "answer/suggest/metric.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "answer/wording/quantity.h"

namespace xsp::suggest {
namespace {

constexpr auto kLow = Direction::kLowIsBetter;
constexpr auto kHigh = Direction::kHighIsBetter;

constexpr std::array<MetricInfo, kMetrics> kAll = {{
    {Metric::kLatency, "latency", "latency_ns", "ns", kLow, "lowest latency"},
    {Metric::kLatencyP99, "latency.p99", "latency_p99_ns", "ns", kLow,
     "lowest 99th percentile of latency"},
    {Metric::kThroughput, "throughput", "throughput_per_s", "1/s", kHigh, "highest throughput"},
    {Metric::kMemory, "memory", "memory_bytes", "byte", kLow, "least memory"},
    {Metric::kEnergy, "energy", "energy_joules", "J", kLow, "least energy"},
    {Metric::kAccuracy, "accuracy", "accuracy", "1", kHigh, "highest accuracy"},
    {Metric::kCost, "cost", "cost_per_million", "1", kLow, "lowest cost"},
}};

}  // namespace

std::span<const MetricInfo, kMetrics> AllMetrics() { return kAll; }

const MetricInfo& InfoOf(Metric metric) { return kAll[static_cast<std::size_t>(metric)]; }

const MetricInfo* FindMetric(std::string_view name) {
  const auto found = std::ranges::find(kAll, name, &MetricInfo::name);
  return found == kAll.end() ? nullptr : &*found;
}

bool Value::is_known() const { return !std::isnan(centre); }

bool Value::has_interval() const { return is_known() && !std::isnan(low) && !std::isnan(high); }

double Value::WorseEnd(Direction direction) const {
  if (!has_interval()) return centre;
  return direction == Direction::kLowIsBetter ? high : low;
}

double Value::BetterEnd(Direction direction) const {
  if (!has_interval()) return centre;
  return direction == Direction::kLowIsBetter ? low : high;
}

Value Exact(double value) { return {value, value, value}; }

bool IsBetter(const Value& a, const Value& b, Direction direction) {
  const double worst_of_a = a.WorseEnd(direction), best_of_b = b.BetterEnd(direction);
  return direction == Direction::kLowIsBetter ? worst_of_a < best_of_b : worst_of_a > best_of_b;
}

std::string FormatValue(Metric metric, double value) {
  if (std::isinf(value)) return "unlimited";
  switch (metric) {
    case Metric::kAccuracy:
      return value <= 1 ? fmt::format("{:.4g} %", value * 100) : fmt::format("{:.4g}", value);
    case Metric::kCost:
      return fmt::format("{:.3g} per million items", value);
    case Metric::kThroughput:
      return wording::Format(value, {}) + " items/s";
    default:
      return wording::FormatQuantity(value, InfoOf(metric).unit);
  }
}

std::string FormatWithInterval(Metric metric, const Value& value) {
  if (!value.is_known()) return "not known";
  const std::string text = FormatValue(metric, value.centre);
  if (!value.has_interval()) return text + " (noise not known)";
  const std::string low = FormatValue(metric, value.low), high = FormatValue(metric, value.high);
  if (low == high) return text;
  return fmt::format("{} ({} to {})", text, low, high);
}

}  // namespace xsp::suggest
