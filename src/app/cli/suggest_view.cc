#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "answer/wording/quantity.h"
#include "app/cli/json_table.h"
#include "app/cli/view.h"
#include "core/number_check.h"
#include "store/export.h"

namespace xsp::cli::suggest_view {
namespace {

using nlohmann::json;

/// What only concerns how a suggestion is shown.
struct Options {
  std::string format = "table";
  int top = -1;  ///< Below 0: not given.
};

constexpr int kRowsForPeople = 20;

/// A metric as columns: its key in the document, its name for people and its unit.
struct MetricColumn {
  const char* key;
  const char* name;
  const char* unit;
};
constexpr MetricColumn kMetrics[] = {{"latency_ns", "latency", "ns"},
                                     {"latency_p99_ns", "p99", "ns"},
                                     {"throughput_per_s", "items", "1/s"},
                                     {"memory_bytes", "memory", "byte"},
                                     {"energy_joules", "energy", "J"},
                                     {"accuracy", "accuracy", "1"},
                                     {"cost_per_million", "cost per million", ""}};

/// "34.0 us to 52.5 us"; null where it is not known, or without width.
json IntervalText(const json& value, const char* unit) {
  if (!value.is_object() || value["low"].is_null() || value["low"] == value["high"]) return nullptr;
  const auto text = [unit](const json& end) {
    return end.is_null() ? "no upper end" : xsp::wording::FormatQuantity(end, unit);
  };
  return text(value["low"]) + " to " + text(value["high"]);
}

/// "1, 2, 3 and 7 more"
std::string TiesText(const json& ties) {
  constexpr std::size_t kShown = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, ties.size()); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(ties[i].get<std::size_t>());
  if (ties.size() > kShown) text += fmt::format(" and {} more", ties.size() - kShown);
  return text;
}

/// A candidate as one flat row: KEY, KEY_low, KEY_high and KEY_interval of each metric.
json RowOf(const json& document, std::size_t index) {
  json row = document["candidates"][index];
  for (const MetricColumn& metric : kMetrics) {
    const json value = row[metric.key];
    const std::string key = metric.key;
    row[key] = value.is_object() ? value["value"] : json();
    row[key + "_low"] = value.is_object() ? value["low"] : json();
    row[key + "_high"] = value.is_object() ? value["high"] : json();
    row[key + "_interval"] = IntervalText(value, metric.unit);
  }
  row["candidate"] = index;
  const json& recommended = document["recommended"];
  row["recommended"] = std::ranges::find(recommended, json(index)) != recommended.end();
  row["tied_with"] = TiesText(row["tied_with"]);
  return row;
}

std::vector<json> RowsOf(const json& document) {
  std::vector<json> rows;
  for (std::size_t i = 0; i < document["candidates"].size(); ++i)
    rows.push_back(RowOf(document, i));
  return rows;
}

bool AnyHas(const std::vector<json>& rows, const std::string& key) {
  return std::ranges::any_of(rows, [&](const json& row) {
    return !row[key].is_null() && row[key] != "" && row[key] != false;
  });
}

/// A column for people: the key of the flat row, and how it is shown.
struct ShownColumn {
  std::string key;
  xsp::report::TerminalColumn column;
};

/// Without what no row has.
std::vector<ShownColumn> ColumnsFor(const std::vector<json>& rows) {
  std::vector<ShownColumn> columns;
  const auto add = [&](const std::string& key, const std::string& name, const char* unit) {
    columns.push_back({key, {name, unit}});
  };
  add("candidate", "#", "");
  for (const char* name : {"standing", "model", "backend", "precision", "batch"})
    add(name, name, "");
  for (const MetricColumn& metric : kMetrics) {
    const std::string key = metric.key;
    if (!AnyHas(rows, key)) continue;
    add(key, metric.name, metric.unit);
    // Throughput and cost follow from the latency; their intervals are in JSON and CSV.
    if (!key.starts_with("latency") && key != "accuracy") continue;
    if (AnyHas(rows, key + "_interval")) add(key + "_interval", "interval", "");
  }
  add("fit", "fit", "");
  if (AnyHas(rows, "tied_with")) add("tied_with", "tied with", "");
  for (const char* name : {"machine", "disturbed", "reason", "experiment"})
    if (AnyHas(rows, name)) add(name, name, "");
  return columns;
}

/// The first `top` rows (0: all), and how many are left out.
std::size_t Shorten(std::vector<json>& rows, int top) {
  if (top <= 0 || rows.size() <= static_cast<std::size_t>(top)) return 0;
  const std::size_t left_out = rows.size() - static_cast<std::size_t>(top);
  rows.resize(static_cast<std::size_t>(top));
  return left_out;
}

void PrintTable(const json& document, const Options& options) {
  xsp::report::TerminalStyle style = xsp::report::StyleOfStandardOutput();
  const auto print = [&](const json& lines) {
    for (const json& line : lines)
      PrintLine(xsp::report::Wrap(line.get<std::string>(), style.width, 2));
  };
  print(document["sentences"]);
  std::vector<json> rows = RowsOf(document);
  style.rows_left_out =
      static_cast<std::int64_t>(Shorten(rows, options.top < 0 ? kRowsForPeople : options.top));
  for (json& row : rows)
    if (row["recommended"] == true) row["standing"] = "front (recommended)";
  std::vector<std::string> keys;
  std::vector<xsp::report::TerminalColumn> columns;
  for (const ShownColumn& shown : ColumnsFor(rows)) {
    keys.push_back(shown.key);
    columns.push_back(shown.column);
  }
  PrintLine("");
  PrintLine(xsp::report::RenderTable(columns, TableOf(keys, rows), style));
  PrintLine("");
  print(document["method"]);
}

/// Text in which nothing is markup of a table.
std::string Escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (std::string_view("\\|*_`[]#~<>").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c == '\n' || c == '\r' ? ' ' : c;
  }
  return escaped;
}

