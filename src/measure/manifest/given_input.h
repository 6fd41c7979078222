#ifndef XSP_MEASURE_MANIFEST_GIVEN_INPUT_H_
#define XSP_MEASURE_MANIFEST_GIVEN_INPUT_H_

#include <nlohmann/json.hpp>
#include <string_view>

#include "core/result.h"

namespace xsp::manifest {

/// What a user says of one input on the command line, as a job's `model.given` has it
/// (docs/worker-protocol.md):
///
///     [NAME=]SHAPE[:DTYPE][:range=LOW..HIGH][:value=NUMBER][:fill=NAME]
///
/// SHAPE is sizes with `x` between them, `N` for the batch (`Nx3x48x320`), or `scalar`; the name is
/// optional where the model has one input. HIGH is not part of the range. Errors: kUsage.
Result<nlohmann::json> ParseGivenInput(std::string_view text);

}  // namespace xsp::manifest

#endif  // XSP_MEASURE_MANIFEST_GIVEN_INPUT_H_
