#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "answer/trace_formats/trace_format.h"
#include "api/operation.h"
#include "api/operations/exported_trace.h"
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

Result<Document> ExportTables(const fs::path& folder, const Request& request) {
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

Result<Document> Export(const Context& context, const Request& request) {
  XSP_TRY(const fs::path folder, store::Resolve(context.store, request.run));
  const auto formats = trace_formats::AllTraceFormats();
  const auto format =
      std::ranges::find(formats, request.format, [](const auto* spec) { return spec->name; });
  return format == formats.end() ? ExportTables(folder, request)
                                 : ExportTrace(context, folder, **format, request.output);
}

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<Request>();
  AddRun(fields, &request->run);
  std::vector<std::string> formats = {"csv", "json"};
  std::string help =
      "Formats:\n  csv, json: the experiment tables, one file each\nof one run (of an experiment: "
      "the run with most levels, or name EXPERIMENT/RUN):";
  for (const trace_formats::TraceFormatSpec* spec : trace_formats::AllTraceFormats()) {
    formats.emplace_back(spec->name);
    help += fmt::format("\n  {}: {}", spec->name, spec->summary);
  }
  fields.Add("format", &request->format,
             {.help = help, .value_name = "FORMAT", .allowed = std::move(formats)});
  fields.Add(
      "output", &request->output,
      {.help = "Output folder of tables (default: NAME-tables); output file of a run, or the "
               "folder for it (default: NAME with the extension of the format)",
       .value_name = "PATH",
       .refers = core::Refers::kOutput,
       .letter = 'o'});
  return [&context, request] { return Export(context, *request); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "export",
    .summary = "Writes the experiment tables as CSV or JSON, or a run for other trace viewers",
    .example = "xsp export latest --format perfetto -o trace.pftrace",
    .effect = Effect::kChanges,
    .result = R"({"type": "object", "oneOf": [
      {"required": ["folder", "files"], "properties": {
        "folder": {"type": "string"},
        "files": {"type": "array", "items": {"type": "string"}, "description": "In the folder"}}},
      {"required": ["file", "format", "run", "spans", "bytes"], "properties": {
        "file": {"type": "string"},
        "format": {"type": "string"},
        "run": {"type": "string", "description": "The exported run: EXPERIMENT/RUN"},
        "spans": {"type": "integer", "description": "Spans of the run"},
        "bytes": {"type": "integer", "description": "Size of the file"}}}]})",
    .declare = Declare,
    .served_as = ServedAs::kNothing,
};

}  // namespace xsp::api::export_operation
