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
/// KEY=VALUE; several backends; another backend beside a worker program; a load scenario or a data
/// set, whose calls do not alternate).
Result<requests::ExperimentRequest> OtherRequest(const requests::ExperimentRequest& experiment,
                                                 const AgainstRequest& against);

/// Path, runs, status and failures of an experiment.
nlohmann::json OutcomeDocument(const sessions::ExperimentOutcome& outcome);

/// Adds to `body`, the document of `xsp run`, the members `against` and `comparison`: the first
/// experiment of `outcome`, which `request` asked for, compared with the second at each batch size,
/// latencies and results. What cannot be compared is a note of `document`: both are stored. `page`:
/// where a page about it is written; empty: nowhere.
void AddAgainst(const requests::ExperimentRequest& request,
                const sessions::AlternationOutcome& outcome, const std::filesystem::path& page,
                nlohmann::json& body, Document& document);

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_RUN_AGAINST_H_
