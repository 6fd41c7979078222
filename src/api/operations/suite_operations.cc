#include "api/operations/suite_operations.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "answer/suite/answer_json.h"
#include "answer/suite/suite_command.h"
#include "api/operations/answer_page.h"
#include "api/operations/operation_list.h"
#include "api/request_json.h"

namespace xsp::api {
namespace {

using nlohmann::json;
using suite::Answer;
using suite::Table;

constexpr const char* kResult = R"({"type": "object", "$defs": {
    "tables": {"type": "array", "items": {"type": "object", "properties": {
      "id": {"type": "string"}, "title": {"type": "string"},
      "columns": {"type": "array", "items": {"type": "object", "properties": {
        "name": {"type": "string"}, "unit": {"type": "string"}, "help": {"type": "string"},
        "provenance": {"type": "string"}}}},
      "rows": {"type": "array", "items": {"type": "object"}},
      "rows_left_out": {"type": "integer", "description": "Rows after those that were asked for"}}}},
    "answer": {"type": "object", "required": ["answer", "title", "sentences", "method", "tables"],
      "properties": {
        "answer": {"type": "string", "description": "What has answered"},
        "title": {"type": "string"},
        "sentences": {"type": "array", "items": {"type": "string"},
          "description": "Most important first"},
        "method": {"type": "array", "items": {"type": "string"},
          "description": "How it was computed, and what was done with incomplete input"},
        "tables": {"$ref": "#/$defs/tables"},
        "parts": {"type": "array", "items": {"$ref": "#/$defs/answer"},
          "description": "Answers that this one joins"}}}},
  "anyOf": [{"$ref": "#/$defs/answer"},
    {"type": "object", "required": ["page"], "properties": {
      "page": {"type": "string", "description": "With output: path of the page"}}}]})";

/// What was asked for. Lives as long as the action that answers it.
struct Request {
  suite::CommandContext context;
  suite::Action action;
  std::string table;
  int rows = 0;
  std::filesystem::path output;
};

/// Another operation, as a command of the suite performs it.
Result<suite::Performed> PerformFor(const Context& context, std::string_view operation,
                                    const json& request, const std::filesystem::path& store,
                                    core::Progress& progress, os::Interrupts& interrupts) {
  Context own;
  own.store = store;
  own.analyses = context.analyses;
  own.findings = context.findings;
  own.query_limits = context.query_limits;
  own.progress = &progress;
  own.interrupts = [&interrupts]() -> os::Interrupts& { return interrupts; };
  XSP_TRY(const Document document, Perform(operation, request, own));
  return suite::Performed{ToJson(document), document.notes, document.exit_status};
}

std::string CommandLineOf(std::string_view operation, const json& request) {
  const Operation* const found = FindOperation(operation);
  return found == nullptr ? std::string() : CommandLine(*found, request);
}

void FillIn(const Context& context, suite::CommandContext& own) {
  own.store = context.store;
  own.analyses = context.analyses;
  own.progress = context.progress;
  own.sql = std::make_shared<store::QueryBudget>(context.query_limits);
  own.interrupts = context.interrupts;
  own.commands = suite::AllSuiteCommands();
  own.command_line = CommandLineOf;
  own.perform = [&context](std::string_view operation, const json& request,
                           const std::filesystem::path& store, core::Progress& progress,
                           os::Interrupts& interrupts) {
    return PerformFor(context, operation, request, store, progress, interrupts);
  };
}

/// Whether the answer has the table `id`, which may be empty. Error: kUsage, naming the tables.
Status CheckTable(const Answer& answer, const std::string& id) {
  std::string known;
  for (const Table& table : answer.tables) {
    if (table.id == id) return Ok{};
    known += (known.empty() ? "" : ", ") + table.id;
  }
  if (id.empty()) return Ok{};
  return Error{ErrorKind::kUsage, "the answer has no such table: " + id, "it has: " + known};
}

/// The rows of each table that are beyond the first `rows`, which are kept; 0: all are.
std::vector<std::int64_t> KeepFirst(Answer& answer, int rows) {
  std::vector<std::int64_t> left_out;
  for (Table& table : answer.tables) {
    const auto all = static_cast<std::int64_t>(table.rows.rows.size());
    left_out.push_back(rows == 0 ? 0 : std::max<std::int64_t>(0, all - rows));
    table.rows.rows.resize(static_cast<std::size_t>(all - left_out.back()));
  }
  return left_out;
}

void SayLeftOut(json& answer, const std::vector<std::int64_t>& left_out) {
  for (std::size_t i = 0; i < left_out.size(); ++i)
    answer["tables"][i]["rows_left_out"] = left_out[i];
}

json DocumentOf(Answer answer, int rows) {
  const std::vector<std::int64_t> own = KeepFirst(answer, rows);
  std::vector<std::vector<std::int64_t>> of_parts;
  for (Answer& part : answer.parts) of_parts.push_back(KeepFirst(part, rows));
  json document = suite::AnswerJson(answer);
  SayLeftOut(document, own);
  for (std::size_t i = 0; i < of_parts.size(); ++i) SayLeftOut(document["parts"][i], of_parts[i]);
  return document;
}

Result<Document> AnswerTo(const Context& context, Request& request) {
  FillIn(context, request.context);
  XSP_TRY(Answer answer, request.action());
  const int status = answer.incomplete ? static_cast<int>(*answer.incomplete) : 0;
  XSP_RETURN_IF_ERROR(CheckTable(answer, request.table));
  if (!request.output.empty()) {
    XSP_RETURN_IF_ERROR(WriteAnswerPage(answer, request.output));
    return Document{.content = json{{"page", request.output.string()}}, .exit_status = status};
  }
  std::erase_if(answer.tables, [&](const Table& table) {
    return !request.table.empty() && table.id != request.table;
  });
  return Document{.content = DocumentOf(std::move(answer), request.rows), .exit_status = status};
}

Action Declare(const SuiteSpec& spec, core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<Request>();
  request->action = spec.declare(fields, request->context);
  fields.Add("table", &request->table,
             {.help = "Print only this table of the answer", .value_name = "ID"});
  fields.Add("rows", &request->rows,
             {.help = "Maximum number of rows of a table (0: all)",
              .value_name = "N",
              .range = core::kNonNegative,
              .for_people = 20});
  fields.Add("output", &request->output,
             {.help = "Write a page with charts to this file",
              .value_name = "FILE.html",
              .refers = core::Refers::kOutputPage,
              .letter = 'o'});
  return [&context, request] { return AnswerTo(context, *request); };
}

}  // namespace

std::vector<Operation> SuiteOperations() {
  std::vector<Operation> operations;
  for (const SuiteSpec* spec : suite::AllSuiteCommands())
    operations.push_back(
        {.name = std::string("suite/") + spec->name,
         .summary = spec->summary,
         .example = spec->example,
         .effect = spec->measures ? Effect::kMeasures : Effect::kReads,
         .result = kResult,
         .declare = [spec](core::RequestFields& fields,
                           const Context& context) { return Declare(*spec, fields, context); },
         .served_as = spec->measures ? ServedAs::kJob : ServedAs::kAnswer,
         .on_nodes = spec->measures});
  return operations;
}

}  // namespace xsp::api
