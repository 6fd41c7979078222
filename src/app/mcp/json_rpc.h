#ifndef XSP_APP_MCP_JSON_RPC_H_
#define XSP_APP_MCP_JSON_RPC_H_

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>

namespace xsp::mcp {

// Messages of JSON-RPC 2.0 (https://www.jsonrpc.org/specification), as the Model Context Protocol
// narrows them: an id is a string or an integer, and a batch is refused, as since its version
// 2025-06-18.

inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kInternalError = -32603;

/// A request, or a notification, which gets no answer.
struct RpcCall {
  nlohmann::json id;  ///< Null: a notification.
  std::string method;
  nlohmann::json params = nlohmann::json::object();  ///< An object.
};

/// What is wrong with a message, to be answered with RpcErrorText().
struct RpcProblem {
  nlohmann::json id;  ///< Null: not known.
  int code = kInvalidRequest;
  std::string message;
};

/// An answer to a request of ours; we send none.
struct RpcAnswer {};

/// Reads one message. Any bytes are safe: nesting is limited, so that neither this nor what handles
/// the message exhausts the stack.
std::variant<RpcCall, RpcProblem, RpcAnswer> ReadRpc(std::string_view text);

// Messages in one line, without its end.

std::string RpcResultText(const nlohmann::json& id, nlohmann::json result);
/// `result` is JSON in one line already.
std::string RpcResultOfText(const nlohmann::json& id, std::string_view result);
std::string RpcErrorText(const RpcProblem& problem);
std::string RpcNotificationText(std::string_view method, nlohmann::json params);

}  // namespace xsp::mcp

#endif  // XSP_APP_MCP_JSON_RPC_H_
