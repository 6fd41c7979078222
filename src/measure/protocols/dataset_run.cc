#include "measure/protocols/dataset_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "measure/protocols/lone_worker.h"
#include "measure/requests/dataset_request.h"
#include "pipeline/steps/postprocessing.h"
#include "pipeline/steps/preprocessing.h"

namespace xsp::protocols {

using nlohmann::json;

namespace {

using Seconds = workers::WorkerSession::Seconds;

/// What the first batch may be expected to take.
constexpr double kFirstBatchS = 30;
/// How often a user hears of it.
constexpr double kBlockS = 1;
constexpr std::size_t kMostSamples = std::size_t{1} << 31;

Error DataSetUsage(std::string what, std::string hint) {
  return {ErrorKind::kUsage, std::move(what), std::move(hint)};
}

double SecondsSince(std::chrono::steady_clock::time_point start) {
  return Seconds(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Status CheckDataset(const requests::ExperimentRequest& request) {
  if (request.dataset.samples < 0 ||
      static_cast<std::size_t>(request.dataset.samples) > kMostSamples)
    return DataSetUsage(
        fmt::format("samples are not between 1 and {}: {}", kMostSamples, request.dataset.samples),
        "");
  if (request.dataset.text.empty()) {
    if (request.dataset.samples > 0)
      return DataSetUsage("--samples needs a data set", "Name one with --dataset.");
    return Ok{};
  }
  if (!request.scenario.kind.empty())
    return DataSetUsage("--dataset cannot be combined with --scenario",
                        "Measure one after the other.");
  if (!request.depth.empty() && request.depth != "model")
    return DataSetUsage(
        fmt::format("a data set is measured without profiling, not with --depth {}", request.depth),
        "Omit --depth; a run without --dataset shows the layers.");
  return Ok{};
}

requests::ExperimentRequest WithDataset(requests::ExperimentRequest request) {
  if (request.dataset.text.empty()) return request;
  request.depth = "model";
  request.only = true;
  return request;
}

Status AddDatasetToJob(const requests::DatasetRequest& request, const models::Model& model,
                       const std::filesystem::path& predictions, json& job) {
  if (model.manifest.preprocess.empty())
    return Error{
        ErrorKind::kBadInput,
        fmt::format("the manifest of {} does not say how a sample becomes its input", model.name),
        "Add `preprocess` to it (docs/pipelines.md), or give one with --manifest."};
  const json before = manifest::StepsToJson(model.manifest.preprocess);
  const json after = manifest::StepsToJson(model.manifest.postprocess);
  const std::string folder = model.folder.string();
  pipeline::PreProcessing preprocessing;
  pipeline::PostProcessing postprocessing;
  XSP_RETURN_IF_ERROR(pipeline::PreProcessing::Build(before, folder, preprocessing));
  // A model without steps after it is timed, and not scored.
  if (!after.empty())
    XSP_RETURN_IF_ERROR(pipeline::PostProcessing::Build(after, folder, postprocessing));
  job["dataset"] = {{"description", request.description},
                    {"folder", request.folder},
                    {"samples", request.samples},
                    {"preprocess", before},
                    {"postprocess", after},
                    {"steps_folder", folder},
                    {"predictions", predictions.string()}};
  return Ok{};
}

MeasuredRun MeasureDataset(const PlannedRun& plan, const requests::ExperimentRequest& request,
                           std::size_t samples, os::Interrupts& interrupts,
                           core::Progress& progress) {
  LoneWorker worker(plan, request, interrupts, progress, "data set");
  return worker.Measure([&]() -> Status {
    const auto batch = static_cast<std::size_t>(plan.batch);
    const auto start = std::chrono::steady_clock::now();
    std::size_t done = 0;
    double batch_s = kFirstBatchS;
    while (done < samples) {
      const auto batches = static_cast<std::size_t>(std::clamp(kBlockS / batch_s, 1.0, 1e6));
      const std::size_t block = std::min(batches * batch, samples - done);
      const double left_s = done == 0 ? -1
                                      : SecondsSince(start) / static_cast<double>(done) *
                                            static_cast<double>(samples - done);
      worker.Say(fmt::format("sample {} of {}", done + 1, samples),
                 static_cast<double>(done) / static_cast<double>(samples), left_s);
      const double expected_s = batch_s * static_cast<double>((block + batch - 1) / batch);
      const auto block_start = std::chrono::steady_clock::now();
      XSP_RETURN_IF_ERROR(worker.session().Evaluate(
          static_cast<std::int64_t>(done), static_cast<int>(block), worker.Deadline(expected_s)));
      worker.CountCalls(static_cast<int>((block + batch - 1) / batch));
      batch_s = SecondsSince(block_start) / static_cast<double>((block + batch - 1) / batch);
      done += block;
    }
    return Ok{};
  });
}

}  // namespace xsp::protocols
