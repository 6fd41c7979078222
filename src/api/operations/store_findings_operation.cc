#include <memory>

#include "api/operation.h"
#include "api/operations/store_survey.h"

namespace xsp::api::store_findings_operation {
namespace {

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<SurveyRequest>();
  AddSurveyFields(fields, request.get());
  return [&context, request] { return Survey(context, *request, true); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "store/findings",
    .summary = "Lists which findings the experiments of the store have, and evaluates new ones",
    .example =
        "xsp store findings --severity warning\n"
        "         xsp store findings --model resnet50 --rule idle_cores",
    .effect = Effect::kReads,
    .result = kSurveySchema,
    .declare = Declare,
    .served_as = ServedAs::kJob,
};

}  // namespace xsp::api::store_findings_operation
