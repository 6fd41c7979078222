#include <fmt/format.h>

#include "api/request_json.h"
#include "core/json_fields.h"

namespace xsp::api {

using nlohmann::json;

Result<Action> ReadRequest(const Operation& operation, const json& request,
                           const Context& context) {
  if (!request.is_object())
    return Error{ErrorKind::kUsage, fmt::format("request of {} must be an object", operation.name),
                 ""};
  core::JsonFields fields(request);
  Action action = operation.declare(fields, context);
  XSP_RETURN_IF_ERROR(fields.Finish());
  return action;
}

}  // namespace xsp::api
