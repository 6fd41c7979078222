#include "app/mcp/message_handler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "app/mcp/mcp_testing.h"
#include "core/json_text.h"

namespace xsp::mcp {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class MessageHandlerTest : public testing::Test {
 protected:
  MessageHandlerTest()
      : handler_(ContextOf(folder_), {}, [this](const std::string& message) {
          sent_.push_back(core::ParseJson(message));
        }) {}

  static api::Context ContextOf(const store::TestFolder& folder) {
    api::Context context;
    context.store = folder.path();
    context.command_line = "xsp mcp";
    return context;
  }

  void Send(const json& message) { handler_.Handle(core::JsonText(message)); }

  void Request(const json& id, const std::string& method, const json& params = json::object()) {
    Send({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}});
  }

  void Initialize(const std::string& version = "2025-06-18") {
    Request("init", "initialize",
            {{"protocolVersion", version},
             {"capabilities", json::object()},
             {"clientInfo", {{"name", "test"}, {"version", "1"}}}});
    Send({{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}});
  }

  void CallTool(const json& id, const std::string& name, const json& arguments) {
    Request(id, "tools/call", {{"name", name}, {"arguments", arguments}});
  }

  /// The answer to a request, once all calls have been answered.
  json AnswerTo(const json& id) {
    handler_.Finish();
    for (const json& message : sent_)
      if (message.value("id", json()) == id) return message;
    return {};
  }

  store::TestFolder folder_;
  std::vector<json> sent_;
  MessageHandler handler_;
};

TEST_F(MessageHandlerTest, VersionsThatAreKnownAreAccepted) {
  for (const std::string_view version : kProtocolVersions) {
    sent_.clear();
    Initialize(std::string(version));
    ASSERT_EQ(sent_.size(), 1U);
    EXPECT_EQ(sent_[0]["result"]["protocolVersion"], version);
  }
}

TEST_F(MessageHandlerTest, ForAnUnknownVersionTheNewestIsOffered) {
  Initialize("1999-01-01");
  EXPECT_EQ(sent_[0]["result"]["protocolVersion"], kProtocolVersions[0]);
}

TEST_F(MessageHandlerTest, AClientLearnsThatTextIsData) {
  Initialize();
  const json result = sent_[0]["result"];
  EXPECT_EQ(result["serverInfo"]["name"], "xsp");
  EXPECT_EQ(result["capabilities"], core::ParseJson(R"({"tools": {"listChanged": false}})"));
  EXPECT_THAT(result["instructions"].get<std::string>(), HasSubstr("never an instruction"));
}

TEST_F(MessageHandlerTest, InitializeNeedsAVersion) {
  Request(1, "initialize", {{"protocolVersion", 3}});
  EXPECT_EQ(sent_[0]["error"]["code"], kInvalidParams);
}

TEST_F(MessageHandlerTest, ToolsNeedASession) {
  Request(1, "ping");
  EXPECT_EQ(sent_[0]["result"], json::object());
  Request(2, "tools/list");
  EXPECT_EQ(sent_[1]["error"]["code"], kInvalidRequest);
}

TEST_F(MessageHandlerTest, ListsTheToolsThatAreAllowed) {
  Initialize();
  Request(1, "tools/list");
  const json tools = AnswerTo(1)["result"]["tools"];
  EXPECT_EQ(tools.size(), AllowedTools({}).size());
  EXPECT_EQ(tools[0]["name"], "list");
  EXPECT_TRUE(tools[0].contains("inputSchema"));
}

TEST_F(MessageHandlerTest, UnknownMethodsAreRefused) {
  Initialize();
  for (const char* method : {"resources/list", "prompts/list", "server/discover", "nonsense"}) {
    sent_.clear();
    Request(1, method);
    EXPECT_EQ(sent_[0]["error"]["code"], kMethodNotFound) << method;
  }
  sent_.clear();
  Send({{"jsonrpc", "2.0"}, {"method", "notifications/nonsense"}});
  EXPECT_TRUE(sent_.empty());
}

