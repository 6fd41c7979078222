#include "app/mcp/tool_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "app/mcp/shortened_json.h"
#include "app/mcp/tool_list.h"

namespace xsp::mcp {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const ToolSpec& ToolNamed(std::string_view name) {
  for (const ToolSpec& tool : AllTools())
    if (tool.name == name) return tool;
  ADD_FAILURE() << "no tool " << name;
  return AllTools().front();
}

TEST(InputSchemaTest, HasTheFieldsOfTheToolAndThePage) {
  const json schema = InputSchema(ToolNamed("compare"));
  EXPECT_EQ(schema["type"], "object");
  EXPECT_EQ(schema["additionalProperties"], false);
  EXPECT_EQ(schema["required"], json::array({"side"}));
  EXPECT_EQ(schema["properties"]["side"]["type"], "array");
  EXPECT_EQ(schema["properties"]["max_tokens"]["default"], kDefaultTokens);
  EXPECT_TRUE(schema["properties"].contains("cursor"));
  EXPECT_FALSE(schema["properties"].contains("output"));
  EXPECT_FALSE(schema["properties"]["side"].contains("positional"));
}

TEST(InputSchemaTest, KeepsOnlyConditionsOnItsOwnFields) {
  // Gates and pages are not among the fields.
  const std::string text = CompactText(InputSchema(ToolNamed("compare")));
  EXPECT_THAT(text, testing::Not(HasSubstr("gate")));
  EXPECT_FALSE(InputSchema(ToolNamed("run")).contains("not"));
}

TEST(InputSchemaTest, DescribesNamesInTheStore) {
  const json run = InputSchema(ToolNamed("findings"))["properties"]["run"];
  EXPECT_THAT(run["description"].get<std::string>(), HasSubstr("as `list` names it"));
}

TEST(OutputSchemaTest, OutlinesRowsAndTheRest) {
  const json schema = OutputSchema(ToolNamed("findings"));
  const json row = schema["properties"]["rows"]["items"];
  EXPECT_EQ(row["properties"]["sentence"]["type"], "string");
  EXPECT_FALSE(row["properties"]["evidence"].contains("properties"));
  EXPECT_TRUE(schema["properties"]["about"]["properties"].contains("abstained"));
  EXPECT_FALSE(schema["properties"]["about"]["properties"].contains("findings"));
}

TEST(OutputSchemaTest, AListHasNoRest) {
  const json schema = OutputSchema(ToolNamed("list"));
  EXPECT_EQ(schema["properties"]["rows"]["items"]["properties"]["name"]["type"], "string");
  EXPECT_FALSE(schema["properties"].contains("about"));
}

TEST(OutputSchemaTest, RowsOfTwoKindsAreEither) {
  const json items = OutputSchema(ToolNamed("compare"))["properties"]["rows"]["items"];
  EXPECT_EQ(items["anyOf"].size(), 2U);
}

TEST(OutputSchemaTest, RowsInsideOfAListAreFound) {
  const json items = OutputSchema(ToolNamed("ideal"))["properties"]["rows"]["items"];
  EXPECT_EQ(items["properties"]["measured_ns"]["type"], "number");
}

TEST(OutputSchemaTest, HasNoReferences) {
  for (const ToolSpec& tool : AllTools())
    EXPECT_THAT(CompactText(OutputSchema(tool)), testing::Not(HasSubstr("$ref"))) << tool.name;
}

TEST(ToolDescriptionTest, SaysWhatOnlyReads) {
  EXPECT_EQ(ToolDescription(ToolNamed("query"))["annotations"]["readOnlyHint"], true);
  EXPECT_EQ(ToolDescription(ToolNamed("run"))["annotations"]["readOnlyHint"], false);
}

TEST(ToolDescriptionTest, IsShort) {
  // A client gives names, descriptions and input schemas of all tools to its model.
  std::size_t bytes = 0;
  for (const ToolSpec& tool : AllTools()) {
    json description = ToolDescription(tool);
    description.erase("outputSchema");
    bytes += CompactText(description).size();
    EXPECT_LT(std::string_view(tool.description).size(), 900U) << tool.name;
  }
  EXPECT_LT(bytes, 25'000U);
}

}  // namespace
}  // namespace xsp::mcp
