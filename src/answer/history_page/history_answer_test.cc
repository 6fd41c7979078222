#include "answer/history_page/history_answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/json_text.h"

namespace xsp::history_page {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;

/// A series of `count` experiments, the later half half as fast again, on another kernel.
history::Series SteppedSeries(const std::string& backend, int count) {
  history::Series series;
  series.key = {"net", backend, "cpu", "float32", 1, "{}", "CPU"};
  for (int i = 0; i < count; ++i) {
    history::Entry& entry = series.entries.emplace_back();
    entry.experiment = "e" + std::to_string(i + 1);
    entry.created = "2026-01-0" + std::to_string(i % 9 + 1) + "T00:00:00Z";
    entry.value = (i < count / 2 ? 1e6 : 1.5e6) * (1 + 0.001 * (i % 3));
    entry.facts = {{"system.kernel", i < count / 2 ? "6.1" : "6.2", ""}};
  }
  return series;
}

history::AnalysedHistory Analysed(std::vector<history::Series> series) {
  history::AnalysedHistory analysed;
  for (const history::Series& one : series) {
    analysed.changes.push_back(history::FindChanges(one, {}, {}));
    analysed.last_two.emplace_back();
  }
  analysed.history.series = std::move(series);
  return analysed;
}

TEST(HistoryAnswer, StatesEachSeriesAndItsChanges) {
  const suite::Answer answer =
      AnswerOf("net", Analysed({SteppedSeries("One", 1), SteppedSeries("Two", 12)}));
  ASSERT_EQ(answer.sentences.size(), 3U);
  // A series with a change point comes first.
  EXPECT_THAT(answer.sentences[0], HasSubstr("Two, cpu, float32, batch 1, CPU: 12 experiments"));
  EXPECT_THAT(answer.sentences[0], HasSubstr("1 change point; the level is now 1.50 ms"));
  EXPECT_THAT(answer.sentences[1], HasSubstr("between e6 (2026-01-06) and e7 (2026-01-07)"));
  EXPECT_THAT(answer.sentences[1], HasSubstr("changed by +50 %"));
  EXPECT_THAT(answer.sentences[1], HasSubstr("system.kernel from 6.1 to 6.2"));
  EXPECT_THAT(answer.sentences[2], HasSubstr("one experiment"));
}

TEST(HistoryAnswer, HasATableRowForEveryExperimentAndChange) {
  const suite::Answer answer = AnswerOf("net", Analysed({SteppedSeries("Two", 12)}));
  ASSERT_EQ(answer.tables.size(), 3U);
  EXPECT_EQ(answer.tables[0].rows.rows.size(), 1U);
  EXPECT_EQ(answer.tables[1].rows.rows.size(), 1U);
  EXPECT_EQ(answer.tables[2].rows.rows.size(), 12U);
  for (const suite::Table& table : answer.tables)
    for (const auto& row : table.rows.rows) EXPECT_EQ(row.size(), table.columns.size());
}

TEST(HistoryAnswer, DrawsSeriesOfSeveralExperiments) {
  history::Series named = SteppedSeries("Two", 12);
  named.key.machine = "CPU \"\xff\"";
  const suite::Answer answer = AnswerOf("net", Analysed({SteppedSeries("One", 1), named}));
  ASSERT_EQ(answer.charts.size(), 1U);
  EXPECT_EQ(answer.charts[0].table, "experiments");
  const json spec = core::ParseJson(answer.charts[0].spec);
  ASSERT_TRUE(spec.is_object());
  // Levels, the rule of the change and its label, intervals, experiments.
  ASSERT_EQ(spec["layer"].size(), 5U);
  const json& rule = spec["layer"][1]["data"]["values"];
  ASSERT_EQ(rule.size(), 1U);
  EXPECT_EQ(rule[0]["at"], 6.5);
  EXPECT_EQ(rule[0]["change"], "+50 %: system.kernel");
  EXPECT_EQ(spec["layer"][0]["data"]["values"].size(), 2U);
}

TEST(HistoryAnswer, NamesWhatIsLeftOut) {
  history::AnalysedHistory analysed = Analysed({SteppedSeries("One", 3)});
  analysed.history.left_out = {{"bad", "", "damaged"}};
  const suite::Answer answer = AnswerOf("net", analysed);
  EXPECT_THAT(answer.method, Contains("Left out: bad: damaged."));
  EXPECT_THAT(answer.sentences[0], HasSubstr("can be found from 8 experiments on"));
}

}  // namespace
}  // namespace xsp::history_page
