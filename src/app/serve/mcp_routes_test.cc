#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/mcp/mcp_testing.h"
#include "app/serve/service.h"
#include "core/json_text.h"
#include "os/scratch_folder.h"

namespace xsp::serve {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

/// A server of a store with the experiment `hostile`, as an agent's client talks to it.
class McpRoutesTest : public testing::Test {
 protected:
  McpRoutesTest() { Start(Role::kMeasure, {}); }

  void Start(Role highest, const mcp::ToolPermissions& tools) {
    service_.reset();
    Service::Settings settings;
    settings.context = store_.Context();
    settings.access = {.token = "a-token-of-this-test", .highest = highest};
    settings.hosts = {"localhost"};
    settings.tools = tools;
    settings.application = scratch_.path() / "application";
    settings.machine_lock = scratch_.path() / "lock";
    settings.program = "/bin/false";  // Each job fails.
    service_ = std::make_unique<Service>(std::move(settings));
  }

  static Request RequestWith(std::string body) {
    Request request;
    request.method = "POST";
    request.path = "/mcp";
    request.headers = {{"host", "localhost:7077"},
                       {"authorization", "Bearer a-token-of-this-test"},
                       {"content-type", "application/json"},
                       {"accept", "application/json, text/event-stream"}};
    request.body = std::move(body);
    return request;
  }
  Reply Send(const std::string& method, const json& params) {
    return service_->Handle(RequestWith(core::JsonText(
        json({{"jsonrpc", "2.0"}, {"id", 7}, {"method", method}, {"params", params}}))));
  }
  json ResultOf(const std::string& method, const json& params) {
    const Reply reply = Send(method, params);
    EXPECT_EQ(reply.status, 200) << reply.body;
    const json message = core::ParseJson(reply.body);
    EXPECT_EQ(message["id"], 7);
    return message.value("result", json());
  }
  std::set<std::string> Tools() {
    std::set<std::string> names;
    const json listed = ResultOf("tools/list", json::object());
    const json tools = listed.value("tools", json::array());
    for (const json& tool : tools) names.insert(tool["name"].get<std::string>());
    return names;
  }
  int StatusWith(const std::string& header, const std::string& value) {
    Request request = RequestWith(R"({"jsonrpc": "2.0", "id": 1, "method": "ping"})");
    request.headers[header] = value;
    return service_->Handle(std::move(request)).status;
  }
  /// The messages of a reply that is a stream.
  static std::vector<json> MessagesOf(const Reply& reply) {
    std::vector<json> messages;
    bool goes_on = true;
    while (goes_on) {
      std::string piece;
      goes_on = reply.stream(&piece);
      const std::string begin = "event: message\ndata: ";
      if (piece.starts_with(begin)) messages.push_back(core::ParseJson(piece.substr(begin.size())));
    }
    return messages;
  }

