#include <fmt/format.h>

#include <fmt/ranges.h>
#include <algorithm>

#include "app/cli/view.h"
#include "core/json_text.h"
#include "measure/manifest/manifest.h"

namespace xsp::cli::model_check_view {
namespace {

using manifest::Manifest;
using nlohmann::json;

void Add(Rows& rows, const char* name, const std::string& text) {
  if (!text.empty()) rows.emplace_back(name, text);
}

std::string TensorText(const manifest::Tensor& tensor) {
  std::string text = tensor.name;
  if (!tensor.dtype.empty()) text += " " + tensor.dtype;
  std::vector<std::string> sizes;
  for (const std::int64_t size : tensor.shape)
    sizes.push_back(size == manifest::kBatch ? "batch" : std::to_string(size));
  if (!sizes.empty()) text += fmt::format(" [{}]", fmt::join(sizes, ", "));
  if (!tensor.layout.empty()) text += " " + tensor.layout;
  if (tensor.range)
    text += fmt::format(", {} to {}", tensor.range->first, tensor.range->second - 1);
  if (!tensor.fill.empty()) text += fmt::format(", filled: {}", tensor.fill);
  return text;
}

std::string StepText(const manifest::Step& step) {
  json parameters = step.parameters;
  parameters.erase("step");
  std::vector<std::string> parts;
  for (const auto& [key, value] : parameters.items())
    parts.push_back(fmt::format(
        "{} {}", key, value.is_string() ? value.get<std::string>() : core::JsonText(value)));
  if (parts.empty()) return step.name;
  return fmt::format("{}: {}", step.name, fmt::join(parts, ", "));
}

std::string FigureText(const std::optional<manifest::Figure>& figure) {
  if (!figure) return {};
  if (figure->source.empty()) return std::to_string(figure->count);
  return fmt::format("{} ({})", figure->count, figure->source);
}

/// What the manifest means, row by row.
Rows RowsOf(const Manifest& manifest) {
  Rows rows;
  Add(rows, "name", manifest.name);
  Add(rows, "title", manifest.title);
  Add(rows, "version", manifest.version);
  Add(rows, "task", manifest.task);
  Add(rows, "description", manifest.description);
  const std::string& version = manifest.framework.version;
  Add(rows, "framework", manifest.framework.name + (version.empty() ? "" : " " + version));
  for (const manifest::ModelFile& file : manifest.files) {
    rows.emplace_back(
        "file", fmt::format("{}{}{}", file.file, file.format.empty() ? "" : " as " + file.format,
                            file.sha256.empty() ? "" : ", SHA-256 " + file.sha256));
  }
  for (const manifest::Tensor& tensor : manifest.inputs)
    rows.emplace_back("input", TensorText(tensor));
  for (const manifest::Tensor& tensor : manifest.outputs)
    rows.emplace_back("output", TensorText(tensor));
  for (const manifest::Step& step : manifest.preprocess)
    rows.emplace_back("before", StepText(step));
  for (const manifest::Step& step : manifest.postprocess)
    rows.emplace_back("after", StepText(step));
  Add(rows, "parameters", FigureText(manifest.parameters));
  Add(rows, "FLOPs", FigureText(manifest.flops));
  Add(rows, "weights", manifest.weights);
  Add(rows, "source", manifest.source);
  for (const std::string& reference : manifest.reference) rows.emplace_back("reference", reference);
  Add(rows, "licence", manifest.licence);
  Add(rows, "needs", fmt::format("{}", fmt::join(manifest.needs, ", ")));
  return rows;
}

/// "net.yaml:4:26: error: unknown key: tsak (did you mean task?)".
std::string ProblemText(const json& problem, const std::string& file) {
  manifest::Problem shown;
  shown.at = {problem["line"], problem["column"]};
  shown.what =
      fmt::format("{}: {}", problem["kind"].get<std::string>(), problem["what"].get<std::string>());
  shown.hint = problem["hint"];
  return ToString(shown, file);
}

void PrintForPeople(const json& answer) {
  const std::string file = answer["file"];
  for (const json& problem : answer["problems"]) PrintLine(ProblemText(problem, file));
  if (!answer["ok"].get<bool>()) return;
  PrintLine(fmt::format("{}: {}", file,
                        answer["form"] == "mlmodelscope"
                            ? "a manifest of MLModelScope, converted as follows"
                            : "nothing wrong found"));
  // JSON is YAML, and reading the long form gives the same manifest.
  const std::string text = core::JsonText(answer["manifest"], 2);
  manifest::Manifest manifest = manifest::ParseManifest(text).manifest;
  const auto place = [&](const manifest::ModelFile& model_file) {
    return std::ranges::find(answer["formats"], json(model_file.format)) -
           answer["formats"].begin();
  };
  std::ranges::stable_sort(manifest.files, {}, place);
  PrintRows(RowsOf(manifest));
}

void PrintCsv(const json& answers) {
  store::Table table{{"file", "line", "column", "kind", "what", "hint"}, {}};
  for (const json& answer : answers)
    for (const json& problem : answer["problems"])
      table.rows.push_back({answer["file"].get<std::string>(), problem["line"].get<std::int64_t>(),
                            problem["column"].get<std::int64_t>(),
                            problem["kind"].get<std::string>(), problem["what"].get<std::string>(),
                            problem["hint"].get<std::string>()});
  Print(table, {}, Format::kCsv);
}

Result<int> ShowManifests(const api::Document& document, Format format) {
  const json& answers = std::get<json>(document.content);
  if (format == Format::kCsv) {
    PrintCsv(answers);
  } else {
    for (const json& answer : answers) PrintForPeople(answer);
  }
  return document.exit_status;
}

Show Declare(CLI::App&, const api::Context&) { return JsonOr(ShowManifests); }

}  // namespace

extern const ViewSpec kView;
constinit const ViewSpec kView = {.operation = "model/check", .declare = Declare};

}  // namespace xsp::cli::model_check_view
