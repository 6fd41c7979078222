#ifndef XSP_ANSWER_SUGGEST_METRIC_H_
#define XSP_ANSWER_SUGGEST_METRIC_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace xsp::suggest {

/// What candidates are judged by.
enum class Metric : std::uint8_t {
  kLatency,
  kLatencyP99,
  kThroughput,
  kMemory,
  kEnergy,
  kAccuracy,
  kCost,
};
inline constexpr std::size_t kMetrics = 7;

enum class Direction : std::uint8_t { kLowIsBetter, kHighIsBetter };

struct MetricInfo {
  Metric metric;
  std::string_view name;  ///< On the command line: "latency.p99".
  std::string_view key;   ///< In documents, with its unit: "latency_p99_ns".
  std::string_view unit;  ///< As the store has it: "ns"; of a plain number "1".
  Direction direction;
  std::string_view best;  ///< For sentences: "lowest latency".
};

/// One for each metric, in their order.
std::span<const MetricInfo, kMetrics> AllMetrics();
const MetricInfo& InfoOf(Metric metric);
/// The metric of this name, or null.
const MetricInfo* FindMetric(std::string_view name);

/// A value with its 95 % interval, in the unit of its metric.
struct Value {
  double centre = std::numeric_limits<double>::quiet_NaN();  ///< NaN: not known.
  double low = std::numeric_limits<double>::quiet_NaN();     ///< NaN: the noise is not known.
  double high = std::numeric_limits<double>::quiet_NaN();    ///< Infinity: no upper end.

  bool is_known() const;
  bool has_interval() const;
  /// The end of the interval that is worse (better) in `direction`; without an interval the centre.
  double WorseEnd(Direction direction) const;
  double BetterEnd(Direction direction) const;
};

/// A value that has no noise: a count.
Value Exact(double value);

/// Whether `a` is better than `b` beyond the noise of both: its worse end is better than the better
/// end of `b`. A value without an interval counts as its centre. False where one is not known.
bool IsBetter(const Value& a, const Value& b, Direction direction);

/// "43.2 us", "812 /s", "76.1 %", "1.23".
std::string FormatValue(Metric metric, double value);

/// "43.2 us (40.1 us to 46.0 us)", "43.2 us (noise not known)".
std::string FormatWithInterval(Metric metric, const Value& value);

}  // namespace xsp::suggest

#endif  // XSP_ANSWER_SUGGEST_METRIC_H_
