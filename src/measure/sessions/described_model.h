#ifndef XSP_MEASURE_SESSIONS_DESCRIBED_MODEL_H_
#define XSP_MEASURE_SESSIONS_DESCRIBED_MODEL_H_

#include <string>
#include <vector>

#include "core/result.h"
#include "measure/manifest/manifest.h"
#include "measure/requests/experiment_request.h"

namespace xsp::sessions {

struct DescribedModel {
  manifest::Manifest manifest;       ///< Its file by its absolute path, its inputs.
  std::vector<std::string> guesses;  ///< What of the inputs was guessed, a line each.
  std::string refused;  ///< Why the model does not take what was guessed; empty: it does.
};

/// The manifest that a run of the request's model would use: its file, its framework, and the
/// inputs that the worker would be given, with the request's `inputs` laid over them. Loads the
/// model and calls it once. Errors: as ChooseBackends, and the worker's own. Threading: the main
/// thread.
Result<DescribedModel> DescribeModel(const requests::ExperimentRequest& request);

}  // namespace xsp::sessions

#endif  // XSP_MEASURE_SESSIONS_DESCRIBED_MODEL_H_
