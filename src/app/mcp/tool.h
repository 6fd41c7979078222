#ifndef XSP_APP_MCP_TOOL_H_
#define XSP_APP_MCP_TOOL_H_

#include <span>

#include "app/mcp/bounded_answer.h"

namespace xsp::mcp {

/// A field of an operation's request that a tool has as an argument. Static data.
struct ToolField {
  const char* name;
  /// For an agent; null: the operation's own description.
  const char* description = nullptr;
};

/// What the person who starts the server has to allow.
enum class Permission { kNone, kImport, kRun };

/// One tool of the server: an operation with those fields of its request that an agent needs.
/// Fields that name files to write or programs to start are never among them. Static data.
struct ToolSpec {
  const char* name;
  const char* title;        ///< For people.
  const char* description;  ///< For an agent: what it answers, when to use it, how to read it.
  const char* operation;
  std::span<const ToolField> fields;
  RowsInDocument rows;
  Permission permission = Permission::kNone;
};

}  // namespace xsp::mcp

#endif  // XSP_APP_MCP_TOOL_H_
