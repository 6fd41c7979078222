#include <fmt/format.h>

#include "api/operation.h"
#include "store/experiment_changes.h"

namespace xsp::api::tag_operation {
namespace {

struct Request {
  std::string name;
  std::vector<std::string> tags;
};

Result<Document> Tag(const Context& context, const Request& request) {
  store::Tags changes;
  for (const std::string& text : request.tags) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      return Error{ErrorKind::kUsage, fmt::format("a tag is KEY=VALUE: {}", text),
                   "KEY= removes the tag."};
    changes[text.substr(0, equals)] = text.substr(equals + 1);
  }
  XSP_TRY(const store::Tags tags, store::TagExperiment(context.store, request.name, changes));
  store::Table table{{"tag", "value"}, {}};
  for (const auto& [key, value] : tags) table.rows.push_back({key, value});
  Document document{.content = std::move(table)};
  if (tags.empty()) document.notes.push_back(request.name + " has no tags");
  return document;
}

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<Request>();
  fields.Add("name", &request->name,
             {.help = "An experiment of the store",
              .refers = core::Refers::kStored,
              .required = true,
              .positional = true});
  fields.Add("tags", &request->tags,
             {.help = "Tags to set, KEY=VALUE each; KEY= removes one; without tags: shows them",
              .positional = true});
  return [&context, request] { return Tag(context, *request); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "tag",
    .summary = "Sets and shows tags of an experiment; `xsp list` shows and selects by tags",
    .example = "xsp tag before git=a1b2c3 purpose=baseline && xsp list --tag purpose=baseline",
    .effect = Effect::kChanges,
    .result = R"({"type": "array", "items": {"type": "object", "properties": {
      "tag": {"type": "string"}, "value": {"type": "string"}}}})",
    .declare = Declare,
};

}  // namespace xsp::api::tag_operation
