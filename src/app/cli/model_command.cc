#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "app/cli/step_problems.h"
#include "measure/manifest/manifest.h"
#include "measure/sessions/described_model.h"
#include "os/files.h"

namespace xsp::cli::model {
namespace {

using manifest::Manifest;
using manifest::Problem;
using manifest::Reading;
using nlohmann::json;

struct Options {
  std::vector<std::string> files;
  requests::ExperimentRequest request;
  Format format = Format::kTable;
};

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
    parts.push_back(
        fmt::format("{} {}", key, value.is_string() ? value.get<std::string>() : value.dump()));
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

void PrintForPeople(const std::string& file, const Reading& reading) {
  for (const Problem& problem : reading.problems) {
    Problem shown = problem;
    shown.what = (problem.error ? "error: " : "note: ") + problem.what;
    PrintLine(ToString(shown, file));
  }
  if (!reading.ok()) return;
  PrintLine(fmt::format("{}: {}", file,
                        reading.manifest.is_mlmodelscope
                            ? "a manifest of MLModelScope, converted as follows"
                            : "nothing wrong found"));
  PrintRows(RowsOf(reading.manifest));
}

json ToJson(const std::string& file, const Reading& reading) {
  json problems = json::array();
  for (const Problem& problem : reading.problems) {
    problems.push_back({{"line", problem.at.line},
                        {"column", problem.at.column},
                        {"kind", problem.error ? "error" : "note"},
                        {"what", problem.what},
                        {"hint", problem.hint}});
  }
  json document = {{"file", file}, {"ok", reading.ok()}, {"problems", std::move(problems)}};
  if (!reading.ok()) return document;
  document["form"] = reading.manifest.is_mlmodelscope ? "mlmodelscope" : "xsp";
  document["manifest"] = manifest::ToJson(reading.manifest);
  return document;
}

/// What a manifest says, and all that is wrong with it, its steps included. A file that cannot be
/// read is one problem without a position.
Reading Read(const std::string& file) {
  const auto text = os::ReadFile(file, manifest::kManifestLimitBytes);
  Reading reading;
  if (!text.ok()) {
    reading.problems.push_back({{}, text.error().what, text.error().hint});
    return reading;
  }
  reading = manifest::ParseManifest(text.value());
  for (Problem& problem :
       StepProblems(reading.manifest, std::filesystem::path(file).parent_path().string()))
    reading.problems.push_back(std::move(problem));
  manifest::SortByPosition(reading.problems);
  return reading;
}

void PrintCsv(const std::vector<std::pair<std::string, Reading>>& readings) {
  store::Table table{{"file", "line", "column", "kind", "what", "hint"}, {}};
  for (const auto& [file, reading] : readings) {
    for (const Problem& problem : reading.problems) {
      table.rows.push_back({file, std::int64_t{problem.at.line}, std::int64_t{problem.at.column},
                            std::string(problem.error ? "error" : "note"), problem.what,
                            problem.hint});
    }
  }
  Print(table, {}, Format::kCsv);
}

Result<int> Check(const Options& options) {
  std::vector<std::pair<std::string, Reading>> readings;
  bool ok = true;
  for (const std::string& file : options.files) {
    readings.emplace_back(file, Read(file));
    ok &= readings.back().second.ok();
  }
  if (options.format == Format::kCsv) PrintCsv(readings);
  if (options.format == Format::kJson) {
    json documents = json::array();
    for (const auto& [file, reading] : readings) documents.push_back(ToJson(file, reading));
    PrintLine(documents.dump(2, ' ', false, json::error_handler_t::replace));
  }
  if (options.format == Format::kTable)
    for (const auto& [file, reading] : readings) PrintForPeople(file, reading);
  return ok ? 0 : static_cast<int>(ErrorKind::kBadInput);
}

Result<sessions::DescribedModel> DescribeWithProgress(requests::ExperimentRequest request) {
  ProgressLine progress;
  request.progress = &progress;
  progress.Step("loading the model", -1, -1);
  return sessions::DescribeModel(request);
}

/// YAML that `xsp run` takes; what was guessed goes before it as a comment.
Result<int> Describe(const Options& options) {
  XSP_TRY(const sessions::DescribedModel described, DescribeWithProgress(options.request));
  if (options.format == Format::kJson) {
    json document = {{"manifest", manifest::ToJson(described.manifest)},
                     {"guessed", described.guesses},
                     {"refused", described.refused}};
    PrintLine(document.dump(2, ' ', false, json::error_handler_t::replace));
    return 0;
  }
  for (const std::string& guess : described.guesses) PrintLine("# guessed of input " + guess);
  if (!described.refused.empty())
    PrintLine("# the model rejects these, correct them: " + described.refused);
  std::string yaml = manifest::ToYaml(described.manifest);
  yaml.pop_back();
  PrintLine(yaml);
  return 0;
}

void DeclareDescribe(CLI::App& app, std::shared_ptr<Options> options) {
  requests::ExperimentRequest& request = options->request;
  app.add_option("MODEL", request.model, "A model file, or a name of the zoo")->required();
  app.add_option("--backend", request.backends,
                 "The framework that loads it (default: the file's own)")
      ->expected(1)
      ->type_name("NAME");
  app.add_option("--input", request.inputs,
                 "As for `xsp run`: overrides the declarations in the file")
      ->type_name("[NAME=]SHAPE")
      ->take_all()
      ->allow_extra_args(false);
  app.add_option("--format", options->format, "table (YAML) or json")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, Format>{{"table", Format::kTable}, {"json", Format::kJson}}))
      ->type_name("FORMAT");
  app.footer("Example: xsp model describe model.onnx > model.yaml && xsp run model.yaml");
}

Action Declare(CLI::App& app, const Session&) {
  auto options = std::make_shared<Options>();
  app.require_subcommand(1);
  CLI::App* check = app.add_subcommand(
      "check", "Reports errors of a manifest with line and column, or prints what it means");
  check->add_option("FILE", options->files, "Manifests of XSP or of MLModelScope")->required();
  check->footer("Example: xsp model check zoo/resnet50/manifest.yaml");
  AddFormatOption(*check, &options->format);
  CLI::App* describe = app.add_subcommand(
      "describe", "Prints a manifest for a model file: declared and guessed inputs");
  DeclareDescribe(*describe, options);
  return [options, describe] { return describe->parsed() ? Describe(*options) : Check(*options); };
}

}  // namespace

extern const CommandSpec kCommand;
constinit const CommandSpec kCommand = {
    .name = "model",
    .summary = "Checks and creates manifests of models",
    .example = "xsp model check zoo/resnet50/manifest.yaml",
    .declare = Declare,
};

}  // namespace xsp::cli::model
