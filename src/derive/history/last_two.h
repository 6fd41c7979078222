#ifndef XSP_DERIVE_HISTORY_LAST_TWO_H_
#define XSP_DERIVE_HISTORY_LAST_TWO_H_

#include <optional>
#include <string>
#include <vector>

#include "core/estimate.h"
#include "core/result.h"
#include "derive/history/series.h"

namespace xsp::history {

/// A comparison of the last two experiments of a series by their processes, and by the sessions
/// before them (compare::WidenedBySessions).
struct LastTwo {
  core::Estimate ratio;  ///< Newer / older, of the metric.
  /// "higher", "lower", "no_difference", "inconclusive" (the machine was busy) or "unknown_noise"
  /// (one process).
  std::string verdict;
};

/// Of each series of latency or throughput with fewer than core::kMinValuesForChange experiments;
/// nothing for one with one experiment, or whose calls cannot be read, and for other metrics.
/// Error: as store::ManyExperiments::Query().
Result<std::vector<std::optional<LastTwo>>> CompareLastTwo(const History& history);

}  // namespace xsp::history

#endif  // XSP_DERIVE_HISTORY_LAST_TWO_H_
