#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "answer/analyze/analysis.h"
#include "app/cli/command.h"
#include "app/cli/output.h"
#include "core/nearest_word.h"
#include "store/catalogue.h"
#include "store/database.h"
#include "store/export.h"

namespace xsp::cli::analyze {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using xsp::analyze::Analysis;
using xsp::analyze::AnalysisResult;

struct Options {
  std::string id;
  std::vector<std::string> runs;
  std::string batch;
  int rows = 20;
  Format format = Format::kTable;
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
          {"rows", json::parse(store::ToJson(result.table), nullptr, false)},
          {"missing", std::move(missing)}};
}

/// Keeps the rows of one batch size, where the result tells them apart.
void KeepBatch(store::Table& table, const std::string& batch) {
  const auto column = std::find(table.columns.begin(), table.columns.end(), "batch");
  if (batch.empty() || column == table.columns.end()) return;
  const auto index = static_cast<std::size_t>(column - table.columns.begin());
  std::erase_if(table.rows, [&](const std::vector<store::Cell>& row) {
    const auto* value = std::get_if<std::int64_t>(&row[index]);
    return value == nullptr || std::to_string(*value) != batch;
  });
}

/// "measured:xsp", or, where columns differ, "measured:xsp: latency_ns, share; analytic: flops".
std::string Origins(const std::vector<xsp::analyze::Column>& columns) {
  std::vector<std::pair<std::string, std::vector<std::string>>> origins;
  for (const auto& column : columns) {
    if (column.provenance.empty()) continue;
    auto known = std::find_if(origins.begin(), origins.end(), [&](const auto& origin) {
      return origin.first == column.provenance;
    });
    if (known == origins.end()) known = origins.insert(known, {column.provenance, {}});
    known->second.push_back(column.name);
  }
  if (origins.size() == 1) return origins.front().first;
  std::string text;
  for (const auto& [provenance, names] : origins)
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", provenance, fmt::join(names, ", "));
  return text;
}

void PrintForPeople(const AnalysisResult& result, int rows) {
  xsp::report::TerminalStyle style = xsp::report::StyleOfStandardOutput();
  style.max_rows = rows;
  style.rows_left_out = result.rows_left_out;
  PrintLine(fmt::format("{}{}  {}{}", style.colour ? "\033[1m" : "", result.analysis->id,
                        result.analysis->title, style.colour ? "\033[0m" : ""));
  PrintLine(xsp::report::Wrap(result.analysis->question, style.width, 0));
  for (const auto& level : result.missing) PrintLine(xsp::report::Wrap(level.how, style.width, 0));
  if (!result.table.rows.empty()) {
    std::vector<xsp::report::TerminalColumn> columns;
    for (const auto& column : result.columns) columns.push_back({column.name, column.unit});
    PrintLine(xsp::report::RenderTable(columns, result.table, style));
    if (const std::string origins = Origins(result.columns); !origins.empty())
      PrintLine(xsp::report::Wrap("from: " + origins, style.width, 2));
  }
  PrintLine("");
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

Result<int> Analyze(const Session& session, const Options& options) {
  std::vector<fs::path> folders;
  for (const std::string& run :
       options.runs.empty() ? std::vector<std::string>{""} : options.runs) {
    XSP_TRY(const fs::path folder, store::Resolve(session.store, run));
    folders.push_back(folder);
  }
  XSP_TRY(const std::vector<Analysis> analyses,
          xsp::analyze::LoadAnalyses(AnalysisFolders(session)));
  XSP_TRY(const store::Database database, store::Database::Open(folders));

  std::vector<Analysis> asked;
  for (const Analysis& analysis : analyses)
    if (options.id == "all" || SameWord(options.id, analysis.id) ||
        SameWord(options.id, analysis.name))
      asked.push_back(analysis);
  if (asked.empty()) return NoSuchAnalysis(options.id, analyses);
  // People see the first rows; there may be millions. Programs get all of them.
  const bool first_rows = options.format == Format::kTable && options.batch.empty();
  XSP_TRY(std::vector<AnalysisResult> results,
          xsp::analyze::RunAll(asked, database, first_rows ? options.rows : 0));
  json documents = json::array();
  for (AnalysisResult& result : results) {
    KeepBatch(result.table, options.batch);
    if (options.format == Format::kTable) PrintForPeople(result, options.rows);
    if (options.format == Format::kCsv) PrintLine(store::ToCsv(result.table));
    if (options.format == Format::kJson)
      documents.push_back(ToJson(result, folders.front().string()));
  }
  if (options.format == Format::kJson)
    PrintLine((options.id == "all" ? documents : documents.front()).dump(2));
  return 0;
}

Action Declare(CLI::App& app, const Session& session) {
  auto options = std::make_shared<Options>();
  app.add_option(
         "ID", options->id,
         "A1 ... A15, a name such as steps or critical_path, an analysis of your own, or all")
      ->required();
  app.add_option("RUN", options->runs, "Directories, names in the store, or latest (default)");
  app.add_option("--batch", options->batch, "Show only this batch size")->type_name("N");
  app.add_option("--rows", options->rows, "Maximum number of rows of a table (0: all)")
      ->type_name("N")
      ->capture_default_str();
  AddFormatOption(app, &options->format);
  return [&session, options] { return Analyze(session, *options); };
}

}  // namespace

extern const CommandSpec kCommand;
constinit const CommandSpec kCommand = {
    .name = "analyze",
    .summary = "Answers one question about an experiment, or all of them",
    .example = "xsp analyze A10 latest --batch 8",
    .declare = Declare,
};

}  // namespace xsp::cli::analyze
