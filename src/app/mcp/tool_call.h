#ifndef XSP_APP_MCP_TOOL_CALL_H_
#define XSP_APP_MCP_TOOL_CALL_H_

#include <nlohmann/json.hpp>

#include "api/operation.h"
#include "app/mcp/tool.h"
#include "core/result.h"

namespace xsp::mcp {

/// Performs the operation of `tool` and bounds its document: an object of OutputSchema(). Names of
/// experiments stand in it without the path of the store, as the tools take them. Errors: kUsage
/// (an argument that the tool does not have, of another type, out of its range, or no name in the
/// store; a wrong cursor), kBadInput (nothing of that name), and those of the operation.
Result<nlohmann::json> CallTool(const ToolSpec& tool, const nlohmann::json& arguments,
                                const api::Context& context);

/// A tool's answer, or why there is none, as `tools/call` gives it: an error is an answer, too,
/// that the agent reads and acts on. Text is JSON in either case, so that what a trace contains
/// stands inside of strings, never beside our own words.
nlohmann::json CallResult(const Result<nlohmann::json>& answer);

}  // namespace xsp::mcp

#endif  // XSP_APP_MCP_TOOL_CALL_H_
