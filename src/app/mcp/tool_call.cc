#include "app/mcp/tool_call.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/operations/operation_list.h"
#include "api/request_policy.h"
#include "api/stored_names.h"
#include "app/mcp/bounded_answer.h"
#include "app/mcp/shortened_json.h"

namespace xsp::mcp {
namespace {

using nlohmann::json;

/// Takes `max_tokens` and `cursor` out of the arguments.
Result<AnswerPage> TakePage(const ToolSpec& tool, json& arguments) {
  AnswerPage page;
  if (const json limit = arguments.value("max_tokens", json()); !limit.is_null()) {
    if (!limit.is_number_integer() || limit < kMinTokens || limit > kMaxTokens)
      return Error{
          ErrorKind::kUsage,
          fmt::format("max_tokens must be a whole number from {} to {}", kMinTokens, kMaxTokens),
          ""};
    page.max_tokens = limit.get<int>();
  }
  if (const json cursor = arguments.value("cursor", json()); !cursor.is_null()) {
    if (!cursor.is_string()) return Error{ErrorKind::kUsage, "cursor must be a string", ""};
    page.cursor = cursor.get<std::string>();
  }
  arguments.erase("max_tokens");
  arguments.erase("cursor");
  page.request = fmt::format("{} {}", tool.name, CompactText(arguments));
  return page;
}

Error NoSuchArgument(const ToolSpec& tool, const std::string& name) {
  std::vector<std::string_view> names;
  for (const ToolField& field : tool.fields) names.emplace_back(field.name);
  names.insert(names.end(), {"max_tokens", "cursor"});
  return {ErrorKind::kUsage, fmt::format("{} has no argument {}", tool.name, name),
          fmt::format("It has: {}.", fmt::join(names, ", "))};
}

/// What a tool's permission lets it reach beside the store.
api::ReachableFiles FilesOf(const ToolSpec& tool, const std::filesystem::path& store) {
  api::ReachableFiles files{.store = store, .inputs = {}, .models = {}};
  if (tool.permission == Permission::kImport) files.inputs = {"/"};
  if (tool.permission == Permission::kRun) files.models = {"/"};
  return files;
}

std::string_view KindName(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kInternal:
      return "internal";
    case ErrorKind::kUsage:
      return "usage";
    case ErrorKind::kBadInput:
      return "bad_input";
    case ErrorKind::kNotPossible:
      return "not_possible";
    case ErrorKind::kEnvironment:
      return "environment";
    case ErrorKind::kGate:
      return "gate";
    case ErrorKind::kInconclusive:
      return "inconclusive";
    case ErrorKind::kInterrupted:
      return "interrupted";
  }
  return "";
}

json TextContent(const json& value) {
  return json::array({json{{"type", "text"}, {"text", CompactText(value)}}});
}

}  // namespace

Result<ToolRequest> ReadArguments(const ToolSpec& tool, const json& arguments) {
  ToolRequest request{.fields = arguments, .page = {}};
  XSP_TRY(request.page, TakePage(tool, request.fields));
  for (const auto& [name, value] : request.fields.items()) {
    const auto field = std::ranges::find_if(
        tool.fields, [&name = name](const ToolField& one) { return name == one.name; });
    if (field == tool.fields.end()) return NoSuchArgument(tool, name);
  }
  return request;
}

Result<json> AnswerOf(const ToolSpec& tool, json document, const std::vector<std::string>& notes,
                      const AnswerPage& page) {
  return BoundedAnswer(std::move(document), notes, tool.rows, page);
}

Result<json> CallTool(const ToolSpec& tool, const json& arguments, const api::Context& context) {
  XSP_TRY(const ToolRequest request, ReadArguments(tool, arguments));
  XSP_RETURN_IF_ERROR(api::CheckReach(*api::FindOperation(tool.operation), request.fields,
                                      FilesOf(tool, context.store)));
  auto document = api::Perform(tool.operation, request.fields, context);
  if (!document.ok()) return api::WithStoredNames(context.store, document.error());
  api::ToStoredNames(context.store, &document.value());
  return AnswerOf(tool, api::ToJson(document.value()), document.value().notes, request.page);
}

json CallResult(const Result<json>& answer) {
  if (answer.ok())
    return {{"content", TextContent(answer.value())},
            {"structuredContent", answer.value()},
            {"isError", false}};
  const Error& error = answer.error();
  bool was_shortened = false;
  const json shown = ShortenedJson(
      {{"error", {{"kind", KindName(error.kind)}, {"what", error.what}, {"hint", error.hint}}}}, 0,
      was_shortened);
  return {{"content", TextContent(shown)}, {"isError", true}};
}

}  // namespace xsp::mcp
