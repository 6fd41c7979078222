#ifndef XSP_MEASURE_SESSIONS_SESSION_DOCUMENTS_H_
#define XSP_MEASURE_SESSIONS_SESSION_DOCUMENTS_H_

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/result.h"
#include "measure/models/model.h"
#include "measure/protocols/conditions.h"
#include "measure/protocols/measurement.h"
#include "measure/protocols/plan.h"
#include "measure/sessions/run_session.h"
#include "store/metadata.h"

namespace xsp::sessions {

/// "WHAT. HINT", for the column run.message.
std::string MessageOf(const Error& error);

/// `request` of experiment.json: all that decides what is measured and how.
nlohmann::json RequestJson(const requests::ExperimentRequest& request);

/// Of a measured run: job, calls, worker (exit, stderr, resources), conditions, stack.
store::RunMetadata MetadataOf(const protocols::MeasuredRun& run, const models::Model& model,
                              const nlohmann::json& stack,
                              const protocols::CpuAllowance& allowance);

/// Of the whole: status, failures, conditions, and all that is needed to do it again (command,
/// request, model with checksum, workers with the model file of each).
store::ExperimentMetadata MetadataOf(const requests::ExperimentRequest& request,
                                     const std::vector<workers::Backend>& backends,
                                     const ExperimentOutcome& outcome,
                                     const protocols::CpuAllowance& allowance,
                                     const protocols::Interference& interference);

}  // namespace xsp::sessions

#endif  // XSP_MEASURE_SESSIONS_SESSION_DOCUMENTS_H_
