#include "api/operation.h"
#include "api/operations/experiment_filter_fields.h"
#include "measure/sweeps/sweep_session.h"

namespace xsp::api::list_operation {
namespace {

struct Request {
  history::ExperimentFilter filter;
  std::string sweep;
};

std::string TagsText(const store::CatalogueEntry& entry) {
  std::string text;
  for (const auto& [key, value] : entry.tags) text += (text.empty() ? "" : " ") + key + "=" + value;
  return text;
}

Result<Document> List(const Context& context, const Request& request) {
  history::ExperimentFilter filter = request.filter;
  if (!request.sweep.empty()) filter.tags.push_back(sweeps::TagOfSweep(request.sweep));
  const bool is_of_all = filter.is_any();
  XSP_TRY(const std::vector<store::CatalogueEntry> entries,
          ChosenExperiments(context.store, std::move(filter)));
  store::Table table{{"name", "created", "model", "backend", "runs", "status", "tags"}, {}};
  for (const store::CatalogueEntry& entry : entries)
    table.rows.push_back({entry.name, entry.created, entry.model, entry.backend, entry.runs,
                          entry.status, TagsText(entry)});
  Document document{.content = std::move(table)};
  if (entries.empty())
    document.notes.push_back(is_of_all ? "no experiments in " + context.store.string() +
                                             " yet: xsp run resnet50 creates one"
                                       : "no experiment of the store fits the request");
  return document;
}

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<Request>();
  AddFilterFields(fields, &request->filter);
  fields.Add("sweep", &request->sweep,
             {.help = "Show only experiments of this sweep (xsp sweep)", .value_name = "NAME"});
  return [&context, request] { return List(context, *request); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "list",
    .summary = "Lists the experiments in the store, or those that fit",
    .example =
        "xsp list\n"
        "         xsp list --model resnet50 --since 30d --tag gpu=a100",
    .effect = Effect::kReads,
    .result = R"({"type": "array", "items": {"type": "object", "properties": {
      "name": {"type": "string"}, "created": {"type": "string"}, "model": {"type": "string"},
      "backend": {"type": "string"}, "runs": {"type": "integer"}, "status": {"type": "string"},
      "tags": {"type": "string"}}}})",
    .declare = Declare,
};

}  // namespace xsp::api::list_operation
