#include "measure/requests/backend_option.h"

namespace xsp::requests {

using nlohmann::json;

std::optional<BackendOption> ParseOption(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return std::nullopt;
  const std::size_t colon = text.substr(0, equals).find(':');
  BackendOption option;
  if (colon != std::string::npos) option.backend = text.substr(0, colon);
  const std::size_t name = colon == std::string::npos ? 0 : colon + 1;
  option.name = text.substr(name, equals - name);
  option.value = text.substr(equals + 1);
  return option.name.empty() ? std::nullopt : std::optional(option);
}

json OptionsFor(const ExperimentRequest& request, const std::string& backend) {
  json options = json::object();
  for (const std::string& text : request.options) {
    const auto option = ParseOption(text);
    if (option && (option->backend.empty() || option->backend == backend))
      options[option->name] = option->value;
  }
  return options;
}

}  // namespace xsp::requests
