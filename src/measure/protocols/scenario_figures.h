#ifndef XSP_MEASURE_PROTOCOLS_SCENARIO_FIGURES_H_
#define XSP_MEASURE_PROTOCOLS_SCENARIO_FIGURES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "measure/requests/experiment_request.h"
#include "store/rows/scenario_row.h"
#include "trace/trace.h"

namespace xsp::protocols {

/// What a block of queries came to: a closed loop, or requests that arrived at one rate. All times
/// ns, one value per query in the order of service.
struct ScenarioTry {
  std::optional<double> offered_rate;  ///< Queries a second; nothing: a closed loop.
  std::int64_t first_iteration = 0;
  std::vector<double> service_ns;
  std::vector<double> queue_ns;  ///< Empty: a closed loop.
  /// From the end of a call to the start of the next where that was waiting already, median: what
  /// the worker does between calls. Nothing: none was waiting.
  std::optional<double> gap_ns;
  double start_ns = 0;  ///< The first arrival; closed loop: the first start.
  double end_ns = 0;    ///< The last end.
  /// Of the time between, what passed from the end of a turn to the first call of the next.
  double paused_ns = 0;

  /// From start to end without the pauses.
  double DurationNs() const { return end_ns - start_ns - paused_ns; }

  /// From arrival to the end of the call; of a closed loop: the call.
  std::vector<double> LatenciesNs() const;
  /// offered_rate times the mean service time and gap; 0 for a closed loop.
  double Utilisation() const;
};

/// The queries `first_iteration` ... + `queries` - 1 of a worker's recording; `resumed`: those that
/// began a turn after a pause, ascending. Errors: kInternal when it does not hold them all, or not
/// with their queue times where `offered_rate` says so.
Result<ScenarioTry> TakeTry(const trace::Trace& trace, std::int64_t first_iteration,
                            std::int64_t queries, std::optional<double> offered_rate,
                            const std::vector<std::int64_t>& resumed = {});

/// Whether a rate can be served.
struct Verdict {
  bool passed = false;
  std::string reason;  ///< Why not; empty: it passed.
  /// The calls alone are above the bound too often: without any queue it would not pass.
  bool by_calls_alone = false;
};

/// A rate passes when the queries above the bound are few enough for the percentile
/// (measure/protocols/early_stopping.h), and less than all the time is asked for: else the queue
/// grows, and only the end of the run keeps it from the bound.
Verdict Judge(const ScenarioTry& tried, const requests::ScenarioRequest& request);

/// Where a try's row belongs.
struct TryPlace {
  std::int64_t point_id = 0, run_id = 0, batch = 1, try_index = 0;
  bool chosen = false;
};

/// Adds the row of one try. `request` is complete (measure/protocols/scenario.h, WithScenario).
void AddTry(const TryPlace& place, const ScenarioTry& tried,
            const requests::ScenarioRequest& request, std::vector<store::ScenarioRow>& table);

}  // namespace xsp::protocols

#endif  // XSP_MEASURE_PROTOCOLS_SCENARIO_FIGURES_H_
