#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "answer/report/summary_document.h"
#include "api/operation.h"
#include "api/operations/report_file.h"
#include "api/operations/run_against.h"
#include "api/operations/run_plan.h"
#include "api/operations/run_request.h"
#include "api/operations/stored_name.h"
#include "core/json_fields.h"
#include "measure/protocols/scenario.h"
#include "measure/sessions/run_session.h"
#include "store/database.h"

namespace xsp::api::run_operation {
namespace {

using nlohmann::json;
using requests::ExperimentRequest;
using sessions::ExperimentOutcome;

struct Request {
  ExperimentRequest experiment;
  AgainstRequest against;
  std::optional<int> iterations;
  double memory_limit_gb = 0;
  std::string latency_bound, dataset;
  std::string precision_target = "5%";
  bool no_roofs = false;
  bool report = false;
  bool plan = false;
};

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

Result<ExperimentRequest> Complete(const Context& context, const Request& request) {
  ExperimentRequest experiment = request.experiment;
  experiment.store = context.store;
  experiment.command = context.command_line;
  experiment.progress = context.progress;
  // A plan does not heed them: it is over soon.
  if (!request.plan) experiment.interrupts = &context.interrupts();
  experiment.memory_limit_bytes = static_cast<std::int64_t>(request.memory_limit_gb * 1e9);
  experiment.roofs = !request.no_roofs;
  if (request.iterations) {
    experiment.iterations = *request.iterations;
  } else {
    XSP_TRY(experiment.precision_target, ParseShare(request.precision_target));
  }
  if (!request.latency_bound.empty()) {
    XSP_TRY(experiment.scenario.latency_bound_ns, protocols::ParseLatency(request.latency_bound));
  }
  if (!request.dataset.empty()) {
    const std::int64_t samples = experiment.dataset.samples;
    XSP_TRY(experiment.dataset, requests::ParseDataset(request.dataset));
    experiment.dataset.samples = samples;
  }
  return experiment;
}

Result<json> DocumentOf(const Context& context, const ExperimentOutcome& outcome) {
  XSP_TRY(const store::Database database, store::Database::Open({outcome.path}));
  XSP_TRY(const std::vector<findings::Rule> rules, findings::LoadRules(context.findings));
  XSP_TRY(const json measured, report::SummaryDocument(database, rules));
  json document = OutcomeDocument(outcome);
  document["left_out"] = outcome.left_out;
  document["conditions"] = outcome.conditions;
  document.update(measured);
  return document;
}

/// `whose`: before each reason.
void NoteFailures(const ExperimentOutcome& outcome, const std::string& whose, Document& document) {
  for (const Error& failure : outcome.failures) {
    document.notes.push_back("error: " + whose + failure.what);
    if (!failure.hint.empty()) document.notes.push_back("hint: " + failure.hint);
  }
  for (const std::string& backend : outcome.left_out)
    document.notes.push_back("left out: " + backend);
}

Result<Document> Run(const Context& context, const Request& request) {
  XSP_TRY(ExperimentRequest experiment, Complete(context, request));
  std::vector<ExperimentRequest> requests = {std::move(experiment)};
  if (request.against.is_asked_for()) {
    XSP_TRY(ExperimentRequest other, OtherRequest(requests.front(), request.against));
    requests.push_back(std::move(other));
  }
  if (request.plan) {
    XSP_TRY(json plan, PlanDocument(requests));
    return Document{.content = std::move(plan)};
  }
  XSP_TRY(const sessions::AlternationOutcome measured, sessions::RunAlternately(requests));
  const ExperimentOutcome& outcome = measured.experiments.front();
  Document document;
  document.exit_status = outcome.exit_status;
  const std::string& name = requests.front().name;
  NoteOtherName(name, outcome.path, document);
  NoteFailures(outcome, "", document);
  if (measured.experiments.size() > 1) {
    const ExperimentOutcome& other = measured.experiments.back();
    document.exit_status = std::max(document.exit_status, other.exit_status);
    if (!name.empty()) NoteOtherName(name + "-against", other.path, document);
    NoteFailures(other, "against: ", document);
  }
  document.notes.insert(document.notes.end(), outcome.live_notes.begin(), outcome.live_notes.end());
  XSP_TRY(json body, DocumentOf(context, outcome));
  if (measured.experiments.size() > 1) {
    context.progress->Step("comparing", 1, -1);
    AddAgainst(requests.front(), measured, request.report ? outcome.path / "comparison.html" : "",
               body, document);
  }
  if (request.report) {
    context.progress->Step("writing the report", 1, -1);
    XSP_TRY(const std::filesystem::path file, WriteReport(context, outcome.path, {}));
    body["report"] = file.string();
  }
  document.content = std::move(body);
  return document;
}

void DeclareScenario(core::RequestFields& fields, Request& request) {
  requests::ScenarioRequest& scenario = request.experiment.scenario;
  fields.Add("scenario", &scenario.kind,
             {.help = "A load instead of the rungs: single-stream, offline, server or multi-stream",
              .value_name = "NAME",
              .allowed = {"single-stream", "offline", "server", "multi-stream"}});
  fields.Add(
      "latency_bound", &request.latency_bound,
      {.help = "server: upper bound of the percentile: 500us, 50ms, 2s", .value_name = "TIME"});
  fields.Add(
      "percentile", &scenario.percentile,
      {.help = "Percentile of latency (default: 90 single-stream, 99 server and multi-stream)",
       .value_name = "P",
       .unit = "%"});
  fields.Add(
      "queries", &scenario.queries,
      {.help = "Model calls, server: for each rate (default: 256 single-stream, 100 offline, "
               "1000 server, 700 multi-stream)",
       .value_name = "N",
       .range = core::kPositive});
  fields.Add("streams", &scenario.streams,
             {.help = "multi-stream: samples per query (default: 8)",
              .value_name = "N",
              .range = core::kPositive});
}

void DeclareDataset(core::RequestFields& fields, Request& request) {
  fields.Add(
      "dataset", &request.dataset,
      {.help = "A data set to run through the model instead of the rungs: a folder of images in "
               "folders by class, a YAML file, a .csv, .tsv or .jsonl of texts, or "
               "KIND:NAME=VALUE,... such as synthetic:count=100",
       .value_name = "DATASET",
       .refers = core::Refers::kInput});
  fields.Add("samples", &request.experiment.dataset.samples,
             {.help = "Number of samples of the data set, spread evenly (default: all)",
              .value_name = "N",
              .range = core::kPositive});
}

void DeclareFields(core::RequestFields& fields, Request* request) {
  ExperimentRequest& experiment = request->experiment;
  fields.Add("model", &experiment.model,
             {.help = "A model file, or a name of the zoo (built on first use)",
              .value_name = "MODEL",
              .refers = core::Refers::kModel,
              .required = true,
              .positional = true});
  fields.Add("backend", &experiment.backends,
             {.help = "Frameworks, or all (default: the one that the manifest or the file selects)",
              .value_name = "NAME,...",
              .list = core::ListStyle::kCommas});
  fields.Add("device", &experiment.device, {.help = "cpu or cuda:0", .value_name = "DEVICE"});
  fields.Add("batch", &experiment.batches,
             {.help = "Batch sizes",
              .value_name = "N,...",
              .range = core::kPositive,
              .list = core::ListStyle::kCommas,
              .or_default = "1"});
  fields.Add(
      "depth", &experiment.depth,
      {.help = "Deepest rung: model, layer, kernel or counters (default: kernel). counters: "
               "events of CPU and kernel in calls and layers, in a run whose times are discarded",
       .value_name = "RUNG",
       .allowed = {"model", "layer", "library", "kernel", "counters"}});
  fields.Add("only", &experiment.only, {.help = "Run only that rung, without the shallower ones"});
  fields.Add("precision_target", &request->precision_target,
             {.help = "Sample each rung until the 95 % interval of its latency is as narrow as ± "
                      "this share of it",
              .value_name = "PERCENT"});
  fields.Add("iterations", &request->iterations,
             {.help = "Exact number of model calls per rung, instead of a precision target",
              .value_name = "N",
              .range = core::kPositive,
              .excludes = {"precision_target"}});
  fields.Add(
      "time_limit", &experiment.time_limit_s,
      {.help =
           "Limit of seconds per rung, shared by its processes, after which sampling ends with the "
           "interval reached so far",
       .value_name = "S",
       .unit = "s",
       .range = core::kPositive});
  fields.Add(
      "processes", &experiment.processes,
      {.help = "Processes of the rung model and of the rung that times layers (kernels on a GPU), "
               "because two processes of one program differ (default: 5 with --against, 3 with "
               "several backends, else 1). From 5 on, rungs whose profiling cannot be switched "
               "within a process are "
               "compared in as many pairs of processes",
       .value_name = "N",
       .range = core::kPositive});
  fields.Add("loads", &experiment.loads,
             {.help = "Times that each process of a timed rung loads the model, for an equal part "
                      "of its calls: how fast a model is depends on where it lies in memory, which "
                      "is part of what processes differ by",
              .value_name = "N",
              .range = core::kPositive});
  fields.Add("warmup_limit", &experiment.warmup_limit_s,
             {.help = "Seconds of warm-up per rung, if it has not settled by then (0: no limit)",
              .value_name = "S",
              .unit = "s",
              .range = core::kNonNegative});
  fields.Add("threads", &experiment.threads,
             {.help = "Threads of the framework (0: its default)",
              .value_name = "N",
              .range = core::kNonNegative});
  fields.Add("graph", &experiment.graph,
             {.help = "eager, frozen or optimised; default: what a user's own call would run",
              .value_name = "MODE"});
  fields.Add(
      "precision", &experiment.precision,
      {.help = "Data type of the arithmetic, if the backend can choose it", .value_name = "TYPE"});
  fields.Add("option", &experiment.options,
             {.help = "An option of the framework (docs/workers lists them), such as "
                      "torch:cuda_graph=1; may be repeated",
              .value_name = "[BACKEND:]NAME=VALUE",
              .refers = core::Refers::kProgram});
  fields.Add(
      "input", &experiment.inputs,
      {.help = "Shape of an input, and the values that fill it; may be repeated. The name is "
               "optional with one input, N is the batch size. Default: from manifest and file; "
               "open sizes are guessed and reported (docs/models.md)",
       .value_name = "[NAME=]1x3x224x224[:TYPE][:range=LOW..HIGH][:value=NUMBER]",
       .list = core::ListStyle::kRepeated});
  fields.Add("manifest", &experiment.manifest,
             {.help = "Inputs of the model (default: model.yaml beside it, else inferred)",
              .value_name = "FILE",
              .refers = core::Refers::kManifest});
  fields.Add("seed", &experiment.seed,
             {.help = "Seed of inputs and of the order of blocks", .value_name = "N"});
  fields.Add("name", &experiment.name,
             {.help = "Name of the experiment in the store (default: model and time)",
              .value_name = "NAME"});
  fields.Add(
      "deadline", &experiment.deadline_s,
      {.help = "Seconds without an answer after which a worker is killed (0: derived from the "
               "model's speed)",
       .value_name = "S",
       .unit = "s"});
  fields.Add(
      "memory_limit", &request->memory_limit_gb,
      {.help = "Memory limit of each worker, GB (0: no limit)", .value_name = "GB", .unit = "GB"});
  fields.Add("monitor_rate", &experiment.monitor_rate_hz,
             {.help = "Samples per second of the system monitor (0: none)",
              .value_name = "HZ",
              .unit = "Hz"});
  fields.Add("keep_outputs", &experiment.keep_outputs,
             {.help = "Store the results of each point's first call here, as NPY files",
              .value_name = "DIR",
              .refers = core::Refers::kOutput});
  fields.Add("worker", &experiment.worker,
             {.help = "A worker program to use instead of the one found by name",
              .value_name = "FILE",
              .refers = core::Refers::kProgram});
  DeclareScenario(fields, *request);
  DeclareDataset(fields, *request);
  fields.Add("otlp", &experiment.live_otlp,
             {.help = "Send the spans of workers to an OpenTelemetry server while they run, over "
                      "OTLP/HTTP; headers from OTEL_EXPORTER_OTLP_HEADERS (docs/otlp.md)",
              .value_name = "URL",
              .refers = core::Refers::kProgram,
              .if_bare = "default"});
  fields.Add("stream", &experiment.live_folder,
             {.help = "Append spans, tracks, metrics and attributes to Parquet tables in this "
                      "folder while workers run (docs/otlp.md)",
              .value_name = "DIR",
              .refers = core::Refers::kOutput});
  fields.Add("no_roofs", &request->no_roofs, {.help = "Do not measure this machine's roofs"});
  fields.Add(
      "report", &request->report,
      {.help = "Also write the HTML report (with --against also a page about the comparison)"});
}

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<Request>();
  DeclareFields(fields, request.get());
  DeclareAgainst(fields, request->against);
  fields.Add("plan", &request->plan,
             {.help = "Measure nothing: show what would be measured, an estimate of the time with "
                      "what it rests on, and what the store already has"});
  return [&context, request] { return Run(context, *request); };
}

constexpr const char* kResult = R"({"type": "object",
  "oneOf": [{"required": ["experiment", "runs", "status"]},
            {"required": ["model", "points", "processes", "estimate", "sentences"]}],
  "properties": {
    "experiment": {"type": "string", "description": "Path of the experiment"},
    "runs": {"type": "array", "items": {"type": "string"}, "description": "Paths of its runs"},
    "status": {"enum": ["done", "partial", "interrupted"]},
    "failures": {"type": "array", "items": {"type": "object", "properties": {
      "what": {"type": "string"}, "hint": {"type": "string"}}}},
    "left_out": {"type": "array", "items": {"type": "string"},
      "description": "Backends that cannot run the model"},
    "conditions": {"type": "string", "description": "What else the machine did meanwhile"},
    "points": {"type": "array", "items": {"type": "object"},
      "description": "Latency with its interval, throughput and peak memory of each point. With plan: model, backend, device, precision, batch size and rungs of each, each rung with its processes and the seconds that it is expected to take (null: not known), and the newest experiments in the store with the same settings"},
    "rungs": {"type": "array", "items": {"type": "object"},
      "description": "What each level of profiling costs"},
    "badges": {"type": "array", "items": {"type": "object"}},
    "findings_left_out": {"type": "integer", "description": "Findings after the leading ones"},
    "findings": {"type": "array", "items": {"type": "string"}},
    "report": {"type": "string", "description": "With report: path of the page"},
    "against": {"type": "object",
      "description": "With against: the other experiment; with plan also its plan", "properties": {
      "experiment": {"type": "string", "description": "Its path"},
      "runs": {"type": "array", "items": {"type": "string"}},
      "status": {"enum": ["done", "partial", "interrupted"]},
      "failures": {"type": "array", "items": {"type": "object"}}}},
    "comparison": {"type": "object",
      "description": "With against: the experiment compared with the other one, at each batch size",
      "properties": {
      "page": {"type": "string", "description": "With report: path of a page about it"},
      "pairs": {"type": "array", "items": {"type": "object", "description": "Each as the document of `compare`, and `results`", "properties": {
        "results": {"type": "array", "description": "Results of one call of both, by output",
          "items": {"type": "object", "properties": {
          "output": {"type": ["string", "null"]}, "shape": {"type": ["string", "null"]},
          "largest_difference": {"type": ["number", "null"]},
          "cosine": {"type": ["number", "null"], "description": "Of the whole outputs as vectors"},
          "not_finite_in_one": {"type": ["integer", "null"],
            "description": "Values that are infinite or not a number in only one of them"},
          "message": {"type": ["string", "null"],
            "description": "Why they cannot be compared; null: they were"}}}}}}}}},
    "model": {"type": "string", "description": "With plan: name of the model"},
    "processes": {"type": "integer", "description": "With plan: number of worker processes"},
    "estimate": {"type": "object", "description": "With plan: how long starting, warming up and sampling will take", "properties": {
      "seconds": {"type": ["number", "null"], "description": "null: nothing in the store tells"},
      "low_s": {"type": ["number", "null"],
        "description": "By the fastest of the experiments that it rests on"},
      "high_s": {"type": ["number", "null"], "description": "By the slowest"},
      "limit_s": {"type": ["number", "null"],
        "description": "Sum of the limits of warm-up and sampling: an upper bound without loading the models; null: there is none"}}},
    "sentences": {"type": "array", "items": {"type": "string"},
      "description": "With plan: the estimate in words, and what it rests on"}}})";

}  // namespace

Result<ExperimentRequest> ReadExperimentRequest(const json& request, const Context& context) {
  Request read;
  core::JsonFields fields(request);
  DeclareFields(fields, &read);
  XSP_RETURN_IF_ERROR(fields.Finish());
  return Complete(context, read);
}

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "run",
    .summary = "Measures a model at several levels and batch sizes",
    .example =
        "xsp run resnet50 --batch 1,2,4,8,16 --report\n"
        "         xsp run ocr.onnx --input x=Nx3x48x320 --batch 1,8\n"
        "         xsp run resnet50 --scenario server --latency-bound 50ms --backend all\n"
        "         xsp run resnet50 --otlp http://localhost:4318\n"
        "         xsp run resnet50 --dataset imagenet/val --samples 500 --batch 8\n"
        "         xsp run after.onnx --against before.onnx --processes 10\n"
        "         xsp run resnet50 --executor slurm --partition gpu\n"
        "         xsp run resnet50 --batch 1,8 --backend all --plan",
    .effect = Effect::kMeasures,
    .result = kResult,
    .declare = Declare,
    .served_as = ServedAs::kJob,
    .answers_if = "plan",
    .on_nodes = true,
};

}  // namespace xsp::api::run_operation
