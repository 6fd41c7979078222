#ifndef XSP_MEASURE_PROTOCOLS_DATASET_RUN_H_
#define XSP_MEASURE_PROTOCOLS_DATASET_RUN_H_

#include <filesystem>

#include "core/progress.h"
#include "core/result.h"
#include "measure/models/model.h"
#include "measure/protocols/measurement.h"
#include "measure/requests/experiment_request.h"
#include "os/interrupt.h"

namespace xsp::protocols {

/// Refuses what cannot be meant together with a data set. Errors: kUsage.
Status CheckDataset(const requests::ExperimentRequest& request);

/// The request with what a data set settles: the model rung alone. Without one as it is.
requests::ExperimentRequest WithDataset(requests::ExperimentRequest request);

/// Adds the data set and the model's pipeline to a worker's job; predictions are written to
/// `predictions`. Errors: kBadInput (the manifest has no steps, or steps that cannot be built).
Status AddDatasetToJob(const requests::DatasetRequest& request, const models::Model& model,
                       const std::filesystem::path& predictions, nlohmann::json& job);

/// Takes `samples` samples of the request's data set through one planned run's model, in one
/// process: after warm-up with synthetic inputs, in blocks of about a second. A fault ends it; what
/// was predicted before stays.
MeasuredRun MeasureDataset(const PlannedRun& plan, const requests::ExperimentRequest& request,
                           std::size_t samples, os::Interrupts& interrupts,
                           core::Progress& progress);

}  // namespace xsp::protocols

#endif  // XSP_MEASURE_PROTOCOLS_DATASET_RUN_H_
