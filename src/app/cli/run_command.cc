#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <nlohmann/json.hpp>
#include <string_view>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "app/cli/summary_output.h"
#include "core/number_check.h"
#include "measure/protocols/scenario.h"
#include "measure/sessions/run_session.h"
#include "store/database.h"

namespace xsp::cli::run {
namespace {

using nlohmann::json;
using requests::ExperimentRequest;
using sessions::ExperimentOutcome;

struct Options {
  ExperimentRequest request;
  double memory_limit_gb = 0;
  std::string latency_bound, dataset;
  std::string precision_target = "5%";
  const CLI::Option* iterations_option = nullptr;
  bool report = false;
  Format format = Format::kTable;
};

Status PrintJson(const Session& session, const ExperimentOutcome& outcome,
                 const std::string& report) {
  XSP_TRY(const store::Database database, store::Database::Open({outcome.path}));
  XSP_TRY(const json measured, SummaryDocument(session, database));
  json runs = json::array();
  json failures = json::array();
  for (const sessions::RunOutcome& run : outcome.runs)
    if (!run.path.empty()) runs.push_back(run.path.string());
  for (const Error& failure : outcome.failures)
    failures.push_back({{"what", failure.what}, {"hint", failure.hint}});
  json document = {{"experiment", outcome.path.string()},
                   {"runs", std::move(runs)},
                   {"status", outcome.status},
                   {"failures", std::move(failures)},
                   {"left_out", outcome.left_out},
                   {"conditions", outcome.conditions}};
  document.update(measured);
  if (!report.empty()) document["report"] = report;
  PrintLine(document.dump(2, ' ', false, json::error_handler_t::replace));
  return Ok{};
}

/// "5%" or "0.05", above 0 and below 1.
Result<double> ParseShare(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  if (rest == "%") value /= 100;
  if (error == std::errc() && (rest.empty() || rest == "%") && value > 0 && value < 1) return value;
  return Error{ErrorKind::kUsage, fmt::format("not a share between 0 and 100 %: {}", text),
               "Write --precision-target 5%."};
}

Result<int> Run(const Session& session, const Options& options) {
  ExperimentRequest request = options.request;
  ProgressLine progress;
  request.store = session.store;
  request.command = session.command_line;
  request.memory_limit_bytes = static_cast<std::int64_t>(options.memory_limit_gb * 1e9);
  request.progress = &progress;
  if (options.iterations_option->count() == 0) {
    XSP_TRY(request.precision_target, ParseShare(options.precision_target));
  }
  if (!options.latency_bound.empty()) {
    XSP_TRY(request.scenario.latency_bound_ns, protocols::ParseLatency(options.latency_bound));
  }
  if (!options.dataset.empty()) {
    const std::int64_t samples = request.dataset.samples;
    XSP_TRY(request.dataset, requests::ParseDataset(options.dataset));
    request.dataset.samples = samples;
  }
  XSP_TRY(const ExperimentOutcome outcome, sessions::RunExperiment(request));

  SayWhereNameWasTaken(request.name, outcome.path);
  for (const Error& failure : outcome.failures) {
    progress.Note("error: " + failure.what);
    if (!failure.hint.empty()) progress.Note("hint: " + failure.hint);
  }
  for (const std::string& backend : outcome.left_out) progress.Note("left out: " + backend);
  std::string report;
  if (options.report) {
    progress.Step("writing the report", 1, -1);
    XSP_TRY(const std::filesystem::path file, MakeReport(session, outcome.path, {}));
    report = file.string();
  }
  if (options.format == Format::kJson) {
    XSP_RETURN_IF_ERROR(PrintJson(session, outcome, report));
    return outcome.exit_status;
  }
  XSP_TRY(const store::Database database, store::Database::Open({outcome.path}));
  XSP_RETURN_IF_ERROR(PrintSummary(session, database));
  if (!outcome.conditions.empty())
    PrintLine(xsp::report::Wrap(outcome.conditions, xsp::report::StyleOfStandardOutput().width, 0));
  PrintLine(fmt::format("experiment  {}", outcome.path.string()));
  PrintLine(report.empty() ? "report      xsp report" : fmt::format("report      {}", report));
  return outcome.exit_status;
}

void DeclareScenario(CLI::App& app, Options& options) {
  requests::ScenarioRequest& scenario = options.request.scenario;
  app.add_option("--scenario", scenario.kind,
                 "A load instead of the rungs: single-stream, offline, server or multi-stream")
      ->check(CLI::IsMember({"single-stream", "offline", "server", "multi-stream"}).description(""))
      ->type_name("NAME");
  app.add_option("--latency-bound", options.latency_bound,
                 "server: upper bound of the percentile: 500us, 50ms, 2s")
      ->type_name("TIME");
  app.add_option("--percentile", scenario.percentile,
                 "Percentile of latency (default: 90 single-stream, 99 server and multi-stream)")
      ->type_name("P");
  app.add_option("--queries", scenario.queries,
                 "Model calls, server: for each rate (default: 256 single-stream, 100 offline, "
                 "1000 server, 700 multi-stream)")
      ->check(core::PositiveNumber)
      ->type_name("N");
  app.add_option("--streams", scenario.streams, "multi-stream: samples per query (default: 8)")
      ->check(core::PositiveNumber)
      ->type_name("N");
}

void DeclareDataset(CLI::App& app, Options& options) {
  app.add_option("--dataset", options.dataset,
                 "A data set to run through the model instead of the rungs: a folder of images in "
                 "folders by class, a YAML file, a .csv, .tsv or .jsonl of texts, or "
                 "KIND:NAME=VALUE,... such as synthetic:count=100")
      ->type_name("DATASET");
  app.add_option("--samples", options.request.dataset.samples,
                 "Number of samples of the data set, spread evenly (default: all)")
      ->check(core::PositiveNumber)
      ->type_name("N");
}

Action Declare(CLI::App& app, const Session& session) {
  auto options = std::make_shared<Options>();
  ExperimentRequest& request = options->request;
  app.add_option("MODEL", request.model, "A model file, or a name of the zoo (built on first use)")
      ->required();
  app.add_option("--backend", request.backends,
                 "Frameworks, or all (default: the one that the manifest or the file selects)")
      ->delimiter(',')
      ->type_name("NAME,...");
  app.add_option("--device", request.device, "cpu or cuda:0")
      ->type_name("DEVICE")
      ->capture_default_str();
  app.add_option("--batch", request.batches, "Batch sizes")
      ->delimiter(',')
      ->check(core::PositiveNumber)
      ->type_name("N,...")
      ->default_str("1");
  app.add_option("--depth", request.depth,
                 "Deepest rung: model, layer, kernel or counters (default: kernel). counters: "
                 "events of CPU and kernel in calls and layers, in a run whose times are discarded")
      ->check(CLI::IsMember({"model", "layer", "library", "kernel", "counters"}).description(""))
      ->type_name("RUNG");
  app.add_flag("--only", request.only, "Run only that rung, without the shallower ones");
  CLI::Option* const target =
      app.add_option("--precision-target", options->precision_target,
                     "Sample each rung until the 95 % interval of its latency is as narrow as ± "
                     "this share of it")
          ->type_name("PERCENT")
          ->capture_default_str();
  options->iterations_option =
      app.add_option("--iterations", request.iterations,
                     "Exact number of model calls per rung, instead of a precision target")
          ->check(core::PositiveNumber)
          ->excludes(target)
          ->type_name("N");
  app.add_option(
         "--time-limit", request.time_limit_s,
         "Limit of seconds per rung, after which sampling ends with the interval reached so far")
      ->check(core::PositiveNumber)
      ->type_name("S")
      ->capture_default_str();
  app.add_option(
         "--processes", request.processes,
         "Processes of the rung model, because two processes of one program differ (default: "
         "3 with several backends, else 1). From 5 on, rungs whose profiling cannot be "
         "switched within a process are compared in as many pairs of processes")
      ->check(core::PositiveNumber)
      ->type_name("N");
  app.add_option("--warmup-limit", request.warmup_limit_s,
                 "Seconds of warm-up per rung, if it has not settled by then (0: no limit)")
      ->check(core::NonNegativeNumber)
      ->type_name("S")
      ->capture_default_str();
  app.add_option("--threads", request.threads, "Threads of the framework (0: its default)")
      ->check(core::NonNegativeNumber)
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--graph", request.graph,
                 "eager, frozen or optimised; default: what a user's own call would run")
      ->type_name("MODE")
      ->capture_default_str();
  app.add_option("--precision", request.precision,
                 "Data type of the arithmetic, if the backend can choose it")
      ->type_name("TYPE")
      ->capture_default_str();
  app.add_option("--option", request.options,
                 "An option of the framework (docs/workers lists them), such as "
                 "torch:cuda_graph=1; may be repeated")
      ->type_name("[BACKEND:]NAME=VALUE");
  app.add_option("--input", request.inputs,
                 "Shape of an input, and the values that fill it; may be repeated. The name is "
                 "optional with one input, N is the batch size. Default: from manifest and file; "
                 "open sizes are guessed and reported (docs/models.md)")
      ->type_name("[NAME=]1x3x224x224[:TYPE][:range=LOW..HIGH][:value=NUMBER]")
      ->take_all()
      ->allow_extra_args(false);
  app.add_option("--manifest", request.manifest,
                 "Inputs of the model (default: model.yaml beside it, else inferred)")
      ->type_name("FILE");
  app.add_option("--seed", request.seed, "Seed of inputs and of the order of blocks")
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--name", request.name,
                 "Name of the experiment in the store (default: model and time)")
      ->type_name("NAME");
  app.add_option("--deadline", request.deadline_s,
                 "Seconds without an answer after which a worker is killed (0: derived from the "
                 "model's speed)")
      ->type_name("S")
      ->capture_default_str();
  app.add_option("--memory-limit", options->memory_limit_gb,
                 "Memory limit of each worker, GB (0: no limit)")
      ->type_name("GB")
      ->capture_default_str();
  app.add_option("--monitor-rate", request.monitor_rate_hz,
                 "Samples per second of the system monitor (0: none)")
      ->type_name("HZ")
      ->capture_default_str();
  app.add_option("--keep-outputs", request.keep_outputs,
                 "Store the results of each point's first call here, as NPY files")
      ->type_name("DIR");
  app.add_option("--worker", request.worker,
                 "A worker program to use instead of the one found by name")
      ->type_name("FILE");
  DeclareScenario(app, *options);
  DeclareDataset(app, *options);
  app.add_flag("--report", options->report, "Also write the HTML report");
  AddFormatOption(app, &options->format);
  return [&session, options] { return Run(session, *options); };
}

}  // namespace

extern const CommandSpec kCommand;
constinit const CommandSpec kCommand = {
    .name = "run",
    .summary = "Measures a model at several levels and batch sizes",
    .example =
        "xsp run resnet50 --batch 1,2,4,8,16 --report\n"
        "         xsp run ocr.onnx --input x=Nx3x48x320 --batch 1,8\n"
        "         xsp run resnet50 --scenario server --latency-bound 50ms --backend all\n"
        "         xsp run resnet50 --dataset imagenet/val --samples 500 --batch 8",
    .declare = Declare,
};

}  // namespace xsp::cli::run
