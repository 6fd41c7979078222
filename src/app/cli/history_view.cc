#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "answer/wording/quantity.h"
#include "answer/wording/short_name.h"
#include "app/cli/json_table.h"
#include "app/cli/series_picture.h"
#include "app/cli/view.h"
#include "core/counted.h"
#include "core/json_text.h"
#include "core/number_check.h"
#include "store/export.h"

namespace xsp::cli::history_view {
namespace {

using nlohmann::json;

/// What only concerns how a history is shown.
struct Options {
  std::string format = "table";
  int rows = -1;  ///< Below 0: not given.
};

constexpr int kRowsForPeople = 20;
constexpr std::size_t kFactsForPeople = 8;

std::string Day(const json& created) { return created.get<std::string>().substr(0, 10); }

std::string Minute(const json& created) {
  std::string text = created.get<std::string>().substr(0, 16);
  std::ranges::replace(text, 'T', ' ');
  return text;
}

std::string Quantity(const json& document, double value) {
  return xsp::wording::FormatQuantity(value, document["unit"].get<std::string>());
}

std::string Percent(const json& ratio) {
  return fmt::format("{:+.3g} %", 100 * (ratio.get<double>() - 1));
}

/// "+38.2 % (95 % interval +30 % to +45 %)"
std::string RatioText(const json& change) {
  if (change["ratio"].is_null()) return "not known";
  std::string text = Percent(change["ratio"]);
  if (change["low"].is_number() && change["high"].is_number())
    text +=
        fmt::format(" (95 % interval {} to {})", Percent(change["low"]), Percent(change["high"]));
  return text;
}

std::string VerdictText(const std::string& verdict) {
  if (verdict == "spread") return "the level did not change, the spread did";
  if (verdict == "busy")
    return "no change is claimed: the machine was busy in every experiment on one side";
  return verdict;
}

std::string LastVerdictText(const json& verdict) {
  if (verdict.is_null()) return "not compared";
  if (verdict == "no_difference") return "no difference found";
  if (verdict == "unknown_noise") return "not known whether it is noise (one process)";
  if (verdict == "inconclusive") return "inconclusive: the machine was busy";
  return verdict.get<std::string>();
}

std::string FlagText(const json& flags) {
  static const std::map<std::string, std::string> kTexts = {
      {"busy", "machine busy"},
      {"date_of_file", "date of the file"},
      {"date_in_future", "date in the future"}};
  std::string text;
  for (const json& flag : flags) text += (text.empty() ? "" : ", ") + kTexts.at(flag);
  return text;
}

/// Sums of files and lists of flags are long.
std::string FactText(const json& value) {
  return value.is_null() ? "nothing" : xsp::wording::ShortName(value.get<std::string>(), 40);
}

/// `line` within `width` columns, indented as it is.
std::string Wrapped(const std::string& line, int width) {
  const std::size_t indent = line.find_first_not_of(' ');
  if (indent == std::string::npos || indent == 0) return xsp::report::Wrap(line, width, 4);
  return std::string(indent, ' ') +
         xsp::report::Wrap(line.substr(indent), width - static_cast<int>(indent), 6);
}

/// "between e8 (2026-11-02) and e9 (2026-11-03): +38 % (...), worse", then what changed there.
std::vector<std::string> ChangeLines(const json& series, const json& change) {
  std::map<std::string, std::string> days;
  for (const json& entry : series["entries"]) days[entry["experiment"]] = Day(entry["created"]);
  std::vector<std::string> lines = {
      fmt::format("between {} ({}) and {} ({}): {}, {}", change["before"].get<std::string>(),
                  days[change["before"]], change["after"].get<std::string>(), days[change["after"]],
                  RatioText(change), VerdictText(change["verdict"]))};
  const json& stack = change["stack"];
  if (stack.is_null()) lines.push_back("  the stack of one side is not known");
  if (stack.is_array() && stack.empty())
    lines.push_back("  nothing of the stored stack differs there");
  for (std::size_t i = 0; i < std::min(stack.size(), kFactsForPeople); ++i)
    lines.push_back(fmt::format("  {} {}: {} -> {}",
                                stack[i]["lasts"].get<bool>() ? "changed" : "differs there only:",
                                stack[i]["key"].get<std::string>(), FactText(stack[i]["before"]),
                                FactText(stack[i]["after"])));
  if (stack.size() > kFactsForPeople)
    lines.push_back(
        fmt::format("  and {}", core::Counted(stack.size() - kFactsForPeople, "other fact")));
  lines.push_back("  " + change["command"].get<std::string>());
  return lines;
}

std::vector<std::string> SummaryLines(const json& series) {
  std::vector<std::string> lines;
  for (const json& change : series["changes"])
    for (std::string& line : ChangeLines(series, change)) lines.push_back(std::move(line));
  const std::size_t count = series["entries"].size();
  const int missing = series["experiments_missing"];
  if (count == 1) {
    lines.push_back(
        fmt::format("one experiment: there is nothing to compare it with; {} more can "
                    "show a change point",
                    missing));
  } else if (missing > 0) {
    lines.push_back(fmt::format("{}: {} more can show a change point",
                                core::Counted(count, "experiment"), missing));
  } else if (series["changes"].empty()) {
    lines.push_back("no change point was found");
  }
  const json& last = series["last_two"];
  if (last.is_object()) {
    lines.push_back(fmt::format("the last two, {} and {}: {}, {}",
                                last["before"].get<std::string>(), last["after"].get<std::string>(),
                                RatioText(last), LastVerdictText(last["verdict"])));
    lines.push_back("  " + last["command"].get<std::string>());
  }
  return lines;
}

void PrintPicture(const json& document, const json& series, int width) {
  std::vector<double> values;
  std::vector<std::size_t> changes;
  int segment = 1;
  for (const json& entry : series["entries"]) {
    if (entry["segment"] != segment) changes.push_back(values.size());
    segment = entry["segment"];
    values.push_back(entry["value"]);
  }
  if (values.size() < 2) return;
  const auto [low, high] = std::ranges::minmax(values);
  const std::string from = Quantity(document, low), to = Quantity(document, high);
  constexpr std::size_t kFewest = 10;
  // Blanks between, and a unit of two bytes.
  const std::size_t words = from.size() + to.size() + 4;
  const std::size_t room = static_cast<std::size_t>(std::max(width, 0));
  const std::size_t fitting = room > words + kFewest ? room - words : kFewest;
  PrintLine(fmt::format("{} {} {}", from, SeriesPicture(values, changes, fitting), to));
}

/// The rows of people: the last `rows` of all (0: all).
json RowsOf(const json& series, int rows) {
  json shown = json::array();
  const std::size_t all = series["entries"].size();
  const std::size_t wanted = rows == 0 ? all : static_cast<std::size_t>(rows);
  for (std::size_t i = all - std::min(all, wanted); i < all; ++i) {
    json row = series["entries"][i];
    row["date"] = Minute(row["created"]);
    row["note"] = FlagText(row["flags"]);
    row["change"] =
        row["change"].is_null() ? "" : fmt::format("{:+.3g} %", 100 * row["change"].get<double>());
    shown.push_back(std::move(row));
  }
  return shown;
}

const std::vector<std::string>& Columns() {
  static const std::vector<std::string> kColumns = {"date", "experiment", "value",  "low",
                                                    "high", "processes",  "change", "note"};
  return kColumns;
}

/// The columns with something in any of `rows`.
std::vector<std::string> ColumnsOf(const json& rows) {
  std::vector<std::string> names = Columns();
  std::erase_if(names, [&](const std::string& name) {
    return std::ranges::all_of(
        rows, [&](const json& row) { return row[name].is_null() || row[name] == ""; });
  });
  return names;
}

void PrintTable(const json& document, const Options& options) {
  xsp::report::TerminalStyle style = xsp::report::StyleOfStandardOutput();
  const int rows = options.rows < 0 ? kRowsForPeople : options.rows;
  bool is_first = true;
  for (const json& series : document["series"]) {
    if (!std::exchange(is_first, false)) PrintLine("");
    const std::string title = series["title"];
    PrintLine(style.colour ? "\033[1m" + title + "\033[0m" : title);
    PrintPicture(document, series, style.width);
    const json shown = RowsOf(series, rows);
    const std::vector<std::string> names = ColumnsOf(shown);
    std::vector<xsp::report::TerminalColumn> columns;
    for (const std::string& name : names) {
      const bool has_unit = name == "value" || name == "low" || name == "high";
      columns.push_back({name == "value" ? document["metric"].get<std::string>() : name,
                         has_unit ? document["unit"].get<std::string>() : ""});
    }
    PrintLine(xsp::report::RenderTable(columns, TableOf(names, shown), style));
    if (shown.size() < series["entries"].size())
      PrintLine(fmt::format(
          "{} are not shown (--rows 0 shows all)",
          core::Counted(series["entries"].size() - shown.size(), "earlier experiment")));
    for (const std::string& line : SummaryLines(series)) PrintLine(Wrapped(line, style.width));
  }
}

/// Text in which nothing is markup.
std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '<') {
      escaped += "&lt;";
    } else if (c == '&') {
      escaped += "&amp;";
    } else if (c == '\n' || c == '\r') {
      escaped += ' ';
    } else {
      if (std::string_view("\\|*_`[]#~>").find(c) != std::string_view::npos) escaped += '\\';
      escaped += c;
    }
  }
  return escaped;
}

