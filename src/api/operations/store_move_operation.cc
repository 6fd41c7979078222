#include <memory>

#include "api/operations/copied_experiments.h"

namespace xsp::api::store_move_operation {
namespace {

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<CopyRequest>();
  AddCopyFields(fields, request.get());
  return [&context, request] { return CopyExperiments(context, *request, true); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "store/move",
    .summary = "Moves experiments to another store: copies them, then removes them here",
    .example = "xsp store move --until 90d --to s3://bucket/archive",
    .effect = Effect::kChanges,
    .result = kArrivalsSchema,
    .declare = Declare,
    .served_as = ServedAs::kNothing,
};

}  // namespace xsp::api::store_move_operation
