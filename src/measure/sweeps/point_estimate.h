#ifndef XSP_MEASURE_SWEEPS_POINT_ESTIMATE_H_
#define XSP_MEASURE_SWEEPS_POINT_ESTIMATE_H_

#include <optional>
#include <string>

#include "measure/requests/experiment_request.h"
#include "measure/sweeps/stored_measurements.h"
#include "measure/workers/backends.h"

namespace xsp::sweeps {

/// How long measuring will take, and how that is known.
struct Estimate {
  std::optional<double> seconds;  ///< Nothing: not known.
  /// "measured" (the same was measured before), "similar" (the same model, worker and sampling with
  /// other batch sizes or settings: their median), "upper bound" (the sum of the limits of warm-up
  /// and sampling, without loading and storing), "unknown".
  std::string basis = "unknown";
};

/// Of one point, from what the store has. Pure.
Estimate EstimateFromStore(const Subject& subject, const StoredMeasurements& stored);

/// From the limits of time in `request`, which is complete, with what `backend` is known to do.
/// Unknown where sampling or warm-up has no limit of time: with a number of iterations, a scenario
/// or a data set. Pure.
Estimate EstimateFromLimits(const requests::ExperimentRequest& request,
                            const workers::Backend& backend);

}  // namespace xsp::sweeps

#endif  // XSP_MEASURE_SWEEPS_POINT_ESTIMATE_H_
