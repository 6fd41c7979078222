#ifndef XSP_MEASURE_EVALUATE_DOCUMENTS_H_
#define XSP_MEASURE_EVALUATE_DOCUMENTS_H_

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/result.h"
#include "measure/evaluate/conditions.h"
#include "measure/evaluate/experiment.h"
#include "measure/evaluate/measurement.h"
#include "measure/evaluate/model.h"
#include "measure/evaluate/plan.h"

namespace xsp::evaluate {

/// Every fact that the collectors can read now (collect::ToJson).
nlohmann::json CaptureStackJson();

/// "WHAT. HINT", for the column run.message.
std::string MessageOf(const Error& error);

/// run.json of a measured run: rung, status, message, job, calls, worker (exit, stderr, resources),
/// conditions, stack.
std::string RunJson(const MeasuredRun& run, const Model& model, const nlohmann::json& stack,
                    const CpuAllowance& allowance);

/// experiment.json: status, failures, conditions, and all that is needed to do it again (command,
/// request, model with checksum, workers with the model file of each, version).
std::string ExperimentJson(const ExperimentRequest& request, const std::vector<Backend>& backends,
                           const ExperimentOutcome& outcome, const CpuAllowance& allowance,
                           const Disturbance& disturbance);

}  // namespace xsp::evaluate

#endif  // XSP_MEASURE_EVALUATE_DOCUMENTS_H_
