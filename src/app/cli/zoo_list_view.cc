#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "app/cli/json_table.h"
#include "app/cli/view.h"

namespace xsp::cli::zoo_list_view {
namespace {

using nlohmann::json;

constexpr int kMinWidthForTitles = 150;

std::vector<std::string> Split(const std::string& joined) {
  std::vector<std::string> texts;
  for (std::size_t from = 0; from < joined.size();) {
    const std::size_t end = std::min(joined.find(", ", from), joined.size());
    texts.push_back(joined.substr(from, end - from));
    from = end + 2;
  }
  return texts;
}

/// "torchscript*, onnx": which formats there are, and which of them are made.
std::string FormatsText(const json& model) {
  const std::vector<std::string> made = Split(model["made"]);
  std::string text;
  for (const std::string& format : Split(model["formats"])) {
    const bool is_made = std::ranges::find(made, format) != made.end();
    text += (text.empty() ? "" : ", ") + format + (is_made ? "*" : "");
  }
  return text;
}

/// As much as a usual terminal has room for, and the backends of each format once.
void PrintForPeople(json models) {
  std::map<std::string, std::string> readers;
  for (json& model : models) {
    model["formats (* made)"] = FormatsText(model);
    for (const auto& [format, backends] : model["readers"].items())
      readers.emplace(format, backends.get<std::string>());
  }
  const xsp::report::TerminalStyle style = xsp::report::StyleOfStandardOutput();
  std::vector<xsp::report::TerminalColumn> columns = {
      {"name", ""}, {"formats (* made)", ""}, {"parameters", ""}, {"flops", "flop"}};
  if (style.width >= kMinWidthForTitles)
    columns.insert(columns.end(), {{"title", ""}, {"task", ""}});
  std::vector<std::string> names;
  for (const xsp::report::TerminalColumn& column : columns) names.push_back(column.name);
  PrintLine(xsp::report::RenderTable(columns, TableOf(std::move(names), models), style));
  for (const auto& [format, backends] : readers)
    PrintLine(
        fmt::format("{} runs here in {}", format, backends.empty() ? "no backend" : backends));
}

Result<int> ShowModels(const api::Document& document, Format format) {
  const json& models = std::get<json>(document.content);
  if (format == Format::kCsv) {
    Print(TableOf({"name", "title", "task", "formats", "backends", "parameters", "flops", "made"},
                  models),
          {}, format);
  } else {
    PrintForPeople(models);
  }
  return document.exit_status;
}

Show Declare(CLI::App&, const api::Context&) { return JsonOr(ShowModels); }

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "zoo/list", .declare = Declare};

}  // namespace xsp::cli::zoo_list_view
