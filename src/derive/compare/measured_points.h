#ifndef XSP_DERIVE_COMPARE_MEASURED_POINTS_H_
#define XSP_DERIVE_COMPARE_MEASURED_POINTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "derive/match/match.h"

namespace xsp::compare {

/// One layer of a point, in execution order.
struct MeasuredLayer {
  std::int64_t index = 0;
  std::string name, type, shape;
  double latency_ns = 0;  ///< NaN: not known.
  std::string path = "";  ///< In the model; empty: not known.
};

/// One point with what a comparison needs of it.
struct MeasuredPoint {
  std::int64_t point_id = 0;
  /// Latencies of model calls without profiling, ns, of each process of the rung `model` by block:
  /// `processes[process][block][call]`.
  std::vector<std::vector<std::vector<double>>> processes;
  std::vector<MeasuredLayer> layers;
};

/// The points that may be compared: the same model and batch size. The first is the one that was
/// asked for first.
using Group = std::vector<MeasuredPoint>;

/// Groups of at least two points that have a model call, in the order of the points.
std::vector<Group> ComparableGroups(const match::ExperimentTables& tables);

}  // namespace xsp::compare

#endif  // XSP_DERIVE_COMPARE_MEASURED_POINTS_H_
