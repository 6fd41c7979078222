#ifndef XSP_WORKERS_HARNESS_DATASET_PASS_H_
#define XSP_WORKERS_HARNESS_DATASET_PASS_H_

#include <array>
#include <cstddef>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "harness/inputs.h"
#include "harness/job.h"
#include "harness/worker.h"
#include "pipeline/datasets/dataset.h"
#include "pipeline/steps/postprocessing.h"
#include "pipeline/steps/preprocessing.h"

namespace xsp::worker {

/// Samples of a data set on their way through a model: made into the inputs of a call, and its
/// results into predictions, which are written to a file, a line of JSON per sample:
/// {"position": 0, "sample": "cat/1.jpg", "prediction": {...}}, or "error" in place of the
/// prediction for a sample that could not be taken. Main thread only.
class DatasetPass {
 public:
  /// Opens the data set and builds the pipelines. `inputs`: what a call takes, the batch filled in.
  /// Errors: bad_input, environment.
  static Status Open(const DatasetSpec& spec, const std::vector<InputSpec>& inputs,
                     std::int64_t batch, std::unique_ptr<DatasetPass>& pass);

  /// Samples that are taken in all.
  std::size_t size() const { return size_; }

  /// Reads and prepares samples `first` ... + `count` - 1 (at most a batch), each step a span. A
  /// sample that cannot be taken is written down as such and left out. Errors: environment.
  Status Prepare(std::size_t first, std::size_t count);

  /// How many samples are prepared; what is missing to a batch repeats the last of them.
  std::size_t prepared() const { return placements_.size(); }

  /// The inputs of the batch. Those of the call before stay as they are.
  const std::vector<xsp_worker_tensor>& inputs() const { return buffers_[turn_].tensors(); }

  /// Makes predictions of the batch out of a call's results, and writes them down; they are in the
  /// file then, whatever happens to the process. Errors: bad_input (the steps do not fit the
  /// results), environment.
  Status Keep(std::span<const xsp_worker_tensor> outputs);

  /// The same for samples that could not be taken. Errors: environment.
  Status Flush();

 private:
  DatasetPass() = default;
  Status Take(std::size_t position);
  /// Why a prepared sample does not fit the model's inputs; empty: it does.
  std::string Misfit(const pipeline::Prepared& prepared) const;
  Status Stack();
  void Refuse(std::size_t position, const std::string& name, const std::string& why);

  std::vector<InputSpec> specs_;
  std::size_t batch_ = 1;
  std::size_t size_ = 0;
  std::unique_ptr<pipeline::Dataset> dataset_;
  pipeline::PreProcessing before_;
  pipeline::PostProcessing after_;
  std::array<Inputs, 2> buffers_;  ///< A worker may use a call's inputs until the next are bound.
  std::size_t turn_ = 0;
  std::string path_;
  std::ofstream file_;

  /// Of the batch at hand, in step with each other.
  std::vector<std::size_t> positions_;
  std::vector<std::string> names_;
  std::vector<std::vector<pipeline::Tensor>> samples_;
  std::vector<pipeline::Placement> placements_;
};

}  // namespace xsp::worker

#endif  // XSP_WORKERS_HARNESS_DATASET_PASS_H_
