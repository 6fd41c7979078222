#ifndef XSP_MEASURE_REQUESTS_BACKEND_OPTION_H_
#define XSP_MEASURE_REQUESTS_BACKEND_OPTION_H_

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "measure/requests/experiment_request.h"

namespace xsp::requests {

/// A setting that only some frameworks have: "onnxruntime:execution_mode=parallel".
struct BackendOption {
  std::string backend;  ///< Empty: every one.
  std::string name, value;
};

/// Nothing: it is not NAME=VALUE or BACKEND:NAME=VALUE.
std::optional<BackendOption> ParseOption(const std::string& text);

/// The options of the request for one backend, by name, as a job has them.
nlohmann::json OptionsFor(const ExperimentRequest& request, const std::string& backend);

}  // namespace xsp::requests

#endif  // XSP_MEASURE_REQUESTS_BACKEND_OPTION_H_
