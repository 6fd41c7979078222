#ifndef XSP_APP_SERVE_JSON_BODY_H_
#define XSP_APP_SERVE_JSON_BODY_H_

#include <nlohmann/json.hpp>

#include "app/serve/message.h"
#include "core/result.h"

namespace xsp::serve {

/// The body of a request as a JSON object; an empty body is an empty one. Errors: kBadInput (no
/// JSON, no object, nested deeper than 64), kUsage (Content-Type is not application/json, which a
/// form of a foreign page cannot send).
Result<nlohmann::json> JsonBody(const Request& request);

}  // namespace xsp::serve

#endif  // XSP_APP_SERVE_JSON_BODY_H_
