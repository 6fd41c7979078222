#include "app/cli/command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>

#include "app/cli/output.h"
#include "store/catalogue.h"
#include "store/database.h"

namespace xsp::cli::query {
namespace {

struct Options {
  std::vector<std::string> arguments;  // [RUN] SQL
  Format format = Format::kTable;
};

/// The comments of tables and columns where `sql` can see them: they take half of the time of a
/// short query.
store::Database::Comments CommentsFor(const std::string& sql) {
  std::string lower = sql;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const bool sees =
      lower.find("comment") != std::string::npos || lower.find("duckdb_") != std::string::npos;
  return sees ? store::Database::Comments::kOfSchema : store::Database::Comments::kNone;
}

Result<int> Query(const Session& session, const Options& options) {
  const std::string run = options.arguments.size() > 1 ? options.arguments.front() : "";
  XSP_TRY(const std::filesystem::path folder, store::Resolve(session.store, run));
  const std::string& sql = options.arguments.back();
  XSP_TRY(const store::Database database, store::Database::Open({folder}, CommentsFor(sql)));
  XSP_TRY(const store::Table table, database.Query(sql));
  if (options.format != Format::kTable) {
    Print(table, {}, options.format);
    return 0;
  }
  xsp::report::TerminalStyle style = xsp::report::StyleOfStandardOutput();
  style.exact = true;
  std::vector<xsp::report::TerminalColumn> columns;
  for (const std::string& name : table.columns) columns.push_back({name, ""});
  PrintLine(xsp::report::RenderTable(columns, table, style));
  return 0;
}

Action Declare(CLI::App& app, const Session& session) {
  auto options = std::make_shared<Options>();
  app.add_option(
         "RUN-AND-SQL", options->arguments,
         "RUN (a directory, a name in the store, or latest; default: latest), then one SELECT")
      ->required()
      ->expected(1, 2)
      ->type_name("[RUN] SQL");
  AddFormatOption(app, &options->format);
  return [&session, options] { return Query(session, *options); };
}

}  // namespace

extern const CommandSpec kCommand;
constinit const CommandSpec kCommand = {
    .name = "query",
    .summary = "Read-only SQL over an experiment or a run (tables: docs/schema.md)",
    .example = "xsp query \"SELECT type, count(*), sum(latency_ns) FROM layer GROUP BY type\"",
    .declare = Declare,
};

}  // namespace xsp::cli::query