std::string MarkdownCell(const json& document, const json& row, const std::string& name) {
  const json& value = row[name];
  if (value.is_null()) return {};
  if (name == "value" || name == "low" || name == "high") return Quantity(document, value);
  return value.is_string() ? Escaped(value.get<std::string>()) : core::JsonText(value);
}

void PrintMarkdown(const json& document, const Options& options) {
  for (const json& series : document["series"]) {
    PrintLine("### " + Escaped(series["title"].get<std::string>()) + "\n");
    for (const std::string& line : SummaryLines(series))
      PrintLine((line.starts_with("  ") ? "  - " : "- ") +
                Escaped(line.substr(std::min(line.find_first_not_of(' '), line.size()))));
    std::string head = "\n|", rule = "|";
    for (const std::string& name : Columns()) {
      head +=
          " " + (name == "value" ? Escaped(document["metric"].get<std::string>()) : name) + " |";
      rule += name == "value" || name == "low" || name == "high" ? " ---: |" : " --- |";
    }
    PrintLine(head + "\n" + rule);
    for (const json& row : RowsOf(series, std::max(options.rows, 0))) {
      std::string line = "|";
      for (const std::string& name : Columns())
        line += " " + MarkdownCell(document, row, name) + " |";
      PrintLine(line);
    }
    PrintLine("");
  }
}

