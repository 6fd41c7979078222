#include "capture/collect/stack.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/json_text.h"

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
  const json object = core::ParseJson(ToJson({{"two.b", "", "no reason"}, {"two.c.d", "4", ""}}));
  EXPECT_EQ(object, core::ParseJson(R"({"two": {"b": null, "c": {"d": "4"}},
                                    "hidden": {"two.b": "no reason"}})"));
}

TEST(StackTest, JsonKeepsAKeyThatIsTheBeginningOfAnother) {
  const auto expected = core::ParseJson(R"({"a": {"value": "1", "b": "2"}, "hidden": {}})");
  EXPECT_EQ(core::ParseJson(ToJson({{"a", "1", ""}, {"a.b", "2", ""}})), expected);
  EXPECT_EQ(core::ParseJson(ToJson({{"a.b", "2", ""}, {"a", "1", ""}})), expected);
}

TEST(StackTest, JsonSurvivesBytesThatAreNoText) {
  EXPECT_FALSE(core::ParseJson(ToJson({{"a", "\xff\xfe", ""}})).is_discarded());
}

}  // namespace
}  // namespace xsp::collect
