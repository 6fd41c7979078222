#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "app/cli/stack_difference_output.h"
#include "app/cli/view.h"

namespace xsp::cli::system_view {
namespace {

using nlohmann::json;

std::string TextOf(const json& object, const char* key) { return object[key].get<std::string>(); }

store::Cell ShareCell(const json& roof) {
  const auto share = roof.find("share_of_data_sheet");
  return share == roof.end() ? store::Cell() : store::Cell(share->get<double>());
}

/// The processors of the document that have roofs, its GPUs after the CPU.
std::vector<json> Processors(const json& document) {
  std::vector<json> processors;
  if (TextOf(document, "processor").empty()) return processors;
  processors.push_back(document);
  for (const json& gpu : document["gpus"]) processors.push_back(gpu);
  return processors;
}

store::Table RoofTable(const std::vector<json>& processors) {
  store::Table table{{"processor", "kind", "name", "dtype", "unit", "cores", "value", "value_unit",
                      "used", "how", "provenance", "share_of_data_sheet"},
                     {}};
  for (const json& processor : processors)
    for (const char* part : {"roofs", "data_sheet"})
      for (const json& roof : processor[part])
        table.rows.push_back({TextOf(processor, "processor"), TextOf(roof, "kind"),
                              TextOf(roof, "name"), TextOf(roof, "dtype"), TextOf(roof, "unit"),
                              roof["cores"].get<std::int64_t>(), roof["value"].get<double>(),
                              std::string(roof["kind"] == "bandwidth" ? "byte/s"
                                          : roof["dtype"] == "int8"   ? "op/s"
                                                                      : "FLOP/s"),
                              roof["used"].get<bool>(), TextOf(roof, "how"),
                              TextOf(roof, "provenance"), ShareCell(roof)});
  return table;
}

/// A table for each kind, with the share of the data sheet where one of the roofs has it.
void PrintRoofs(const json& roofs) {
  const bool shares = std::ranges::any_of(
      roofs, [](const json& roof) { return roof.contains("share_of_data_sheet"); });
  for (const char* kind : {"flops", "bandwidth"}) {
    std::vector<xsp::report::TerminalColumn> columns = {
        {"name", ""},
        {"cores", ""},
        {"value", std::string_view(kind) == "flops" ? "flop/s" : "byte/s"}};
    if (shares) columns.push_back({"share_of_data_sheet", ""});
    columns.push_back({"used", ""});
    columns.push_back({"how", ""});
    store::Table table;
    for (const auto& column : columns) table.columns.push_back(column.name);
    for (const json& roof : roofs) {
      if (roof["kind"] != kind) continue;
      const auto cores = roof["cores"].get<std::int64_t>();
      std::vector<store::Cell> row = {TextOf(roof, "name"),
                                      cores > 0 ? store::Cell(cores) : store::Cell(),
                                      roof["value"].get<double>()};
      if (shares) row.push_back(ShareCell(roof));
      row.push_back(roof["used"].get<bool>());
      row.push_back(TextOf(roof, "how"));
      table.rows.push_back(std::move(row));
    }
    if (!table.rows.empty())
      PrintLine(xsp::report::RenderTable(columns, table, xsp::report::StyleOfStandardOutput()));
  }
}

/// Why a share of the data sheet is not what it should be; each reason once, with its roofs.
void PrintExplanations(const json& roofs) {
  std::vector<std::pair<std::string, std::string>> reasons;
  for (const json& roof : roofs) {
    if (!roof.contains("explanation")) continue;
    const std::string explanation = TextOf(roof, "explanation");
    const std::string item =
        fmt::format("{} of {}: {:.0f} %", TextOf(roof, "name"), roof["cores"].get<int>(),
                    100 * roof["share_of_data_sheet"].get<double>());
    const auto known =
        std::ranges::find(reasons, explanation, [](const auto& reason) { return reason.first; });
    if (known == reasons.end()) {
      reasons.emplace_back(explanation, item);
    } else {
      known->second += ", " + item;
    }
  }
  const int width = xsp::report::StyleOfStandardOutput().width;
  for (const auto& [reason, items] : reasons)
    PrintLine(xsp::report::Wrap(fmt::format("{}: {}.", items, reason), width, 2));
}

void PrintStack(const json& facts) {
  std::size_t max_size = 0;
  for (const json& fact : facts) max_size = std::max(max_size, TextOf(fact, "key").size());
  for (const json& fact : facts) {
    const std::string text = fact["value"].is_null()
                                 ? fmt::format("not visible: {}", TextOf(fact, "why"))
                                 : TextOf(fact, "value");
    PrintLine(fmt::format("{:<{}}  {}", TextOf(fact, "key"), max_size, text));
  }
}

void PrintProcessor(const json& processor) {
  const std::string title = TextOf(processor, "processor");
  if (const std::string measured_at = TextOf(processor, "measured_at"); !measured_at.empty()) {
    PrintLine(fmt::format("\nRoofs of {}, measured {} ({})", title, measured_at,
                          TextOf(processor, "conditions")));
    PrintRoofs(processor["roofs"]);
  }
  if (!processor["data_sheet"].empty()) {
    PrintLine(fmt::format("\nData sheet of {}", title));
    PrintRoofs(processor["data_sheet"]);
    PrintExplanations(processor["roofs"]);
  } else {
    PrintLine(xsp::report::Wrap(TextOf(processor, "no_data_sheet") + ".",
                                xsp::report::StyleOfStandardOutput().width, 2));
  }
}

Result<int> ShowSystem(const api::Document& document, Format format) {
  const json& body = std::get<json>(document.content);
  if (body.contains("differences")) {
    PrintLine(FormatStackDifference(body, format, xsp::report::StyleOfStandardOutput().width));
  } else if (format == Format::kCsv) {
    Print(RoofTable(Processors(body)), {}, format);
  } else {
    PrintStack(body["stack_facts"]);
    for (const json& processor : Processors(body)) PrintProcessor(processor);
  }
  return document.exit_status;
}

Show Declare(CLI::App&, const api::Context&) { return JsonOr(ShowSystem); }

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "system", .declare = Declare};

}  // namespace xsp::cli::system_view
