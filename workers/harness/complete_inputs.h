#ifndef XSP_WORKERS_HARNESS_COMPLETE_INPUTS_H_
#define XSP_WORKERS_HARNESS_COMPLETE_INPUTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.h"
#include "harness/job.h"
#include "harness/worker.h"

namespace xsp::worker {

/// Inputs that can be made, and what of them nobody told.
struct CompleteInputs {
  std::vector<InputSpec> specs;
  /// A line for each input of which something was guessed: "x: size 2 (height) = 224".
  std::vector<std::string> guesses;
};

/// An input of which nothing is known.
xsp_worker_input UnknownInput();

/// So many guesses there are for what is open; a model that refuses one may take the next.
inline constexpr int kGuesses = 3;

/// Takes what the framework tells (`known`), lays what the user gives over it, and guesses what is
/// then still open, by the rules of docs/models.md ("Inputs that the file leaves open"). Without
/// `known` the given inputs are all that there are. `guess`: which, 0 ... kGuesses - 1. Errors:
/// bad_input, where `given` names an input that is not there, or gives a shape of another rank.
Status Complete(const std::vector<xsp_worker_input>& known, const std::vector<GivenInput>& given,
                std::int64_t batch, int guess, CompleteInputs& complete);

/// Lays `given` over inputs that are complete (a manifest's). Errors: likewise.
Status LayOver(const std::vector<GivenInput>& given, std::int64_t batch,
               std::vector<InputSpec>& specs);

}  // namespace xsp::worker

#endif  // XSP_WORKERS_HARNESS_COMPLETE_INPUTS_H_
