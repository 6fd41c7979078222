#include "api/operation.h"
#include "store/experiment_changes.h"

namespace xsp::api::rename_operation {
namespace {

struct Request {
  std::string name, new_name;
};

Result<Document> Rename(const Context& context, const Request& request) {
  XSP_RETURN_IF_ERROR(store::RenameExperiment(context.store, request.name, request.new_name));
  return Document{.content =
                      nlohmann::json{{"name", request.name}, {"new_name", request.new_name}}};
}

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<Request>();
  fields.Add("name", &request->name,
             {.help = "An experiment of the store",
              .refers = core::Refers::kStored,
              .required = true,
              .positional = true});
  fields.Add("new_name", &request->new_name,
             {.help = "The new name", .required = true, .positional = true});
  return [&context, request] { return Rename(context, *request); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "rename",
    .summary = "Renames an experiment",
    .example = "xsp rename resnet50-20260101-120000 before",
    .effect = Effect::kChanges,
    .result = R"({"type": "object", "required": ["name", "new_name"], "properties": {
      "name": {"type": "string"}, "new_name": {"type": "string"}}})",
    .declare = Declare,
};

}  // namespace xsp::api::rename_operation
