#include <memory>

#include "api/operations/copied_experiments.h"

namespace xsp::api::store_copy_operation {
namespace {

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<CopyRequest>();
  AddCopyFields(fields, request.get());
  return [&context, request] { return CopyExperiments(context, *request, false); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "store/copy",
    .summary = "Copies experiments to another store, each file checked",
    .example =
        "xsp store copy resnet50-20260101-120000 --to /mnt/team/store\n"
        "         xsp store copy --model resnet50 --to s3://bucket/team",
    .effect = Effect::kChanges,
    .result = kArrivalsSchema,
    .declare = Declare,
    .served_as = ServedAs::kNothing,
};

}  // namespace xsp::api::store_copy_operation
