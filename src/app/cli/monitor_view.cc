#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "answer/wording/quantity.h"
#include "app/cli/json_table.h"
#include "app/cli/started_program.h"
#include "app/cli/view.h"
#include "store/export.h"

namespace xsp::cli::monitor_view {
namespace {

using nlohmann::json;

/// Each value with a unit and a prefix of its own: they are of many kinds.
std::string ForPeople(const json& line, const char* which) {
  if (line[which].is_null()) return "-";
  const std::string unit = line["unit"], name = line["name"];
  return wording::FormatQuantity(line[which], unit, unit == "1" && name.ends_with("_share"));
}

std::string SummaryText(const json& body) {
  store::Table table{{"what", "of", "mean", "most"}, {}};
  for (const json& line : body["summary"])
    table.rows.push_back({line["name"].get<std::string>(), line["part"].get<std::string>(),
                          ForPeople(line, "mean"), ForPeople(line, "most")});
  std::string text =
      xsp::report::RenderTable({{"what", ""}, {"of", ""}, {"mean", ""}, {"most", ""}}, table,
                               xsp::report::StyleOfStandardOutput());
  if (!text.ends_with('\n')) text += '\n';
  for (const json& hidden : body["hidden"])
    text += fmt::format("not visible: {}: {}\n", hidden["name"].get<std::string>(),
                        hidden["why"].get<std::string>());
  text += fmt::format("{} samples in {:.3g} s. {}\n", body["samples"].get<std::int64_t>(),
                      body["seconds"].get<double>(), body["monitor_cost"].get<std::string>());
  if (!body["run"].is_null()) text += body["run"].get<std::string>() + "\n";
  return text;
}

Show Declare(CLI::App& app, const api::Context&) {
  auto output = std::make_shared<std::filesystem::path>();
  app.add_option("-o,--output", *output, "Write the summary to this file")->type_name("FILE");
  return [output](const api::Document& document, Format format) {
    const json& body = std::get<json>(document.content);
    std::string text;
    if (format == Format::kJson) text = api::JsonText(document);
    if (format == Format::kCsv)
      text = store::ToCsv(TableOf({"name", "part", "unit", "mean", "most"}, body["summary"]));
    if (format == Format::kTable) text = SummaryText(body);
    return EndAsTheProgram(document, DeliverBeside(*output, text));
  };
}

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "monitor", .declare = Declare};

}  // namespace xsp::cli::monitor_view
