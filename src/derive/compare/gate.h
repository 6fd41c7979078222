#ifndef XSP_DERIVE_COMPARE_GATE_H_
#define XSP_DERIVE_COMPARE_GATE_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace xsp::compare {

/// What a gate limits.
enum class GateMetric : std::uint8_t {
  kLatency,     ///< Duration of a model call.
  kThroughput,  ///< Model calls per second: the inverse of the latency. Lower is worse.
  kMemory,      ///< Peak memory.
  kDevice,      ///< Sum of the durations of device work per call.
  kEnergy,      ///< Energy per call, of each part of the machine.
  kLayer,       ///< Time of operators, selected by a pattern.
  kModule,      ///< Time of modules, selected by a pattern.
  kKernel,      ///< Time of kernels, copies and sets, selected by a pattern.
};

/// "latency", "throughput", "memory", "device", "energy", "layer", "module" or "kernel".
std::string_view ToString(GateMetric metric);

/// One condition on the second side of a comparison.
struct Gate {
  std::string text;  ///< As the user wrote it: "layer:conv*=10%".
  GateMetric metric = GateMetric::kLatency;
  std::string pattern;  ///< Of rows; empty: the metric has none.
  double limit = 0;     ///< The second side may be worse by this share of the first; 0.03 is 3 %.
};

/// Reads "METRIC=SHARE,METRIC:PATTERN=SHARE,..." of each text. A comma separates gates and the last
/// `=` of a gate precedes its share, so a pattern stands for these characters by `?`. A gate given
/// twice is one. Errors: kUsage (an unknown metric, with the nearest; a share that is none or below
/// 0; a pattern that is missing or not expected; one metric and pattern with two limits).
Result<std::vector<Gate>> ParseGates(std::span<const std::string> texts);

/// "3%" or "0.03" as 0.03: 0 or more, and below 1 without a percent sign (so that 3 is not taken
/// for 300 %). `of` names what it is in the error. Errors: kUsage.
Result<double> ParseShare(std::string_view text, std::string_view of);

/// Whether the whole of `text` matches `pattern`: `*` is any text, `?` any one character (a byte
/// sequence of UTF-8), everything else itself. O(n m) at worst.
bool MatchesGlob(std::string_view pattern, std::string_view text);

}  // namespace xsp::compare

#endif  // XSP_DERIVE_COMPARE_GATE_H_
