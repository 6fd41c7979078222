#include "pipeline/steps/preprocessing.h"

#include <array>
#include <nlohmann/json.hpp>

#include "pipeline/steps/step.h"
#include "pipeline/steps/step_list.h"

namespace xsp::pipeline {
namespace {

using nlohmann::json;

constexpr std::array kInputSteps = {
    StepKind<Step>{"decode", MakeDecode},
    StepKind<Step>{"resize", MakeResize},
    StepKind<Step>{"crop", MakeCrop},
    StepKind<Step>{"pad", MakePad},
    StepKind<Step>{"letterbox", MakeLetterbox},
    StepKind<Step>{"normalise", MakeNormalise},
    StepKind<Step>{"colour_order", MakeColourOrder},
    StepKind<Step>{"layout", MakeLayout},
    StepKind<Step>{"cast", MakeCast},
    StepKind<Step>{"tokenise", MakeTokenise},
};

}  // namespace

PreProcessing::PreProcessing() = default;
PreProcessing::~PreProcessing() = default;
PreProcessing::PreProcessing(PreProcessing&&) noexcept = default;
PreProcessing& PreProcessing::operator=(PreProcessing&&) noexcept = default;

Status PreProcessing::Build(const json& steps, const std::string& folder, PreProcessing& result,
                            std::vector<Error>* all) {
  return WithoutExceptions([&]() -> Status {
    PreProcessing built;
    Form form;
    const auto follow = [&](const Step& step) { return step.Follow(form); };
    XSP_RETURN_IF_ERROR(
        MakeSteps<Step>(steps, "pre-processing", kInputSteps, folder, follow, built.steps_, all));
    result = std::move(built);
    return Ok{};
  });
}

Status PreProcessing::Run(const RawInput& input, Prepared& result) const {
  return WithoutExceptions([&]() -> Status {
    State state{input, {}, {}, false, {}};
    XSP_RETURN_IF_ERROR(RunSteps(steps_, state));
    // A pipeline may end in 8 bit pixels.
    if (state.tensors.empty()) state.AsTensor();
    result.tensors = std::move(state.tensors);
    result.placement = state.placement;
    return Ok{};
  });
}

}  // namespace xsp::pipeline
