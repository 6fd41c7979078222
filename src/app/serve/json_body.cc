#include "app/serve/json_body.h"

#include <algorithm>
#include <string_view>

namespace xsp::serve {
namespace {

using nlohmann::json;

constexpr int kDeepest = 64;

/// Whether arrays and objects lie in each other deeper than that: the parser would return to them
/// one call each. Brackets within texts do not count.
bool IsTooDeep(std::string_view text) {
  int depth = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_text) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        in_text = false;
      }
    } else if (c == '"') {
      in_text = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepest) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

}  // namespace

Result<json> JsonBody(const Request& request) {
  if (request.body.empty()) return json::object();
  if (!request.Header("content-type").starts_with("application/json"))
    return Error{ErrorKind::kUsage, "the body is not JSON",
                 "Send the header Content-Type: application/json."};
  json body = IsTooDeep(request.body) ? json(json::value_t::discarded)
                                      : json::parse(request.body, nullptr, false);
  if (!body.is_object())
    return Error{ErrorKind::kBadInput, "the body is not a JSON object",
                 "Send the request as an object; /api/v1/operations has its schema."};
  return body;
}

}  // namespace xsp::serve
