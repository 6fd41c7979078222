#include <fmt/format.h>

#include "api/operation.h"
#include "api/operations/compared_sources.h"
#include "store/baselines.h"
#include "store/catalogue.h"
#include "store/experiment_changes.h"

namespace xsp::api::baseline_set_operation {
namespace {

using nlohmann::json;

struct Request {
  std::string name, experiment;
};

/// The experiment that the baseline is so far; null: there is none that can be read.
json Replaced(const Context& context, const std::string& name) {
  const auto entries = store::ListBaselines(context.store);
  if (!entries.ok()) return {};
  for (const store::BaselineEntry& entry : entries.value())
    if (entry.baseline.name == name && !entry.baseline.experiment.empty())
      return entry.baseline.experiment;
  return {};
}

Result<Document> Set(const Context& context, const Request& request) {
  const std::size_t hash = request.experiment.find('#');
  std::string experiment = request.experiment.substr(0, hash);
  const std::string selector = hash == std::string::npos ? "" : request.experiment.substr(hash + 1);
  if (experiment == "latest") {
    XSP_TRY(const std::filesystem::path latest, store::Resolve(context.store, experiment));
    experiment = latest.filename().string();
  }
  XSP_TRY(const auto folder, store::FindExperiment(context.store, experiment));
  XSP_RETURN_IF_ERROR(CheckSide(
      context, selector.empty() ? experiment : fmt::format("{}#{}", experiment, selector)));
  json replaced = Replaced(context, request.name);
  XSP_TRY(const store::Baseline baseline,
          store::SetBaseline(context.store, request.name, experiment, selector));
  return Document{.content = json{{"name", baseline.name},
                                  {"experiment", baseline.experiment},
                                  {"selector", baseline.selector},
                                  {"set", baseline.set},
                                  {"replaced", std::move(replaced)}}};
}

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<Request>();
  fields.Add(
      "name", &request->name,
      {.help = "The baseline's name, which `xsp compare --baseline` takes; one that exists is "
               "replaced",
       .required = true,
       .positional = true});
  fields.Add(
      "experiment", &request->experiment,
      {.help = "An experiment of the store, or `latest`; EXPERIMENT#batch=8,backend=torch is "
               "one point of it (also device, precision, model, point)",
       .refers = core::Refers::kStored,
       .required = true,
       .positional = true});
  return [&context, request] { return Set(context, *request); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "baseline/set",
    .summary = "Names an experiment, or a point of it, as a baseline",
    .example = "xsp baseline set main resnet50-20260101-120000",
    .effect = Effect::kChanges,
    .result = R"({"type": "object", "properties": {
      "name": {"type": "string"}, "experiment": {"type": "string"},
      "selector": {"type": "string", "description": "Of a point; empty: none"},
      "set": {"type": "string", "description": "When, RFC 3339, UTC"},
      "replaced": {"type": ["string", "null"],
        "description": "The experiment that it was before; null: none"}}})",
    .declare = Declare,
};

}  // namespace xsp::api::baseline_set_operation
