#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/cli/view.h"

namespace xsp::cli::doctor_view {
namespace {

using nlohmann::json;

/// A text of `part`, or of its facts.
std::string TextOf(const json& object, const char* key) { return object[key].get<std::string>(); }

std::vector<std::string> ListOf(const json& object, const char* key) {
  return object[key].get<std::vector<std::string>>();
}

bool IsWorker(const json& part) { return part.contains("facts"); }

void PrintWorker(const json& part) {
  const json& facts = part["facts"];
  PrintLine(fmt::format("{}: {}, {}", TextOf(part, "part"), TextOf(part, "version"),
                        TextOf(part, "where_or_how")));
  Rows rows = {{"devices", TextOf(facts, "devices")}};
  for (const std::string& model : ListOf(facts, "models")) rows.emplace_back("model", model);
  rows.emplace_back("graphs", TextOf(facts, "graphs"));
  rows.emplace_back("precisions", TextOf(facts, "precisions"));
  rows.emplace_back("rungs", TextOf(facts, "rungs"));
  for (const std::string& option : ListOf(facts, "options")) rows.emplace_back("option", option);
  std::erase_if(rows, [](const auto& row) { return row.second.empty(); });
  PrintRows(rows);
}

/// A line for each part; then what is too long for a line: how to get what is missing, and the
/// devices of the workers.
void PrintParts(const json& parts) {
  store::Table table{{"part", "found", "version", "where_or_how"}, {}};
  Rows missing, devices;
  for (const json& part : parts) {
    const bool found = part["found"];
    const std::string name = TextOf(part, "part"), where = TextOf(part, "where_or_how");
    table.rows.push_back({name, std::string(found ? "found" : "missing"), TextOf(part, "version"),
                          found ? where : std::string("see below")});
    if (!found) missing.emplace_back(name, where);
    if (IsWorker(part))
      devices.emplace_back(TextOf(part, "worker"), TextOf(part["facts"], "devices"));
  }
  // Whole paths: they are there to be copied.
  xsp::report::TerminalStyle style = xsp::report::StyleOfStandardOutput();
  style.fits_tables = false;
  std::vector<xsp::report::TerminalColumn> columns;
  for (const std::string& name : table.columns) columns.push_back({name, ""});
  PrintLine(xsp::report::RenderTable(columns, table, style));
  if (!missing.empty()) PrintLine("Missing, with the remedy:");
  PrintRows(missing);
  if (devices.empty()) return;
  PrintLine("Devices that workers can use:");
  PrintRows(devices);
  PrintLine("`xsp doctor NAME` (or all): its models, graphs, precisions, rungs and options.");
}

void PrintCsv(const json& parts) {
  store::Table table{{"part", "found", "version", "where_or_how", "devices", "models", "graphs",
                      "precisions", "rungs", "options"},
                     {}};
  for (const json& part : parts) {
    std::vector<store::Cell>& row = table.rows.emplace_back();
    row = {TextOf(part, "part"), part["found"].get<bool>(), TextOf(part, "version"),
           TextOf(part, "where_or_how")};
    if (!IsWorker(part)) {
      row.resize(table.columns.size(), std::string());
      continue;
    }
    const json& facts = part["facts"];
    row.insert(
        row.end(),
        {TextOf(facts, "devices"), fmt::format("{}", fmt::join(ListOf(facts, "models"), "; ")),
         TextOf(facts, "graphs"), TextOf(facts, "precisions"), TextOf(facts, "rungs"),
         fmt::format("{}", fmt::join(ListOf(facts, "options"), "; "))});
  }
  Print(table, {}, Format::kCsv);
}

Result<int> ShowParts(const api::Document& document, Format format) {
  const json& parts = std::get<json>(document.content);
  if (format == Format::kCsv) {
    PrintCsv(parts);
  } else if (std::ranges::all_of(parts, IsWorker)) {
    // Only workers that were asked for by name: the parts of XSP include others.
    for (const json& part : parts) PrintWorker(part);
  } else {
    PrintParts(parts);
  }
  return document.exit_status;
}

Show Declare(CLI::App&, const api::Context&) { return JsonOr(ShowParts); }

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "doctor", .declare = Declare};

}  // namespace xsp::cli::doctor_view
