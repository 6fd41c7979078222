#ifndef XSP_DERIVE_MATCH_RUN_ROWS_H_
#define XSP_DERIVE_MATCH_RUN_ROWS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/statistics.h"
#include "derive/match/match.h"
#include "derive/match/point_layers.h"

namespace xsp::match {

/// The statistics of one run's samples (design, section 4).
struct RunStatistics {
  std::int64_t samples = 0;
  std::int64_t disturbed = 0;
  double latency_ns;  ///< Trimmed mean of the calls that count; NaN: no sample.
  core::Interval interval;
  double p50_ns, p95_ns, p99_ns, min_ns, variation;  ///< Of all samples.
};
RunStatistics Summarise(const RunView& run);

/// The run table's rows of one point, in the order of `inputs`; `views` and `pairs` are those that
/// could be read, `pairs` those measured only for the overhead of a rung.
void AddRunRows(const std::vector<const RunInput*>& inputs, const Runs& views, const Runs& pairs,
                ExperimentTables& tables);

/// The view of the least profiled run of the point that has a sample; nullptr: none has.
const RunView* LeastProfiled(const Runs& views);

/// Latency of a point: that of its least profiled run, or of the calls that this run made with less
/// profiling; where several processes alternated in that rung the mean over them, with an interval
/// that holds what they differ in. NaN: no sample.
struct PointLatency {
  double latency_ns;
  core::Interval interval;
};
PointLatency LatencyOfPoint(const Runs& views);

}  // namespace xsp::match

#endif  // XSP_DERIVE_MATCH_RUN_ROWS_H_
