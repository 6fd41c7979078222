#ifndef XSP_ANSWER_SUGGEST_BOUNDS_H_
#define XSP_ANSWER_SUGGEST_BOUNDS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "answer/suggest/metric.h"
#include "core/result.h"

namespace xsp::suggest {

/// A limit that the user set: the highest value of a metric where low is better, else the lowest.
struct Bound {
  Metric metric;
  std::string accuracy_metric;  ///< Of accuracy: "top_1"; empty: whichever there is.
  double limit = 0;             ///< In the metric's unit.
  std::string text;             ///< As the user wrote it.
};

/// A metric as --objective and --bound name it: a name of AllMetrics(), or accuracy.METRIC.
struct NamedMetric {
  Metric metric;
  std::string accuracy_metric;  ///< As Bound has it.
};

/// Errors: kUsage, with the nearest name.
Result<NamedMetric> ParseMetric(std::string_view text);

/// Reads "latency=50ms", "throughput=100/s", "memory=2GB", "energy=1J", "accuracy.top_5=90%",
/// "cost=2.5". Times need ns, us, ms, s or min; throughput /s, /min or /h; memory B, kB, MB, GB,
/// TB (10^3) or KiB, MiB, GiB, TiB (2^10); energy uJ, mJ, J, kJ or Wh. Errors: kUsage for a text
/// that is no bound, a unit that is missing or not the metric's, a limit that is not positive, an
/// accuracy above 1 (above 100 for bleu), a metric with two bounds.
Result<std::vector<Bound>> ParseBounds(const std::vector<std::string>& texts);

/// "latency at most 50 ms"
std::string Describe(const Bound& bound);

/// Whether a value keeps a bound.
enum class Fit : std::uint8_t {
  kYes,      ///< Its whole interval does.
  kMaybe,    ///< The bound lies in its interval, or its noise is not known.
  kBroken,   ///< Its whole interval does not.
  kUnknown,  ///< There is no value.
};

/// "yes", "maybe", "no" or "not known".
std::string_view ToString(Fit fit);

Fit FitOf(const Value& value, const Bound& bound);

/// The worst of the fits of a candidate to all bounds: kUnknown, kBroken, kMaybe, kYes. kYes
/// without bounds.
Fit WorstFit(const std::vector<Fit>& fits);

}  // namespace xsp::suggest

#endif  // XSP_ANSWER_SUGGEST_BOUNDS_H_
