#ifndef XSP_API_OPERATIONS_RUN_REQUEST_H_
#define XSP_API_OPERATIONS_RUN_REQUEST_H_

#include <nlohmann/json.hpp>

#include "api/operation.h"
#include "core/result.h"
#include "measure/requests/experiment_request.h"

namespace xsp::api::run_operation {

/// What the operation `run` measures for `request`, an object of its fields, with store, progress,
/// interrupts and command line of `context`, which it borrows. Errors: kUsage naming the field, and
/// as requests::ParseDataset.
Result<requests::ExperimentRequest> ReadExperimentRequest(const nlohmann::json& request,
                                                          const Context& context);

}  // namespace xsp::api::run_operation

#endif  // XSP_API_OPERATIONS_RUN_REQUEST_H_
