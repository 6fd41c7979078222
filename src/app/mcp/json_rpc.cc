#include "app/mcp/json_rpc.h"

#include <algorithm>
#include <utility>

#include "app/mcp/shortened_json.h"

namespace xsp::mcp {
namespace {

using nlohmann::json;

constexpr int kMaxNesting = 64;

/// How deep lists and objects lie in each other, looking at the text alone.
int NestingOf(std::string_view text) {
  int depth = 0, deepest = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        in_string = false;
      }
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return deepest;
}

bool IsId(const json& id) { return id.is_string() || id.is_number_integer(); }

}  // namespace

std::variant<RpcCall, RpcProblem, RpcAnswer> ReadRpc(std::string_view text) {
  if (NestingOf(text) > kMaxNesting)
    return RpcProblem{{}, kInvalidRequest, "lists and objects are nested too deeply"};
  json message = json::parse(text, nullptr, false);
  if (message.is_discarded()) return RpcProblem{{}, kParseError, "not JSON in UTF-8"};
  if (message.is_array())
    return RpcProblem{{}, kInvalidRequest, "batches are not supported: send one message a line"};
  if (!message.is_object()) return RpcProblem{{}, kInvalidRequest, "a message is an object"};
  const bool has_id = message.contains("id");
  json id = has_id ? message["id"] : json();
  if (has_id && !IsId(id))
    return RpcProblem{{}, kInvalidRequest, "an id is a string or an integer"};
  if (message.value("jsonrpc", json()) != "2.0")
    return RpcProblem{std::move(id), kInvalidRequest, "jsonrpc must be \"2.0\""};
  const bool is_answer = message.contains("result") || message.contains("error");
  if (has_id && is_answer && !message.contains("method")) return RpcAnswer{};
  const json method = message.value("method", json());
  if (!method.is_string())
    return RpcProblem{std::move(id), kInvalidRequest, "method must be a string"};
  json params = message.value("params", json::object());
  if (!params.is_object())
    return RpcProblem{std::move(id), kInvalidParams, "params must be an object"};
  return RpcCall{std::move(id), method.get<std::string>(), std::move(params)};
}

std::string RpcResultText(const json& id, json result) {
  return CompactText({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

std::string RpcErrorText(const RpcProblem& problem) {
  return CompactText({{"jsonrpc", "2.0"},
                      {"id", problem.id},
                      {"error", {{"code", problem.code}, {"message", problem.message}}}});
}

std::string RpcNotificationText(std::string_view method, json params) {
  return CompactText({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

}  // namespace xsp::mcp
