#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <variant>

#include "answer/analyze/analysis.h"
#include "api/operation.h"
#include "core/json_text.h"
#include "core/nearest_word.h"
#include "store/catalogue.h"
#include "store/database.h"
#include "store/export.h"

namespace xsp::api::analyze_operation {
namespace {

namespace fs = std::filesystem;
using analyze::Analysis;
using analyze::AnalysisResult;
using nlohmann::json;

struct Request {
  std::string id;
  std::vector<std::string> runs;
  std::optional<int> batch;
  int rows = 0;
};

json ToJson(const AnalysisResult& result, const std::string& run) {
  json columns = json::array();
  for (const auto& column : result.columns)
    columns.push_back(
        {{"name", column.name}, {"unit", column.unit}, {"provenance", column.provenance}});
  json missing = json::array();
  for (const auto& level : result.missing)
    missing.push_back({{"level", level.level}, {"how", level.how}});
  return {{"analysis", result.analysis->id},
          {"run", run},
          {"columns", std::move(columns)},
          {"rows", core::ParseJson(store::ToJson(result.table))},
          {"missing", std::move(missing)},
          {"title", result.analysis->title},
          {"question", result.analysis->question},
          {"rows_left_out", result.rows_left_out}};
}

/// The column of the batch size, where the result tells them apart.
std::optional<std::size_t> BatchColumn(const store::Table& table) {
  const auto column = std::ranges::find(table.columns, "batch");
  if (column == table.columns.end()) return std::nullopt;
  return static_cast<std::size_t>(column - table.columns.begin());
}

/// Errors: kUsage, where results tell batch sizes apart and none has rows of this one.
Status CheckBatch(const std::vector<AnalysisResult>& results, int batch) {
  std::set<std::int64_t> known;
  bool has_rows = false;
  for (const AnalysisResult& result : results) {
    const std::optional<std::size_t> column = BatchColumn(result.table);
    if (!column) continue;
    for (const std::vector<store::Cell>& row : result.table.rows) {
      has_rows = true;
      if (const auto* value = std::get_if<std::int64_t>(&row[*column])) known.insert(*value);
    }
  }
  if (!has_rows || known.contains(batch)) return Ok{};
  return Error{.kind = ErrorKind::kUsage,
               .what = fmt::format("no such batch size: {}", batch),
               .hint = known.empty() ? "The batch size is not known here: leave out --batch."
                                     : fmt::format("There are {}.", fmt::join(known, ", ")),
               .field = "batch"};
}

/// Keeps the rows of one batch size, where the result tells them apart.
void KeepBatch(store::Table& table, std::optional<int> batch) {
  const std::optional<std::size_t> column = BatchColumn(table);
  if (!batch || !column) return;
  std::erase_if(table.rows, [&](const std::vector<store::Cell>& row) {
    const auto* value = std::get_if<std::int64_t>(&row[*column]);
    return value == nullptr || *value != *batch;
  });
}

bool SameWord(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

Error NoSuchAnalysis(const std::string& id, const std::vector<Analysis>& analyses) {
  std::vector<std::string_view> words;
  std::string ids;
  for (const Analysis& analysis : analyses) {
    words.push_back(analysis.id);
    words.push_back(analysis.name);
    ids += " " + analysis.id;
  }
  const std::string_view meant = core::NearestWord(id, words);
  return {ErrorKind::kUsage, "no such analysis: " + id,
          (meant.empty() ? "" : fmt::format("Did you mean {}? ", meant)) + "There are: all" + ids};
}

/// Keeps the first `rows`, 0: all.
void KeepFirst(AnalysisResult& result, int rows) {
  std::vector<std::vector<store::Cell>>& all = result.table.rows;
  if (rows == 0 || all.size() <= static_cast<std::size_t>(rows)) return;
  result.rows_left_out += static_cast<std::int64_t>(all.size()) - rows;
  all.resize(static_cast<std::size_t>(rows));
}

Result<Document> Analyze(const Context& context, const Request& request) {
  std::vector<fs::path> folders;
  for (const std::string& run :
       request.runs.empty() ? std::vector<std::string>{""} : request.runs) {
    XSP_TRY(const fs::path folder, store::Resolve(context.store, run));
    folders.push_back(folder);
  }
  XSP_TRY(const std::vector<Analysis> analyses, analyze::LoadAnalyses(context.analyses));
  XSP_TRY(const store::Database database, store::Database::Open(folders));
  std::vector<Analysis> asked;
  for (const Analysis& analysis : analyses)
    if (request.id == "all" || SameWord(request.id, analysis.id) ||
        SameWord(request.id, analysis.name))
      asked.push_back(analysis);
  if (asked.empty()) return NoSuchAnalysis(request.id, analyses);
  // Of one batch size the first rows may be any of all.
  XSP_TRY(std::vector<AnalysisResult> results,
          analyze::RunAll(asked, database, request.batch ? 0 : request.rows));
  if (request.batch) XSP_RETURN_IF_ERROR(CheckBatch(results, *request.batch));
  json documents = json::array();
  for (AnalysisResult& result : results) {
    KeepBatch(result.table, request.batch);
    KeepFirst(result, request.rows);
    documents.push_back(ToJson(result, folders.front().string()));
  }
  return Document{.content = request.id == "all" ? std::move(documents) : documents.front()};
}

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<Request>();
  fields.Add("id", &request->id,
             {.help = "A1 ... A15, a name such as steps or critical_path, an analysis of your own, "
                      "or all",
              .required = true,
              .positional = true});
  fields.Add("run", &request->runs,
             {.help = "Directories, names in the store, or latest (default)",
              .refers = core::Refers::kStored,
              .positional = true});
  fields.Add("batch", &request->batch, {.help = "Show only this batch size", .value_name = "N"});
  fields.Add("rows", &request->rows,
             {.help = "Maximum number of rows of a table (0: all)",
              .value_name = "N",
              .range = core::kNonNegative,
              .for_people = 20});
  return [&context, request] { return Analyze(context, *request); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "analyze",
    .summary = "Answers one question about an experiment, or all of them",
    .example = "xsp analyze A10 latest --batch 8",
    .effect = Effect::kReads,
    .result = R"({"type": ["object", "array"],
      "description": "An array of such objects where the id is all",
      "required": ["analysis", "run", "columns", "rows", "missing"], "properties": {
        "analysis": {"type": "string"}, "run": {"type": "string"},
        "title": {"type": "string"}, "question": {"type": "string"},
        "columns": {"type": "array", "items": {"type": "object", "properties": {
          "name": {"type": "string"}, "unit": {"type": "string"},
          "provenance": {"type": "string"}}}},
        "rows": {"type": "array", "items": {"type": "object"}},
        "rows_left_out": {"type": "integer", "description": "Rows after those that were asked for"},
        "missing": {"type": "array", "items": {"type": "object", "properties": {
          "level": {"type": "string"},
          "how": {"type": "string", "description": "What is missing and how to get it"}}}}}})",
    .declare = Declare,
    .reads_named_only = true,
};

}  // namespace xsp::api::analyze_operation
