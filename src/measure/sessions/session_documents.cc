#include "measure/sessions/session_documents.h"

#include <fmt/format.h>

#include "core/json_text.h"

namespace xsp::sessions {

using nlohmann::json;

namespace {

json ModelJson(const models::Model& model) {
  return {{"name", model.name},     {"path", model.path.string()},
          {"format", model.format}, {"size_bytes", model.size_bytes},
          {"sha256", model.sha256}, {"inputs", model.inputs}};
}

json ErrorJson(const Error& error) {
  return {{"kind", static_cast<int>(error.kind)}, {"what", error.what}, {"hint", error.hint}};
}

json WorkerJson(const protocols::MeasuredRun& run) {
  json worker = {{"program", run.plan.session.program.string()}, {"stderr", run.stderr_tail}};
  if (run.exit) {
    worker["exit_code"] = run.exit->code;
    worker["signal"] = run.exit->signal;
    worker["user_ns"] = run.exit->user_ns;
    worker["system_ns"] = run.exit->system_ns;
    worker["peak_rss_bytes"] = run.exit->peak_rss_bytes;
    worker["involuntary_context_switches"] = run.exit->involuntary_context_switches;
  }
  return worker;
}

}  // namespace

json RequestJson(const requests::ExperimentRequest& request) {
  json document = {{"model", request.model},
                   {"manifest", request.manifest.string()},
                   {"backends", request.backends},
                   {"worker", request.worker.string()},
                   {"device", request.device},
                   {"batches", request.batches},
                   {"depth", request.depth},
                   {"only", request.only},
                   {"iterations", request.iterations},
                   {"precision_target", request.precision_target},
                   {"time_limit_s", request.time_limit_s},
                   {"processes", request.processes},
                   {"monitor_rate_hz", request.monitor_rate_hz},
                   {"warmup_limit_s", request.warmup_limit_s},
                   {"threads", request.threads},
                   {"graph", request.graph},
                   {"precision", request.precision},
                   {"options", request.options},
                   {"inputs", request.inputs},
                   {"seed", request.seed},
                   {"deadline_s", request.deadline_s},
                   {"memory_limit_bytes", request.memory_limit_bytes}};
  // Where it says something: experiments of earlier versions do not have it.
  if (request.loads > 1) document["loads"] = request.loads;
  const requests::ScenarioRequest& scenario = request.scenario;
  if (!scenario.kind.empty()) {
    document["scenario"] = {{"kind", scenario.kind},
                            {"latency_bound_ns", scenario.latency_bound_ns},
                            {"percentile", scenario.percentile},
                            {"queries", scenario.queries},
                            {"streams", scenario.streams}};
  }
  if (!request.dataset.text.empty()) {
    document["dataset"] = {{"name", request.dataset.text},
                           {"description", request.dataset.description},
                           {"folder", request.dataset.folder},
                           {"samples", request.dataset.samples}};
  }
  return document;
}

std::string MessageOf(const Error& error) {
  return error.hint.empty() ? error.what : fmt::format("{}. {}", error.what, error.hint);
}

store::RunMetadata MetadataOf(const protocols::MeasuredRun& run, const models::Model& model,
                              const json& stack, const protocols::CpuAllowance& allowance) {
  store::RunMetadata metadata;
  metadata.started = run.started;
  metadata.stack = stack;
  metadata.details = {{"model", ModelJson(model)},
                      {"job", run.plan.session.job},
                      {"calls", run.calls},
                      {"warmup", {{"calls", run.warmup_calls}, {"settled", run.settled}}},
                      {"sampling",
                       {{"precision_target", run.plan.sampling.precision_target},
                        {"time_limit_s", run.plan.sampling.time_limit_s},
                        {"loads", run.plan.sampling.loads},
                        {"ended_by_time", run.ended_by_time},
                        {"switch", ToString(run.plan.switching)}}},
                      {"worker", WorkerJson(run)},
                      {"measured_with", run.measured_with}};
  if (run.start_s > 0)
    metadata.details["seconds"] = {{"start", run.start_s}, {"turns", run.turns_s}};
  if (run.failure) metadata.details["failure"] = ErrorJson(*run.failure);
  if (run.interference) {
    metadata.conditions = {run.interference->Sentence()};
    metadata.details["disturbance"] = ToJson(allowance, *run.interference);
  }
  return metadata;
}

store::ExperimentMetadata MetadataOf(const requests::ExperimentRequest& request,
                                     const std::vector<workers::Backend>& backends,
                                     const ExperimentOutcome& outcome,
                                     const protocols::CpuAllowance& allowance,
                                     const protocols::Interference& interference) {
  store::ExperimentMetadata metadata;
  metadata.kind = "run";
  json failures = json::array();
  for (const Error& error : outcome.failures) failures.push_back(ErrorJson(error));
  json described = json::array();
  const workers::Backend* first = nullptr;
  for (const workers::Backend& backend : backends) {
    if (backend.refused) {
      described.push_back({{"name", backend.name}, {"refused", ErrorJson(*backend.refused)}});
      continue;
    }
    if (first == nullptr) first = &backend;
    described.push_back({{"name", backend.name},
                         {"program", backend.worker.path.string()},
                         {"model_file", ModelJson(backend.model)},
                         {"describe", core::ParseJson(backend.worker.description)}});
    metadata.backend += (metadata.backend.empty() ? "" : ", ") + backend.worker.framework;
  }
  const models::Model& model = first != nullptr ? first->model : backends.front().model;
  metadata.model = model.name;
  metadata.status = outcome.status;
  metadata.command = request.command;
  metadata.conditions = {outcome.conditions};
  if (!outcome.monitor_cost.empty()) metadata.conditions.push_back(outcome.monitor_cost);
  metadata.conditions.insert(metadata.conditions.end(), outcome.live_notes.begin(),
                             outcome.live_notes.end());
  metadata.details = {{"request", RequestJson(request)},
                      {"model_file", ModelJson(model)},
                      {"workers", described},
                      {"failures", failures},
                      {"disturbance", ToJson(allowance, interference)}};
  if (!request.tags.empty()) metadata.details["tags"] = request.tags;
  if (!request.session.empty()) metadata.details["session"] = request.session;
  return metadata;
}

}  // namespace xsp::sessions
