#ifndef XSP_APP_MCP_TOOL_LIST_H_
#define XSP_APP_MCP_TOOL_LIST_H_

#include <span>
#include <string_view>
#include <vector>

#include "app/mcp/tool.h"

namespace xsp::mcp {

/// What the tools may do besides reading the store.
struct ToolPermissions {
  bool allow_import = false;
  bool allow_run = false;
};

/// Every tool, in the order in which an agent needs them. A client puts the descriptions of all
/// tools into the context of its model: there are at most 12.
std::span<const ToolSpec> AllTools();

/// Those that are allowed.
std::vector<const ToolSpec*> AllowedTools(const ToolPermissions& permissions);

}  // namespace xsp::mcp

#endif  // XSP_APP_MCP_TOOL_LIST_H_
