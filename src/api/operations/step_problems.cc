#include "api/operations/step_problems.h"

#include <algorithm>

#include "pipeline/steps/postprocessing.h"
#include "pipeline/steps/preprocessing.h"

namespace xsp::api {
namespace {

using manifest::Problem;
using manifest::Step;

manifest::Position PlaceOf(const Error& error, const std::vector<Step>& steps) {
  if (error.step < 0) return steps.front().at;
  const Step& step = steps.at(static_cast<std::size_t>(error.step));
  const auto key = step.keys.find(error.field);
  return key == step.keys.end() ? step.at : key->second;
}

template <typename Pipeline>
void AddProblems(const std::vector<Step>& steps, const std::string& folder,
                 std::vector<Problem>& problems) {
  const bool known =
      std::all_of(steps.begin(), steps.end(), [](const Step& step) { return !step.name.empty(); });
  if (steps.empty() || !known) return;
  Pipeline built;
  std::vector<Error> errors;
  const Status first = Pipeline::Build(manifest::StepsToJson(steps), folder, built, &errors);
  // Memory may run out between two steps.
  if (!first.ok() && errors.empty()) errors.push_back(first.error());
  for (const Error& error : errors)
    problems.push_back({PlaceOf(error, steps), error.what, error.hint});
}

}  // namespace

std::vector<Problem> StepProblems(const manifest::Manifest& manifest, const std::string& folder) {
  std::vector<Problem> problems;
  AddProblems<pipeline::PreProcessing>(manifest.preprocess, folder, problems);
  AddProblems<pipeline::PostProcessing>(manifest.postprocess, folder, problems);
  return problems;
}

}  // namespace xsp::api
