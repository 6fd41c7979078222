#ifndef XSP_PIPELINE_STEPS_OUTPUT_STEP_H_
#define XSP_PIPELINE_STEPS_OUTPUT_STEP_H_

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pipeline/base/errors.h"
#include "pipeline/base/parameters.h"
#include "pipeline/steps/named_step.h"
#include "pipeline/steps/postprocessing.h"

namespace xsp::pipeline {

/// One batch on its way through the post-processing steps.
struct OutputState {
  std::vector<TensorView> outputs;  ///< The model's, some replaced by what a step made of them.
  std::vector<Tensor> made;         ///< Owns those; its elements' data stays where it is.
  std::span<const Placement> placements;
  std::vector<Prediction>& predictions;  ///< One per placement.

  /// The output of that name, or the first one for an empty name. Error: there is none, with the
  /// names that are.
  Status Find(const std::string& name, const TensorView*& output) const;
};

/// The part of an output that belongs to one sample.
struct Part {
  const TensorView* output = nullptr;
  std::span<const std::int64_t> shape;  ///< Without the batch axis.
  std::int64_t first = 0;               ///< Index of its first element.

  double At(std::int64_t index) const {
    return ElementAt(output->data, output->dtype, first + index);
  }
};

/// The part of `output` for sample `index`. With `batched` false there is one sample and no batch
/// axis. Errors: bad_input when there is no such sample.
Status PartOf(const TensorView& output, bool batched, std::size_t index, Part& part);

/// One post-processing step with its parameters. Immutable: used from several threads.
class OutputStep : public NamedStep {
 public:
  virtual Status Run(OutputState& state) const = 0;

  /// What the step leaves for later ones; `masks` needs "detections".
  virtual const char* Gives() const { return ""; }
  virtual const char* Needs() const { return ""; }
};

// Makers, as those in step.h.

Status MakeSoftmax(Parameters& parameters, const std::string& folder,
                   std::unique_ptr<OutputStep>& step);
Status MakeTopK(Parameters& parameters, const std::string& folder,
                std::unique_ptr<OutputStep>& step);
Status MakeBoxes(Parameters& parameters, const std::string& folder,
                 std::unique_ptr<OutputStep>& step);
Status MakeMasks(Parameters& parameters, const std::string& folder,
                 std::unique_ptr<OutputStep>& step);
Status MakeText(Parameters& parameters, const std::string& folder,
                std::unique_ptr<OutputStep>& step);

/// Reads the labels file that `labels` names, if it names one. Errors: as ReadLines.
Status ReadLabels(Parameters& parameters, const std::string& folder,
                  std::vector<std::string>& labels);

/// The label of a class, empty beyond the list.
std::string LabelOf(const std::vector<std::string>& labels, std::int64_t index);

}  // namespace xsp::pipeline

#endif  // XSP_PIPELINE_STEPS_OUTPUT_STEP_H_
