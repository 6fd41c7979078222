#include "app/mcp/tool_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "api/operations/operation_list.h"
#include "api/request_json.h"

// Rules for every tool.

namespace xsp::mcp {
namespace {

using nlohmann::json;
using testing::ElementsAre;

std::vector<std::string> NamesOf(const std::vector<const ToolSpec*>& tools) {
  std::vector<std::string> names;
  for (const ToolSpec* tool : tools) names.emplace_back(tool->name);
  return names;
}

TEST(AllTools, AreAtMostTwelveWithUniqueNames) {
  std::set<std::string> names;
  for (const ToolSpec& tool : AllTools()) names.insert(tool.name);
  EXPECT_EQ(names.size(), AllTools().size());
  EXPECT_LE(names.size(), 12U);
}

TEST(AllTools, HaveFieldsOfTheirOperations) {
  for (const ToolSpec& tool : AllTools()) {
    const api::Operation* operation = api::FindOperation(tool.operation);
    ASSERT_NE(operation, nullptr) << tool.name;
    const json request = api::RequestSchema(*operation);
    std::set<std::string> names;
    for (const ToolField& field : tool.fields) {
      EXPECT_TRUE(request["properties"].contains(field.name)) << tool.name << " " << field.name;
      names.insert(field.name);
    }
    EXPECT_EQ(names.size(), tool.fields.size()) << tool.name;
    for (const json& name : request.value("required", json::array()))
      EXPECT_TRUE(names.contains(name.get<std::string>())) << tool.name << " needs " << name;
  }
}

TEST(AllTools, ChangeNothingUnlessAllowed) {
  for (const ToolSpec& tool : AllTools())
    EXPECT_TRUE(tool.permission != Permission::kNone ||
                api::FindOperation(tool.operation)->effect != api::Effect::kChanges)
        << tool.name;
}

TEST(AllTools, NameNoFilesToWriteAndNoPrograms) {
  const std::set<std::string> forbidden = {"output",   "keep_outputs", "keep_files",   "manifest",
                                           "roofs",    "alternatives", "again",        "dataset",
                                           "option",   "report",       "program",      "gate",
                                           "baseline", "junit",        "monitor_rate", "input"};
  for (const ToolSpec& tool : AllTools())
    for (const ToolField& field : tool.fields)
      EXPECT_FALSE(forbidden.contains(field.name)) << tool.name << " " << field.name;
}

TEST(AllowedTools, OnlyReadByDefault) {
  EXPECT_THAT(NamesOf(AllowedTools({})),
              ElementsAre("list", "findings", "analyze", "compare", "query", "show", "ideal",
                          "history", "suggest", "doctor"));
}

TEST(AllowedTools, AddWhatIsAllowed) {
  EXPECT_EQ(NamesOf(AllowedTools({.allow_import = true, .allow_run = false})).back(), "import");
  EXPECT_EQ(NamesOf(AllowedTools({.allow_import = false, .allow_run = true})).back(), "run");
  EXPECT_EQ(AllowedTools({.allow_import = true, .allow_run = true}).size(), AllTools().size());
}

}  // namespace
}  // namespace xsp::mcp
