#include "core/json_fields.h"

#include <gtest/gtest.h>

#include <limits>

namespace xsp::core {
namespace {

using nlohmann::json;

struct Request {
  int count = 3;
  double share = 0.5;
  std::optional<int> limit;
  std::string kind = "all";
  std::vector<std::string> names = {"default"};
  bool quick = false;
};

/// Reads `object` into `request`; the error's field and text, or "".
std::string Read(const json& object, Request& request) {
  JsonFields fields(object);
  fields.Add("count", &request.count, {.help = "How many", .range = kPositive});
  fields.Add("share", &request.share, {.help = "Of all", .range = {0, 1, true, false}});
  fields.Add("limit", &request.limit, {.help = "At most", .excludes = {"quick"}});
  fields.Add("kind", &request.kind, {.help = "Which", .allowed = {"all", "none"}});
  fields.Add("names", &request.names, {.help = "Their names", .max_items = 2});
  fields.Add("quick", &request.quick, {.help = "Less of it"});
  const Status read = fields.Finish();
  return read.ok() ? "" : read.error().field + ": " + read.error().what;
}

TEST(JsonFieldsTest, WhatIsNotGivenKeepsItsDefault) {
  for (const json& nothing : {json(), json::object(), json{{"count", nullptr}}}) {
    Request request;
    EXPECT_EQ(Read(nothing, request), "");
    EXPECT_EQ(request.count, 3);
    EXPECT_FALSE(request.limit);
    EXPECT_EQ(request.names, std::vector<std::string>{"default"});
  }
}

TEST(JsonFieldsTest, ValuesReplaceDefaults) {
  Request request;
  EXPECT_EQ(Read({{"count", 7}, {"limit", 2}, {"kind", "none"}, {"names", {"a", "b"}}}, request),
            "");
  EXPECT_EQ(request.count, 7);
  EXPECT_EQ(request.limit, 2);
  EXPECT_EQ(request.kind, "none");
  EXPECT_EQ(request.names, (std::vector<std::string>{"a", "b"}));
}

TEST(JsonFieldsTest, ErrorsNameTheField) {
  Request request;
  EXPECT_EQ(Read({{"count", 0}}, request), "count: field must be an integer above 0, not 0: count");
  EXPECT_EQ(Read({{"count", "1"}}, request),
            "count: field must be an integer above 0, not \"1\": count");
  EXPECT_EQ(Read({{"kind", "some"}}, request),
            "kind: field must be one of all, none, not \"some\": kind");
  EXPECT_EQ(Read({{"names", "a"}}, request),
            "names: field must be an array, each element a text, not \"a\": names");
  EXPECT_EQ(Read({{"names", {"a", "b", "c"}}}, request),
            "names: field must be an array of at most 2, not [\"a\",\"b\",\"c\"]: names");
  EXPECT_EQ(Read({{"limit", 1}, {"quick", true}}, request), "limit: field excludes quick: limit");
  EXPECT_EQ(Read({{"cuont", 1}}, request), "cuont: no such field: cuont");
}

TEST(JsonFieldsTest, NumbersAreFinite) {
  Request request;
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  EXPECT_NE(Read({{"share", kInfinite}}, request), "");
  EXPECT_NE(Read({{"share", std::numeric_limits<double>::quiet_NaN()}}, request), "");
  EXPECT_EQ(request.share, 0.5);
}

TEST(JsonFieldsTest, FieldThatIsRequiredMustBeThere) {
  const json nothing = json::object();
  std::string name;
  JsonFields fields(nothing);
  fields.Add("name", &name, {.help = "Its name", .required = true});
  EXPECT_EQ(fields.Finish().error().what, "field is missing: name");
}

}  // namespace
}  // namespace xsp::core
