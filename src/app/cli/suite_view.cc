#include "app/cli/json_table.h"
#include "app/cli/view.h"
#include "store/export.h"

namespace xsp::cli::suite_view {
namespace {

using nlohmann::json;

store::Table RowsOf(const json& table) {
  std::vector<std::string> names;
  for (const json& column : table["columns"]) names.push_back(column["name"]);
  return TableOf(std::move(names), table["rows"]);
}

void PrintForPeople(const json& answer) {
  xsp::report::TerminalStyle style = xsp::report::StyleOfStandardOutput();
  const auto heading = [&style](const std::string& text) {
    PrintLine(style.colour ? "\033[1m" + text + "\033[0m" : text);
  };
  const auto sentences = [&style](const json& lines) {
    for (const json& line : lines)
      PrintLine(xsp::report::Wrap(line.get<std::string>(), style.width, 0));
  };
  heading(answer["title"]);
  sentences(answer["sentences"]);
  for (const json& table : answer["tables"]) {
    PrintLine("");
    heading(table["title"]);
    std::vector<xsp::report::TerminalColumn> columns;
    for (const json& column : table["columns"]) columns.push_back({column["name"], column["unit"]});
    style.rows_left_out = table["rows_left_out"];
    PrintLine(xsp::report::RenderTable(columns, RowsOf(table), style));
  }
  if (!answer["method"].empty()) PrintLine("");
  sentences(answer["method"]);
}

Result<int> ShowAnswer(const api::Document& document, Format format) {
  const json& answer = std::get<json>(document.content);
  if (answer.contains("page")) {
    Say("wrote " + answer["page"].get<std::string>());
  } else if (format == Format::kJson) {
    PrintLine(api::JsonText(document));
  } else if (format == Format::kCsv) {
    // One CSV document has one table: the first, unless another is named.
    if (!answer["tables"].empty()) PrintLine(store::ToCsv(RowsOf(answer["tables"].front())));
  } else {
    PrintForPeople(answer);
    for (const json& part : answer.value("parts", json::array())) {
      PrintLine("");
      PrintForPeople(part);
    }
  }
  return document.exit_status;
}

Show Declare(CLI::App&, const api::Context&) { return ShowAnswer; }

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "suite/", .declare = Declare};

}  // namespace xsp::cli::suite_view
