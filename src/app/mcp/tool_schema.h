#ifndef XSP_APP_MCP_TOOL_SCHEMA_H_
#define XSP_APP_MCP_TOOL_SCHEMA_H_

#include <nlohmann/json.hpp>

#include "app/mcp/tool.h"

namespace xsp::mcp {

/// The JSON Schema of a tool's arguments: of its operation's request, the fields of the tool, and
/// `max_tokens` and `cursor`.
nlohmann::json InputSchema(const ToolSpec& tool);

/// The JSON Schema of a tool's answer: of BoundedAnswer(), with the outline of the operation's
/// document (names, types and descriptions, without what lies deeper, and without what a cut answer
/// cannot keep, such as required members).
nlohmann::json OutputSchema(const ToolSpec& tool);

/// A tool as `tools/list` gives it.
nlohmann::json ToolDescription(const ToolSpec& tool);

}  // namespace xsp::mcp

#endif  // XSP_APP_MCP_TOOL_SCHEMA_H_
