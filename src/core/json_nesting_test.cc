#include "core/json_nesting.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "core/json_text.h"

namespace xsp::core {
namespace {

using nlohmann::json;

std::string Nested(int depth) { return std::string(depth, '[') + std::string(depth, ']'); }

int DepthOf(const json& value) {
  int deepest = 0;
  if (value.is_structured())
    for (const json& item : value) deepest = std::max(deepest, DepthOf(item));
  return value.is_structured() ? deepest + 1 : 0;
}

json RandomJson(std::mt19937* random, int depth) {
  const auto kind = (*random)() % (depth == 0 ? 2 : 4);
  if (kind == 0) return (*random)() % 2 == 0 ? json(R"([{"\[[)") : json("\\");
  if (kind == 1) return static_cast<int>((*random)() % 100);
  json value = kind == 2 ? json::array() : json::object();
  for (unsigned i = 0; i < (*random)() % 3; ++i) {
    if (kind == 2) {
      value.push_back(RandomJson(random, depth - 1));
    } else {
      value["[" + std::to_string(i)] = RandomJson(random, depth - 1);
    }
  }
  return value;
}

TEST(JsonNestingTest, CountsListsAndObjects) {
  EXPECT_FALSE(IsJsonNestedDeeper(Nested(kMaxJsonNesting)));
  EXPECT_TRUE(IsJsonNestedDeeper(Nested(kMaxJsonNesting + 1)));
  EXPECT_FALSE(IsJsonNestedDeeper(R"({"a": [1]})", 2));
  EXPECT_TRUE(IsJsonNestedDeeper(R"({"a": [1]})", 1));
}

TEST(JsonNestingTest, TakesAnyText) {
  for (const char* text : {"", "]]]]", "\"", "\"\\", "\\[", "\xff["})
    EXPECT_FALSE(IsJsonNestedDeeper(text)) << text;
  EXPECT_TRUE(IsJsonNestedDeeper(std::string(1'000'000, '{')));
}

TEST(JsonNestingTest, AgreesWithTheDepthOfParsedValues) {
  std::mt19937 random(2026);
  for (int i = 0; i < 2000; ++i) {
    const json value = RandomJson(&random, 6);
    for (int depth = 0; depth < 7; ++depth)
      ASSERT_EQ(IsJsonNestedDeeper(core::JsonText(value), depth), DepthOf(value) > depth) << value;
  }
}

}  // namespace
}  // namespace xsp::core
