#include "app/mcp/json_rpc.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "core/json_text.h"

namespace xsp::mcp {
namespace {

using nlohmann::json;

RpcCall CallIn(std::string_view text) {
  const auto read = ReadRpc(text);
  EXPECT_TRUE(std::holds_alternative<RpcCall>(read)) << text;
  return std::holds_alternative<RpcCall>(read) ? std::get<RpcCall>(read) : RpcCall{};
}

RpcProblem ProblemIn(std::string_view text) {
  const auto read = ReadRpc(text);
  EXPECT_TRUE(std::holds_alternative<RpcProblem>(read)) << text.substr(0, 100);
  return std::holds_alternative<RpcProblem>(read) ? std::get<RpcProblem>(read) : RpcProblem{};
}

TEST(JsonRpcTest, ARequestHasAnId) {
  const RpcCall call =
      CallIn(R"({"jsonrpc": "2.0", "id": 7, "method": "ping", "params": {"a": 1}})");
  EXPECT_EQ(call.id, 7);
  EXPECT_EQ(call.method, "ping");
  EXPECT_EQ(call.params["a"], 1);
}

TEST(JsonRpcTest, ANotificationHasNone) {
  const RpcCall call = CallIn(R"({"jsonrpc": "2.0", "method": "notifications/initialized"})");
  EXPECT_TRUE(call.id.is_null());
  EXPECT_TRUE(call.params.is_object());
}

TEST(JsonRpcTest, AnAnswerIsNoCall) {
  EXPECT_TRUE(
      std::holds_alternative<RpcAnswer>(ReadRpc(R"({"jsonrpc": "2.0", "id": 1, "result": {}})")));
}

TEST(JsonRpcTest, WhatIsNoJsonIsAParseError) {
  for (const std::string text : {"{", "nonsense", "{\"jsonrpc\": \"2.0\", \"method\": \"\xff\"}"}) {
    EXPECT_EQ(ProblemIn(text).code, kParseError) << text;
    EXPECT_TRUE(ProblemIn(text).id.is_null());
  }
}

TEST(JsonRpcTest, WhatIsNoMessageIsAnInvalidRequest) {
  for (const char* text :
       {"1", "\"text\"", "{}", R"({"jsonrpc": "1.0", "id": 1, "method": "ping"})",
        R"({"jsonrpc": "2.0", "id": 1, "method": 3})", R"({"jsonrpc": "2.0", "id": 1})",
        R"({"jsonrpc": "2.0", "id": 1.5, "method": "ping"})",
        R"({"jsonrpc": "2.0", "id": null, "method": "ping"})",
        R"({"jsonrpc": "2.0", "id": [], "method": "ping"})"})
    EXPECT_EQ(ProblemIn(text).code, kInvalidRequest) << text;
  EXPECT_EQ(ProblemIn(R"({"jsonrpc": "2.0", "id": 4, "method": 3})").id, 4);
}

TEST(JsonRpcTest, BatchesAreRefused) {
  EXPECT_EQ(ProblemIn(R"([{"jsonrpc": "2.0", "id": 1, "method": "ping"}])").code, kInvalidRequest);
}

TEST(JsonRpcTest, ParametersAreAnObject) {
  EXPECT_EQ(ProblemIn(R"({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []})").code,
            kInvalidParams);
}

TEST(JsonRpcTest, DeepNestingIsRefused) {
  const std::string deep(1'000'000, '[');
  EXPECT_EQ(ProblemIn(deep).code, kInvalidRequest);
  const std::string in_text =
      R"({"jsonrpc": "2.0", "id": 1, "method": "\"[)" + std::string(1000, '[') + R"("})";
  EXPECT_EQ(CallIn(in_text).id, 1);
}

TEST(JsonRpcTest, MessagesAreOneLine) {
  EXPECT_EQ(RpcResultText("a\nb", {{"x", "1\n2"}}),
            R"({"id":"a\nb","jsonrpc":"2.0","result":{"x":"1\n2"}})");
  EXPECT_EQ(RpcErrorText({3, kMethodNotFound, "no such method"}),
            R"({"error":{"code":-32601,"message":"no such method"},"id":3,"jsonrpc":"2.0"})");
  EXPECT_EQ(RpcNotificationText("notifications/progress", {{"progress", 1}}),
            R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}})");
}

TEST(RpcResultOfText, IsThatOfTheValue) {
  const nlohmann::json result = {{"rows", {1, "\n"}}};
  for (const nlohmann::json& id : {nlohmann::json(7), nlohmann::json("a\"b")})
    EXPECT_EQ(RpcResultOfText(id, core::JsonText(result)), RpcResultText(id, result));
}

}  // namespace
}  // namespace xsp::mcp
