#include "measure/protocols/dataset_protocol.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <utility>

#include "measure/protocols/dataset_run.h"
#include "measure/protocols/scores.h"
#include "measure/requests/dataset_request.h"
#include "pipeline/datasets/dataset.h"

namespace xsp::protocols {

namespace {

std::filesystem::path PredictionsOf(const PlannedRun& run) {
  return std::filesystem::path(run.session.recording).replace_extension(".jsonl");
}

}  // namespace

/// Reads what is right for each sample that will be taken. The samples are not kept: every worker
/// reads them itself.
Status DatasetProtocol::Open(core::Progress& progress) {
  XSP_TRY(const std::unique_ptr<pipeline::Dataset> dataset, requests::Open(request_.dataset));
  samples_ = requests::CountSamples(request_.dataset, *dataset);
  std::vector<pipeline::GroundTruth> truths(samples_);
  for (std::size_t i = 0; i < samples_; ++i) {
    pipeline::Sample sample;
    // What cannot be read is counted where it is used.
    (void)dataset->Read(pipeline::SpreadIndex(i, samples_, dataset->size()), sample);
    truths[i] = std::move(sample.truth);
  }
  const auto left_out = static_cast<std::int64_t>(dataset->damaged());
  if (left_out > 0) {
    progress.Note(fmt::format("{} samples of the data set were excluded, the first is {}: {}",
                              left_out, dataset->damages().front().name,
                              dataset->damages().front().reason));
  }
  evaluation_.emplace(request_.dataset.text, left_out, std::move(truths));
  return Ok{};
}

Status DatasetProtocol::Prepare(const std::vector<workers::Backend>& backends, Plan& plan) {
  for (std::vector<PlannedRun>& group : plan.groups) {
    for (PlannedRun& run : group) {
      if (run.refused) continue;
      const Status added =
          AddDatasetToJob(request_.dataset, BackendOf(run.point_id, backends).model,
                          PredictionsOf(run), run.session.job);
      if (added.ok()) continue;
      if (backends.size() == 1) return added;
      run.refused = added.error();
    }
  }
  return Ok{};
}

std::vector<MeasuredRun> DatasetProtocol::Measure(const std::vector<PlannedRun>& group,
                                                  std::int64_t /*first_run_id*/,
                                                  os::Interrupts& interrupts,
                                                  ProgressEstimator& estimator) {
  std::vector<MeasuredRun> runs;
  for (const PlannedRun& plan : group)
    runs.push_back(MeasureDataset(plan, request_, samples_, interrupts, estimator.progress()));
  return runs;
}

void DatasetProtocol::AddRun(const MeasuredRun& run, std::int64_t run_id,
                             const match::PointInput& point, const trace::Trace& trace,
                             core::Progress& progress) {
  auto results = ReadPredictions(PredictionsOf(run.plan));
  if (!results.ok()) progress.Note(fmt::format("{}: {}", run.plan.name, results.error().what));
  evaluation_->Add({run.plan.point_id, run_id, run.plan.batch, point.backend}, trace,
                   results.ok() ? std::move(results).value() : std::vector<SampleResult>());
}

Status DatasetProtocol::WriteTables(store::ExperimentWriter& writer) const {
  return evaluation_->Write(writer);
}

}  // namespace xsp::protocols
