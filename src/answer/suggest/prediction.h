#ifndef XSP_ANSWER_SUGGEST_PREDICTION_H_
#define XSP_ANSWER_SUGGEST_PREDICTION_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "answer/suggest/candidate.h"
#include "derive/roofs/roof.h"

namespace xsp::suggest {

/// A kernel of a model call.
struct KernelWork {
  double time_ns = 0;
  double flops = std::numeric_limits<double>::quiet_NaN();  ///< NaN: not known.
  double bytes = std::numeric_limits<double>::quiet_NaN();  ///< Read and written; NaN: not known.
  std::string dtype, unit;                                  ///< As roofs::Roof has them.
};

/// The kernels of a point, and the call that they were measured in.
struct PointWork {
  std::vector<KernelWork> kernels;
  double call_ns = 0;  ///< Model call in the run of the kernels; 0: not known.
};

/// The roofs of a machine that kernels are compared with.
struct PeakRates {
  std::string machine;
  std::string provenance;  ///< "data sheet" or "measured".
  std::map<std::pair<std::string, std::string>, double> flops_per_s;  ///< By data type and unit.
  double bytes_per_s = 0;                                             ///< Of DRAM; 0: not known.
};

/// The roofs with which analyses compare a job (Roof::used).
PeakRates PeakRatesOf(std::string machine, std::string provenance,
                      std::span<const roofs::Roof> roofs);

/// The least time that the roofs allow for a kernel, ns (Williams et al. 2009): the greater of its
/// FLOPs over the peak of its data type and its bytes over the bandwidth. A unit that the machine
/// lacks is replaced by its other one for the data type. Nothing where neither FLOPs nor bytes are
/// known, or the machine has no roof for them.
std::optional<double> RoofTime(const KernelWork& kernel, const PeakRates& rates);

struct ScaledLatency {
  double latency_ns = 0;
  double covered_share = 0;  ///< Share of the time of kernels whose roof times are known.
  double kernel_share = 0;   ///< Share of the call in kernels: the rest is taken over as it is.
};

/// The latency of a point on another machine, with every kernel as close to its roof there as it
/// was here: its time is multiplied by the ratio of its roof times, which changes with whatever
/// limits it on each machine. Kernels without a roof time are scaled by the mean of the others.
/// Time outside of kernels does not change. Nothing where no kernel has a roof time.
std::optional<ScaledLatency> ScaleToMachine(const PointWork& work, double latency_ns,
                                            const PeakRates& from, const PeakRates& to);

/// The latency at another batch size, whose FLOPs and bytes are those of `to`: the kernels
/// together keep their distance from the roofs, time outside of them does not change.
std::optional<double> ScaleToBatch(const PointWork& from, double latency_ns, const PointWork& to,
                                   const PeakRates& rates);

/// A measured point with what a prediction needs.
struct PredictablePoint {
  Identity identity;
  double latency_ns = 0;
  PointWork work;
  PeakRates rates;
};

/// How far predictions were from measurements: a factor f of the error means that the prediction
/// was f times or 1/f times the measurement.
struct PredictionError {
  enum class Basis : std::uint8_t {
    kNone,      ///< No case: the error is not known.
    kBatches,   ///< One batch size from the next one on the same machine.
    kMachines,  ///< One machine from another.
  };
  Basis basis = Basis::kNone;
  std::size_t cases = 0;
  double median_factor = 1, largest_factor = 1;
};

/// Leaves each measurement out and predicts it from the others: on every machine from every other
/// one, for the same model, backend, precision, batch size and settings; where no two machines have
/// the same, each batch size from the nearest other one.
PredictionError MeasureError(std::span<const PredictablePoint> points);

/// "error over 8 pairs of machines: median x1.12, largest x1.4", "error not known: ...".
std::string Describe(const PredictionError& error);

/// The point on the machine of `to`: latency with the largest error as its interval (none where the
/// error is not known); what is not predicted (memory, energy) is not known. Accuracy is that of
/// `measured`. Nothing as for ScaleToMachine.
std::optional<Candidate> Predict(const Candidate& measured, const PredictablePoint& point,
                                 const PeakRates& to, const PredictionError& error);

}  // namespace xsp::suggest

#endif  // XSP_ANSWER_SUGGEST_PREDICTION_H_
