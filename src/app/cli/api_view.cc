#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/cli/view.h"
#include "core/json_text.h"

namespace xsp::cli::api_view {
namespace {

using nlohmann::json;

store::Table OperationsOf(const json& operations) {
  store::Table table{{"operation", "effect", "summary"}, {}};
  for (const json& operation : operations)
    table.rows.push_back({operation["name"].get<std::string>(),
                          operation["effect"].get<std::string>(),
                          operation["summary"].get<std::string>()});
  return table;
}

/// "integer", "string[]"; with the allowed values: "csv|json".
std::string TypeText(const json& field) {
  const json& one = field["type"] == "array" ? field["items"] : field;
  std::string text = one["type"];
  if (one.contains("enum"))
    text = fmt::format("{}", fmt::join(one["enum"].get<std::vector<std::string>>(), "|"));
  return field["type"] == "array" ? text + "[]" : text;
}

store::Table FieldsOf(const json& operation) {
  const json& request = operation["request"];
  const json required = request.value("required", json::array());
  store::Table table{{"field", "type", "unit", "default", "description"}, {}};
  for (const auto& [name, field] : request["properties"].items()) {
    const bool is_required = std::ranges::find(required, json(name)) != required.end();
    const std::string fallback = field.contains("default") ? core::JsonText(field["default"]) : "";
    table.rows.push_back({name, TypeText(field), field.value("unit", ""),
                          is_required ? "(required)" : fallback,
                          field["description"].get<std::string>()});
  }
  return table;
}

Result<int> ShowOperations(const api::Document& document, Format format) {
  const json& operations = std::get<json>(document.content).at("operations");
  if (operations.size() != 1) {
    Print(OperationsOf(operations), {}, format);
    return document.exit_status;
  }
  if (format == Format::kTable) {
    const json& operation = operations.front();
    PrintLine(fmt::format("{} ({})  {}", operation["name"].get<std::string>(),
                          operation["effect"].get<std::string>(),
                          operation["summary"].get<std::string>()));
  }
  Print(FieldsOf(operations.front()), {}, format);
  return document.exit_status;
}

Show Declare(CLI::App&, const api::Context&) { return JsonOr(ShowOperations); }

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "api", .declare = Declare};

}  // namespace xsp::cli::api_view
