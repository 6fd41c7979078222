#include <fmt/format.h>

#include "api/operation.h"
#include "api/operations/run_field.h"
#include "core/json_text.h"
#include "os/files.h"
#include "store/catalogue.h"
#include "store/database.h"
#include "store/export.h"

namespace xsp::api::show_operation {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct Request {
  std::string run;
};

Result<Document> Show(const Context& context, const Request& request) {
  XSP_TRY(const fs::path folder, store::Resolve(context.store, request.run));
  XSP_TRY(const store::Database database, store::Database::Open({folder}));
  json body = {{"path", folder.string()}};
  for (const char* name : {"experiment", "run"}) {
    const auto text = os::ReadFile(folder / fmt::format("{}.json", name));
    if (text.ok()) body[name] = core::ParseJson(text.value());
  }
  for (const char* table : {"point", "run", "diagnostic"}) {
    XSP_TRY(const store::Table rows, database.Query(fmt::format("SELECT * FROM {}", table)));
    body[fmt::format("{}s", table)] = core::ParseJson(store::ToJson(rows));
  }
  return Document{.content = std::move(body)};
}

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<Request>();
  AddRun(fields, &request->run);
  return [&context, request] { return Show(context, *request); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "show",
    .summary = "Shows an experiment or run: its summary, recorded events and problems",
    .example = "xsp show latest",
    .effect = Effect::kReads,
    .result = R"({"type": "object", "required": ["path", "points", "runs", "diagnostics"],
      "properties": {
        "path": {"type": "string"},
        "experiment": {"type": "object", "description": "experiment.json of the folder"},
        "run": {"type": "object", "description": "run.json of the folder"},
        "points": {"type": "array", "items": {"type": "object"}, "description": "Table point"},
        "runs": {"type": "array", "items": {"type": "object"}, "description": "Table run"},
        "diagnostics": {"type": "array", "items": {"type": "object"},
          "description": "Table diagnostic"}}})",
    .declare = Declare,
    .reads_named_only = true,
};

}  // namespace xsp::api::show_operation
