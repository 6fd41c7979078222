#include <algorithm>

#include "api/operation.h"
#include "store/experiment_changes.h"

namespace xsp::api::remove_operation {
namespace {

Result<Document> Remove(const Context& context, const std::vector<std::string>& given) {
  std::vector<std::string> names;
  for (const std::string& name : given)
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  // All names are looked up before the first is removed: a slip of the pen costs nothing.
  for (const std::string& name : names) {
    XSP_TRY(const auto folder, store::FindRemovable(context.store, name));
  }
  for (const std::string& name : names) {
    XSP_RETURN_IF_ERROR(store::RemoveExperiment(context.store, name));
  }
  return Document{.content = nlohmann::json{{"removed", names}}};
}

Action Declare(core::RequestFields& fields, const Context& context) {
  auto names = std::make_shared<std::vector<std::string>>();
  fields.Add("name", names.get(),
             {.help = "Experiments of the store; all their runs are removed, too",
              .refers = core::Refers::kStored,
              .required = true,
              .positional = true});
  return [&context, names] { return Remove(context, *names); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "remove",
    .summary = "Removes experiments from the store",
    .example = "xsp remove resnet50-20260101-120000",
    .effect = Effect::kChanges,
    .result = R"({"type": "object", "required": ["removed"], "properties": {
      "removed": {"type": "array", "items": {"type": "string"}}}})",
    .declare = Declare,
};

}  // namespace xsp::api::remove_operation
