#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "app/cli/json_table.h"
#include "app/cli/view.h"
#include "store/export.h"

namespace xsp::cli::analyze_view {
namespace {

using nlohmann::json;

/// "measured:xsp", or, where columns differ, "measured:xsp: latency_ns, share; analytic: flops".
std::string Origins(const json& columns) {
  std::vector<std::pair<std::string, std::vector<std::string>>> origins;
  for (const json& column : columns) {
    const std::string provenance = column["provenance"];
    if (provenance.empty()) continue;
    auto known = std::find_if(origins.begin(), origins.end(),
                              [&](const auto& origin) { return origin.first == provenance; });
    if (known == origins.end()) known = origins.insert(known, {provenance, {}});
    known->second.push_back(column["name"]);
  }
  if (origins.size() == 1) return origins.front().first;
  std::string text;
  for (const auto& [provenance, names] : origins)
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", provenance, fmt::join(names, ", "));
  return text;
}

store::Table RowsOf(const json& answer) {
  std::vector<std::string> names;
  for (const json& column : answer["columns"]) names.push_back(column["name"]);
  return TableOf(std::move(names), answer["rows"]);
}

void PrintForPeople(const json& answer) {
  xsp::report::TerminalStyle style = xsp::report::StyleOfStandardOutput();
  style.rows_left_out = answer["rows_left_out"];
  PrintLine(fmt::format("{}{}  {}{}", style.colour ? "\033[1m" : "",
                        answer["analysis"].get<std::string>(), answer["title"].get<std::string>(),
                        style.colour ? "\033[0m" : ""));
  PrintLine(xsp::report::Wrap(answer["question"].get<std::string>(), style.width, 0));
  for (const json& level : answer["missing"])
    PrintLine(xsp::report::Wrap(level["how"].get<std::string>(), style.width, 0));
  if (!answer["rows"].empty()) {
    std::vector<xsp::report::TerminalColumn> columns;
    for (const json& column : answer["columns"])
      columns.push_back({column["name"], column["unit"]});
    PrintLine(xsp::report::RenderTable(columns, RowsOf(answer), style));
    if (const std::string origins = Origins(answer["columns"]); !origins.empty())
      PrintLine(xsp::report::Wrap("from: " + origins, style.width, 2));
  }
  PrintLine("");
}

Result<int> ShowAnswers(const api::Document& document, Format format) {
  const json& body = std::get<json>(document.content);
  const json answers = body.is_array() ? body : json::array({body});
  for (const json& answer : answers) {
    if (format == Format::kCsv) {
      PrintLine(store::ToCsv(RowsOf(answer)));
    } else {
      PrintForPeople(answer);
    }
  }
  return document.exit_status;
}

Show Declare(CLI::App&, const api::Context&) { return JsonOr(ShowAnswers); }

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "analyze", .declare = Declare};

}  // namespace xsp::cli::analyze_view
