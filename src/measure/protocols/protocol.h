#ifndef XSP_MEASURE_PROTOCOLS_PROTOCOL_H_
#define XSP_MEASURE_PROTOCOLS_PROTOCOL_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "core/progress.h"
#include "core/result.h"
#include "measure/protocols/measurement.h"
#include "measure/protocols/plan.h"
#include "measure/requests/experiment_request.h"
#include "measure/workers/backends.h"
#include "os/interrupt.h"
#include "store/experiment_writer.h"
#include "trace/trace.h"

namespace xsp::protocols {

/// What is done with the planned runs of an experiment, and which tables of its own come of it:
/// rungs, a load scenario or a data set. One object an experiment; one thread.
class Protocol {
 public:
  virtual ~Protocol() = default;

  /// Opens what it needs, before models are made. Errors: kBadInput, kEnvironment.
  virtual Status Open(core::Progress&) { return Ok{}; }

  /// Adds to the planned jobs what its workers need. `backends` are those that were planned. A
  /// backend that cannot do it is refused where there are others. Errors: kBadInput.
  virtual Status Prepare(const std::vector<workers::Backend>&, Plan&) { return Ok{}; }

  /// Measures the runs of one batch size. `first_run_id`: what the first of them is stored as, the
  /// others follow. One result for each, in their order; a run that fails costs only itself.
  virtual std::vector<MeasuredRun> Measure(const std::vector<PlannedRun>& group,
                                           std::int64_t first_run_id, os::Interrupts& interrupts,
                                           ProgressEstimator& estimator) = 0;

  /// Takes what its tables need of a measured run: `trace` is what the worker recorded.
  virtual void AddRun(const MeasuredRun&, std::int64_t /*run_id*/, const match::PointInput&,
                      const trace::Trace&, core::Progress&) {}

  /// Writes its tables, after the last run. Errors: as ExperimentWriter::AddRows.
  virtual Status WriteTables(store::ExperimentWriter&) const { return Ok{}; }
};

/// The request with what its protocol settles (depth, batch sizes, percentile, ...). Errors: kUsage
/// for what cannot be meant together.
Result<requests::ExperimentRequest> CompleteRequest(const requests::ExperimentRequest& request);

/// The protocol that a request asks for. `request` is complete, borrowed, and outlives it.
std::unique_ptr<Protocol> ProtocolFor(const requests::ExperimentRequest& request);

}  // namespace xsp::protocols

#endif  // XSP_MEASURE_PROTOCOLS_PROTOCOL_H_
