#include "api/operation.h"
#include "store/mirror.h"

namespace xsp::api::store_push_operation {
namespace {

/// What is not published is, behind every operation that changes the store (operation_list.cc).
Result<Document> Push(const Context& context) {
  const auto url = store::MirroredUrl(context.store);
  if (!url)
    return Error{ErrorKind::kUsage, "the store is a folder: there is nothing to publish",
                 "Name a store in object storage: --store s3://BUCKET/PREFIX"};
  return Document{.content = nlohmann::json{
                      {"store", *url}, {"experiments", store::UnpushedExperiments(context.store)}}};
}

Action Declare(core::RequestFields&, const Context& context) {
  return [&context] { return Push(context); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "store/push",
    .summary = "Publishes what a store in object storage has not got yet, after a lost connection",
    .example = "xsp store push",
    .effect = Effect::kChanges,
    .result = R"({"type": "object", "required": ["store", "experiments"], "properties": {
      "store": {"type": "string", "description": "The address of the store"},
      "experiments": {"type": "array", "items": {"type": "string"},
        "description": "Those that were published now"}}})",
    .declare = Declare,
};

}  // namespace xsp::api::store_push_operation
