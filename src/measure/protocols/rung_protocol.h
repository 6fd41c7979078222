#ifndef XSP_MEASURE_PROTOCOLS_RUNG_PROTOCOL_H_
#define XSP_MEASURE_PROTOCOLS_RUNG_PROTOCOL_H_

#include <cstdint>
#include <vector>

#include "measure/protocols/protocol.h"

namespace xsp::protocols {

/// The rungs of each backend take turns (MeasureGroup).
class RungProtocol final : public Protocol {
 public:
  /// `request` is borrowed.
  explicit RungProtocol(const requests::ExperimentRequest& request) : request_(request) {}

  std::vector<MeasuredRun> Measure(const std::vector<PlannedRun>& group, std::int64_t first_run_id,
                                   os::Interrupts& interrupts,
                                   ProgressEstimator& estimator) override;

 private:
  const requests::ExperimentRequest& request_;
};

}  // namespace xsp::protocols

#endif  // XSP_MEASURE_PROTOCOLS_RUNG_PROTOCOL_H_
