#include "app/mcp/tool_schema.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "api/operations/operation_list.h"
#include "api/request_json.h"
#include "core/json_text.h"
#include "core/result.h"

namespace xsp::mcp {
namespace {

using nlohmann::json;

const api::Operation& OperationOf(const ToolSpec& tool) {
  const api::Operation* operation = api::FindOperation(tool.operation);
  XSP_CHECK(operation != nullptr);
  return *operation;
}

bool HasToolField(const ToolSpec& tool, const json& name) {
  return std::ranges::any_of(tool.fields, [&name](const ToolField& field) {
    return name == std::string_view(field.name);
  });
}

bool HasToolFields(const ToolSpec& tool, const json& names) {
  return std::ranges::all_of(names, [&tool](const json& name) { return HasToolField(tool, name); });
}

/// What holds between fields, as far as the tool has all of them.
void AddConditions(const ToolSpec& tool, const json& request, json& schema) {
  for (const json& name : request.value("required", json::array()))
    if (HasToolField(tool, name)) schema["required"].push_back(name);
  const json needed = request.value("dependentRequired", json::object());
  for (const auto& [name, others] : needed.items())
    if (HasToolField(tool, name) && HasToolFields(tool, others))
      schema["dependentRequired"][name] = others;
  const json excluded = request.value(json::json_pointer("/not/anyOf"), json::array());
  for (const json& pair : excluded)
    if (HasToolFields(tool, pair["required"])) schema["not"]["anyOf"].push_back(pair);
}

/// Name, type and description of a schema, and of what lies `levels` deeper. Keywords that restrict
/// more are left out: they do not hold for an answer that was cut.
json OutlineOf(const json& schema, int levels) {
  json outline = json::object();
  for (const char* keyword : {"type", "enum", "description"})
    if (schema.contains(keyword)) outline[keyword] = schema[keyword];
  if (levels == 0) return outline;
  const json properties = schema.value("properties", json::object());
  for (const auto& [name, property] : properties.items())
    outline["properties"][name] = OutlineOf(property, levels - 1);
  return outline;
}

/// The schema of what a JSON pointer of a document points to. An index points to the items.
json SchemaAt(const json& schema, std::string_view pointer) {
  json at = schema;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::string token(pointer.substr(0, pointer.find('/')));
    pointer.remove_prefix(token.size());
    json next = at["type"] == "array" ? at["items"] : at.value("properties", json::object())[token];
    at = std::move(next);
  }
  return at;
}

/// The schema of one row.
json RowSchema(const ToolSpec& tool, const json& document) {
  if (tool.rows.pointers.front() == nullptr)
    return OutlineOf(document.value("items", json::object()), 1);
  json alternatives = json::array();
  for (const char* pointer : tool.rows.pointers)
    if (pointer != nullptr)
      alternatives.push_back(
          OutlineOf(SchemaAt(document, pointer).value("items", json::object()), 1));
  if (alternatives.size() == 1) return alternatives.front();
  return {{"anyOf", std::move(alternatives)}};
}

json AboutSchema(const ToolSpec& tool, const json& document) {
  json about = OutlineOf(document, 1);
  about["type"] = "object";
  about["description"] = "The rest of the answer; only without a cursor";
  for (const char* pointer : tool.rows.pointers)
    if (pointer != nullptr && about.contains("properties"))
      about["properties"].erase(std::string(pointer).substr(1));
  return about;
}

}  // namespace

json InputSchema(const ToolSpec& tool) {
  const json request = api::RequestSchema(OperationOf(tool));
  json schema = {
      {"type", "object"}, {"properties", json::object()}, {"additionalProperties", false}};
  for (const ToolField& field : tool.fields) {
    json property = request["properties"].value(field.name, json());
    XSP_CHECK(!property.is_null());
    property.erase("positional");
    if (field.description != nullptr) property["description"] = field.description;
    schema["properties"][field.name] = std::move(property);
  }
  schema["properties"]["max_tokens"] = {
      {"type", "integer"},
      {"minimum", kMinTokens},
      {"maximum", kMaxTokens},
      {"default", kDefaultTokens},
      {"description", "Limit of the answer, in tokens of 4 bytes"}};
  schema["properties"]["cursor"] = {
      {"type", "string"},
      {"description", "Of the previous answer, with the same arguments: gives the next rows"}};
  AddConditions(tool, request, schema);
  return schema;
}

json OutputSchema(const ToolSpec& tool) {
  const json document = core::ParseJson(OperationOf(tool).result);
  json properties = {
      {"total", {{"type", "integer"}, {"description", "Rows of the whole answer"}}},
      {"shown", {{"type", "integer"}, {"description", "Rows here"}}},
      {"truncated", {{"type", "boolean"}, {"description", "Rows follow: pass the cursor"}}},
      {"cursor", {{"type", json::array({"string", "null"})}}},
      {"shortened", {{"type", "boolean"}, {"description", "Long texts or inner lists were cut"}}},
      {"members_left_out",
       {{"type", "array"},
        {"items", {{"type", "string"}}},
        {"description", "Names of members that rows here lack: `query` gives them"}}},
      {"notes", {{"type", "array"}, {"items", {{"type", "string"}}}}}};
  properties["rows"] = {{"type", "array"}, {"items", RowSchema(tool, document)}};
  if (document.value("type", json()) != "array") properties["about"] = AboutSchema(tool, document);
  return {{"type", "object"},
          {"required", json::array({"total", "shown", "truncated", "cursor", "shortened", "rows"})},
          {"properties", std::move(properties)}};
}

json ToolDescription(const ToolSpec& tool) {
  const bool only_reads = tool.permission == Permission::kNone;
  return {{"name", tool.name},
          {"title", tool.title},
          {"description", tool.description},
          {"inputSchema", InputSchema(tool)},
          {"outputSchema", OutputSchema(tool)},
          {"annotations",
           {{"title", tool.title},
            {"readOnlyHint", only_reads},
            {"destructiveHint", false},
            {"idempotentHint", only_reads},
            {"openWorldHint", false}}}};
}

}  // namespace xsp::mcp
