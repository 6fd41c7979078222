#include "app/cli/step_problems.h"

#include <algorithm>

#include "pipeline/postprocess.h"
#include "pipeline/preprocess.h"

namespace xsp::cli {
namespace {

using manifest::Problem;
using manifest::Step;

manifest::Position PlaceOf(const pipeline::Failure& failure, const std::vector<Step>& steps) {
  if (failure.step < 0) return steps.front().at;
  const Step& step = steps.at(static_cast<std::size_t>(failure.step));
  const auto key = step.keys.find(failure.parameter);
  return key == step.keys.end() ? step.at : key->second;
}

template <typename Pipeline>
void AddProblems(const std::vector<Step>& steps, const std::string& folder,
                 std::vector<Problem>& problems) {
  const bool known =
      std::all_of(steps.begin(), steps.end(), [](const Step& step) { return !step.name.empty(); });
  if (steps.empty() || !known) return;
  Pipeline built;
  std::vector<pipeline::Failure> failures;
  const pipeline::MaybeFailure first =
      Pipeline::Build(manifest::StepsToJson(steps), folder, built, &failures);
  // Memory may run out between two steps.
  if (first && failures.empty()) failures.push_back(*first);
  for (const pipeline::Failure& failure : failures)
    problems.push_back({PlaceOf(failure, steps), failure.what, failure.hint});
}

}  // namespace

std::vector<Problem> StepProblems(const manifest::Manifest& manifest, const std::string& folder) {
  std::vector<Problem> problems;
  AddProblems<pipeline::PreProcessing>(manifest.preprocess, folder, problems);
  AddProblems<pipeline::PostProcessing>(manifest.postprocess, folder, problems);
  return problems;
}

}  // namespace xsp::cli
