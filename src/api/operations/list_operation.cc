#include <algorithm>

#include "api/operation.h"
#include "measure/sweeps/sweep_session.h"
#include "store/catalogue.h"

namespace xsp::api::list_operation {
namespace {

struct Request {
  std::vector<std::string> tags;
  std::string sweep;
};

/// Whether it has all of `tags`, each KEY or KEY=VALUE.
bool HasTags(const store::CatalogueEntry& entry, const std::vector<std::string>& tags) {
  return std::all_of(tags.begin(), tags.end(), [&](const std::string& text) {
    const std::size_t equals = text.find('=');
    const auto found = entry.tags.find(text.substr(0, equals));
    return found != entry.tags.end() &&
           (equals == std::string::npos || found->second == text.substr(equals + 1));
  });
}

std::string TagsText(const store::CatalogueEntry& entry) {
  std::string text;
  for (const auto& [key, value] : entry.tags) text += (text.empty() ? "" : " ") + key + "=" + value;
  return text;
}

Result<Document> List(const Context& context, const Request& request) {
  XSP_TRY(const std::vector<store::CatalogueEntry> entries, store::List(context.store));
  std::vector<std::string> tags = request.tags;
  if (!request.sweep.empty()) tags.push_back(sweeps::TagOfSweep(request.sweep));
  store::Table table{{"name", "created", "model", "backend", "runs", "status", "tags"}, {}};
  for (const store::CatalogueEntry& entry : entries)
    if (HasTags(entry, tags))
      table.rows.push_back({entry.name, entry.created, entry.model, entry.backend, entry.runs,
                            entry.status, TagsText(entry)});
  Document document{.content = std::move(table)};
  if (entries.empty())
    document.notes.push_back("no experiments in " + context.store.string() +
                             " yet: xsp run resnet50 creates one");
  return document;
}

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<Request>();
  fields.Add("tag", &request->tags,
             {.help = "Show only experiments with this tag; may be repeated",
              .value_name = "KEY[=VALUE]"});
  fields.Add("sweep", &request->sweep,
             {.help = "Show only experiments of this sweep (xsp sweep)", .value_name = "NAME"});
  return [&context, request] { return List(context, *request); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "list",
    .summary = "Lists the experiments in the store",
    .example = "xsp list --format json",
    .effect = Effect::kReads,
    .result = R"({"type": "array", "items": {"type": "object", "properties": {
      "name": {"type": "string"}, "created": {"type": "string"}, "model": {"type": "string"},
      "backend": {"type": "string"}, "runs": {"type": "integer"}, "status": {"type": "string"},
      "tags": {"type": "string"}}}})",
    .declare = Declare,
};

}  // namespace xsp::api::list_operation
