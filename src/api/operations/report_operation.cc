#include "answer/report/summary_document.h"
#include "api/operation.h"
#include "api/operations/report_file.h"
#include "api/operations/run_field.h"
#include "store/catalogue.h"
#include "store/database.h"

namespace xsp::api::report_operation {
namespace {

namespace fs = std::filesystem;

struct Request {
  std::string run;
  fs::path output;
  bool text = false;
};

Result<Document> Report(const Context& context, const Request& request) {
  XSP_TRY(const fs::path folder, store::Resolve(context.store, request.run));
  nlohmann::json body = {{"run", folder.string()}};
  if (request.text) {
    XSP_TRY(const store::Database database, store::Database::Open({folder}));
    XSP_TRY(const std::vector<findings::Rule> rules, findings::LoadRules(context.findings));
    XSP_TRY(const nlohmann::json summary, report::SummaryDocument(database, rules));
    body.update(summary);
    return Document{.content = std::move(body)};
  }
  XSP_TRY(const fs::path file, WriteReport(context, folder, request.output));
  body["report"] = file.string();
  return Document{.content = std::move(body)};
}

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<Request>();
  AddRun(fields, &request->run);
  fields.Add("output", &request->output,
             {.help = "Output file (default: report.html in the experiment)",
              .value_name = "FILE.html",
              .refers = core::Refers::kOutputPage,
              .letter = 'o'});
  fields.Add("text", &request->text, {.help = "Print the summary to the terminal instead"});
  return [&context, request] { return Report(context, *request); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "report",
    .summary = "Writes one self-contained HTML page about an experiment",
    .example = "xsp report latest -o resnet50.html",
    .effect = Effect::kChanges,
    .result = R"({"type": "object", "required": ["run"], "properties": {
      "run": {"type": "string", "description": "Path of the experiment or run"},
      "report": {"type": "string", "description": "Path of the page; not with text"},
      "points": {"type": "array", "items": {"type": "object"}, "description": "With text"},
      "rungs": {"type": "array", "items": {"type": "object"}, "description": "With text"},
      "badges": {"type": "array", "items": {"type": "object"}, "description": "With text"},
      "findings_left_out": {"type": "integer", "description": "Findings after the leading ones"},
      "findings": {"type": "array", "items": {"type": "string"}, "description": "With text"}}})",
    .declare = Declare,
    .reads_named_only = true,
};

}  // namespace xsp::api::report_operation
