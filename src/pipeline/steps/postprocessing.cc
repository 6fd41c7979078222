#include "pipeline/steps/postprocessing.h"

#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "pipeline/base/text_file.h"
#include "pipeline/steps/output_step.h"
#include "pipeline/steps/step_list.h"

namespace xsp::pipeline {
namespace {

using nlohmann::json;

constexpr std::array kOutputSteps = {
    StepKind<OutputStep>{"softmax", MakeSoftmax}, StepKind<OutputStep>{"top_k", MakeTopK},
    StepKind<OutputStep>{"boxes", MakeBoxes}, StepKind<OutputStep>{"masks", MakeMasks},
    StepKind<OutputStep>{"text", MakeText}};

/// Outputs that can be indexed without looking again.
Status CheckOutputs(std::span<const TensorView> outputs) {
  for (const TensorView& output : outputs) {
    const std::optional<std::int64_t> count = ElementCount(output.shape);
    if (!count || (*count > 0 && !output.data)) {
      return BadInput("an output has no elements that could be read: " + std::string(output.name) +
                      " " + ShapeText(output.shape));
    }
  }
  return Ok{};
}

}  // namespace

Status OutputState::Find(const std::string& name, const TensorView*& output) const {
  std::string names;
  for (const TensorView& candidate : outputs) {
    if (name.empty() || candidate.name == name) {
      output = &candidate;
      return Ok{};
    }
    names += (names.empty() ? "" : ", ") + std::string(candidate.name);
  }
  return BadInput("the model has no output of this name: " + name,
                  names.empty() ? "it gave no outputs" : "it has " + names);
}

Status PartOf(const TensorView& output, bool batched, std::size_t index, Part& part) {
  part.output = &output;
  part.shape = output.shape;
  part.first = 0;
  if (!batched) {
    if (index == 0) return Ok{};
    return BadInput("an output without a batch axis can only be used with batch 1: " +
                        std::string(output.name) + " " + ShapeText(output.shape),
                    "run with batch 1, or leave out `batched: false`");
  }
  if (output.shape.empty() || static_cast<std::int64_t>(index) >= output.shape[0]) {
    return BadInput("an output has no row for sample " + std::to_string(index) + ": " +
                        std::string(output.name) + " " + ShapeText(output.shape),
                    "say `batched: false` if its first axis is not the batch");
  }
  part.shape = output.shape.subspan(1);
  part.first = static_cast<std::int64_t>(index) * *ElementCount(part.shape);
  return Ok{};
}

Status ReadLabels(Parameters& parameters, const std::string& folder,
                  std::vector<std::string>& labels) {
  std::string path;
  parameters.Text("labels", path);
  if (path.empty()) return Ok{};
  return About("labels", ReadLines(Below(folder, path), labels));
}

std::string LabelOf(const std::vector<std::string>& labels, std::int64_t index) {
  const bool known = index >= 0 && static_cast<std::size_t>(index) < labels.size();
  return known ? labels[static_cast<std::size_t>(index)] : "";
}

PostProcessing::PostProcessing() = default;
PostProcessing::~PostProcessing() = default;
PostProcessing::PostProcessing(PostProcessing&&) noexcept = default;
PostProcessing& PostProcessing::operator=(PostProcessing&&) noexcept = default;

Status PostProcessing::Build(const json& steps, const std::string& folder, PostProcessing& result,
                             std::vector<Error>* all) {
  return WithoutExceptions([&]() -> Status {
    PostProcessing built;
    std::set<std::string> given = {""};
    const auto follow = [&](const OutputStep& step) -> Status {
      if (!given.contains(step.Needs())) {
        return BadInput(std::string("no step before it gives ") + step.Needs());
      }
      given.insert(step.Gives());
      return Ok{};
    };
    XSP_RETURN_IF_ERROR(MakeSteps<OutputStep>(steps, "post-processing", kOutputSteps, folder,
                                              follow, built.steps_, all));
    result = std::move(built);
    return Ok{};
  });
}

Status PostProcessing::Run(std::span<const TensorView> outputs,
                           std::span<const Placement> placements,
                           std::vector<Prediction>& predictions) const {
  return WithoutExceptions([&]() -> Status {
    predictions.assign(placements.size(), {});
    XSP_RETURN_IF_ERROR(CheckOutputs(outputs));
    OutputState state{{outputs.begin(), outputs.end()}, {}, placements, predictions};
    // A step makes at most one tensor; views into those of earlier steps must stay right.
    state.made.reserve(steps_.size());
    return RunSteps(steps_, state);
  });
}

}  // namespace xsp::pipeline
