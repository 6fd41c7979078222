#include "answer/suggest/suggestion_answer.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "answer/analyze/analysis.h"
#include "core/json_text.h"

namespace xsp::suggest {
namespace {

using nlohmann::json;
using store::Cell;

/// JSON has no infinity: an end that does not exist is null, like one that is not known.
json NumberOrNull(double value) { return std::isfinite(value) ? json(value) : json(); }

json ValueJson(const Value& value) {
  if (!value.is_known()) return nullptr;
  return {{"value", NumberOrNull(value.centre)},
          {"low", NumberOrNull(value.low)},
          {"high", NumberOrNull(value.high)}};
}

json TextOrNull(const std::string& text) { return text.empty() ? json() : json(text); }

json WholeOrNull(const std::optional<std::int64_t>& value) { return value ? json(*value) : json(); }

json CandidateJson(const JudgedCandidate& judged) {
  const Candidate& candidate = judged.candidate;
  const Identity& identity = candidate.identity;
  json fits = json::array();
  for (const Fit fit : judged.fits) fits.push_back(ToString(fit));
  json document = {{"standing", ToString(judged.standing)},
                   {"fit", ToString(judged.fit)},
                   {"fits", std::move(fits)},
                   {"reason", TextOrNull(judged.reason)},
                   {"dominated_by", judged.dominated_by ? json(*judged.dominated_by) : json()},
                   {"tied_with", judged.tied_with},
                   {"model", identity.model},
                   {"task", TextOrNull(candidate.task)},
                   {"backend", identity.backend},
                   {"precision", candidate.precision},
                   {"batch", WholeOrNull(identity.batch)},
                   {"device", identity.device},
                   {"machine", identity.machine},
                   {"settings", identity.settings},
                   {"experiment", candidate.experiment},
                   {"point_id", candidate.point_id},
                   {"created", candidate.created},
                   {"measurements", candidate.measurements},
                   {"disturbed", candidate.is_disturbed},
                   {"predicted", candidate.is_predicted},
                   {"prediction", TextOrNull(candidate.prediction)},
                   {"memory_of", TextOrNull(candidate.memory_of)},
                   {"energy_of", TextOrNull(candidate.energy_of)}};
  for (const MetricInfo& info : AllMetrics())
    document[std::string(info.key)] = ValueJson(candidate.Of(info.metric));
  return document;
}

std::vector<analyze::Column> Columns() {
  const auto text = [](const char* name, const char* help) {
    return analyze::Column{name, "", help, ""};
  };
  const auto number = [](const char* name, const char* unit, const char* help) {
    return analyze::Column{name, unit, help, "measured:xsp"};
  };
  return {text("standing", "front: no other is better beyond the noise and worse in nothing"),
          text("model", "Model"),
          text("backend", "Framework and version"),
          text("precision", "Data type of most of the arithmetic"),
          number("batch", "", "Items per model call"),
          text("machine", "Where it ran, or for which it was predicted"),
          number("latency_ns", "ns", "Model call"),
          number("latency_low_ns", "ns", "Lower end of its 95 % interval"),
          number("latency_high_ns", "ns", "Upper end"),
          number("throughput_per_s", "1/s", "Items per second, calls one after another"),
          number("memory_bytes", "byte", "Peak of the process, or allocated on the device"),
          number("energy_joules", "J", "Energy of an item"),
          number("accuracy", "1", "Score on a labelled data set"),
          number("cost_per_million", "", "Cost of 10^6 items, in the unit of the price"),
          text("fit", "Whether it keeps the bounds: yes, maybe (a bound lies in its interval), no"),
          text("kind", "measured or predicted"),
          text("candidate", "All of it"),
          text("reason", "Why it is not on the front, or how it was predicted")};
}

Cell NumberCell(double value) { return std::isfinite(value) ? Cell(value) : Cell(); }

std::vector<Cell> RowOf(const JudgedCandidate& judged) {
  const Candidate& candidate = judged.candidate;
  const Identity& identity = candidate.identity;
  const Value& latency = candidate.Of(Metric::kLatency);
  const auto of = [&](Metric metric) { return NumberCell(candidate.Of(metric).centre); };
  return {std::string(ToString(judged.standing)),
          identity.model,
          identity.backend,
          candidate.precision,
          identity.batch ? Cell(*identity.batch) : Cell(),
          identity.machine,
          NumberCell(latency.centre),
          NumberCell(latency.low),
          NumberCell(latency.high),
          of(Metric::kThroughput),
          of(Metric::kMemory),
          of(Metric::kEnergy),
          of(Metric::kAccuracy),
          of(Metric::kCost),
          std::string(ToString(judged.fit)),
          std::string(candidate.is_predicted ? "predicted" : "measured"),
          NameOf(candidate),
          judged.reason.empty() ? candidate.prediction : judged.reason};
}

json LogAxis(const char* field, const char* title, double factor_from_unit, bool is_log) {
  const std::string scaled =
      factor_from_unit == 1 ? "format(datum.value, '~s')" : "format(datum.value / 1e9, '~s') + 's'";
  return {{"field", field},
          {"type", "quantitative"},
          {"title", title},
          {"scale", {{"type", is_log ? "log" : "linear"}, {"zero", false}, {"padding", 20}}},
          {"axis", {{"labelExpr", scaled}}}};
}

/// Latency across, `metric` up. The front is one line, or one of each model that has its own.
json ChartOf(const char* metric, const char* title, bool is_log, bool models_compete) {
  const json across = LogAxis("latency_ns", "latency", 1e-9, true);
  const json up = LogAxis(metric, title, 1, is_log);
  const json known = {
      {"filter", std::string("isValid(datum.latency_ns) && isValid(datum.") + metric + ")"}};
  const json tooltip = json::array({{{"field", "candidate"}},
                                    {{"field", "machine"}},
                                    {{"field", "latency_ns"}, {"format", ".4s"}},
                                    {{"field", metric}, {"format", ".4s"}},
                                    {{"field", "standing"}},
                                    {{"field", "fit"}},
                                    {{"field", "kind"}}});
  json interval = {{"mark", {{"type", "rule"}, {"opacity", 0.35}}},
                   {"encoding",
                    {{"x", LogAxis("latency_low_ns", "latency", 1e-9, true)},
                     {"x2", {{"field", "latency_high_ns"}}},
                     {"y", up}}},
                   {"transform", json::array({known, {{"filter", "datum.latency_low_ns > 0"}}})}};
  json line = {
      {"mark", {{"type", "line"}, {"opacity", 0.6}, {"strokeDash", {4, 3}}}},
      {"transform", json::array({known, {{"filter", "datum.standing === 'front'"}}})},
      {"encoding",
       {{"x", across}, {"y", up}, {"order", {{"field", "latency_ns"}, {"type", "quantitative"}}}}}};
  if (!models_compete) line["encoding"]["color"] = {{"field", "model"}, {"type", "nominal"}};
  const auto points = [&](const char* kind, bool filled) {
    const std::string of_kind = std::string("datum.kind === '") + kind + "'";
    return json{
        {"mark", {{"type", "point"}, {"filled", filled}, {"size", 70}}},
        {"transform", json::array({known, {{"filter", of_kind}}})},
        {"encoding",
         {{"x", across},
          {"y", up},
          {"color", {{"field", "model"}, {"type", "nominal"}, {"title", "model"}}},
          {"shape", {{"field", "backend"}, {"type", "nominal"}, {"title", "backend"}}},
          {"opacity",
           {{"condition", {{"test", "datum.standing === 'front'"}, {"value", 1}}}, {"value", 0.4}}},
          {"tooltip", tooltip}}}};
  };
  return {{"data", {{"name", "rows"}}},
          {"layer", json::array({std::move(interval), std::move(line), points("measured", true),
                                 points("predicted", false)})}};
}

bool AnyHas(const Suggestion& suggestion, Metric metric) {
  for (const JudgedCandidate& judged : suggestion.judged)
    if (judged.candidate.Of(metric).is_known()) return true;
  return false;
}

}  // namespace

json DocumentOf(const Suggestion& suggestion) {
  json objectives = json::array(), bounds = json::array(), candidates = json::array();
  for (const NamedMetric& objective : suggestion.objectives)
    objectives.push_back(InfoOf(objective.metric).name);
  for (std::size_t i = 0; i < suggestion.bounds.size(); ++i) {
    const Bound& bound = suggestion.bounds[i];
    std::size_t excluded = 0;
    for (const JudgedCandidate& judged : suggestion.judged)
      excluded +=
          judged.fits[i] == Fit::kBroken && judged.standing != Standing::kPredicted ? 1U : 0U;
    bounds.push_back({{"bound", bound.text},
                      {"metric", InfoOf(bound.metric).name},
                      {"limit", bound.limit},
                      {"excludes", excluded}});
  }
  for (const JudgedCandidate& judged : suggestion.judged)
    candidates.push_back(CandidateJson(judged));
  return {{"recommended", suggestion.recommended},
          {"models_compete", suggestion.models_compete},
          {"sentences", suggestion.sentences},
          {"method", suggestion.method},
          {"objectives", std::move(objectives)},
          {"bounds", std::move(bounds)},
          {"accuracy_metric", TextOrNull(suggestion.accuracy_metric)},
          {"dataset", TextOrNull(suggestion.dataset)},
          {"candidates", std::move(candidates)}};
}

suite::Answer AnswerOf(const Suggestion& suggestion) {
  suite::Answer answer{.id = "suggest",
                       .title = "Which model, backend, batch size and machine",
                       .sentences = suggestion.sentences,
                       .method = suggestion.method,
                       .tables = {},
                       .charts = {}};
  suite::Table table = suite::EmptyTable("candidates", "Candidates", Columns());
  for (const JudgedCandidate& judged : suggestion.judged) table.rows.rows.push_back(RowOf(judged));
  answer.tables.push_back(std::move(table));
  if (AnyHas(suggestion, Metric::kThroughput))
    answer.charts.push_back({"throughput", "Latency and throughput", "candidates",
                             core::JsonText(ChartOf("throughput_per_s", "throughput (items/s)",
                                                    true, suggestion.models_compete))});
  if (AnyHas(suggestion, Metric::kAccuracy))
    answer.charts.push_back({"accuracy", "Latency and accuracy", "candidates",
                             core::JsonText(ChartOf("accuracy", suggestion.accuracy_metric.c_str(),
                                                    false, suggestion.models_compete))});
  return answer;
}

}  // namespace xsp::suggest
