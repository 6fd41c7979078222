#ifndef XSP_API_OPERATIONS_STEP_PROBLEMS_H_
#define XSP_API_OPERATIONS_STEP_PROBLEMS_H_

#include <string>
#include <vector>

#include "measure/manifest/manifest.h"

namespace xsp::api {

/// What keeps the pipelines of a manifest from being built, of each step the first thing: its
/// parameters, the files that it names (relative to `folder`), that it cannot take what the step
/// before gives. At the parameter where it is one's fault, else at the step. A list with a step
/// that the manifest's reader did not know is left alone: it has said so.
std::vector<manifest::Problem> StepProblems(const manifest::Manifest& manifest,
                                            const std::string& folder);

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_STEP_PROBLEMS_H_
