#ifndef XSP_PIPELINE_STEPS_PREPROCESSING_H_
#define XSP_PIPELINE_STEPS_PREPROCESSING_H_

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/base/errors.h"
#include "pipeline/tensor/tensor.h"

namespace xsp::pipeline {

/// One sample as it comes from a data set. The caller owns what the views show.
struct RawInput {
  std::string_view bytes;        ///< An encoded image; for `decode`.
  std::string_view text;         ///< UTF-8; for `tokenise`.
  std::string_view second_text;  ///< UTF-8; the second text of a pair, or empty.
};

/// Where the sample's image lies in the model's input:
///   x_input = x_original * scale_x + offset_x, the same for y,
/// in pixels, with (0, 0) the outer corner of the upper left pixel. Lets boxes and masks be given
/// in the original image. All sizes are 0 for texts.
struct Placement {
  int original_width = 0;
  int original_height = 0;
  int input_width = 0;
  int input_height = 0;
  double scale_x = 1;
  double scale_y = 1;
  double offset_x = 0;
  double offset_y = 0;
};

/// One sample ready for the model, without a batch axis; StackInto makes the batch.
struct Prepared {
  /// One tensor without name for an image; for texts the ids, then what `tokenise` was asked for.
  std::vector<Tensor> tensors;
  Placement placement;
};

class Step;

/// A list of pre-processing steps (docs/pipelines.md), checked when it is built: that parameters
/// are right and that each step can take what the one before gives.
class PreProcessing {
 public:
  PreProcessing();
  ~PreProcessing();
  PreProcessing(PreProcessing&&) noexcept;
  PreProcessing& operator=(PreProcessing&&) noexcept;

  /// `steps`: [{"step": "decode"}, {"step": "resize", "width": 224, "height": 224}, ...]. Files
  /// that steps name (vocabularies) are relative to `folder`. Errors: bad_input, with the
  /// position and the name of the step first; environment. `all` takes everything that is wrong, of
  /// each step the first thing; what a step behind a wrong one can take is not known.
  static Status Build(const nlohmann::json& steps, const std::string& folder, PreProcessing& result,
                      std::vector<Error>* all = nullptr);

  /// Prepares one sample. Each step is an application-level span of type `range` with the step's
  /// name. From any thread, several at a time. Errors: bad_input for a sample that cannot be
  /// taken (damaged, too large), with the name of the step first; environment.
  Status Run(const RawInput& input, Prepared& result) const;

  std::size_t size() const { return steps_.size(); }

 private:
  std::vector<std::unique_ptr<Step>> steps_;
};

}  // namespace xsp::pipeline

#endif  // XSP_PIPELINE_STEPS_PREPROCESSING_H_
