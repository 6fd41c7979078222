#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "core/step_times.h"
#include "derive/experiments/imported_files.h"
#include "ingest/importers/importer.h"

namespace xsp::cli::import_files {
namespace {

using nlohmann::json;

struct Options {
  experiments::ImportRequest request;
  Format format = Format::kTable;
  bool timing = false;
};

void PrintJson(const experiments::ImportOutcome& outcome) {
  json inputs = json::array();
  for (const auto& input : outcome.inputs)
    inputs.push_back({{"file", input.file.string()}, {"format", input.format}});
  json spans = json::object();
  for (const auto& [level, count] : outcome.spans) spans[level] = count;
  json diagnostics = json::array();
  for (const auto& d : outcome.diagnostics)
    diagnostics.push_back({{"name", d.name}, {"count", d.count}, {"hint", d.hint}});
  PrintLine(json{{"run", outcome.path.string()},
                 {"inputs", inputs},
                 {"spans", spans},
                 {"diagnostics", diagnostics},
                 {"reference_runs", outcome.reference_runs}}
                .dump(2, ' ', false, json::error_handler_t::replace));
}

bool HoldsLayersOrKernels(const experiments::ImportOutcome& outcome) {
  return std::any_of(outcome.spans.begin(), outcome.spans.end(), [](const auto& counted) {
    return (counted.first == "layer" || counted.first == "kernel") && counted.second > 0;
  });
}

/// What took how long, to standard error.
void SayTimes(std::chrono::steady_clock::time_point start) {
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  Say(fmt::format("{:<26}{:>9}{:>9}{:>12}", "step", "wall s", "CPU s", "peak MiB"));
  const auto line = [](const std::string& name, double wall_s, double cpu_s, std::string peak) {
    Say(fmt::format("{:<26}{:>9.3f}{:>9.3f}{:>12}", name, wall_s, cpu_s, peak));
  };
  double cpu_s = 0;
  for (const core::StepTime& step : core::StepTimes()) {
    cpu_s += step.cpu_s;
    line(step.name, step.wall_s, step.cpu_s, fmt::format("{}", step.peak_rss_bytes >> 20));
  }
  // Steps run side by side, so only their CPU times add up.
  line("other", 0, std::max(core::ProcessCpuSeconds() - cpu_s, 0.0), "");
  line("all", wall.count(), core::ProcessCpuSeconds(), "");
}

Result<int> Import(const Session& session, const Options& options) {
  experiments::ImportRequest request = options.request;
  ProgressLine progress;
  const auto start = std::chrono::steady_clock::now();
  request.store = session.store;
  request.command = session.command_line;
  request.progress = &progress;
  XSP_TRY(const experiments::ImportOutcome outcome, experiments::ImportFiles(request));
  SayWhereNameWasTaken(request.name, outcome.path);
  if (options.timing) SayTimes(start);
  if (options.format == Format::kJson) {
    PrintJson(outcome);
    return 0;
  }
  PrintLine(outcome.path.string());
  for (const auto& input : outcome.inputs)
    PrintLine(fmt::format("{}  {}", input.format, input.file.string()));
  for (const auto& [level, count] : outcome.spans)
    PrintLine(fmt::format("{:>10} {} spans", count, level));
  if (!HoldsLayersOrKernels(outcome))
    PrintLine(
        "no layers and no kernels: the file contains only ranges, counters and threads. A trace of "
        "torch.profiler, or `xsp record -- PROGRAM`, has both.");
  for (const auto& file : outcome.passed_over)
    PrintLine(fmt::format("of no known format, ignored: {}", file.string()));
  if (!outcome.reference_runs.empty())
    PrintLine(fmt::format("replayed graphs attributed by: {}", outcome.reference_runs));
  for (const auto& d : outcome.diagnostics)
    PrintLine(fmt::format("{:>10} {}: {}", d.count, d.name, d.hint));
  return 0;
}

Action Declare(CLI::App& app, const Session& session) {
  auto options = std::make_shared<Options>();
  std::string formats = "Files of one execution, or folders of them; formats:";
  for (const ImporterSpec* importer : importers::AllImporters())
    formats += fmt::format("\n  {}: {}", importer->name, importer->summary);
  app.add_option("FILE", options->request.files, formats)->required();
  app.add_option("--name", options->request.name,
                 "Name of the experiment in the store (default: the first file's)")
      ->type_name("NAME");
  app.add_option("--model", options->request.model,
                 "Name of the model (default: the name in the files, else the first file's name)")
      ->type_name("NAME");
  app.add_option(
         "--reference", options->request.reference,
         "A run whose operators explain the graphs that these files replay (default: the newest "
         "runs of the same model, if its name is known and nothing in the files explains them)")
      ->type_name("RUN");
  app.add_flag("--keep-files", options->request.keep_files,
               "Copy the files into the run's attachments");
  app.add_flag("--timing", options->timing,
               "Print on standard error the wall and CPU seconds of each step (steps run "
               "concurrently: inflating and storing while reading), and the peak of memory so far");
  AddFormatOption(app, &options->format);
  return [&session, options] { return Import(session, *options); };
}

}  // namespace
}  // namespace xsp::cli::import_files

namespace xsp::cli::import_ {

// `import` is a word of C++: the file and the namespace end in an underscore.
extern const CommandSpec kCommand;
constinit const CommandSpec kCommand = {
    .name = "import",
    .summary = "Imports the output of a profiler into the store",
    .example = "xsp import worker.xspr --name mine",
    .declare = import_files::Declare,
};

}  // namespace xsp::cli::import_