  os::ScratchFolder scratch_ = os::ScratchFolder::Create().value();
  mcp::HostileStore store_;
  std::unique_ptr<Service> service_;
};

TEST_F(McpRoutesTest, AnswersAsOverStandardStreams) {
  const json begun = ResultOf("initialize", {{"protocolVersion", "2025-06-18"}});
  EXPECT_EQ(begun["protocolVersion"], "2025-06-18");
  EXPECT_EQ(ResultOf("ping", json::object()), json::object());
  const json listed = ResultOf("tools/call", {{"name", "list"}});
  EXPECT_EQ(listed["isError"], false);
  EXPECT_EQ(listed["structuredContent"]["rows"][0]["name"], "hostile");
  EXPECT_EQ(core::ParseJson(listed["content"][0]["text"].get<std::string>()),
            listed["structuredContent"]);
}

TEST_F(McpRoutesTest, ShowsNamesOfTracesAsText) {
  const Reply reply = Send(
      "tools/call",
      {{"name", "query"}, {"arguments", {{"run", "hostile"}, {"sql", "SELECT name FROM span"}}}});
  EXPECT_THAT(reply.body, HasSubstr(mcp::kInstructionName));
  EXPECT_THAT(reply.body, Not(HasSubstr("\\u001b")));
}

TEST_F(McpRoutesTest, OffersToolsThatChangeSomethingToWhomTheyAreAllowed) {
  const std::set<std::string> reading = Tools();
  EXPECT_FALSE(reading.contains("import") || reading.contains("run"));
  Start(Role::kMeasure, {.allow_import = true, .allow_run = true});
  EXPECT_EQ(Tools().size(), reading.size() + 2);
  Start(Role::kView, {.allow_import = true, .allow_run = true});
  EXPECT_EQ(Tools(), reading);
  const Reply refused = Send("tools/call", {{"name", "run"}, {"arguments", {{"model", "m"}}}});
  EXPECT_EQ(core::ParseJson(refused.body)["error"]["code"], -32602);
}

TEST_F(McpRoutesTest, FollowsAJobToItsAnswer) {
  Start(Role::kMeasure, {.allow_run = true});
  const Reply reply = Send("tools/call", {{"name", "run"}, {"arguments", {{"model", "resnet50"}}}});
  ASSERT_EQ(reply.content_type, "text/event-stream") << reply.body;
  const std::vector<json> messages = MessagesOf(reply);
  ASSERT_FALSE(messages.empty());
  EXPECT_EQ(messages.back()["id"], 7);
  EXPECT_EQ(messages.back()["result"]["isError"], true);
}

TEST_F(McpRoutesTest, ImportsUploadsAndNoOtherFile) {
  Start(Role::kMeasure, {.allow_import = true});
  for (const char* file : {"/etc/passwd", "upload:none", "../hostile"}) {
    const json result = ResultOf(
        "tools/call", {{"name", "import"}, {"arguments", {{"file", json::array({file})}}}});
    EXPECT_EQ(result["isError"], true) << file;
  }
}

TEST_F(McpRoutesTest, RefusesWhatTheTransportForbids) {
  EXPECT_EQ(StatusWith("accept", "application/json"), 406);
  EXPECT_EQ(StatusWith("accept", "*/*"), 200);
  EXPECT_EQ(StatusWith("content-type", "text/plain"), 415);
  EXPECT_EQ(StatusWith("mcp-protocol-version", "1999-01-01"), 400);
  EXPECT_EQ(StatusWith("mcp-protocol-version", "2025-11-25"), 200);
  EXPECT_EQ(StatusWith("origin", "http://elsewhere.example"), 403);
  EXPECT_EQ(StatusWith("host", "elsewhere.example"), 421);
  EXPECT_EQ(StatusWith("authorization", "Bearer wrong"), 401);
  Request get = RequestWith("");
  get.method = "GET";
  EXPECT_EQ(service_->Handle(get).status, 405);
}

TEST_F(McpRoutesTest, AnswersWrongMessagesWithTheirCodes) {
  const std::pair<std::string, int> cases[] = {{"nonsense", -32700},
                                               {"[]", -32600},
                                               {std::string(100'000, '['), -32600},
                                               {"{\"id\": \"\xff\"}", -32700}};
  for (const auto& [body, code] : cases) {
    const Reply reply = service_->Handle(RequestWith(body));
    EXPECT_EQ(reply.status, 400) << body.substr(0, 20);
    EXPECT_EQ(core::ParseJson(reply.body)["error"]["code"], code) << body.substr(0, 20);
  }
  EXPECT_EQ(core::ParseJson(Send("no/such", json::object()).body)["error"]["code"], -32601);
  const Reply notified =
      service_->Handle(RequestWith(R"({"jsonrpc": "2.0", "method": "notifications/initialized"})"));
  EXPECT_EQ(notified.status, 202);
  EXPECT_EQ(notified.body, "");
}

}  // namespace
}  // namespace xsp::serve
