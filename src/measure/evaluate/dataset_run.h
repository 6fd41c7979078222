#ifndef XSP_MEASURE_EVALUATE_DATASET_RUN_H_
#define XSP_MEASURE_EVALUATE_DATASET_RUN_H_

#include <filesystem>

#include "core/result.h"
#include "measure/evaluate/experiment.h"
#include "measure/evaluate/interrupt.h"
#include "measure/evaluate/measurement.h"
#include "measure/evaluate/model.h"
#include "measure/evaluate/progress.h"

namespace xsp::evaluate {

/// Refuses what cannot be meant together with a data set. Errors: kUsage.
Status CheckDataset(const ExperimentRequest& request);

/// The request with what a data set settles: the model rung alone. Without one as it is.
ExperimentRequest WithDataset(ExperimentRequest request);

/// Adds the data set and the model's pipeline to a worker's job; predictions are written to
/// `predictions`. Errors: kBadInput (the manifest has no steps, or steps that cannot be built).
Status AddDatasetToJob(const DatasetRequest& request, const Model& model,
                       const std::filesystem::path& predictions, nlohmann::json& job);

/// Takes `samples` samples of the request's data set through one planned run's model, in one
/// process: after warm-up with synthetic inputs, in blocks of about a second. A fault ends it; what
/// was predicted before stays.
MeasuredRun MeasureDataset(const PlannedRun& plan, const ExperimentRequest& request,
                           std::size_t samples, Interrupts& interrupts, Progress& progress);

}  // namespace xsp::evaluate

#endif  // XSP_MEASURE_EVALUATE_DATASET_RUN_H_
