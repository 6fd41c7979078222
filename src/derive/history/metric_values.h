#ifndef XSP_DERIVE_HISTORY_METRIC_VALUES_H_
#define XSP_DERIVE_HISTORY_METRIC_VALUES_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/result.h"
#include "derive/history/series.h"
#include "store/many_experiments.h"
#include "store/rows/point_row.h"

namespace xsp::history {

/// A point of several experiments.
struct PointId {
  std::size_t experiment = 0;  ///< Index among those that were read.
  std::int64_t point_id = 0;

  auto operator<=>(const PointId&) const = default;
};

/// The run that stands for a point: its first one without profiling, or its first one.
struct RunOfPoint {
  std::string path;            ///< Relative to the experiment; empty: it has none.
  std::string message;         ///< Why a run failed; empty: none did.
  std::int64_t processes = 0;  ///< Completed runs without profiling.
};

/// The runs of all points of `experiments`. Errors: as store::ManyExperiments::Query().
Result<std::map<PointId, RunOfPoint>> ReadRuns(store::ManyExperiments& experiments);

/// What `metric` needs beside the table `point`: sums over device work or over one layer, ns per
/// call; nothing for other metrics. Errors: as store::ManyExperiments::Query().
Result<std::map<PointId, double>> ReadTimes(store::ManyExperiments& experiments,
                                            const Metric& metric);

/// NaN: not known.
struct MetricValue {
  double value = kNotKnown, low = kNotKnown, high = kNotKnown;
};

MetricValue ValueOf(const Metric& metric, const store::PointRow& row,
                    const std::map<PointId, double>& times, const PointId& id);

/// That no experiment has the layer, with the nearest names of the layers of `experiment`.
Error NoSuchLayer(const std::filesystem::path& experiment, const Metric& metric);

}  // namespace xsp::history

#endif  // XSP_DERIVE_HISTORY_METRIC_VALUES_H_
