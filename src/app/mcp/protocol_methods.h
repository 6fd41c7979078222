#ifndef XSP_APP_MCP_PROTOCOL_METHODS_H_
#define XSP_APP_MCP_PROTOCOL_METHODS_H_

#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <variant>

#include "app/mcp/json_rpc.h"
#include "app/mcp/tool.h"

namespace xsp::mcp {

// What the methods of the protocol answer, whatever carries the messages: standard input and output
// (MessageHandler) or HTTP (src/app/serve/mcp_routes.cc). Threading: any thread.

/// The versions of the protocol (https://modelcontextprotocol.io/specification) that are spoken,
/// newest first: those that begin with `initialize`.
inline constexpr std::string_view kProtocolVersions[] = {"2025-11-25", "2025-06-18", "2025-03-26",
                                                         "2024-11-05"};

bool IsProtocolVersion(std::string_view version);

/// The result of a request, or what is wrong with it.
using MethodResult = std::variant<nlohmann::json, RpcProblem>;

/// Answers `initialize`.
MethodResult InitializeResult(const RpcCall& call);

/// Answers `tools/list` with `tools`, of AllTools().
MethodResult ToolsListResult(const RpcCall& call, std::span<const ToolSpec* const> tools);

/// What `tools/call` asks for.
struct ToolCallParams {
  const ToolSpec* tool = nullptr;                       ///< Never null.
  nlohmann::json arguments = nlohmann::json::object();  ///< An object.
  /// By which the client knows notifications about progress; null: it wants none.
  nlohmann::json progress_token;
};

/// Reads `tools/call` of one of `tools`.
std::variant<ToolCallParams, RpcProblem> ReadToolCall(const RpcCall& call,
                                                      std::span<const ToolSpec* const> tools);

/// The answer to a method that there is not.
RpcProblem NoSuchMethod(const RpcCall& call);

/// The notification of `progress_token` that a call has done `percent` of its work.
std::string ProgressText(const nlohmann::json& progress_token, int percent, std::string_view step);

}  // namespace xsp::mcp

#endif  // XSP_APP_MCP_PROTOCOL_METHODS_H_
