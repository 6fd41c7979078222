#include "app/mcp/tool_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "app/mcp/mcp_testing.h"
#include "app/mcp/shortened_json.h"
#include "app/mcp/tool_list.h"
#include "core/json_text.h"

namespace xsp::mcp {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class ToolCallTest : public testing::Test {
 protected:
  Result<json> Call(std::string_view name, const json& arguments) const {
    for (const ToolSpec& tool : AllTools())
      if (tool.name == name) return CallTool(tool, arguments, store_.Context());
    return Error{ErrorKind::kInternal, "no such tool", ""};
  }

  json Answer(std::string_view name, const json& arguments) const {
    const Result<json> answer = Call(name, arguments);
    EXPECT_TRUE(answer.ok()) << (answer.ok() ? "" : answer.error().what);
    return answer.ok() ? answer.value() : json();
  }

  Error ErrorOf(std::string_view name, const json& arguments) const {
    const Result<json> answer = Call(name, arguments);
    EXPECT_FALSE(answer.ok()) << name;
    return answer.ok() ? Error{ErrorKind::kInternal, "", ""} : answer.error();
  }

  HostileStore store_;
};

TEST_F(ToolCallTest, ListsTheStore) {
  const json answer = Answer("list", json::object());
  EXPECT_EQ(answer["total"], 1);
  EXPECT_EQ(answer["rows"][0]["name"], "hostile");
}

TEST_F(ToolCallTest, NamesAreInTheStoreWithoutItsPath) {
  EXPECT_EQ(Answer("findings", {{"run", "hostile"}})["about"]["run"], "hostile");
  EXPECT_EQ(Answer("show", json::object())["about"]["path"], "hostile");
}

TEST_F(ToolCallTest, ErrorsNameNoPathOfTheStore) {
  std::ofstream(store_.Context().store / "hostile" / "experiment.json") << "{";
  EXPECT_EQ(ErrorOf("show", {{"run", "hostile"}}).what,
            "not a JSON object: hostile/experiment.json");
}

TEST_F(ToolCallTest, SqlGivesRows) {
  const json answer =
      Answer("query", {{"sql", "SELECT count(*) AS n FROM span WHERE level = 'kernel'"}});
  EXPECT_EQ(answer["rows"], core::ParseJson(R"([{"n": 3}])"));
}

TEST_F(ToolCallTest, TheFileSystemIsClosedToSql) {
  for (const char* sql : {"SELECT * FROM read_text('/etc/passwd')", "COPY span TO '/tmp/x.csv'",
                          "ATTACH '/tmp/x.db'", "CREATE TABLE t (a INTEGER)"})
    EXPECT_EQ(ErrorOf("query", {{"sql", sql}}).kind, ErrorKind::kBadInput) << sql;
}

TEST_F(ToolCallTest, CursorsGiveEveryRow) {
  json arguments = {{"sql", "SELECT range AS n FROM range(1000)"}, {"max_tokens", kMinTokens}};
  int seen = 0;
  for (json cursor; seen == 0 || !cursor.is_null();) {
    if (!cursor.is_null()) arguments["cursor"] = cursor;
    const json answer = Answer("query", arguments);
    ASSERT_TRUE(answer.is_object());
    ASSERT_GT(answer["shown"], 0);
    for (const json& row : answer["rows"]) EXPECT_EQ(row["n"], seen++);
    cursor = answer["cursor"];
  }
  EXPECT_EQ(seen, 1000);
}

TEST_F(ToolCallTest, PathsAreNoNamesInTheStore) {
  for (const char* run : {"/etc", "../store/hostile", "."})
    EXPECT_EQ(ErrorOf("show", {{"run", run}}).kind, ErrorKind::kUsage) << run;
  EXPECT_EQ(ErrorOf("compare", {{"side", json::array({"hostile", "/etc/passwd"})}}).kind,
            ErrorKind::kUsage);
  EXPECT_EQ(ErrorOf("show", {{"run", (store_.path() / "hostile").string()}}).kind,
            ErrorKind::kUsage);
  EXPECT_EQ(ErrorOf("show", {{"run", "other"}}).kind, ErrorKind::kBadInput);
}

TEST_F(ToolCallTest, UnknownArgumentsAreRefusedByName) {
  const Error error = ErrorOf("history", {{"model", "x"}, {"output", "/tmp/page.html"}});
  EXPECT_EQ(error.kind, ErrorKind::kUsage);
  EXPECT_THAT(error.what, HasSubstr("no argument output"));
  EXPECT_FALSE(std::filesystem::exists("/tmp/page.html"));
}

TEST_F(ToolCallTest, WrongValuesAreRefused) {
  for (const json& arguments :
       {json{{"sql", 3}}, json{{"sql", "SELECT 1"}, {"max_tokens", 10}},
        json{{"sql", "SELECT 1"}, {"max_tokens", 1'000'000}},
        json{{"sql", "SELECT 1"}, {"max_tokens", "many"}}, json{{"sql", "SELECT 1"}, {"cursor", 7}},
        json{{"sql", "SELECT 1"}, {"cursor", "7.1"}}, json{{"sql", "SELECT 1"}, {"run", 7}},
        json::object()})
    EXPECT_EQ(ErrorOf("query", arguments).kind, ErrorKind::kUsage) << arguments;
}

TEST_F(ToolCallTest, InstructionsInNamesStayText) {
  const json answer =
      Answer("query", {{"sql", "SELECT name FROM span WHERE level = 'kernel' ORDER BY start_ns"}});
  ASSERT_EQ(answer["rows"].size(), 3U);
  EXPECT_EQ(answer["rows"][0], json({{"name", kInstructionName}}));
  EXPECT_EQ(answer["rows"][2], json({{"name", kJsonName}}));
  // The answer is the same object whatever the names are.
  const json result = CallResult(answer);
  EXPECT_EQ(result["isError"], false);
  EXPECT_EQ(result["content"].size(), 1U);
  EXPECT_EQ(core::ParseJson(result["content"][0]["text"].get<std::string>()),
            result["structuredContent"]);
}

TEST_F(ToolCallTest, EscapesInNamesAreVisible) {
  for (const char* tool : {"findings", "analyze", "query"}) {
    json arguments = json::object();
    if (std::string_view(tool) == "analyze") arguments["id"] = "top_down";
    if (std::string_view(tool) == "query") arguments["sql"] = "SELECT name FROM span";
    const Result<json> answer = Call(tool, arguments);
    if (!answer.ok()) continue;  // What it lacks it names; the others show names.
    for (const char control : {'\x1b', '\x07'})
      EXPECT_THAT(core::JsonText(answer.value()), Not(HasSubstr(std::string(1, control)))) << tool;
    EXPECT_THAT(core::JsonText(answer.value()), Not(HasSubstr("\\u001b"))) << tool;
  }
  const json names = Answer("query", {{"sql", "SELECT name FROM span WHERE name LIKE '%gemm'"}});
  ASSERT_EQ(names["total"], 1);
  const auto name = names["rows"][0]["name"].get<std::string>();
  EXPECT_EQ(name, VisibleText(name));
}

TEST(CallResultTest, AnErrorIsAnAnswer) {
  const json result =
      CallResult(Error{ErrorKind::kBadInput, "no such run: \x1b[1mx", "Call list."});
  EXPECT_EQ(result["isError"], true);
  EXPECT_FALSE(result.contains("structuredContent"));
  EXPECT_EQ(core::ParseJson(result["content"][0]["text"].get<std::string>()),
            core::ParseJson(R"({"error": {"kind": "bad_input", "what": "no such run: \\u{1b}[1mx",
                                      "hint": "Call list."}})"));
}

}  // namespace
}  // namespace xsp::mcp
