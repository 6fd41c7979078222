#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "api/operations/operation_list.h"
#include "app/mcp/json_rpc.h"
#include "app/mcp/protocol_methods.h"
#include "app/mcp/shortened_json.h"
#include "app/mcp/tool_call.h"
#include "app/serve/operation_request.h"
#include "app/serve/routes.h"
#include "app/serve/same_origin.h"
#include "app/serve/served_operation.h"
#include "app/serve/tool_job.h"
#include "core/json_text.h"

namespace xsp::serve {
namespace {

using nlohmann::json;

/// The reply to what cannot be answered as a message of the protocol.
Reply Refused(int status, int code, std::string message) {
  return {.status = status, .body = mcp::RpcErrorText({{}, code, std::move(message)}) + "\n"};
}

/// Whether the media types of the header Accept have `type`.
bool Accepts(const Request& request, std::string_view type) {
  const std::string_view accept = request.Header("accept");
  const std::string group = std::string(type.substr(0, type.find('/'))) + "/*";
  for (const std::string_view one : {type, std::string_view(group), std::string_view("*/*")})
    if (accept.find(one) != std::string_view::npos) return true;
  return accept.empty();
}

/// What is wrong with a request before its message is read.
std::optional<Reply> RefusalOf(const Request& request) {
  // Also with a token: the protocol asks for it.
  if (!IsSameOrigin(request))
    return Refused(403, mcp::kInvalidRequest, "the request comes from a page of another server");
  if (!request.Header("content-type").starts_with("application/json"))
    return Refused(415, mcp::kInvalidRequest, "send the header Content-Type: application/json");
  if (!Accepts(request, "application/json") || !Accepts(request, "text/event-stream"))
    return Refused(406, mcp::kInvalidRequest,
                   "send the header Accept: application/json, text/event-stream");
  const std::string_view version = request.Header("mcp-protocol-version");
  if (!version.empty() && !mcp::IsProtocolVersion(version))
    return Refused(400, mcp::kInvalidRequest,
                   "this version of the protocol is not supported: " + mcp::VisibleText(version));
  return std::nullopt;
}

std::vector<const mcp::ToolSpec*> ToolsFor(const ServiceParts& parts, const Identity& identity) {
  const bool may_measure = identity.role >= Role::kMeasure;
  return mcp::AllowedTools({.allow_import = may_measure && parts.tools.allow_import,
                            .allow_run = may_measure && parts.tools.allow_run});
}

Reply MessageReply(const std::string& message) { return {.body = message + "\n"}; }

Reply MethodReply(const mcp::RpcCall& call, const mcp::MethodResult& result) {
  const auto* problem = std::get_if<mcp::RpcProblem>(&result);
  return MessageReply(problem != nullptr ? mcp::RpcErrorText(*problem)
                                         : mcp::RpcResultText(call.id, std::get<json>(result)));
}

/// The text of the result of a tool that reads, stored like all answers.
std::string ReadByTool(const ServiceParts& parts, const ServedOperation& served,
                       const mcp::ToolCallParams& params) {
  const auto stamp = StampOf(parts, *served.operation, params.arguments);
  if (!stamp.ok()) return mcp::CompactText(mcp::CallResult(stamp.error()));
  api::Context context = ContextOf(parts);
  context.query_limits = store::Stricter(context.query_limits, mcp::kToolQueryLimits);
  const bool is_fresh = served.operation->served_as == api::ServedAs::kFreshAnswer;
  const std::string key =
      std::string("mcp ") + params.tool->name + " " + core::JsonText(params.arguments);
  const auto answer = parts.answers.Get(
      key, is_fresh ? "" : stamp.value(), LaneOf(*served.operation, params.arguments),
      [&]() -> Result<Reply> {
        XSP_TRY(json document, mcp::CallTool(*params.tool, params.arguments, context));
        return Reply{.body = mcp::CompactText(mcp::CallResult(std::move(document)))};
      });
  return answer.ok() ? answer.value()->reply.body
                     : mcp::CompactText(mcp::CallResult(answer.error()));
}

/// Starts a job for a tool that measures or imports; its reply follows it to its end.
Result<Reply> StartJob(const ServiceParts& parts, const ServedOperation& served,
                       const Request& request, const mcp::RpcCall& call,
                       const mcp::ToolCallParams& params) {
  XSP_TRY(const mcp::ToolRequest asked, mcp::ReadArguments(*params.tool, params.arguments));
  if (!asked.page.cursor.empty())
    return Error{ErrorKind::kUsage, "the answer of a measurement or an import has one part",
                 "Read the rest with the tools show and query."};
  XSP_TRY(const json checked, CheckedRequest(parts, *served.operation, asked.fields));
  XSP_TRY(const Job job, AddJob(parts, served, request.identity.user, asked.fields, checked));
  auto events = std::make_shared<ToolJob>(parts, job.id, call.id, params, asked.page);
  return Reply{.content_type = "text/event-stream",
               .headers = {{"Cache-Control", "no-store"}, {"X-Accel-Buffering", "no"}},
               .stream = [events](std::string* piece) { return events->Next(piece); }};
}

Reply CallReply(const ServiceParts& parts, const Request& request, const mcp::RpcCall& call) {
  const std::vector<const mcp::ToolSpec*> tools = ToolsFor(parts, request.identity);
  if (call.method == "initialize") return MethodReply(call, mcp::InitializeResult(call));
  if (call.method == "ping") return MessageReply(mcp::RpcResultText(call.id, json::object()));
  if (call.method == "tools/list") return MethodReply(call, mcp::ToolsListResult(call, tools));
  if (call.method != "tools/call") return MessageReply(mcp::RpcErrorText(mcp::NoSuchMethod(call)));
  const auto read = mcp::ReadToolCall(call, tools);
  if (const auto* problem = std::get_if<mcp::RpcProblem>(&read))
    return MessageReply(mcp::RpcErrorText(*problem));
  const auto& params = std::get<mcp::ToolCallParams>(read);
  const ServedOperation* served = FindServed(params.tool->operation);
  XSP_CHECK(served != nullptr);
  if (!served->is_job())
    return MessageReply(mcp::RpcResultOfText(call.id, ReadByTool(parts, *served, params)));
  auto started = StartJob(parts, *served, request, call, params);
  if (started.ok()) return std::move(started).value();
  return MessageReply(mcp::RpcResultText(call.id, mcp::CallResult(started.error())));
}

Reply Answered(const ServiceParts& parts, const Request& request) {
  if (std::optional<Reply> refusal = RefusalOf(request)) return std::move(*refusal);
  const auto message = mcp::ReadRpc(request.body);
  if (const auto* problem = std::get_if<mcp::RpcProblem>(&message))
    return {.status = 400, .body = mcp::RpcErrorText(*problem) + "\n"};
  const auto* call = std::get_if<mcp::RpcCall>(&message);
  // Notifications and answers get none. To cancel a call, DELETE its job.
  if (call == nullptr || call->id.is_null()) return {.status = 202, .content_type = {}};
  return CallReply(parts, request, *call);
}

}  // namespace

void AddMcpRoutes(const ServiceParts& parts, Router* router) {
  router->Add({.method = "POST",
               .pattern = "/mcp",
               .role = Role::kView,
               .answer = [&parts](const Request& request) { return Answered(parts, request); }});
}

}  // namespace xsp::serve
