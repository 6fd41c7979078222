#ifndef XSP_APP_MCP_TOOL_CALL_H_
#define XSP_APP_MCP_TOOL_CALL_H_

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "api/operation.h"
#include "app/mcp/bounded_answer.h"
#include "app/mcp/tool.h"
#include "core/result.h"
#include "store/query_limits.h"

namespace xsp::mcp {

/// SQL of an agent: it reads pages of a few thousand tokens, so what is larger is a mistake.
inline constexpr store::QueryLimits kToolQueryLimits = {.time_s = 30,
                                                        .rows = 10'000,
                                                        .text_bytes = std::size_t{8} << 20,
                                                        .memory_bytes = std::size_t{1} << 30};

/// The arguments of a call, read.
struct ToolRequest {
  nlohmann::json fields;  ///< Of the operation's request.
  AnswerPage page;
};

/// Separates the fields of the operation from those of the page. Does not look at what they reach
/// (api::CheckReach). Errors: kUsage, as CallTool().
Result<ToolRequest> ReadArguments(const ToolSpec& tool, const nlohmann::json& arguments);

/// The operation's document as CallTool() answers it. Errors: kUsage (a wrong cursor).
Result<nlohmann::json> AnswerOf(const ToolSpec& tool, nlohmann::json document,
                                const std::vector<std::string>& notes, const AnswerPage& page);

/// Performs the operation of `tool` and bounds its document: an object of OutputSchema(). It and
/// errors name no path of the store: experiments stand in them as the tools take them. Errors:
/// kUsage (an argument that the tool does not have, of another type, out of its range, or no name
/// in the store; a wrong cursor), kBadInput (nothing of that name), and those of the operation.
Result<nlohmann::json> CallTool(const ToolSpec& tool, const nlohmann::json& arguments,
                                const api::Context& context);

/// A tool's answer, or why there is none, as `tools/call` gives it: an error is an answer, too,
/// that the agent reads and acts on. Text is JSON in either case, so that what a trace contains
/// stands inside of strings, never beside our own words.
nlohmann::json CallResult(const Result<nlohmann::json>& answer);

}  // namespace xsp::mcp

#endif  // XSP_APP_MCP_TOOL_CALL_H_
