#ifndef XSP_DERIVE_COMPARE_MEASURED_POINTS_H_
#define XSP_DERIVE_COMPARE_MEASURED_POINTS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "derive/compare/measured_tables.h"

namespace xsp::compare {

/// One layer of a point, in execution order.
struct MeasuredLayer {
  std::int64_t index = 0;
  std::string name, type, shape;
  double latency_ns = 0;  ///< NaN: not known.
  std::string path = "";  ///< In the model; empty: not known.
};

/// One point with what a comparison needs of it. `experiment` and `point_id` identify it.
struct MeasuredPoint {
  std::size_t experiment = 0;  ///< Index among the experiments that are compared.
  std::int64_t point_id = 0;   ///< In its experiment.
  /// Latencies of model calls without profiling, ns, of each process of the rung `model` by block:
  /// `processes[process][block][call]`.
  std::vector<std::vector<std::vector<double>>> processes;
  std::vector<MeasuredLayer> layers;
};

/// Points that may be compared with each other.
using Group = std::vector<MeasuredPoint>;

/// Groups of at least two points of one experiment: those of the same model and batch size that
/// have a model call. Points and groups are in the order of the table `point`, which is the order
/// in which they were asked for.
std::vector<Group> ComparableGroups(const MeasuredTables& tables);

/// The calls of one point, as MeasuredPoint::processes. Empty: it has no run of the rung `model`.
std::vector<std::vector<std::vector<double>>> ModelCalls(const MeasuredTables& tables,
                                                         std::int64_t point_id);

/// Pairs of points of two experiments: one of `a` (experiment 0), then one of `b` (experiment 1),
/// which have the same batch size, precision and device, and a model call. Each point is in at most
/// one pair. Where several fit, the same model and backend are paired first, then the remaining
/// points in their order. Pairs are in the order of the points of `a`. Unless the
/// experiments alternated, drift of the machine between them does not cancel.
std::vector<Group> PairedPoints(const MeasuredTables& a, const MeasuredTables& b);

}  // namespace xsp::compare

#endif  // XSP_DERIVE_COMPARE_MEASURED_POINTS_H_
