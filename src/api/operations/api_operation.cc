#include "api/operations/operation_list.h"
#include "api/request_json.h"
#include "core/json_text.h"

namespace xsp::api::api_operation {
namespace {

using nlohmann::json;

Result<Document> List(const std::string& name) {
  if (!name.empty() && FindOperation(name) == nullptr) return NoSuchOperation(name);
  json operations = json::array();
  for (const Operation& operation : AllOperations())
    if (name.empty() || operation.name == name)
      operations.push_back({{"name", operation.name},
                            {"summary", operation.summary},
                            {"example", operation.example},
                            {"effect", NameOf(operation.effect)},
                            {"request", RequestSchema(operation)},
                            {"result", core::ParseJson(operation.result)}});
  return Document{.content = json{{"operations", std::move(operations)}}};
}

Action Declare(core::RequestFields& fields, const Context&) {
  auto name = std::make_shared<std::string>();
  fields.Add("operation", name.get(),
             {.help = "Only this operation, with the fields of its request: run, suite/similarity",
              .value_name = "OPERATION",
              .positional = true});
  return [name] { return List(*name); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "api",
    .summary = "Lists the operations, with the schemas of their requests and results",
    .example = "xsp api run && xsp api --format json",
    .effect = Effect::kReads,
    .result = R"({"type": "object", "required": ["operations"], "properties": {
      "operations": {"type": "array", "items": {"type": "object", "properties": {
        "name": {"type": "string"}, "summary": {"type": "string"}, "example": {"type": "string"},
        "effect": {"enum": ["reads", "measures", "changes"]},
        "request": {"type": "object", "description": "JSON Schema"},
        "result": {"type": "object", "description": "JSON Schema"}}}}}})",
    .declare = Declare,
    .served_as = ServedAs::kNothing,
};

}  // namespace xsp::api::api_operation
