#include "capture/collect/stack.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace xsp::collect {
namespace {

using nlohmann::json;

std::vector<Fact> One() { return {{"one.a", "1", ""}}; }
std::vector<Fact> Two() { return {{"two.b", "", "no reason"}, {"two.c.d", "4", ""}}; }

TEST(StackTest, AsksEveryCollectorInOrder) {
  const CollectorSpec one{"one", "", One}, two{"two", "", Two};
  const std::vector<const CollectorSpec*> all = {&two, &one};
  const auto stack = CaptureStack(all);
  ASSERT_EQ(stack.size(), 3U);
  EXPECT_EQ(stack[0].key, "two.b");
  EXPECT_EQ(stack[2].key, "one.a");
}

TEST(StackTest, JsonNestsByDotsAndListsWhatIsHidden) {
  const json object = json::parse(ToJson({{"two.b", "", "no reason"}, {"two.c.d", "4", ""}}));
  EXPECT_EQ(object, json::parse(R"({"two": {"b": null, "c": {"d": "4"}},
                                    "hidden": {"two.b": "no reason"}})"));
}

TEST(StackTest, JsonKeepsAKeyThatIsTheBeginningOfAnother) {
  const auto expected = json::parse(R"({"a": {"value": "1", "b": "2"}, "hidden": {}})");
  EXPECT_EQ(json::parse(ToJson({{"a", "1", ""}, {"a.b", "2", ""}})), expected);
  EXPECT_EQ(json::parse(ToJson({{"a.b", "2", ""}, {"a", "1", ""}})), expected);
}

TEST(StackTest, JsonSurvivesBytesThatAreNoText) {
  EXPECT_FALSE(json::parse(ToJson({{"a", "\xff\xfe", ""}}), nullptr, false).is_discarded());
}

}  // namespace
}  // namespace xsp::collect
