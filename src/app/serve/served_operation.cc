#include "app/serve/served_operation.h"

#include <string_view>

#include "api/operations/operation_list.h"
#include "api/request_json.h"
#include "api/request_policy.h"
#include "core/json_text.h"

namespace xsp::serve {
namespace {

using nlohmann::json;

/// The schema without the fields that nobody may give who does not run the server.
json SchemaForOthers(json schema) {
  json& properties = schema["properties"];
  for (auto it = properties.begin(); it != properties.end();) {
    const std::string refers = it->value("refers", "");
    const bool is_ours = refers == "output" || refers == "output_page" || refers == "program" ||
                         it->contains("program");
    it = is_ours ? properties.erase(it) : std::next(it);
  }
  return schema;
}

}  // namespace

const std::vector<ServedOperation>& ServedOperations() {
  static const std::vector<ServedOperation> all = [] {
    std::vector<ServedOperation> served;
    for (const api::Operation& operation : api::AllOperations())
      if (operation.served_as != api::ServedAs::kNothing)
        served.push_back({&operation, SchemaForOthers(api::RequestSchema(operation)),
                          api::PageFieldOf(operation)});
    return served;
  }();
  return all;
}

const ServedOperation* FindServed(std::string_view name) {
  for (const ServedOperation& served : ServedOperations())
    if (served.operation->name == name) return &served;
  return nullptr;
}

json ToJson(const ServedOperation& served) {
  const api::Operation& operation = *served.operation;
  return {{"name", operation.name},
          {"summary", operation.summary},
          {"example", operation.example},
          {"effect", api::NameOf(operation.effect)},
          {"job", served.is_job()},
          {"page", !served.page_field.empty() && !served.is_job()},
          {"role", NameOf(served.role())},
          {"request", served.request_schema},
          {"result", core::ParseJson(operation.result)}};
}

}  // namespace xsp::serve
