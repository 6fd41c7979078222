#include <utility>

#include "app/serve/json_body.h"
#include "app/serve/routes.h"

namespace xsp::serve {
namespace {

using nlohmann::json;

json SessionOf(const ServiceParts& parts, const Identity& identity) {
  return {{"user", identity.user},
          {"role", NameOf(identity.role)},
          {"version", XSP_VERSION},
          {"store", parts.context.store.filename().string()},
          {"login", parts.access.has_users() ? "users" : "token"},
          {"model_uploads", parts.model_uploads && identity.role == Role::kMeasure}};
}

Reply LogIn(const ServiceParts& parts, const Request& request) {
  const auto fields = JsonBody(request);
  if (!fields.ok()) return ErrorReply(fields.error());
  const auto logged_in = parts.access.LogIn(fields.value());
  if (!logged_in.ok()) {
    const Error& error = logged_in.error();
    return error.kind == ErrorKind::kNotPossible
               ? ErrorReply(401, "unauthorized", error.what, error.hint)
               : ErrorReply(error);
  }
  Reply reply = JsonReply(SessionOf(parts, logged_in.value().identity));
  reply.headers.emplace_back("Set-Cookie", logged_in.value().cookie);
  return reply;
}

Reply LogOut(const ServiceParts& parts, const Request& request) {
  Reply reply = JsonReply(json::object());
  reply.headers.emplace_back("Set-Cookie", parts.access.LogOut(request));
  return reply;
}

}  // namespace

void AddSessionRoutes(const ServiceParts& parts, Router* router) {
  router->Add(
      {.method = "GET", .pattern = "/api/v1/session", .answer = [&parts](const Request& request) {
         return JsonReply(SessionOf(parts, request.identity));
       }});
  router->Add({.method = "POST",
               .pattern = "/api/v1/session",
               .role = Role::kNone,
               .answer = [&parts](const Request& request) { return LogIn(parts, request); }});
  router->Add({.method = "DELETE",
               .pattern = "/api/v1/session",
               .role = Role::kNone,
               .answer = [&parts](const Request& request) { return LogOut(parts, request); }});
}

}  // namespace xsp::serve
