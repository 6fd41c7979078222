#include "pipeline/postprocess.h"

#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "pipeline/lines.h"
#include "pipeline/output_step.h"
#include "wire/xsp.h"

namespace xsp::pipeline {
namespace {

using nlohmann::json;

struct Kind {
  const char* name;
  MakeOutputStep make;
};

constexpr std::array kKinds = {Kind{"softmax", MakeSoftmax}, Kind{"top_k", MakeTopK},
                               Kind{"boxes", MakeBoxes}, Kind{"masks", MakeMasks},
                               Kind{"text", MakeText}};

std::string Names() {
  std::string names;
  for (const Kind& kind : kKinds) names += (names.empty() ? "" : ", ") + std::string(kind.name);
  return names;
}

MaybeFailure BuildStep(const json& description, std::size_t number, const std::string& folder,
                       std::unique_ptr<OutputStep>& step) {
  std::string where = "post-processing step " + std::to_string(number);
  if (!description.is_object()) {
    return BadInput(where + " must be an object: " + ForMessage(description));
  }
  const auto name = description.find("step");
  if (name == description.end() || !name->is_string()) {
    return BadInput(where + " has no name", "give it as `step`: " + Names());
  }
  const auto text = name->get<std::string>();
  for (const Kind& kind : kKinds) {
    if (text != kind.name) continue;
    where += ", " + text;
    Fields fields(description, where);
    fields.Find("step");
    if (MaybeFailure failure = kind.make(fields, folder, step)) {
      // What is wrong with a parameter says where already; a file does not.
      if (failure->what.rfind(where, 0) != 0) failure->what = where + ": " + failure->what;
      return failure;
    }
    if (MaybeFailure failure = fields.Finish()) return failure;
    step->SetName(text);
    return std::nullopt;
  }
  return BadInput(where + ": there is no step of this name: " + ForMessage(*name),
                  "it is one of " + Names());
}

/// Outputs that can be indexed without looking again.
MaybeFailure CheckOutputs(std::span<const TensorView> outputs) {
  for (const TensorView& output : outputs) {
    const std::optional<std::int64_t> count = ElementCount(output.shape);
    if (!count || (*count > 0 && !output.data)) {
      return BadInput("an output has no elements that could be read: " + std::string(output.name) +
                      " " + ShapeText(output.shape));
    }
  }
  return std::nullopt;
}

}  // namespace

void OutputStep::SetName(const std::string& name) {
  name_ = name;
  span_name_ = xsp_intern(name.data(), name.size());
}

MaybeFailure OutputState::Find(const std::string& name, const TensorView*& output) const {
  std::string names;
  for (const TensorView& candidate : outputs) {
    if (name.empty() || candidate.name == name) {
      output = &candidate;
      return std::nullopt;
    }
    names += (names.empty() ? "" : ", ") + std::string(candidate.name);
  }
  return BadInput("the model has no output of this name: " + name,
                  names.empty() ? "it gave no outputs" : "it has " + names);
}

MaybeFailure PartOf(const TensorView& output, bool batched, std::size_t index, Part& part) {
  part.output = &output;
  part.shape = output.shape;
  part.first = 0;
  if (!batched) {
    if (index == 0) return std::nullopt;
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
  return std::nullopt;
}

MaybeFailure ReadLabels(Fields& fields, const std::string& folder,
                        std::vector<std::string>& labels) {
  std::string path;
  fields.Text("labels", path);
  if (path.empty()) return std::nullopt;
  return ReadLines(Below(folder, path), labels);
}

std::string LabelOf(const std::vector<std::string>& labels, std::int64_t index) {
  const bool known = index >= 0 && static_cast<std::size_t>(index) < labels.size();
  return known ? labels[static_cast<std::size_t>(index)] : "";
}

PostProcessing::PostProcessing() = default;
PostProcessing::~PostProcessing() = default;
PostProcessing::PostProcessing(PostProcessing&&) noexcept = default;
PostProcessing& PostProcessing::operator=(PostProcessing&&) noexcept = default;

MaybeFailure PostProcessing::Build(const json& steps, const std::string& folder,
                                   PostProcessing& result) {
  return WithoutExceptions([&]() -> MaybeFailure {
    if (!steps.is_array() || steps.empty()) {
      return BadInput("post-processing must be a list of at least one step: " + ForMessage(steps));
    }
    PostProcessing built;
    std::set<std::string> given = {""};
    for (const json& description : steps) {
      std::unique_ptr<OutputStep> step;
      const std::size_t number = built.steps_.size() + 1;
      if (MaybeFailure failure = BuildStep(description, number, folder, step)) return failure;
      if (!given.contains(step->Needs())) {
        return BadInput("post-processing step " + std::to_string(number) + ", " + step->name() +
                        ": no step before it gives " + step->Needs());
      }
      given.insert(step->Gives());
      built.steps_.push_back(std::move(step));
    }
    result = std::move(built);
    return std::nullopt;
  });
}

MaybeFailure PostProcessing::Run(std::span<const TensorView> outputs,
                                 std::span<const Placement> placements,
                                 std::vector<Prediction>& predictions) const {
  static const xsp_string kRange = xsp_intern("range", 5);
  return WithoutExceptions([&]() -> MaybeFailure {
    predictions.assign(placements.size(), {});
    if (MaybeFailure failure = CheckOutputs(outputs)) return failure;
    OutputState state{{outputs.begin(), outputs.end()}, {}, placements, predictions};
    // A step makes at most one tensor; views into those of earlier steps must stay right.
    state.made.reserve(steps_.size());
    for (const std::unique_ptr<OutputStep>& step : steps_) {
      const xsp_span span = xsp_begin(XSP_LEVEL_APPLICATION, kRange, step->span_name());
      MaybeFailure failure = WithoutExceptions([&] { return step->Run(state); });
      xsp_end(span);
      if (failure) {
        failure->what = step->name() + ": " + failure->what;
        return failure;
      }
    }
    return std::nullopt;
  });
}

}  // namespace xsp::pipeline
