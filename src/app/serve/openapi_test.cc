#include "app/serve/openapi.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "app/serve/served_operation.h"

namespace xsp::serve {
namespace {

using nlohmann::json;

// Whether it is OpenAPI 3.1 is tested by a published validator (tests/serve_test.py).

TEST(OpenApi, HasEveryServedOperation) {
  const json paths = OpenApi()["paths"];
  for (const ServedOperation& served : ServedOperations()) {
    ASSERT_TRUE(paths.contains(served.path())) << served.path();
    EXPECT_EQ(paths[served.path()].contains("get"), served.is_read()) << served.path();
    EXPECT_EQ(paths[served.path()]["post"]["requestBody"]["content"]["application/json"]["schema"],
              served.request_schema);
  }
}

TEST(OpenApi, HasWhatOtherProtocolsAskFor) {
  const json paths = OpenApi()["paths"];
  EXPECT_TRUE(paths["/v1/traces"].contains("post"));
  const json& content = paths["/mcp"]["post"]["responses"]["200"]["content"];
  EXPECT_TRUE(content.contains("application/json"));
  EXPECT_TRUE(content.contains("text/event-stream"));
}

TEST(OpenApi, OffersPartsOfListsOnly) {
  const json paths = OpenApi()["paths"];
  const auto has_limit = [&](const char* path) {
    std::set<std::string> names;
    for (const json& parameter : paths[path]["get"]["parameters"]) names.insert(parameter["name"]);
    EXPECT_EQ(names.contains("limit"), names.contains("cursor")) << path;
    return names.contains("limit");
  };
  EXPECT_TRUE(has_limit("/api/v1/list"));
  EXPECT_TRUE(has_limit("/api/v1/analyze"));  // Of the analysis `all`.
  EXPECT_FALSE(has_limit("/api/v1/show"));
}

TEST(OpenApi, HasUniqueIdsOfOperations) {
  std::set<std::string> ids;
  const json description = OpenApi();
  for (const json& path : description["paths"])
    for (const auto& [method, entry] : path.items())
      if (entry.is_object()) {
        EXPECT_TRUE(ids.insert(entry["operationId"]).second) << entry;
      }
}

TEST(ServedOperations, HaveNoFieldsThatNameFilesOfTheServer) {
  for (const ServedOperation& served : ServedOperations())
    for (const auto& [name, schema] : served.request_schema["properties"].items()) {
      EXPECT_NE(schema.value("refers", ""), "output") << served.path() << " " << name;
      EXPECT_NE(schema.value("refers", ""), "output_page") << served.path() << " " << name;
      EXPECT_FALSE(schema.contains("program")) << served.path() << " " << name;
    }
}

TEST(ServedOperations, LeaveOutWhatStartsProgramsOrWritesFolders) {
  std::set<std::string> names;
  for (const ServedOperation& served : ServedOperations()) names.insert(served.operation->name);
  for (const char* name : {"record", "mark", "export", "api"}) EXPECT_FALSE(names.contains(name));
  for (const char* name : {"run", "list", "zoo/make"}) EXPECT_TRUE(names.contains(name));
}

}  // namespace
}  // namespace xsp::serve
