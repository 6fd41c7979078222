#include "app/serve/openapi.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "app/serve/served_operation.h"
#include "core/json_text.h"

namespace xsp::serve {
namespace {

using nlohmann::json;

json Reference(std::string_view name) {
  return {{"$ref", "#/components/schemas/" + std::string(name)}};
}

json Content(json schema, std::string_view type = "application/json") {
  return {{std::string(type), {{"schema", std::move(schema)}}}};
}

std::string OperationId(const std::string& verb, std::string name) {
  std::ranges::replace(name, '/', '_');
  return verb + "_" + name;
}

/// Changes each reference to a definition of the schema itself to one of a component.
void Rebase(const std::string& prefix, json* value) {
  if (!value->is_structured()) return;
  static constexpr std::string_view kDefinitions = "#/$defs/";
  for (auto& [name, member] : value->items()) {
    const bool is_reference = name == "$ref" && member.is_string() &&
                              member.get_ref<const std::string&>().starts_with(kDefinitions);
    if (is_reference) {
      member =
          "#/components/schemas/" + prefix + member.get<std::string>().substr(kDefinitions.size());
    } else {
      Rebase(prefix, &member);
    }
  }
}

/// The definitions of an operation's document are components, named after the operation: a
/// reference within OpenAPI begins at the whole description.
std::string PrefixOf(const ServedOperation& served) {
  return OperationId("document_of", served.operation->name) + "_";
}

/// The schema of an operation's document, without its definitions.
json DocumentSchema(const ServedOperation& served) {
  json schema = core::ParseJson(served.operation->result);
  schema.erase("$defs");
  Rebase(PrefixOf(served), &schema);
  return schema;
}

void AddDefinitions(const ServedOperation& served, json* schemas) {
  const json whole = core::ParseJson(served.operation->result);
  const json definitions = whole.value("$defs", json::object());
  for (const auto& [name, definition] : definitions.items()) {
    json rebased = definition;
    Rebase(PrefixOf(served), &rebased);
    (*schemas)[PrefixOf(served) + name] = std::move(rebased);
  }
}

json Response(std::string_view description, json schema) {
  return {{"description", description}, {"content", Content(std::move(schema))}};
}

json ErrorResponse() { return Response("An error", Reference("Error")); }

json PathParameter(std::string_view name, std::string_view description) {
  return {{"name", name},
          {"in", "path"},
          {"required", true},
          {"description", description},
          {"schema", {{"type", "string"}}}};
}

json QueryParameter(const std::string& name, const json& schema, bool is_required) {
  json parameter = {{"name", name}, {"in", "query"}, {"required", is_required}, {"schema", schema}};
  if (schema.contains("description")) parameter["description"] = schema["description"];
  // A list is a repeated parameter.
  if (schema.value("type", "") == "array") parameter.update({{"style", "form"}, {"explode", true}});
  return parameter;
}

bool MayBeList(const json& document_schema) {
  const auto type = document_schema.find("type");
  if (type == document_schema.end()) return true;
  return type->is_array() ? std::ranges::find(*type, json("array")) != type->end()
                          : *type == "array";
}

/// Documents that are lists can be had in parts.
void AddPages(json* parameters, json* headers) {
  const json count = {{"type", "integer"},
                      {"minimum", 1},
                      {"maximum", 10000},
                      {"description", "Of a document that is an array: so many items of it"}};
  parameters->push_back(QueryParameter("limit", count, false));
  parameters->push_back(QueryParameter(
      "cursor", {{"type", "string"}, {"description", "Of the header Link of the items before"}},
      false));
  headers->update({{"Link",
                    {{"description", "The address of the next items, if there are more"},
                     {"schema", {{"type", "string"}}}}},
                   {"X-Total-Count",
                    {{"description", "Items of the whole array, with limit or cursor"},
                     {"schema", {{"type", "integer"}}}}}});
}

json GetOf(const ServedOperation& served) {
  json parameters = json::array();
  const json required = served.request_schema.value("required", json::array());
  for (const auto& [name, schema] : served.request_schema["properties"].items())
    parameters.push_back(
        QueryParameter(name, schema, std::ranges::find(required, json(name)) != required.end()));
  const json schema = DocumentSchema(served);
  json headers = {{"ETag", {{"schema", {{"type", "string"}}}}}};
  if (MayBeList(schema)) AddPages(&parameters, &headers);
  json document = Response("The document", schema);
  document["headers"] = std::move(headers);
  return {{"operationId", OperationId("get", served.operation->name)},
          {"summary", served.operation->summary},
          {"parameters", std::move(parameters)},
          {"responses",
           {{"200", std::move(document)},
            {"304", {{"description", "If-None-Match has the entity tag of the document"}}},
            {"default", ErrorResponse()}}}};
}

json PostOf(const ServedOperation& served) {
  json responses = {{"default", ErrorResponse()}};
  const std::string& answers_if = served.operation->answers_if;
  if (served.is_job())
    responses["202"] =
        Response("A job", {{"type", "object"}, {"properties", {{"job", Reference("Job")}}}});
  if (!served.is_job() || !answers_if.empty())
    responses["200"] = Response(
        answers_if.empty() ? "The document" : "With " + answers_if + ", the document at once",
        DocumentSchema(served));
  return {{"operationId", OperationId("post", served.operation->name)},
          {"summary", served.operation->summary},
          {"requestBody",
           {{"required", served.request_schema.contains("required")},
            {"content", Content(served.request_schema)}}},
          {"responses", std::move(responses)}};
}

json PageOfOperation(const ServedOperation& served) {
  json page = GetOf(served);
  page["operationId"] = OperationId("page", served.operation->name);
  page["responses"]["200"] = {{"description", "A self-contained page"},
                              {"content", Content({{"type", "string"}}, "text/html")}};
  json& parameters = page["parameters"];
  std::erase_if(parameters.get_ref<json::array_t&>(), [](const json& parameter) {
    return parameter["name"] == "limit" || parameter["name"] == "cursor";
  });
  return page;
}

json Entry(std::string_view id, std::string_view summary, json responses) {
  responses["default"] = ErrorResponse();
  return {{"operationId", id}, {"summary", summary}, {"responses", std::move(responses)}};
}

json Text(std::string_view description, std::string_view type) {
  return {{"description", description}, {"content", Content({{"type", "string"}}, type)}};
}

/// As live::LevelSums has it.
json JobLevels() {
  const json text = {{"type", "string"}}, number = {{"type", "integer"}, {"minimum", 0}};
  const auto object = [](const json& properties) {
    json required = json::array();
    for (const auto& [name, value] : properties.items()) required.push_back(name);
    return json{{"type", "object"}, {"required", required}, {"properties", properties}};
  };
  const auto list = [](const json& items) { return json{{"type", "array"}, {"items", items}}; };
  const json name = object({{"name", text}, {"spans", number}, {"time_ns", number}});
  const json level = object({{"level", text},
                             {"spans", number},
                             {"time_ns", number},
                             {"names", list(name)},
                             {"other_names", number}});
  return object({{"runs", list(object({{"run", text}, {"levels", list(level)}}))}});
}

void AddJobs(json* paths) {
  const json job = Reference("Job");
  const json id = json::array({PathParameter("id", "Of the job")});
  const json jobs = {{"type", "object"},
                     {"properties", {{"jobs", {{"type", "array"}, {"items", job}}}}}};
  json& all = *paths;
  all["/api/v1/jobs"]["get"] =
      Entry("jobs", "The jobs, the newest first", {{"200", Response("The newest 200", jobs)}});
  all["/api/v1/jobs/events"]["get"] =
      Entry("jobs_events", "Changes of all jobs",
            {{"200", Text("Events `job`, whose data is a Job", "text/event-stream")}});
  json& one = all["/api/v1/jobs/{id}"];
  one["parameters"] = id;
  one["get"] = Entry("job", "A job", {{"200", Response("The job", job)}});
  one["delete"] = Entry("job_cancel", "Cancels a job; what was measured is stored",
                        {{"202", Response("The job", job)}});
  json& events = all["/api/v1/jobs/{id}/events"];
  events["parameters"] = id;
  events["get"] = Entry("job_events", "Changes of a job, until it has ended",
                        {{"200", Text("Events `job`, whose data is a Job", "text/event-stream")}});
  json& log = all["/api/v1/jobs/{id}/log"];
  log["parameters"] = id;
  log["get"] = Entry("job_log", "What the job has printed for people",
                     {{"200", Text("Its last 256 KiB", "text/plain")}});
  json& levels = all["/api/v1/jobs/{id}/levels"];
  levels["parameters"] = id;
  levels["get"] = Entry("job_levels", "What the job is recording, by level",
                        {{"200", Response("Sums of the runs that are measured now", JobLevels())}});
  json& result = all["/api/v1/jobs/{id}/result"];
  result["parameters"] = id;
  result["get"] = Entry("job_result", "The document of the job's operation",
                        {{"200", Response("As the operation returns it", json::object())}});
}

void AddSession(json* paths) {
  json& session = (*paths)["/api/v1/session"];
  const json answer = {{"200", Response("Who is logged in", Reference("Session"))}};
  session["get"] = Entry("session", "Who is logged in", answer);
  session["post"] = Entry("log_in", "Logs in; sets a cookie", answer);
  session["post"]["security"] = json::array();
  session["post"]["requestBody"] = {{"required", true},
                                    {"content", Content({{"type", "object"},
                                                         {"properties",
                                                          {{"token", {{"type", "string"}}},
                                                           {"user", {{"type", "string"}}},
                                                           {"password", {{"type", "string"}}}}}})}};
  session["delete"] =
      Entry("log_out", "Ends the session", {{"200", Response("Logged out", json::object())}});
}

void AddUploads(json* paths) {
  const json upload = {
      {"type", "object"},
      {"required", json::array({"upload", "name", "bytes"})},
      {"properties",
       {{"upload", {{"type", "string"}, {"description", "What a request names it by: upload:ID"}}},
        {"name", {{"type", "string"}}},
        {"bytes", {{"type", "integer"}}}}}};
  json& entry = (*paths)["/api/v1/uploads"]["post"];
  entry = Entry("upload", "Sends a file to import, or a model to measure",
                {{"201", Response("Received", upload)}});
  entry["parameters"] = json::array(
      {QueryParameter("name", {{"type", "string"}, {"description", "Of the file"}}, false)});
  entry["requestBody"] = {{"required", true},
                          {"content", Content(json::object(), "application/octet-stream")}};
}

void AddOtlp(json* paths) {
  json& entry = (*paths)["/v1/traces"]["post"];
  entry = Entry("otlp_traces", "Receives spans of OpenTelemetry (OTLP/HTTP)",
                {{"200", Response("An ExportTraceServiceResponse", json::object())}});
  json content = Content(json::object());
  content.update(Content(json::object(), "application/x-protobuf"));
  entry["requestBody"] = {{"required", true}, {"content", std::move(content)}};
}

void AddMcp(json* paths) {
  json reply = Response("The answer", {{"type", "object"}});
  reply["content"].update(Text("", "text/event-stream")["content"]);
  json& entry = (*paths)["/mcp"]["post"];
  entry = Entry("mcp", "Answers a message of the Model Context Protocol (JSON-RPC 2.0)",
                {{"200", std::move(reply)},
                 {"202", {{"description", "A notification: there is nothing to answer"}}}});
  entry["requestBody"] = {{"required", true}, {"content", Content({{"type", "object"}})}};
}

json JobSchema() {
  const json text_or_null = {{"type", json::array({"string", "null"})}};
  const json integer_or_null = {{"type", json::array({"integer", "null"})}};
  return {{"type", "object"},
          {"required", json::array({"id", "operation", "request", "command", "state", "created"})},
          {"properties",
           {{"id", {{"type", "string"}}},
            {"operation", {{"type", "string"}}},
            {"request", {{"type", "object"}}},
            {"command", {{"type", "string"}, {"description", "Does the same, in a terminal"}}},
            {"user", {{"type", "string"}}},
            {"state",
             {{"enum",
               json::array({"queued", "running", "done", "failed", "cancelled", "interrupted"})}}},
            {"created", {{"type", "string"}, {"format", "date-time"}}},
            {"started", text_or_null},
            {"ended", text_or_null},
            {"position", integer_or_null},
            {"progress",
             {{"type", json::array({"object", "null"})},
              {"properties",
               {{"step", {{"type", "string"}}},
                {"fraction", {{"type", "number"}}},
                {"remaining_s", {{"type", json::array({"number", "null"})}}}}}}},
            {"exit_status", integer_or_null},
            {"error", {{"type", json::array({"object", "null"})}}},
            {"experiment", text_or_null}}}};
}

json Schemas() {
  const json text = {{"type", "string"}};
  json schemas = {
      {"Job", JobSchema()},
      {"Error",
       {{"type", "object"},
        {"required", json::array({"error"})},
        {"properties",
         {{"error",
           {{"type", "object"},
            {"required", json::array({"kind", "what", "hint", "field"})},
            {"properties", {{"kind", text}, {"what", text}, {"hint", text}, {"field", text}}}}}}}}},
      {"Session",
       {{"type", "object"},
        {"properties",
         {{"user", text},
          {"role", {{"enum", json::array({"none", "view", "measure"})}}},
          {"version", text},
          {"store", text},
          {"login", {{"enum", json::array({"token", "users"})}}},
          {"model_uploads",
           {{"type", "boolean"}, {"description", "This user may upload models"}}}}}}}};
  for (const ServedOperation& served : ServedOperations()) AddDefinitions(served, &schemas);
  return schemas;
}

}  // namespace

json OpenApi() {
  json paths = json::object();
  for (const ServedOperation& served : ServedOperations()) {
    if (served.is_read()) paths[served.path()]["get"] = GetOf(served);
    paths[served.path()]["post"] = PostOf(served);
    if (!served.page_field.empty() && !served.is_job())
      paths["/pages/" + served.operation->name]["get"] = PageOfOperation(served);
  }
  AddJobs(&paths);
  AddSession(&paths);
  AddUploads(&paths);
  AddOtlp(&paths);
  AddMcp(&paths);
  paths["/api/v1/operations"]["get"] = Entry(
      "operations", "The operations with their schemas",
      {{"200", Response("The operations", {{"type", "array"}, {"items", {{"type", "object"}}}})}});
  paths["/api/v1/openapi.json"]["get"] =
      Entry("openapi", "This description", {{"200", Response("OpenAPI 3.1", json::object())}});
  return {{"openapi", "3.1.0"},
          {"info",
           {{"title", "XSP"},
            {"version", XSP_VERSION},
            {"description", "Profiles and characterises machine-learning models."},
            {"license", {{"name", "Apache-2.0"}, {"identifier", "Apache-2.0"}}}}},
          {"servers", json::array({{{"url", "/"}}})},
          {"security", json::array({{{"token", json::array()}}, {{"session", json::array()}}})},
          {"paths", std::move(paths)},
          {"components",
           {{"schemas", Schemas()},
            {"securitySchemes",
             {{"token", {{"type", "http"}, {"scheme", "bearer"}}},
              {"session", {{"type", "apiKey"}, {"in", "cookie"}, {"name", "xsp-session"}}}}}}}};
}

}  // namespace xsp::serve
