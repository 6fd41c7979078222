#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "answer/report/html.h"
#include "answer/suggest/bounds.h"
#include "answer/suggest/candidates.h"
#include "answer/suggest/predictable_points.h"
#include "answer/suggest/stored_experiments.h"
#include "answer/suggest/suggestion.h"
#include "answer/suggest/suggestion_answer.h"
#include "answer/suite/answer_json.h"
#include "api/operation.h"
#include "api/operations/stack_capture.h"
#include "api/operations/suggested_models.h"
#include "core/json_text.h"
#include "os/files.h"

namespace xsp::api::suggest_operation {
namespace {

using nlohmann::json;

struct Request {
  suggest::Question question;
  suggest::ExperimentChoice choice;
  std::vector<std::string> bounds, objectives, prices, machines;
  std::string predict;
  std::filesystem::path output;
};

/// "1.2" or "H100=2.5", each above 0, by the words of the machine's name.
Result<std::map<std::string, double>> ParsePrices(const std::vector<std::string>& texts) {
  std::map<std::string, double> prices;
  for (const std::string& text : texts) {
    const std::size_t equals = text.rfind('=');
    const std::string machine = equals == std::string::npos ? "" : text.substr(0, equals);
    const std::string_view number =
        std::string_view(text).substr(equals == std::string::npos ? 0 : equals + 1);
    double price = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), price);
    if (error != std::errc() || end != number.data() + number.size() || !std::isfinite(price) ||
        !(price > 0) || equals == 0)
      return Error{ErrorKind::kUsage, fmt::format("not a price above 0 per hour: {}", text),
                   "For example: --price 1.2, or of one machine --price H100=2.5", -1, "price"};
    if (!prices.emplace(machine, price).second)
      return Error{ErrorKind::kUsage, fmt::format("a machine has two prices: {}", text), "", -1,
                   "price"};
  }
  return prices;
}

Status CheckSince(const std::string& since) {
  static const std::regex kTime(R"(\d{4}-\d\d(-\d\d(T\d\d(:\d\d(:\d\d(\.\d+)?)?)?Z?)?)?)");
  if (since.empty() || std::regex_match(since, kTime)) return Ok{};
  return Error{ErrorKind::kUsage, fmt::format("not a date or time: {}", since),
               "For example: --since 2026-11-01, or 2026-11-01T08:00:00Z (UTC)", -1, "since"};
}

/// The names of this machine's CPU and GPUs, as experiments store them.
Result<std::vector<std::string>> NamesOfThisMachine() {
  std::vector<std::string> names;
  for (const collect::Fact& fact : CaptureThisMachine().facts)
    if ((fact.key == "cpu.model" || fact.key == "gpu.models") && !fact.value.empty())
      names.push_back(fact.value);
  if (names.empty())
    return Error{ErrorKind::kNotPossible, "this machine hides the names of its CPU and GPUs",
                 "Name it with --machine as `xsp suggest` shows it."};
  return names;
}

/// The question in full. Errors: kUsage, as the parsers of its parts.
Result<suggest::Question> QuestionOf(const Request& request) {
  suggest::Question question = request.question;
  XSP_TRY(question.bounds, suggest::ParseBounds(request.bounds));
  for (const std::string& text : request.objectives) {
    XSP_TRY(suggest::NamedMetric objective, suggest::ParseMetric(text));
    for (const suggest::NamedMetric& other : question.objectives)
      if (other.metric == objective.metric)
        return Error{ErrorKind::kUsage, fmt::format("an objective is named twice: {}", text), "",
                     -1, "objective"};
    question.objectives.push_back(std::move(objective));
  }
  XSP_TRY(question.prices, ParsePrices(request.prices));
  for (const std::string& machine : request.machines) {
    if (machine != "this") {
      question.machines.push_back(machine);
      continue;
    }
    XSP_TRY(question.exact_machines, NamesOfThisMachine());
  }
  return question;
}

bool NeedsPercentile(const suggest::Question& question) {
  const auto is_it = [](const auto& one) { return one.metric == suggest::Metric::kLatencyP99; };
  return std::ranges::any_of(question.bounds, is_it) ||
         std::ranges::any_of(question.objectives, is_it);
}

