#ifndef XSP_MEASURE_PROTOCOLS_SCENARIO_H_
#define XSP_MEASURE_PROTOCOLS_SCENARIO_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/progress.h"
#include "core/result.h"
#include "measure/protocols/measurement.h"
#include "measure/protocols/scenario_figures.h"
#include "measure/requests/experiment_request.h"
#include "os/interrupt.h"

namespace xsp::protocols {

/// The names of --scenario.
inline constexpr const char* kScenarios[] = {"single-stream", "offline", "server", "multi-stream"};

/// "50ms" is 50000000: a positive number and one of ns, us, ms and s. Errors: kUsage.
Result<std::int64_t> ParseLatency(std::string_view text);

/// Refuses what cannot be meant, options of another scenario among it. Errors: kUsage.
Status CheckScenario(const requests::ExperimentRequest& request);

/// The request with what its scenario settles: the model rung alone, the batch size, percentile,
/// queries and streams where they were left open. Without a scenario as it is.
requests::ExperimentRequest WithScenario(requests::ExperimentRequest request);

/// What came of one worker process under a scenario.
struct MeasuredScenario {
  MeasuredRun run;
  std::vector<ScenarioTry> tries;     ///< In the order of measuring.
  std::optional<std::size_t> chosen;  ///< Index of the try that is the result; nothing: there is
                                      ///< none (no rate passed, or it ended before).
};

/// Measures planned runs (of the rung `model`) under the request's scenario, each in one process: a
/// closed loop of the queries, or for `server` a closed loop of request.iterations calls and then a
/// search for the highest rate that passes (measure/protocols/rate_search.h), each rate with the
/// same seeded arrivals, stretched. Where the closed loop's median is above the bound already, no
/// rate is tried; where too many calls alone are, twice in a row, no lower one. Several alternate
/// in an order drawn from the seed: one at a time has the machine, for a segment of a closed loop
/// of at least 0.3 s, or for one rate. A fault ends a run; its tries before stay, and the others go
/// on. `request` is complete (WithScenario). One result for each plan, in their order.
std::vector<MeasuredScenario> MeasureScenarios(std::span<const PlannedRun> plans,
                                               const requests::ExperimentRequest& request,
                                               os::Interrupts& interrupts,
                                               core::Progress& progress);

}  // namespace xsp::protocols

#endif  // XSP_MEASURE_PROTOCOLS_SCENARIO_H_
