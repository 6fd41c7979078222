#ifndef XSP_MEASURE_SWEEPS_SWEEP_TARGETS_H_
#define XSP_MEASURE_SWEEPS_SWEEP_TARGETS_H_

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/progress.h"
#include "core/result.h"
#include "measure/requests/experiment_request.h"
#include "measure/sweeps/stored_measurements.h"
#include "measure/workers/backends.h"

namespace xsp::sweeps {

/// Worker and model of a point.
struct Target {
  workers::Backend backend;
  bool is_made = true;  ///< False: the model is of the zoo and not made yet; it has no bytes.
  std::optional<Error> refused;  ///< Why the point cannot be measured here.
};

/// Finds the targets of many points, each worker and model once. One thread.
class SweepTargets {
 public:
  /// Both borrowed. `wake_fd`: as workers::ChooseBackends.
  SweepTargets(core::Progress& progress, int wake_fd) : progress_(progress), wake_fd_(wake_fd) {}

  /// Of a request with one backend or none. `make`: a model of the zoo is made first, which may
  /// take minutes. Errors: kInterrupted; every other one is in the target.
  Result<Target> Find(const requests::ExperimentRequest& request, bool make);

 private:
  /// What decides about worker and model: model, backends, device, graph, precision, options, and
  /// whether it is made.
  using Key = std::tuple<std::string, std::vector<std::string>, std::string, std::string,
                         std::string, std::vector<std::string>, bool>;
  Result<Target> Look(const requests::ExperimentRequest& request, bool make);

  core::Progress& progress_;
  int wake_fd_;
  std::map<Key, Target> targets_;
};

/// Errors: kBadInput (no such file and no such model of the zoo).
Status CheckModelExists(const std::string& model);

/// What is measured, for a look into the store. `request` is complete.
Subject SubjectOf(const requests::ExperimentRequest& request, const Target& target);

}  // namespace xsp::sweeps

#endif  // XSP_MEASURE_SWEEPS_SWEEP_TARGETS_H_
