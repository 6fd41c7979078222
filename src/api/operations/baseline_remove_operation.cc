#include "api/operation.h"
#include "store/baselines.h"

namespace xsp::api::baseline_remove_operation {
namespace {

Result<Document> Remove(const Context& context, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    XSP_RETURN_IF_ERROR(store::RemoveBaseline(context.store, name));
  return Document{.content = nlohmann::json{{"removed", names}}};
}

Action Declare(core::RequestFields& fields, const Context& context) {
  auto names = std::make_shared<std::vector<std::string>>();
  fields.Add("name", names.get(),
             {.help = "Baselines of the store; their experiments stay",
              .required = true,
              .positional = true});
  return [&context, names] { return Remove(context, *names); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "baseline/remove",
    .summary = "Removes baselines; their experiments stay",
    .example = "xsp baseline remove main",
    .effect = Effect::kChanges,
    .result = R"({"type": "object", "required": ["removed"], "properties": {
      "removed": {"type": "array", "items": {"type": "string"}}}})",
    .declare = Declare,
};

}  // namespace xsp::api::baseline_remove_operation
