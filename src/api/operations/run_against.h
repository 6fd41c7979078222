#ifndef XSP_API_OPERATIONS_RUN_AGAINST_H_
#define XSP_API_OPERATIONS_RUN_AGAINST_H_

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "api/operation.h"
#include "core/request_fields.h"
#include "core/result.h"
#include "measure/requests/experiment_request.h"
#include "measure/sessions/run_session.h"

namespace xsp::api {

/// What `xsp run` measures alternately with its model, to compare both.
struct AgainstRequest {
  std::string model;                  ///< A file, or a name of the zoo; empty: the same model.
  std::vector<std::string> settings;  ///< KEY=VALUE, in which it differs.

  bool is_asked_for() const { return !model.empty() || !settings.empty(); }
};

void DeclareAgainst(core::RequestFields& fields, AgainstRequest& request);

/// `experiment` with the other model and settings. Errors: kUsage (a setting that is unknown or no
/// KEY=VALUE; a load scenario or a data set, whose calls do not alternate).
Result<requests::ExperimentRequest> OtherRequest(const requests::ExperimentRequest& experiment,
                                                 const AgainstRequest& against);

/// Path, runs, status and failures of an experiment.
nlohmann::json OutcomeDocument(const sessions::ExperimentOutcome& outcome);

/// The members `against` and `comparison` of the document of `xsp run`: the first experiment of
/// `outcome`, which `request` asked for, compared with the second at each batch size, latencies and
/// results. What cannot be compared (a point that failed) is a note of `document`. Errors: those of
/// compare::ReadSides() but kBadInput, and of writing the page. `page`: where one is written; empty:
/// none is.
Result<nlohmann::json> AgainstDocument(const requests::ExperimentRequest& request,
                                       const sessions::AlternationOutcome& outcome,
                                       const std::filesystem::path& page, Document& document);

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_RUN_AGAINST_H_
