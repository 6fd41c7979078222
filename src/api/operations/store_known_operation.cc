#include <memory>

#include "api/operation.h"
#include "api/operations/store_survey.h"

namespace xsp::api::store_known_operation {
namespace {

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<SurveyRequest>();
  AddSurveyFields(fields, request.get());
  return [&context, request] { return Survey(context, *request, false); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "store/known",
    .summary = "Lists the findings of the store as far as they are known, at once",
    .example = "xsp store known --severity warning",
    .effect = Effect::kReads,
    .result = kSurveySchema,
    .declare = Declare,
    .served_as = ServedAs::kFreshAnswer,
};

}  // namespace xsp::api::store_known_operation
