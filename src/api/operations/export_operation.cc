#include <fmt/format.h>

#include "api/operation.h"
#include "api/operations/run_field.h"
#include "os/files.h"
#include "store/catalogue.h"
#include "store/database.h"
#include "store/export.h"
#include "store/schema.h"

namespace xsp::api::export_operation {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct Request {
  std::string run;
  std::string format = "csv";
  fs::path output;
};

Result<Document> Export(const Context& context, const Request& request) {
  XSP_TRY(const fs::path folder, store::Resolve(context.store, request.run));
  XSP_TRY(const store::Database database, store::Database::Open({folder}));
  const fs::path output =
      request.output.empty() ? fs::path(folder.filename().string() + "-tables") : request.output;
  std::error_code error;
  fs::create_directories(output, error);
  if (error) {
    return Error{ErrorKind::kEnvironment,
                 fmt::format("cannot create {}: {}", output.string(), error.message()),
                 "Choose another folder with -o."};
  }
  json files = json::array();
  for (const store::TableSchema& schema : store::Schema()) {
    if (schema.raw) continue;
    XSP_TRY(const store::Table table, database.Query(fmt::format("SELECT * FROM {}", schema.name)));
    const std::string text = request.format == "csv" ? store::ToCsv(table) : store::ToJson(table);
    files.push_back(fmt::format("{}.{}", schema.name, request.format));
    XSP_RETURN_IF_ERROR(os::WriteFileAtomically(output / files.back().get<std::string>(), text));
  }
  return Document{.content = json{{"folder", output.string()}, {"files", std::move(files)}}};
}

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<Request>();
  AddRun(fields, &request->run);
  fields.Add("format", &request->format,
             {.help = "csv or json", .value_name = "FORMAT", .allowed = {"csv", "json"}});
  fields.Add("output", &request->output,
             {.help = "Output folder (default: NAME-tables)",
              .value_name = "DIR",
              .refers = core::Refers::kOutput,
              .letter = 'o'});
  return [&context, request] { return Export(context, *request); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "export",
    .summary = "Writes the experiment tables as CSV or JSON files",
    .example = "xsp export latest --format json -o tables",
    .effect = Effect::kChanges,
    .result = R"({"type": "object", "required": ["folder", "files"], "properties": {
      "folder": {"type": "string"},
      "files": {"type": "array", "items": {"type": "string"}, "description": "In the folder"}}})",
    .declare = Declare,
    .served_as = ServedAs::kNothing,
};

}  // namespace xsp::api::export_operation
