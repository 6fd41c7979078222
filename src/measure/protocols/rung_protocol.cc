#include "measure/protocols/rung_protocol.h"

namespace xsp::protocols {

std::vector<MeasuredRun> RungProtocol::Measure(const std::vector<PlannedRun>& group,
                                               std::int64_t /*first_run_id*/,
                                               os::Interrupts& interrupts,
                                               ProgressEstimator& estimator) {
  return MeasureGroup(group, {request_.seed, request_.deadline_s}, interrupts, estimator);
}

}  // namespace xsp::protocols
