#ifndef XSP_API_OPERATIONS_RUN_PLAN_H_
#define XSP_API_OPERATIONS_RUN_PLAN_H_

#include <nlohmann/json.hpp>
#include <vector>

#include "core/result.h"
#include "measure/requests/experiment_request.h"

namespace xsp::api {

/// What `xsp run` would measure, how long that would take and on what the estimate rests, and what
/// of it the store has: the document of `xsp run --plan`. Of a second request, which alternates
/// with the first, the same is its member `against`. Measures and writes nothing. Errors: as
/// sessions::PlanExperiment(); those of the store. Threading: any thread.
Result<nlohmann::json> PlanDocument(const std::vector<requests::ExperimentRequest>& requests);

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_RUN_PLAN_H_
