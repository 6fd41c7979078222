#ifndef XSP_PIPELINE_STEPS_POSTPROCESSING_H_
#define XSP_PIPELINE_STEPS_POSTPROCESSING_H_

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "pipeline/base/errors.h"
#include "pipeline/steps/prediction.h"
#include "pipeline/steps/preprocessing.h"
#include "pipeline/tensor/tensor.h"

namespace xsp::pipeline {

class OutputStep;

/// A list of post-processing steps (docs/pipelines.md): softmax, top_k, boxes, masks, text.
class PostProcessing {
 public:
  PostProcessing();
  ~PostProcessing();
  PostProcessing(PostProcessing&&) noexcept;
  PostProcessing& operator=(PostProcessing&&) noexcept;

  /// As PreProcessing::Build; labels and vocabularies are relative to `folder`.
  static Status Build(const nlohmann::json& steps, const std::string& folder,
                      PostProcessing& result, std::vector<Error>* all = nullptr);

  /// Makes one prediction per sample of a batch out of the model's outputs, whose first axis is
  /// the batch (a step's `batched: false` says otherwise). `placements` has one entry per sample of
  /// the batch that counts: a padded batch may have fewer. Each step is an application-level span
  /// of type `range` with the step's name. From any thread, several at a time. Errors: bad_input
  /// for an output that is missing or of the wrong shape; environment.
  Status Run(std::span<const TensorView> outputs, std::span<const Placement> placements,
             std::vector<Prediction>& predictions) const;

  std::size_t size() const { return steps_.size(); }

 private:
  std::vector<std::unique_ptr<OutputStep>> steps_;
};

}  // namespace xsp::pipeline

#endif  // XSP_PIPELINE_STEPS_POSTPROCESSING_H_
