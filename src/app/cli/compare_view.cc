#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <utility>

#include "app/cli/comparison_output.h"
#include "app/cli/gate_output.h"
#include "app/cli/json_table.h"
#include "app/cli/view.h"
#include "core/number_check.h"
#include "store/export.h"

namespace xsp::cli::compare_view {
namespace {

using nlohmann::json;

constexpr int kRowsForPeople = 20;

/// What only concerns how a comparison is shown.
struct Options {
  std::string format = "table";
  std::string rows = "leaves";
  int top = -1;  ///< Below 0: not given.

  RowChoice ForPeople() const { return {rows, top < 0 ? kRowsForPeople : top}; }
  RowChoice ForPrograms() const { return {rows, std::max(top, 0)}; }
};

std::string MarkdownCell(const json& value) {
  if (value.is_string()) return EscapedMarkdown(value.get<std::string>());
  return value.is_number() ? fmt::format("{:.1f}", value.get<double>()) : std::string();
}

void PrintMarkdown(const json& pair, const Options& options) {
  PrintGatesAsMarkdown(pair);
  for (const std::string& line : LinesOfComparison(pair)) PrintLine("- " + EscapedMarkdown(line));
  const ShownRows shown = ChosenRows(pair, options.ForPrograms());
  std::string head = "\n|", rule = "|";
  for (const std::string& name : ComparisonColumns()) {
    head += " " + EscapedMarkdown(name) + " |";
    rule += name.ends_with("_ns") ? " ---: |" : " --- |";
  }
  PrintLine(head + "\n" + rule);
  for (const json& row : shown.rows) {
    std::string line = "|";
    for (const std::string& name : ComparisonColumns())
      line += " " + MarkdownCell(row[name]) + " |";
    PrintLine(line);
  }
  if (shown.left_out > 0) PrintLine(fmt::format("\n{} more rows", shown.left_out));
}

/// One table of all pairs, which `a` and `b` name.
void PrintCsv(const std::vector<const json*>& pairs, const Options& options) {
  std::vector<json> all;
  for (const json* pair : pairs) {
    ShownRows shown = ChosenRows(*pair, options.ForPrograms());
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
      PrintComparison(*pairs[i], options.ForPeople());
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
                 "operators, modules, changed (called faster or slower) or all. JSON has all rows")
      ->check(CLI::IsMember({"leaves", "operators", "modules", "changed", "all"}).description(""))
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
