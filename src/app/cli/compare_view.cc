#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>

#include "answer/wording/quantity.h"
#include "api/operations/gate_text.h"
#include "app/cli/gate_output.h"
#include "app/cli/json_table.h"
#include "app/cli/view.h"
#include "core/number_check.h"
#include "store/export.h"

namespace xsp::cli::compare_view {
namespace {

using nlohmann::json;

/// What only concerns how a comparison is shown.
struct Options {
  std::string format = "table";
  std::string rows = "leaves";
  int top = -1;  ///< Below 0: not given.
};

constexpr int kRowsForPeople = 20;

std::string Ns(double time_ns) { return xsp::wording::FormatQuantity(time_ns, "ns"); }

std::string Signed(double time_ns) { return (time_ns > 0 ? "+" : "") + Ns(time_ns); }

std::string VerdictText(const std::string& verdict) {
  if (verdict == "no_difference") return "no difference found";
  if (verdict == "unknown_noise") return "not known whether it is noise";
  return verdict;
}

/// The verdict on the whole. What is claimed of two sessions, whose noise is not known, may not
/// hold for the next two.
std::string WholeVerdictText(const json& pair) {
  std::string text = VerdictText(pair["verdict"]);
  const auto sessions = pair.find("sessions");
  const bool is_of_two =
      sessions != pair.end() && sessions->is_object() && !(*sessions)["included"].get<bool>();
  if (is_of_two && (pair["verdict"] == "faster" || pair["verdict"] == "slower"))
    text += " in these two sessions";
  return text;
}

/// "before: 309 us of device work per call, after: 391 us (+81.3 us)". Means: the ratio beside them
/// may be one of typical calls.
std::string WholeText(const json& pair) {
  const json &a = pair["sides"][0], &b = pair["sides"][1];
  const bool on_device = pair["basis"] == "device";
  return fmt::format("{}: {} {} per call, {}: {} ({})", a["name"].get<std::string>(),
                     Ns(a["total_ns"]), on_device ? "of device work" : "mean wall time",
                     b["name"].get<std::string>(), Ns(b["total_ns"]),
                     Signed(pair["difference_ns"].get<double>()));
}

std::string RatioText(const json& pair) {
  if (pair["ratio"].is_null()) return {};
  std::string text =
      fmt::format("; ratio of {} {:.4g}", pair["ratio_of"] == "latency" ? "latencies" : "totals",
                  pair["ratio"].get<double>());
  if (!pair["low"].is_null() && !pair["high"].is_null())
    text += fmt::format(", 95 % interval {:.4g} to {:.4g}", pair["low"].get<double>(),
                        pair["high"].get<double>());
  return text;
}

/// One line for each part of the answer but its rows.
std::vector<std::string> Lines(const json& pair) {
  std::vector<std::string> lines = {WholeText(pair)};
  std::string verdict = "verdict: " + WholeVerdictText(pair) + RatioText(pair);
  if (pair["reason"].is_string()) verdict += " (" + pair["reason"].get<std::string>() + ")";
  lines.push_back(verdict);
  lines.push_back("comparable: " + pair["comparable"]["verdict"].get<std::string>());
  for (const json& difference : pair["comparable"]["differences"])
    lines.push_back(
        fmt::format("different {}: {} | {}{}", difference["what"].get<std::string>(),
                    difference["a"].get<std::string>(), difference["b"].get<std::string>(),
                    difference["matters"].get<bool>() ? "" : " (not expected to change times)"));
  for (const json& side : pair["sides"]) {
    const json& time = side["device_time"];
    if (!time.is_object()) continue;
    lines.push_back(fmt::format(
        "{}, device per step: {} compute, {} communication, {} copies, {} idle; wall time {}",
        side["name"].get<std::string>(), Ns(time["compute_ns"]), Ns(time["communication_ns"]),
        Ns(time["copy_ns"]), Ns(time["idle_ns"]), Ns(side["wall_ns"])));
  }
  std::string sums = fmt::format("in no row: {}", Ns(pair["residual_ns"].get<double>()));
  if (pair["aligned_share"].is_number())
    sums += fmt::format("; time with a counterpart on the other side: {}",
                        xsp::wording::Percent(pair["aligned_share"]));
  lines.push_back(sums);
  return lines;
}

bool IsShown(const json& row, const std::string& rows) {
  if (rows == "all") return true;
  if (rows == "leaves") return row["leaf"].get<bool>();
  return row["kind"] == rows.substr(0, rows.size() - 1);  // operators, modules
}

/// Some of the rows of a pair.
struct Shown {
  std::vector<json> rows;
  std::size_t left_out = 0;
};

/// The rows that were asked for, the largest differences first, `top` of them (0: all).
Shown ShownRows(const json& pair, const Options& options, int top) {
  std::vector<std::pair<double, const json*>> rows;  // With the size of the difference.
  for (const json& row : pair["rows"])
    if (IsShown(row, options.rows))
      rows.emplace_back(std::abs(row["difference_ns"].get<double>()), &row);
  std::ranges::stable_sort(rows, std::greater<>(), &std::pair<double, const json*>::first);
  Shown shown;
  if (top > 0 && rows.size() > static_cast<std::size_t>(top)) {
    shown.left_out = rows.size() - static_cast<std::size_t>(top);
    rows.resize(static_cast<std::size_t>(top));
  }
  for (const auto& [size, row] : rows) shown.rows.push_back(*row);
  return shown;
}

const std::vector<std::string>& Columns() {
  static const std::vector<std::string> kColumns = {"difference_ns", "a_ns", "b_ns",
                                                    "verdict",       "kind", "path"};
  return kColumns;
}

void PrintTable(const json& pair, const Options& options) {
  xsp::report::TerminalStyle style = xsp::report::StyleOfStandardOutput();
  PrintGates(pair, style.width);
  for (const std::string& line : Lines(pair)) PrintLine(xsp::report::Wrap(line, style.width, 4));
  Shown shown = ShownRows(pair, options, options.top < 0 ? kRowsForPeople : options.top);
  style.rows_left_out = static_cast<std::int64_t>(shown.left_out);
  std::vector<json>& rows = shown.rows;
  if (rows.empty()) return PrintLine("no row with time");
  // Where nothing is known of any row, the whole's verdict says so.
  std::vector<std::string> names = Columns();
  if (std::ranges::all_of(rows, [](const json& row) { return row["verdict"] == "unknown_noise"; }))
    std::erase(names, "verdict");
  for (json& row : rows) {
    row["path"] = api::ShortRowPath(row["path"], row["kind"]);
    row["verdict"] = VerdictText(row["verdict"]);
  }
  std::vector<xsp::report::TerminalColumn> columns;
  for (const std::string& name : names)
    columns.push_back({name, name.ends_with("_ns") ? "ns" : ""});
  PrintLine(xsp::report::RenderTable(columns, TableOf(names, rows), style));
}

std::string MarkdownCell(const json& value) {
  if (value.is_string()) return EscapedMarkdown(value.get<std::string>());
  return value.is_number() ? fmt::format("{:.1f}", value.get<double>()) : std::string();
}

void PrintMarkdown(const json& pair, const Options& options) {
  PrintGatesAsMarkdown(pair);
  for (const std::string& line : Lines(pair)) PrintLine("- " + EscapedMarkdown(line));
  const Shown shown = ShownRows(pair, options, std::max(options.top, 0));
  std::string head = "\n|", rule = "|";
  for (const std::string& name : Columns()) {
    head += " " + EscapedMarkdown(name) + " |";
    rule += name.ends_with("_ns") ? " ---: |" : " --- |";
  }
  PrintLine(head + "\n" + rule);
  for (const json& row : shown.rows) {
    std::string line = "|";
    for (const std::string& name : Columns()) line += " " + MarkdownCell(row[name]) + " |";
    PrintLine(line);
  }
  if (shown.left_out > 0) PrintLine(fmt::format("\n{} more rows", shown.left_out));
}

/// One table of all pairs, which `a` and `b` name.
void PrintCsv(const std::vector<const json*>& pairs, const Options& options) {
  std::vector<json> all;
  for (const json* pair : pairs) {
    Shown shown = ShownRows(*pair, options, std::max(options.top, 0));
    for (json& row : shown.rows) {
      row["a"] = (*pair)["sides"][0]["name"];
      row["b"] = (*pair)["sides"][1]["name"];
      all.push_back(std::move(row));
    }
  }
  PrintLine(store::ToCsv(TableOf(
      {"a", "b", "path", "b_path", "kind", "leaf", "a_ns", "b_ns", "difference_ns", "verdict"},
      all)));
}

Result<int> ShowComparison(const api::Document& document, const Options& options) {
  if (options.format == "json") return ShowPlainly(document, Format::kJson);
  const json& body = std::get<json>(document.content);
  // A pair may have a million rows: they are not copied.
  std::vector<const json*> pairs;
  if (body.contains("pairs")) {
    for (const json& pair : body["pairs"]) pairs.push_back(&pair);
  } else {
    pairs.push_back(&body);
  }
  if (options.format == "csv") {
    PrintCsv(pairs, options);
    return document.exit_status;
  }
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (i > 0) PrintLine("");
    if (options.format == "markdown") {
      PrintMarkdown(*pairs[i], options);
    } else {
      PrintTable(*pairs[i], options);
    }
  }
  if (options.format == "table" && body.contains("page"))
    PrintLine("page: " + body["page"].get<std::string>());
  return document.exit_status;
}

Show Declare(CLI::App& app, const api::Context&) {
  const auto options = std::make_shared<Options>();
  app.add_option("--top", options->top,
                 "Rows with the largest differences (0: all; default: 20 in a table, else all). "
                 "JSON has all rows")
      ->check(CLI::Validator(core::NonNegativeNumber, ""))
      ->type_name("N");
  app.add_option("--rows", options->rows,
                 "leaves (kernels, or layers without a device: they add up to the whole), "
                 "operators, modules or all. JSON has all rows")
      ->check(CLI::IsMember({"leaves", "operators", "modules", "all"}).description(""))
      ->type_name("ROWS")
      ->default_str("leaves");
  app.add_option("--format", options->format, "table, csv, json or markdown")
      ->transform(
          CLI::IsMember({"table", "csv", "json", "markdown"}, CLI::ignore_case).description(""))
      ->type_name("FORMAT")
      ->default_str("table");
  app.footer(
      "Examples:\n"
      "  xsp compare before after --bound 2%\n"
      "  xsp compare resnet50#backend=torch resnet50#backend=onnxruntime --rows operators\n"
      "  xsp compare h100.json.gz mi300.json.gz --format markdown --top 10\n"
      "  xsp compare --baseline main after --gate latency=3%,memory=5%,layer:conv*=10%\n"
      "  xsp compare h100.json.gz mi300.json.gz -o compare.html");
  return [options](const api::Document& document, Format) {
    return ShowComparison(document, *options);
  };
}

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "compare", .declare = Declare};

}  // namespace xsp::cli::compare_view
