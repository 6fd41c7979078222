#include "app/serve/query_request.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace xsp::serve {
namespace {

using nlohmann::json;

json SomeSchema() {
  return {{"properties",
           {{"text", {{"type", "string"}}},
            {"count", {{"type", "integer"}}},
            {"share", {{"type", "number"}}},
            {"flag", {{"type", "boolean"}}},
            {"texts", {{"type", "array"}, {"items", {{"type", "string"}}}}},
            {"counts", {{"type", "array"}, {"items", {{"type", "integer"}}}}}}}};
}

Result<json> Typed(const std::multimap<std::string, std::string>& query) {
  return RequestOfQuery(SomeSchema(), query);
}

TEST(QueryRequest, FieldsHaveTheirTypes) {
  EXPECT_EQ(Typed({}).value(), json::object());
  const json expected = {{"text", "7"}, {"count", -7}, {"share", 0.5}, {"flag", true}};
  EXPECT_EQ(Typed({{"text", "7"}, {"count", "-7"}, {"share", "5e-1"}, {"flag", "true"}}).value(),
            expected);
  EXPECT_EQ(Typed({{"share", "3"}}).value()["share"], 3);
  EXPECT_EQ(Typed({{"text", ""}}).value()["text"], "");
  EXPECT_EQ(Typed({{"text", "{\"a\": [null]}"}}).value()["text"], "{\"a\": [null]}");
}

TEST(QueryRequest, RepeatedFieldsAreLists) {
  EXPECT_EQ(Typed({{"texts", "b"}, {"texts", "a"}}).value()["texts"], json::array({"b", "a"}));
  EXPECT_EQ(Typed({{"counts", "1"}}).value()["counts"], json::array({1}));
  EXPECT_FALSE(Typed({{"counts", "1"}, {"counts", "x"}}).ok());
}

TEST(QueryRequest, WhatIsNoListIsGivenOnce) {
  for (const std::string name : {"text", "count", "share", "flag"}) {
    const std::string value = name == "flag" ? "true" : "1";
    const auto request = Typed({{name, value}, {name, value}});
    ASSERT_FALSE(request.ok()) << name;
    EXPECT_EQ(request.error().kind, ErrorKind::kUsage);
    EXPECT_EQ(request.error().field, name);
  }
}

TEST(QueryRequest, UnknownNamesStayTexts) {
  EXPECT_EQ(Typed({{"unknown", "1"}}).value(), (json{{"unknown", "1"}}));
}

TEST(QueryRequest, WhatIsNotOfTheTypeIsRefused) {
  const std::multimap<std::string, std::string> wrong = {{"count", ""},
                                                         {"count", "1.0"},
                                                         {"count", "1e3"},
                                                         {"count", "01"},
                                                         {"count", "+1"},
                                                         {"count", "0x10"},
                                                         {"count", "\"1\""},
                                                         {"count", "true"},
                                                         {"count", "1 2"},
                                                         {"count", "null"},
                                                         {"count", "[1]"},
                                                         {"count", "1,2"},
                                                         {"count", "\xff"},
                                                         {"share", ""},
                                                         {"share", "1e400"},
                                                         {"share", "-1e400"},
                                                         {"share", "NaN"},
                                                         {"share", "inf"},
                                                         {"share", "Infinity"},
                                                         {"share", "1."},
                                                         {"share", ".5"},
                                                         {"share", "1e"},
                                                         {"share", "{}"},
                                                         {"flag", ""},
                                                         {"flag", "1"},
                                                         {"flag", "True"},
                                                         {"flag", "yes"},
                                                         {"flag", "\"true\""},
                                                         {"flag", "truee"},
                                                         {"counts", ""},
                                                         {"counts", "[1,2]"},
                                                         {"counts", "99999999999999999999"},
                                                         {"count", "99999999999999999999"}};
  for (const auto& [name, text] : wrong) {
    const auto request = Typed({{name, text}});
    ASSERT_FALSE(request.ok()) << name << "=" << text;
    EXPECT_EQ(request.error().kind, ErrorKind::kUsage) << name << "=" << text;
    EXPECT_EQ(request.error().field, name);
  }
}

// As JSON has it, whose reader is used.
TEST(QueryRequest, SpacesAroundAValueAreNoPartOfIt) {
  EXPECT_EQ(Typed({{"count", " 1"}}).value()["count"], 1);
  EXPECT_EQ(Typed({{"flag", "true "}}).value()["flag"], true);
}

TEST(QueryRequest, DeepNestingIsRefused) {
  EXPECT_FALSE(Typed({{"count", std::string(100'000, '[')}}).ok());
  EXPECT_FALSE(Typed({{"count", std::string(100'000, '[') + std::string(100'000, ']')}}).ok());
}

}  // namespace
}  // namespace xsp::serve