/// One table of all series.
void PrintCsv(const json& document) {
  std::vector<json> all;
  for (const json& series : document["series"]) {
    for (const json& entry : series["entries"]) {
      json& row = all.emplace_back(entry);
      for (const char* name : {"backend", "device", "precision", "batch", "machine"})
        row[name] = series[name];
      row["settings"] = core::JsonText(series["settings"]);
      row["flags"] = FlagText(entry["flags"]);
      row["metric"] = document["metric"];
      row["unit"] = document["unit"];
    }
  }
  PrintLine(store::ToCsv(TableOf({"backend", "device", "precision", "batch", "settings", "machine",
                                  "created", "experiment", "point", "metric", "unit", "value",
                                  "low", "high", "processes", "segment", "change", "flags"},
                                 all)));
}

Result<int> ShowHistory(const api::Document& document, const Options& options) {
  if (options.format == "json") return ShowPlainly(document, Format::kJson);
  const json& body = std::get<json>(document.content);
  if (body.contains("page")) {
    Say("wrote " + body["page"].get<std::string>());
  } else if (options.format == "csv") {
    PrintCsv(body);
  } else if (options.format == "markdown") {
    PrintMarkdown(body, options);
  } else {
    PrintTable(body, options);
  }
  return document.exit_status;
}

Show Declare(CLI::App& app, const api::Context&) {
  const auto options = std::make_shared<Options>();
  app.add_option("--rows", options->rows,
                 "The last N experiments of each series (0: all; default: 20 in a table, else "
                 "all). JSON and CSV have all")
      ->check(CLI::Validator(core::NonNegativeNumber, ""))
      ->type_name("N");
  app.add_option("--format", options->format, "table, csv, json or markdown")
      ->transform(
          CLI::IsMember({"table", "csv", "json", "markdown"}, CLI::ignore_case).description(""))
      ->type_name("FORMAT")
      ->default_str("table");
  app.footer(
      "Examples:\n"
      "  xsp history resnet50 --batch 1\n"
      "  xsp history resnet50 --metric layer:layer1.0.conv2 --since 30d\n"
      "  xsp history resnet50 -o history.html");
  return
      [options](const api::Document& document, Format) { return ShowHistory(document, *options); };
}

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "history", .declare = Declare};

}  // namespace xsp::cli::history_view
