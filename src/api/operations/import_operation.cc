#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "api/operation.h"
#include "api/operations/stored_name.h"
#include "core/step_times.h"
#include "derive/experiments/imported_files.h"
#include "ingest/importers/importer.h"

namespace xsp::api::import_operation {
namespace {

using nlohmann::json;

struct Request {
  experiments::ImportRequest files;
  bool timing = false;
};

/// What the steps of an import took: of the process since this was made, so that of imports at once
/// each sees the steps of all.
class Stopwatch {
 public:
  json Times() const {
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start_;
    json steps = json::array();
    for (const core::StepTime& step : core::StepTimes()) {
      const auto earlier = std::ranges::find(earlier_, step.name, &core::StepTime::name);
      const bool is_new = earlier == earlier_.end();
      steps.push_back({{"step", step.name},
                       {"wall_s", step.wall_s - (is_new ? 0 : earlier->wall_s)},
                       {"cpu_s", step.cpu_s - (is_new ? 0 : earlier->cpu_s)},
                       {"peak_rss_bytes", step.peak_rss_bytes}});
    }
    return {{"steps", std::move(steps)},
            {"wall_s", wall.count()},
            {"cpu_s", core::ProcessCpuSeconds() - cpu_s_}};
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double cpu_s_ = core::ProcessCpuSeconds();
  std::vector<core::StepTime> earlier_ = core::StepTimes();
};

json DocumentOf(const experiments::ImportOutcome& outcome) {
  json inputs = json::array();
  for (const auto& input : outcome.inputs)
    inputs.push_back({{"file", input.file.string()}, {"format", input.format}});
  json spans = json::object();
  for (const auto& [level, count] : outcome.spans) spans[level] = count;
  json diagnostics = json::array();
  for (const auto& d : outcome.diagnostics)
    diagnostics.push_back({{"name", d.name}, {"count", d.count}, {"hint", d.hint}});
  json passed_over = json::array();
  for (const auto& file : outcome.passed_over) passed_over.push_back(file.string());
  return {{"run", outcome.path.string()},
          {"inputs", std::move(inputs)},
          {"spans", std::move(spans)},
          {"diagnostics", std::move(diagnostics)},
          {"passed_over", std::move(passed_over)},
          {"reference_runs", outcome.reference_runs}};
}

Result<Document> Import(const Context& context, const Request& request) {
  experiments::ImportRequest files = request.files;
  const Stopwatch stopwatch;
  files.store = context.store;
  files.command = context.command_line;
  files.progress = context.progress;
  XSP_TRY(const experiments::ImportOutcome outcome, experiments::ImportFiles(files));
  json body = DocumentOf(outcome);
  if (request.timing) body["times"] = stopwatch.Times();
  Document document{.content = std::move(body)};
  NoteOtherName(files.name, outcome.path, document);
  return document;
}

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<Request>();
  std::string formats = "Files of one execution, or folders of them; formats:";
  for (const ImporterSpec* importer : importers::AllImporters())
    formats += fmt::format("\n  {}: {}", importer->name, importer->summary);
  fields.Add("file", &request->files.files,
             {.help = formats,
              .value_name = "FILE",
              .refers = core::Refers::kInput,
              .required = true,
              .positional = true});
  fields.Add("name", &request->files.name,
             {.help = "Name of the experiment in the store (default: the first file's)",
              .value_name = "NAME"});
  fields.Add(
      "model", &request->files.model,
      {.help = "Name of the model (default: the name in the files, else the first file's name)",
       .value_name = "NAME"});
  fields.Add("reference", &request->files.reference,
             {.help = "A run whose operators explain the graphs that these files replay (default: "
                      "the newest runs of the same model, if its name is known and nothing in the "
                      "files explains them)",
              .value_name = "RUN",
              .refers = core::Refers::kStored});
  fields.Add("device", &request->files.roofs.device,
             {.help = "Take the roofs from the data sheet of this GPU or CPU, if the files do not "
                      "name their device or name an unknown one",
              .value_name = "NAME",
              .excludes = {"roofs"}});
  fields.Add(
      "roofs", &request->files.roofs.file,
      {.help = "Take the roofs from this file, which `xsp system --format json` wrote on the "
               "machine where the files were recorded",
       .value_name = "FILE",
       .refers = core::Refers::kInput});
  fields.Add("keep_files", &request->files.keep_files,
             {.help = "Copy the files into the run's attachments"});
  fields.Add("timing", &request->timing,
             {.help = "Print on standard error the wall and CPU seconds of each step (steps run "
                      "concurrently: inflating and storing while reading), and the peak of memory "
                      "so far"});
  return [&context, request] { return Import(context, *request); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "import",
    .summary = "Imports the output of a profiler into the store",
    .example = "xsp import worker.xspr --name mine",
    .effect = Effect::kChanges,
    .result = R"({"type": "object", "required": ["run", "inputs", "spans", "diagnostics"],
      "properties": {
        "run": {"type": "string", "description": "Path of the experiment"},
        "inputs": {"type": "array", "items": {"type": "object", "properties": {
          "file": {"type": "string"}, "format": {"type": "string"}}}},
        "spans": {"type": "object", "description": "Number of spans by level",
          "additionalProperties": {"type": "integer"}},
        "diagnostics": {"type": "array", "items": {"type": "object", "properties": {
          "name": {"type": "string"}, "count": {"type": "integer"}, "hint": {"type": "string"}}}},
        "passed_over": {"type": "array", "items": {"type": "string"},
          "description": "Files of no known format"},
        "reference_runs": {"type": "string"},
        "times": {"type": "object", "description": "With timing: wall and CPU seconds"}}})",
    .declare = Declare,
    .served_as = ServedAs::kJob,
};

}  // namespace xsp::api::import_operation