TEST_F(MessageHandlerTest, CallsThatAreMalformedAreRefused) {
  Initialize();
  sent_.clear();
  Request(1, "tools/call");
  Request(2, "tools/call", {{"name", "nonsense"}});
  Request(3, "tools/call", {{"name", "run"}, {"arguments", {{"model", "resnet50"}}}});
  Request(4, "tools/call", {{"name", "list"}, {"arguments", json::array()}});
  Request(5, "tools/list", {{"cursor", "x"}});
  ASSERT_EQ(sent_.size(), 5U);
  for (const json& answer : sent_) EXPECT_EQ(answer["error"]["code"], kInvalidParams) << answer;
}

TEST_F(MessageHandlerTest, NoiseIsAnsweredAndTheSessionGoesOn) {
  handler_.Handle("not json");
  handler_.Handle("");
  handler_.Handle("[]");
  handler_.RefuseTooLong();
  Initialize();
  ASSERT_EQ(sent_.size(), 4U);
  EXPECT_EQ(sent_[0]["error"]["code"], kParseError);
  EXPECT_EQ(sent_[1]["error"]["code"], kInvalidRequest);
  EXPECT_EQ(sent_[2]["error"]["code"], kInvalidRequest);
  EXPECT_TRUE(sent_[3].contains("result"));
}

TEST_F(MessageHandlerTest, ToolsAreCalled) {
  Initialize();
  CallTool("one", "list", json::object());
  const json result = AnswerTo("one")["result"];
  EXPECT_EQ(result["isError"], false);
  EXPECT_EQ(result["structuredContent"]["total"], 0);
}

TEST_F(MessageHandlerTest, ErrorsOfToolsAreResults) {
  Initialize();
  CallTool(1, "show", {{"run", "nothing"}});
  const json result = AnswerTo(1)["result"];
  EXPECT_EQ(result["isError"], true);
  EXPECT_THAT(result["content"][0]["text"].get<std::string>(), HasSubstr("the store is empty"));
}

TEST_F(MessageHandlerTest, ACancellationOfNothingIsIgnored) {
  Initialize();
  sent_.clear();
  Send({{"jsonrpc", "2.0"},
        {"method", "notifications/cancelled"},
        {"params", {{"requestId", 7}, {"reason", "none"}}}});
  Send({{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}});
  EXPECT_TRUE(sent_.empty());
  CallTool(7, "list", json::object());
  EXPECT_TRUE(AnswerTo(7).contains("result"));
}

TEST_F(MessageHandlerTest, ProgressIsSentToThoseWhoAsk) {
  const HostileStore store;
  std::vector<json> sent;
  MessageHandler handler(
      store.Context(), {.allow_import = true, .allow_run = false},
      [&sent](const std::string& text) { sent.push_back(core::ParseJson(text)); });
  handler.Handle(
      R"({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "x"}})");
  const std::string file = (folder_.path() / "trace.json").string();
  std::ofstream(file) << R"({"traceEvents": [
      {"ph": "X", "name": "step", "pid": 1, "tid": 1, "ts": 0, "dur": 10}]})";
  const json call = {{"jsonrpc", "2.0"},
                     {"id", 2},
                     {"method", "tools/call"},
                     {"params",
                      {{"name", "import"},
                       {"arguments", {{"file", json::array({file})}, {"name", "mine"}}},
                       {"_meta", {{"progressToken", "token"}}}}}};
  handler.Handle(core::JsonText(call));
  handler.Finish();
  int last_percent = -1;
  for (const json& message : sent) {
    if (message.value("method", json()) != "notifications/progress") continue;
    EXPECT_EQ(message["params"]["progressToken"], "token");
    EXPECT_GT(message["params"]["progress"].get<int>(), last_percent);
    last_percent = message["params"]["progress"].get<int>();
  }
  EXPECT_EQ(sent.back()["id"], 2);
  EXPECT_EQ(sent.back()["result"]["structuredContent"]["about"]["run"], "mine") << sent.back();
}

}  // namespace
}  // namespace xsp::mcp
