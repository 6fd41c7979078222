#ifndef XSP_MEASURE_PROTOCOLS_DATASET_PROTOCOL_H_
#define XSP_MEASURE_PROTOCOLS_DATASET_PROTOCOL_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "measure/protocols/dataset_figures.h"
#include "measure/protocols/protocol.h"

namespace xsp::protocols {

/// Takes a data set through each model once (MeasureDataset) and scores the predictions.
class DatasetProtocol final : public Protocol {
 public:
  /// `request` is complete and borrowed.
  explicit DatasetProtocol(const requests::ExperimentRequest& request) : request_(request) {}

  Status Open(core::Progress& progress) override;
  Status Prepare(const std::vector<workers::Backend>& backends, Plan& plan) override;
  std::vector<MeasuredRun> Measure(const std::vector<PlannedRun>& group, std::int64_t first_run_id,
                                   os::Interrupts& interrupts,
                                   ProgressEstimator& estimator) override;
  void AddRun(const MeasuredRun& run, std::int64_t run_id, const match::PointInput& point,
              const trace::Trace& trace, core::Progress& progress) override;
  Status WriteTables(store::ExperimentWriter& writer) const override;

 private:
  const requests::ExperimentRequest& request_;
  std::size_t samples_ = 0;
  std::optional<Evaluation> evaluation_;  ///< From Open() on.
};

}  // namespace xsp::protocols

#endif  // XSP_MEASURE_PROTOCOLS_DATASET_PROTOCOL_H_
