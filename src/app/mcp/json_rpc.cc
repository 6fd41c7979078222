#include "app/mcp/json_rpc.h"

#include <utility>

#include "app/mcp/shortened_json.h"
#include "core/json_nesting.h"
#include "core/json_text.h"

namespace xsp::mcp {
namespace {

using nlohmann::json;

bool IsId(const json& id) { return id.is_string() || id.is_number_integer(); }

}  // namespace

std::variant<RpcCall, RpcProblem, RpcAnswer> ReadRpc(std::string_view text) {
  if (core::IsJsonNestedDeeper(text))
    return RpcProblem{{}, kInvalidRequest, "lists and objects are nested too deeply"};
  json message = core::ParseJson(text);
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

std::string RpcResultOfText(const json& id, std::string_view result) {
  return R"({"id":)" + CompactText(id) + R"(,"jsonrpc":"2.0","result":)" + std::string(result) +
         "}";
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
