#ifndef XSP_PIPELINE_STEPS_STEP_H_
#define XSP_PIPELINE_STEPS_STEP_H_

#include <memory>
#include <string>
#include <vector>

#include "pipeline/base/errors.h"
#include "pipeline/base/parameters.h"
#include "pipeline/image/image.h"
#include "pipeline/steps/named_step.h"
#include "pipeline/steps/preprocessing.h"
#include "pipeline/tensor/tensor.h"

namespace xsp::pipeline {

/// What lies between two steps, known before any sample is.
struct Form {
  enum Kind {
    kRaw,     ///< As it came from the data set.
    kImage,   ///< 8 bit, in State::image.
    kTensor,  ///< One image as a tensor, in State::tensors[0].
    kTokens,  ///< Integers, in State::tensors.
  };
  Kind kind = kRaw;
  int channels = 3;
  bool channels_first = false;
  Dtype dtype = Dtype::kUint8;
};

/// One sample on its way through the steps.
struct State {
  const RawInput& input;
  Image image;
  std::vector<Tensor> tensors;
  bool channels_first = false;
  Placement placement;

  /// The image as a tensor, which it is from the first step on that needs one.
  Tensor& AsTensor();

  /// What is in the image now is what was in it before, times the scale and moved by the offset.
  void Move(double scale_x, double scale_y, double offset_x, double offset_y);
};

/// One pre-processing step with its parameters. Immutable: used from several threads.
class Step : public NamedStep {
 public:
  /// Changes `form` from what the step takes to what it gives. Error: it cannot take that; only
  /// the reason, the caller adds which step.
  virtual Status Follow(Form& form) const = 0;

  virtual Status Run(State& state) const = 0;
};

// Makers read the parameters of a step; what is wrong with them, `parameters` remembers. An error
// returned is that of a file. `folder` is where relative paths begin.

Status MakeDecode(Parameters& parameters, const std::string& folder, std::unique_ptr<Step>& step);
Status MakeResize(Parameters& parameters, const std::string& folder, std::unique_ptr<Step>& step);
Status MakeCrop(Parameters& parameters, const std::string& folder, std::unique_ptr<Step>& step);
Status MakePad(Parameters& parameters, const std::string& folder, std::unique_ptr<Step>& step);
Status MakeLetterbox(Parameters& parameters, const std::string& folder,
                     std::unique_ptr<Step>& step);
Status MakeNormalise(Parameters& parameters, const std::string& folder,
                     std::unique_ptr<Step>& step);
Status MakeColourOrder(Parameters& parameters, const std::string& folder,
                       std::unique_ptr<Step>& step);
Status MakeLayout(Parameters& parameters, const std::string& folder, std::unique_ptr<Step>& step);
Status MakeCast(Parameters& parameters, const std::string& folder, std::unique_ptr<Step>& step);
Status MakeTokenise(Parameters& parameters, const std::string& folder, std::unique_ptr<Step>& step);

}  // namespace xsp::pipeline

#endif  // XSP_PIPELINE_STEPS_STEP_H_