std::string MarkdownCell(const json& value) {
  if (value.is_string()) return Escaped(value.get<std::string>());
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "";
  if (value.is_number_integer()) return std::to_string(value.get<std::int64_t>());
  return value.is_number() ? fmt::format("{:.6g}", value.get<double>()) : std::string();
}

void PrintMarkdown(const json& document, const Options& options) {
  for (const char* part : {"sentences", "method"})
    for (const json& line : document[part]) PrintLine("- " + Escaped(line.get<std::string>()));
  std::vector<json> rows = RowsOf(document);
  const std::size_t left_out = Shorten(rows, std::max(options.top, 0));
  const auto columns = ColumnsFor(rows);
  std::string head = "\n|", rule = "|";
  for (const ShownColumn& shown : columns) {
    head += " " + Escaped(shown.key) + " |";
    rule += shown.column.unit.empty() ? " --- |" : " ---: |";
  }
  PrintLine(head + "\n" + rule);
  for (const json& row : rows) {
    std::string line = "|";
    for (const ShownColumn& shown : columns) line += " " + MarkdownCell(row[shown.key]) + " |";
    PrintLine(line);
  }
  if (left_out > 0) PrintLine(fmt::format("\n{} more rows", left_out));
}

void PrintCsv(const json& document, const Options& options) {
  std::vector<std::string> names = {"candidate", "recommended", "standing", "fit",
                                    "model",     "task",        "backend",  "precision",
                                    "batch",     "device",      "machine",  "settings"};
  for (const MetricColumn& metric : kMetrics)
    for (const char* end : {"", "_low", "_high"}) names.push_back(std::string(metric.key) + end);
  for (const char* name : {"predicted", "disturbed", "measurements", "experiment", "point_id",
                           "created", "tied_with", "reason"})
    names.emplace_back(name);
  std::vector<json> rows = RowsOf(document);
  Shorten(rows, std::max(options.top, 0));
  PrintLine(store::ToCsv(TableOf(std::move(names), rows)));
}

Result<int> ShowSuggestion(const api::Document& document, const Options& options) {
  const json& body = std::get<json>(document.content);
  if (options.format == "json") return ShowPlainly(document, Format::kJson);
  if (options.format == "csv") {
    PrintCsv(body, options);
  } else if (options.format == "markdown") {
    PrintMarkdown(body, options);
  } else {
    PrintTable(body, options);
  }
  if (body.contains("page")) Say("wrote " + body["page"].get<std::string>());
  return document.exit_status;
}

Show Declare(CLI::App& app, const api::Context&) {
  const auto options = std::make_shared<Options>();
  app.add_option("--top", options->top,
                 "Rows, the front first (0: all; default: 20 in a table, else all). JSON has all")
      ->check(CLI::Validator(core::NonNegativeNumber, ""))
      ->type_name("N");
  app.add_option("--format", options->format, "table, csv, json or markdown")
      ->transform(
          CLI::IsMember({"table", "csv", "json", "markdown"}, CLI::ignore_case).description(""))
      ->type_name("FORMAT")
      ->default_str("table");
  app.footer(
      "Examples:\n"
      "  xsp suggest --task classification --bound latency=50ms\n"
      "  xsp suggest --bound latency.p99=20ms --bound memory=2GB --price 1.2 -o page.html\n"
      "  xsp suggest --model resnet50 --predict \"NVIDIA A100-SXM4-80GB\" --format csv");
  return [options](const api::Document& document, Format) {
    return ShowSuggestion(document, *options);
  };
}

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "suggest", .declare = Declare};

}  // namespace xsp::cli::suggest_view
