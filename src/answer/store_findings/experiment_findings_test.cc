#include "answer/store_findings/experiment_findings.h"
#include "core/json_text.h"
#include "store/thread_sanitizer_testing.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

namespace xsp::store_findings {
namespace {

using nlohmann::json;

ExperimentFindings Example() {
  return {
      .point_id = 2,
      .point = "PyTorch, cpu, batch 8",
      .found = {{.rule = "a",
                 .sentence = "`x` takes 1 \xC2\xB5s.",
                 .gain =
                     KnownGain{
                         .low_ns = 0, .ns = 0.1, .high_ns = 2e9, .whole_ns = 4e9, .whole = "step"}},
                {.rule = "b", .sentence = "", .gain = {}}},
      .abstained = {"c"}};
}

TEST(ExperimentFindings, ComeBackFromTheirText) {
  const std::string text = core::JsonText(ToJson(Example()));
  const auto read = ExperimentFindingsOf(core::ParseJson(text));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(core::JsonText(ToJson(*read)), text);
  ASSERT_EQ(read->found.size(), 2U);
  EXPECT_EQ(read->found[0].sentence, Example().found[0].sentence);
  EXPECT_EQ(read->found[0].gain->share(), 0.1 / 4e9);
  EXPECT_TRUE(read->found[0].gain->is_repeated());
  EXPECT_FALSE(read->found[1].gain.has_value());
}

TEST(ExperimentFindings, AreNotReadFromAnyOtherForm) {
  // Each part of the document, replaced by each of these.
  const json others = {
      nullptr,        1,          -1.5, "text", true, json::array(), json::array({1, "x"}),
      json::object(), {{"id", 1}}};
  const json whole = ToJson(Example());
  std::size_t refused = 0;
  const json places = whole.flatten();
  for (const auto& [pointer, value] : places.items()) {
    for (json::json_pointer part(pointer); !part.empty(); part = part.parent_pointer())
      for (const json& other : others) {
        json damaged = whole;
        damaged[part] = other;
        // Read as what it says, or not at all; never by an exception.
        const auto read = ExperimentFindingsOf(damaged);
        refused += read ? 0 : 1;
        if (read) {
          EXPECT_EQ(ToJson(*read), damaged) << damaged;
        }
      }
  }
  EXPECT_GT(refused, 100U);
  for (const json& other : others) EXPECT_FALSE(ExperimentFindingsOf(other).has_value()) << other;
  EXPECT_FALSE(ExperimentFindingsOf(core::ParseJson("{")).has_value());
}

}  // namespace
}  // namespace xsp::store_findings
