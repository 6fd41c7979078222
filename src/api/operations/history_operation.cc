#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "answer/history_page/history_answer.h"
#include "api/operation.h"
#include "api/operations/answer_page.h"
#include "api/operations/date_field.h"
#include "api/operations/history_document.h"
#include "capture/collect/collector.h"
#include "derive/history/analysed_history.h"
#include "derive/history/history_reader.h"

namespace xsp::api::history_operation {
namespace {

using nlohmann::json;

struct Request {
  history::Selection selection;
  std::string metric = "latency";
  std::string since;
  std::filesystem::path output;
};

Document WithNotes(json content, const history::History& history) {
  constexpr std::size_t kMaxNotes = 5;
  Document document{.content = std::move(content)};
  for (std::size_t i = 0; i < std::min(kMaxNotes, history.left_out.size()); ++i)
    document.notes.push_back(fmt::format("left out: {}: {}", history.left_out[i].experiment,
                                         history.left_out[i].reason));
  if (history.left_out.size() > kMaxNotes)
    document.notes.push_back(fmt::format("{} more experiments are left out; --format json has all",
                                         history.left_out.size() - kMaxNotes));
  return document;
}

Result<Document> History(const Context& context, const Request& request) {
  history::Selection selection = request.selection;
  XSP_TRY(selection.metric, history::ParseMetric(request.metric));
  XSP_TRY(selection.since, DateOf(request.since, "since"));
  XSP_TRY(history::History read, history::ReadHistory(context.store, selection));
  XSP_TRY(const history::AnalysedHistory analysed,
          history::Analyse(std::move(read), collect::AllCollectors()));
  if (!request.output.empty()) {
    XSP_RETURN_IF_ERROR(
        WriteAnswerPage(history_page::AnswerOf(selection.model, analysed), request.output));
    return WithNotes({{"page", request.output.string()}}, analysed.history);
  }
  return WithNotes(HistoryDocument(selection.model, analysed), analysed.history);
}

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<Request>();
  history::Selection& selection = request->selection;
  fields.Add("model", &selection.model,
             {.help = "The model, as `xsp list` names it",
              .value_name = "MODEL",
              .required = true,
              .positional = true});
  fields.Add("metric", &request->metric,
             {.help = "latency, throughput, memory (peak of the framework's allocations), device "
                      "(sum of device work) or layer:NAME",
              .value_name = "METRIC"});
  fields.Add("backend", &selection.backends,
             {.help = "Only backends whose name contains this",
              .value_name = "NAME,...",
              .list = core::ListStyle::kCommas});
  fields.Add("batch", &selection.batches,
             {.help = "Only these batch sizes",
              .value_name = "N,...",
              .range = core::kPositive,
              .list = core::ListStyle::kCommas});
  fields.Add(
      "device", &selection.devices,
      {.help = "Only these devices", .value_name = "DEVICE,...", .list = core::ListStyle::kCommas});
  fields.Add("precision", &selection.precisions,
             {.help = "Only these precisions",
              .value_name = "TYPE,...",
              .list = core::ListStyle::kCommas});
  fields.Add("since", &request->since,
             {.help = "Only experiments of this date or later: 2026-11-01 (UTC), 30d, 2w",
              .value_name = "DATE"});
  fields.Add(
      "tag", &selection.tags,
      {.help = "Only experiments with this tag; may be repeated", .value_name = "KEY[=VALUE]"});
  fields.Add("output", &request->output,
             {.help = "Write a page with charts to this file",
              .value_name = "FILE.html",
              .refers = core::Refers::kOutputPage,
              .letter = 'o'});
  return [&context, request] { return History(context, *request); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "history",
    .summary = "Shows every experiment of a model over time, and where its times changed",
    .example = "xsp history resnet50 --batch 1",
    .effect = Effect::kReads,
    .result = R"({"type": "object", "properties": {
      "page": {"type": "string", "description": "With output: path of the page, and nothing else"},
      "model": {"type": "string"}, "metric": {"type": "string"},
      "unit": {"enum": ["ns", "items/s", "byte"]}, "lower_is_better": {"type": "boolean"},
      "series": {"type": "array", "description": "Of experiments that differ in time alone",
        "items": {"type": "object", "properties": {
          "title": {"type": "string"}, "backend": {"type": "string", "description": "Its name"},
          "device": {"type": "string"}, "precision": {"type": "string"},
          "batch": {"type": ["integer", "null"]}, "settings": {},
          "machine": {"type": "string"},
          "entries": {"type": "array", "description": "Oldest first",
            "items": {"type": "object", "properties": {
              "experiment": {"type": "string"}, "created": {"type": "string"},
              "point": {"type": "integer"}, "value": {"type": "number"},
              "low": {"type": ["number", "null"], "description": "Of its 95 % interval"},
              "high": {"type": ["number", "null"]},
              "processes": {"type": "integer", "description": "Without profiling"},
              "segment": {"type": "integer", "description": "From 1"},
              "change": {"type": ["number", "null"],
                "description": "Relative to the level of the previous segment"},
              "flags": {"type": "array",
                "items": {"enum": ["busy", "date_of_file", "date_in_future"]}}}}},
          "segments": {"type": "array", "items": {"type": "object", "properties": {
            "from": {"type": "string"}, "to": {"type": "string"},
            "experiments": {"type": "integer"},
            "level": {"type": "number", "description": "Geometric mean"},
            "low": {"type": ["number", "null"], "description": "Of its 95 % interval"},
            "high": {"type": ["number", "null"]},
            "busy": {"type": "integer", "description": "Experiments on a busy machine"}}}},
          "changes": {"type": "array", "description": "Between the segments",
            "items": {"type": "object", "properties": {
              "before": {"type": "string"}, "after": {"type": "string"},
              "ratio": {"type": "number", "description": "Level after / before"},
              "low": {"type": ["number", "null"], "description": "Of its 95 % interval"},
              "high": {"type": ["number", "null"]},
              "p": {"type": "number", "description": "Of the permutation test"},
              "verdict": {"enum": ["worse", "better", "spread", "busy"]},
              "stack": {"type": ["array", "null"], "description": "null: one side has no stack",
                "items": {"type": "object", "properties": {
                  "key": {"type": "string"}, "before": {"type": ["string", "null"]},
                  "after": {"type": ["string", "null"]},
                  "lasts": {"type": "boolean",
                    "description": "In all experiments of both segments"}}}},
              "command": {"type": "string"}}}},
          "experiments_missing": {"type": "integer",
            "description": "Until a change point can be found"},
          "last_two": {"type": ["object", "null"], "description": "Of a short series",
            "properties": {"before": {"type": "string"}, "after": {"type": "string"},
              "verdict": {"enum": ["higher", "lower", "no_difference", "inconclusive",
                "unknown_noise", null]},
              "ratio": {"type": ["number", "null"]}, "low": {"type": ["number", "null"]},
              "high": {"type": ["number", "null"]}, "command": {"type": "string"}}}}}},
      "left_out": {"type": "array", "items": {"type": "object", "properties": {
        "experiment": {"type": "string"}, "created": {"type": ["string", "null"]},
        "reason": {"type": "string"}}}}}})",
    .declare = Declare,
};

}  // namespace xsp::api::history_operation
