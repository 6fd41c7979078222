#include "app/serve/json_body.h"

#include "core/json_nesting.h"
#include "core/json_text.h"

namespace xsp::serve {
namespace {

using nlohmann::json;

}  // namespace

Result<json> JsonBody(const Request& request) {
  if (request.body.empty()) return json::object();
  if (!request.Header("content-type").starts_with("application/json"))
    return Error{ErrorKind::kUsage, "the body is not JSON",
                 "Send the header Content-Type: application/json."};
  json body = core::IsJsonNestedDeeper(request.body) ? json(json::value_t::discarded)
                                                     : core::ParseJson(request.body);
  if (!body.is_object())
    return Error{ErrorKind::kBadInput, "the body is not a JSON object",
                 "Send the request as an object; /api/v1/operations has its schema."};
  return body;
}

}  // namespace xsp::serve
