#include <string>
#include <utility>

#include "app/serve/conditional_reply.h"
#include "app/serve/operation_request.h"
#include "app/serve/query_request.h"
#include "app/serve/routes.h"
#include "app/serve/served_operation.h"
#include "core/json_text.h"
#include "os/files.h"
#include "os/scratch_folder.h"

namespace xsp::serve {
namespace {

/// A page holds scripts of ours and names from traces: in an origin of its own it can reach neither
/// the session nor the API.
constexpr const char* kSandbox =
    "sandbox allow-scripts allow-downloads allow-popups; default-src 'none'; "
    "script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

Result<Reply> WritePage(const ServiceParts& parts, const ServedOperation& served,
                        nlohmann::json fields) {
  XSP_TRY(const os::ScratchFolder scratch, os::ScratchFolder::Create());
  const std::filesystem::path file = scratch.path() / "page.html";
  fields[served.page_field] = file.string();
  XSP_TRY(const api::Document document, DocumentFor(parts, *served.operation, fields));
  auto page = os::ReadFile(file);
  if (!page.ok())
    return Error{ErrorKind::kNotPossible, served.operation->name + " wrote no page",
                 document.notes.empty() ? "" : document.notes.front()};
  return Reply{.content_type = "text/html; charset=utf-8",
               .body = std::move(page).value(),
               // Browsers refuse a sandboxed page that isolates its window.
               .headers = {{"Content-Security-Policy", kSandbox},
                           {"Cross-Origin-Opener-Policy", "unsafe-none"}}};
}

Reply Page(const ServiceParts& parts, const ServedOperation& served, const Request& request) {
  const auto fields = RequestOfQuery(served.request_schema, request.query);
  if (!fields.ok()) return ErrorReply(fields.error());
  // The fields that the schema for others lacks are not theirs to give.
  for (const auto& [name, value] : fields.value().items())
    if (!served.request_schema["properties"].contains(name))
      return ErrorReply({.kind = ErrorKind::kUsage,
                         .what = "no such field: " + name,
                         .hint = "/api/v1/operations has the schema of requests.",
                         .field = name});
  if (const Status reach = api::CheckReach(*served.operation, fields.value(), parts.files);
      !reach.ok())
    return ErrorReply(reach.error());
  const auto stamp = StampOf(parts, *served.operation, fields.value());
  if (!stamp.ok()) return ErrorReply(stamp.error());
  const auto answer =
      parts.answers.Get("page " + served.operation->name + " " + core::JsonText(fields.value()),
                        stamp.value(), LaneOf(*served.operation, fields.value()),
                        [&]() { return WritePage(parts, served, fields.value()); });
  if (!answer.ok()) return ErrorReply(answer.error());
  return ConditionalReply(request, *answer.value());
}

}  // namespace

void AddPageRoutes(const ServiceParts& parts, Router* router) {
  for (const ServedOperation& served : ServedOperations()) {
    if (served.page_field.empty() || served.is_job()) continue;
    router->Add({.method = "GET",
                 .pattern = "/pages/" + served.operation->name,
                 .role = Role::kView,
                 .answer = [&parts, &served](const Request& request) {
                   return Page(parts, served, request);
                 }});
  }
}

}  // namespace xsp::serve
