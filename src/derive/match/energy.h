#ifndef XSP_DERIVE_MATCH_ENERGY_H_
#define XSP_DERIVE_MATCH_ENERGY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "derive/match/point_layers.h"
#include "store/rows/energy_row.h"
#include "trace/trace.h"

namespace xsp::match {

/// Mean power of a part of the machine between two samples of its series.
struct PowerInterval {
  std::int64_t begin_ns = 0, end_ns = 0;
  double watts = 0;
};

struct PowerSeries {
  std::string part;                      ///< "package-0", "gpu 1".
  std::int64_t interval_ns = 0;          ///< Median length.
  std::vector<PowerInterval> intervals;  ///< In order, without overlap; there may be gaps.
};

/// The series of power of a run: its counters in watt. A sample stands for the time since the one
/// before; after a gap (more than one and a half usual distances), and at first, for the usual
/// distance, which the fact monitor.interval_ns states, else the median does.
///
/// Of a GPU the monitor has up to three series; one is taken, by what its samples are the mean of:
/// - nvml.mean_power_watts, from a counter of energy that moves in steps of its own: a sample
///   stands for the time since the one before, unless rows are missing in between. The usual
///   distance is the median step.
/// - else nvml.instant_power_watts, as any other.
/// - else nvml.power_watts, which NVML averages over the last second on Ampere and later (of others
///   that is not known): one sample a second is taken, for the second before it.
std::vector<PowerSeries> PowerSeriesOf(const trace::Trace& trace);

/// A time, ns.
struct Segment {
  std::int64_t begin_ns = 0, end_ns = 0;
};

/// Energy over some segments, or why it is not resolved.
struct SegmentEnergy {
  std::int64_t span_ns = 0;     ///< Of the segments; where two overlap, once.
  std::int64_t covered_ns = 0;  ///< Of that, with a known power.
  double intervals = 0;         ///< covered_ns over the series' interval.
  /// covered_ns / span_ns x the mean share of its interval that each covered piece fills, weighted
  /// by the pieces' length: what else an interval held is in its power, too.
  double confidence = 0;
  std::optional<double> joules;
  std::string reason;  ///< Why there are none.
};

/// Less resolves nothing: edges of intervals are prorated, and each segment may have two.
inline constexpr double kFewestIntervals = 3;
/// Below it most of the energy would be that of other work.
inline constexpr double kLeastConfidence = 0.5;

/// Sum over intervals of power x the time that lies in the segments (in any order), scaled up to
/// all of their time. O((n + m) log m).
SegmentEnergy EnergyOver(const PowerSeries& series, std::vector<Segment> segments);

/// Adds to the table energy what a run as a whole took.
void AddRunEnergy(const trace::Trace& trace, std::int64_t point_id, std::int64_t run_id,
                  std::string_view rung, std::vector<store::EnergyRow>& energy);

/// The same of all runs of a point, of their calls and phases, and of the layers of the run that
/// layers are of.
void AddEnergy(const Runs& runs, const PointLayers& layers, std::int64_t point_id,
               std::vector<store::EnergyRow>& energy);

}  // namespace xsp::match

#endif  // XSP_DERIVE_MATCH_ENERGY_H_
