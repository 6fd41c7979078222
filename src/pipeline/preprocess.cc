#include "pipeline/preprocess.h"

#include <array>
#include <nlohmann/json.hpp>

#include "pipeline/step.h"
#include "wire/xsp.h"

namespace xsp::pipeline {
namespace {

using nlohmann::json;

struct Kind {
  const char* name;
  MakeStep make;
};

constexpr std::array kKinds = {
    Kind{"decode", MakeDecode},
    Kind{"resize", MakeResize},
    Kind{"crop", MakeCrop},
    Kind{"pad", MakePad},
    Kind{"letterbox", MakeLetterbox},
    Kind{"normalise", MakeNormalise},
    Kind{"colour_order", MakeColourOrder},
    Kind{"layout", MakeLayout},
    Kind{"cast", MakeCast},
    Kind{"tokenise", MakeTokenise},
};

std::string Names() {
  std::string names;
  for (const Kind& kind : kKinds) names += (names.empty() ? "" : ", ") + std::string(kind.name);
  return names;
}

MaybeFailure BuildStep(const json& description, std::size_t number, const std::string& folder,
                       std::unique_ptr<Step>& step) {
  std::string where = "pre-processing step " + std::to_string(number);
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

}  // namespace

void Step::SetName(const std::string& name) {
  name_ = name;
  span_name_ = xsp_intern(name.data(), name.size());
}

PreProcessing::PreProcessing() = default;
PreProcessing::~PreProcessing() = default;
PreProcessing::PreProcessing(PreProcessing&&) noexcept = default;
PreProcessing& PreProcessing::operator=(PreProcessing&&) noexcept = default;

MaybeFailure PreProcessing::Build(const json& steps, const std::string& folder,
                                  PreProcessing& result) {
  return WithoutExceptions([&]() -> MaybeFailure {
    if (!steps.is_array() || steps.empty()) {
      return BadInput("pre-processing must be a list of at least one step: " + ForMessage(steps));
    }
    PreProcessing built;
    Form form;
    for (const json& description : steps) {
      std::unique_ptr<Step> step;
      const std::size_t number = built.steps_.size() + 1;
      if (MaybeFailure failure = BuildStep(description, number, folder, step)) return failure;
      if (MaybeFailure failure = step->Follow(form)) {
        failure->what = "pre-processing step " + std::to_string(number) + ", " + step->name() +
                        ": " + failure->what;
        return failure;
      }
      built.steps_.push_back(std::move(step));
    }
    result = std::move(built);
    return std::nullopt;
  });
}

MaybeFailure PreProcessing::Run(const RawInput& input, Prepared& result) const {
  // Interned once: the type of all steps' spans.
  static const xsp_string kRange = xsp_intern("range", 5);
  return WithoutExceptions([&]() -> MaybeFailure {
    State state{input, {}, {}, false, {}};
    for (const std::unique_ptr<Step>& step : steps_) {
      const xsp_span span = xsp_begin(XSP_LEVEL_APPLICATION, kRange, step->span_name());
      MaybeFailure failure = WithoutExceptions([&] { return step->Run(state); });
      xsp_end(span);
      if (failure) {
        failure->what = step->name() + ": " + failure->what;
        return failure;
      }
    }
    // A pipeline may end in 8 bit pixels.
    if (state.tensors.empty()) state.AsTensor();
    result.tensors = std::move(state.tensors);
    result.placement = state.placement;
    return std::nullopt;
  });
}

}  // namespace xsp::pipeline
