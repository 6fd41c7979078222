#include "app/serve/query_request.h"

#include <optional>

#include "core/json_text.h"

namespace xsp::serve {
namespace {

using nlohmann::json;

/// Nothing: `text` is no value of this type.
std::optional<json> ValueOf(const std::string& text, const std::string& type) {
  if (type == "string") return text;
  const json value = core::ParseJson(text);
  if (type == "boolean" && value.is_boolean()) return value;
  if (type == "integer" && value.is_number_integer()) return value;
  if (type == "number" && value.is_number()) return value;
  return std::nullopt;
}

Error Refused(const std::string& field, const std::string& why) {
  return {.kind = ErrorKind::kUsage, .what = field + ": " + why, .hint = {}, .field = field};
}

}  // namespace

Result<json> RequestOfQuery(const json& schema,
                            const std::multimap<std::string, std::string>& query) {
  json request = json::object();
  const json& properties = schema["properties"];
  for (const auto& [name, text] : query) {
    const auto property = properties.find(name);
    if (property == properties.end()) {
      request[name] = text;
      continue;
    }
    const bool is_list = (*property)["type"] == "array";
    const std::string type = is_list ? (*property)["items"]["type"] : (*property)["type"];
    const std::optional<json> value = ValueOf(text, type);
    if (!value) return Refused(name, "not " + std::string(type == "integer" ? "an " : "a ") + type);
    if (is_list) {
      request[name].push_back(*value);
    } else if (request.contains(name)) {
      return Refused(name, "given twice");
    } else {
      request[name] = *value;
    }
  }
  return request;
}

}  // namespace xsp::serve
