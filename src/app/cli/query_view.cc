#include "app/cli/view.h"

namespace xsp::cli::query_view {
namespace {

/// Numbers as they are: whoever writes SQL compares them.
Result<int> ShowRows(const api::Document& document, Format format) {
  if (format != Format::kTable) return ShowPlainly(document, format);
  const store::Table& table = std::get<store::Table>(document.content);
  xsp::report::TerminalStyle style = xsp::report::StyleOfStandardOutput();
  style.exact = true;
  std::vector<xsp::report::TerminalColumn> columns;
  for (const std::string& name : table.columns) columns.push_back({name, ""});
  PrintLine(xsp::report::RenderTable(columns, table, style));
  return document.exit_status;
}

Show Declare(CLI::App&, const api::Context&) { return ShowRows; }

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "query", .declare = Declare};

}  // namespace xsp::cli::query_view