void Append(std::vector<std::string>& to, const std::vector<std::string>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

Result<suggest::Suggestion> Answer(const Context& context, const Request& request) {
  XSP_RETURN_IF_ERROR(CheckSince(request.choice.since));
  XSP_TRY(const suggest::Question question, QuestionOf(request));
  suggest::PeakRates predicted;
  if (!request.predict.empty()) {
    XSP_TRY(predicted, suggest::FindPredictedMachine(request.predict));
  }
  SuggestedModels models;
  XSP_TRY(const suggest::StoreReading store,
          suggest::ReadExperiments(context.store, request.choice, [&](const json& experiment) {
            return models.Find(experiment);
          }));
  std::vector<std::filesystem::path> folders;
  for (const suggest::StoredExperiment& one : store.experiments) folders.push_back(one.folder);
  XSP_TRY(store::ManyExperiments tables, store::ManyExperiments::Open(std::move(folders)));
  XSP_TRY(suggest::CandidateReading reading,
          suggest::ReadCandidates(store.experiments, tables, NeedsPercentile(question)));
  if (reading.candidates.empty())
    return Error{ErrorKind::kBadInput,
                 fmt::format("no experiment that was chosen has a measured model: {} of {}",
                             store.experiments.size(), store.in_store),
                 "Measure one with `xsp run MODEL`; `xsp list` shows what there is."};
  if (!request.predict.empty()) {
    XSP_TRY(const auto points,
            suggest::ReadPredictablePoints(store.experiments, tables, reading.candidates));
    suggest::AddPredictions(points, predicted, reading.candidates, reading.notes);
  }
  XSP_TRY(suggest::Suggestion suggestion,
          suggest::Suggest(question, std::move(reading.candidates)));
  Append(suggestion.method, store.notes);
  Append(suggestion.method, reading.notes);
  return suggestion;
}

Status WritePage(const suggest::Suggestion& suggestion, const std::filesystem::path& file) {
  const suite::Answer answer = suggest::AnswerOf(suggestion);
  const json document = {{"title", answer.title},
                         {"answers", json::array({suite::PageJson(answer)})}};
  XSP_TRY(const std::string page, report::SuitePage(core::JsonText(document)));
  return os::WriteFileAtomically(file, page);
}

Result<Document> Suggest(const Context& context, const Request& request) {
  XSP_TRY(const suggest::Suggestion suggestion, Answer(context, request));
  json document = suggest::DocumentOf(suggestion);
  if (!request.output.empty()) {
    XSP_RETURN_IF_ERROR(WritePage(suggestion, request.output));
    document["page"] = request.output.string();
  }
  return Document{.content = std::move(document)};
}

void DeclareFilters(core::RequestFields& fields, Request& request) {
  suggest::Question& question = request.question;
  fields.Add("task", &question.task,
             {.help = "Only models with this task, by words of it: classification, detection",
              .value_name = "TASK"});
  fields.Add("dataset", &question.dataset,
             {.help = "The data set of accuracy, as it was named when it was measured",
              .value_name = "D"});
  const auto list = [&](const char* name, std::vector<std::string>* to, const char* help,
                        const char* value) {
    fields.Add(name, to, {.help = help, .value_name = value, .list = core::ListStyle::kCommas});
  };
  list("model", &question.models, "Only these models", "M,...");
  list("backend", &question.backends, "Only these backends, such as torch", "B,...");
  list("precision", &question.precisions, "Only these precisions, such as bfloat16", "P,...");
  list("device", &question.devices, "Only these devices, such as cpu or cuda", "DEVICE,...");
  fields.Add(
      "machine", &request.machines,
      {.help = "Only this machine, by words of its name; `this` is this one; may be repeated",
       .value_name = "MACHINE",
       .list = core::ListStyle::kRepeated});
  fields.Add("tag", &request.choice.tags,
             {.help = "Only experiments with this tag; may be repeated",
              .value_name = "KEY[=VALUE]",
              .list = core::ListStyle::kRepeated});
  fields.Add("since", &request.choice.since,
             {.help = "Only experiments of this time or later (UTC)", .value_name = "DATE"});
}

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<Request>();
  DeclareFilters(fields, *request);
  fields.Add("bound", &request->bounds,
             {.help = "What a candidate has to keep; may be repeated: latency=50ms, "
                      "latency.p99=80ms, throughput=100/s, memory=2GB, energy=1J, accuracy=75%, "
                      "cost=2.5 (per million items)",
              .value_name = "METRIC=LIMIT",
              .list = core::ListStyle::kRepeated});
  fields.Add("objective", &request->objectives,
             {.help = "What the front is over, and the first what is recommended by: metrics as in "
                      "--bound",
              .value_name = "METRIC,...",
              .list = core::ListStyle::kCommas,
              .or_default = "latency,throughput,memory and what all candidates have"});
  fields.Add("price", &request->prices,
             {.help = "Price of a machine-hour, for all machines or for one by words of its name; "
                      "may be repeated",
              .value_name = "[MACHINE=]PRICE",
              .list = core::ListStyle::kRepeated});
  fields.Add("predict", &request->predict,
             {.help = "Also predict every candidate on this GPU or CPU, by its data sheet",
              .value_name = "MACHINE"});
  fields.Add("include_predicted", &request->question.include_predicted,
             {.help = "Predicted candidates compete with measured ones", .needs = "predict"});
  fields.Add("compare_models", &request->question.compare_models,
             {.help = "Models compete with each other although no accuracy is known: they are "
                      "interchangeable"});
  fields.Add("output", &request->output,
             {.help = "Also write a page with charts to this file",
              .value_name = "FILE.html",
              .refers = core::Refers::kOutputPage,
              .letter = 'o'});
  return [&context, request] { return Suggest(context, *request); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "suggest",
    .summary =
        "Suggests a model, backend, precision, batch size and machine from what was measured",
    .example = "xsp suggest --task classification --bound latency=50ms",
    .effect = Effect::kReads,
    .result = R"({"type": "object", "$defs": {
      "value": {"type": ["object", "null"], "description": "null: not known", "properties": {
        "value": {"type": ["number", "null"]},
        "low": {"type": ["number", "null"],
          "description": "Of its 95 % interval; of a prediction, of its largest error; null: the noise is not known"},
        "high": {"type": ["number", "null"], "description": "Likewise; null also: no upper end"}}}},
      "properties": {
        "recommended": {"type": "array", "items": {"type": "integer"},
          "description": "Indices of candidates: one, or one of each model where models do not compete; none: nothing keeps the bounds"},
        "models_compete": {"type": "boolean",
          "description": "Accuracy is an objective, or compare_models was asked for"},
        "sentences": {"type": "array", "items": {"type": "string"},
          "description": "Most important first"},
        "method": {"type": "array", "items": {"type": "string"},
          "description": "How it was judged, and what was left out"},
        "objectives": {"type": "array", "items": {"type": "string"}},
        "bounds": {"type": "array", "items": {"type": "object", "properties": {
          "bound": {"type": "string"}, "metric": {"type": "string"},
          "limit": {"type": "number", "description": "In the unit of the metric's key"},
          "excludes": {"type": "integer", "description": "Measured candidates"}}}},
        "accuracy_metric": {"type": ["string", "null"]},
        "dataset": {"type": ["string", "null"]},
        "candidates": {"type": "array", "description": "The front first",
          "items": {"type": "object", "properties": {
            "standing": {"enum": ["front", "dominated", "excluded", "not compared", "predicted"]},
            "fit": {"enum": ["yes", "maybe", "no", "not known"], "description": "To all bounds"},
            "fits": {"type": "array", "items": {"type": "string"},
              "description": "To each of `bounds`"},
            "reason": {"type": ["string", "null"]},
            "dominated_by": {"type": ["integer", "null"]},
            "tied_with": {"type": "array", "items": {"type": "integer"},
              "description": "Others of the front, equal within the noise"},
            "model": {"type": "string"}, "task": {"type": ["string", "null"]},
            "backend": {"type": "string"}, "precision": {"type": "string"},
            "batch": {"type": ["integer", "null"]}, "device": {"type": "string"},
            "machine": {"type": "string"}, "settings": {"type": "string"},
            "experiment": {"type": "string", "description": "Of the latency"},
            "point_id": {"type": "integer"}, "created": {"type": "string"},
            "measurements": {"type": "integer", "description": "Experiments that measured it"},
            "disturbed": {"type": "boolean"},
            "predicted": {"type": "boolean"}, "prediction": {"type": ["string", "null"]},
            "memory_of": {"type": ["string", "null"]}, "energy_of": {"type": ["string", "null"]},
            "latency_ns": {"$ref": "#/$defs/value"},
            "latency_p99_ns": {"$ref": "#/$defs/value"},
            "throughput_per_s": {"$ref": "#/$defs/value"},
            "memory_bytes": {"$ref": "#/$defs/value"},
            "energy_joules": {"$ref": "#/$defs/value"},
            "accuracy": {"$ref": "#/$defs/value"},
            "cost_per_million": {"$ref": "#/$defs/value"}}}},
        "page": {"type": "string", "description": "With output: path of the page"}}})",
    .declare = Declare,
};

}  // namespace xsp::api::suggest_operation
