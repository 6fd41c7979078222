#include "measure/live/level_sums.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/json_text.h"

namespace xsp::live {
namespace {

using nlohmann::json;

LiveSpan SpanOf(std::string run, std::string level, std::string name,
                std::optional<std::int64_t> duration_ns, std::int64_t id = 0,
                std::int64_t parent_id = 0) {
  LiveSpan span;
  span.id = id;
  span.parent_id = parent_id;
  span.run = std::move(run);
  span.level = std::move(level);
  span.name = std::move(name);
  span.duration_ns = duration_ns;
  return span;
}

LiveBatch BatchOf(std::vector<LiveSpan> spans) {
  LiveBatch batch;
  batch.spans = std::move(spans);
  return batch;
}

json FirstLevel(const LevelSums& sums) { return sums.ToJson()["runs"][0]["levels"][0]; }

TEST(LevelSums, SumsByRunLevelAndName) {
  LevelSums sums;
  sums.Add(
      BatchOf({SpanOf("b1-layer", "layer", "relu", 2), SpanOf("b1-layer", "layer", "conv", 5)}));
  sums.Add(
      BatchOf({SpanOf("b1-layer", "layer", "relu", 4), SpanOf("b1-layer", "model", "predict", 20),
               SpanOf("b1-model", "model", "predict", 10)}));
  EXPECT_EQ(sums.ToJson(), core::ParseJson(R"({"runs": [
      {"run": "b1-layer", "levels": [
        {"level": "model", "spans": 1, "time_ns": 20, "other_names": 0,
         "names": [{"name": "predict", "spans": 1, "time_ns": 20}]},
        {"level": "layer", "spans": 3, "time_ns": 11, "other_names": 0,
         "names": [{"name": "relu", "spans": 2, "time_ns": 6},
                   {"name": "conv", "spans": 1, "time_ns": 5}]}]},
      {"run": "b1-model", "levels": [
        {"level": "model", "spans": 1, "time_ns": 10, "other_names": 0,
         "names": [{"name": "predict", "spans": 1, "time_ns": 10}]}]}]})"));
}

TEST(LevelSums, TimeOfALayerIsWithoutLayersInIt) {
  LevelSums sums;
  // The first child ended before its parent was handed over, the second comes with it.
  sums.Add(BatchOf({SpanOf("r", "layer", "conv", 30, 2, 1)}));
  sums.Add(BatchOf({SpanOf("r", "layer", "block", 100, 1), SpanOf("r", "layer", "relu", 20, 3, 1),
                    SpanOf("r", "kernel", "gemm", 25, 4, 1)}));
  const json level = FirstLevel(sums);
  EXPECT_EQ(level["time_ns"], 100);
  EXPECT_EQ(level["names"][0], core::ParseJson(R"({"name": "block", "spans": 1, "time_ns": 50})"));
  EXPECT_EQ(sums.ToJson()["runs"][0]["levels"][1]["time_ns"], 25);
}

TEST(LevelSums, ChildrenThatOverlapLeaveNoNegativeTime) {
  LevelSums sums;
  sums.Add(BatchOf({SpanOf("r", "layer", "block", 100, 1), SpanOf("r", "layer", "a", 80, 2, 1),
                    SpanOf("r", "layer", "b", 80, 3, 1)}));
  EXPECT_EQ(FirstLevel(sums)["time_ns"], 160);
}

TEST(LevelSums, TimesOfADamagedRecordingDoNotOverflow) {
  LevelSums sums;
  for (const std::int64_t duration_ns : {INT64_MAX, INT64_MAX, INT64_MIN})
    sums.Add(BatchOf({SpanOf("r", "layer", "a", duration_ns, 2, 1)}));
  sums.Add(BatchOf({SpanOf("r", "layer", "b", INT64_MIN, 1)}));
  EXPECT_EQ(FirstLevel(sums)["time_ns"], INT64_MAX);
}

TEST(LevelSums, ASpanThatNeverEndedHasNoTime) {
  LevelSums sums;
  sums.Add(BatchOf({SpanOf("r", "kernel", "gemm", std::nullopt, 2, 1)}));
  EXPECT_EQ(FirstLevel(sums)["spans"], 1);
  EXPECT_EQ(FirstLevel(sums)["names"][0]["time_ns"], 0);
}

TEST(LevelSums, ListsTheNamesOfTheMostTimeAndCountsTheOthers) {
  LevelSums sums;
  for (int i = 0; i < 20; ++i)
    sums.Add(BatchOf({SpanOf("r", "layer", "layer" + std::to_string(i), i)}));
  const json level = FirstLevel(sums);
  ASSERT_EQ(level["names"].size(), LevelSums::kShownNames);
  EXPECT_EQ(level["names"][0]["name"], "layer19");
  EXPECT_EQ(level["names"][7]["name"], "layer12");
  EXPECT_EQ(level["other_names"], 12);
}

TEST(LevelSums, KeepsSoManyNamesAndGoesOnWithThose) {
  LevelSums sums;
  for (std::size_t i = 0; i < LevelSums::kKeptNames + 100; ++i)
    sums.Add(BatchOf({SpanOf("r", "layer", "layer" + std::to_string(i), 1)}));
  sums.Add(BatchOf({SpanOf("r", "layer", "layer0", 100)}));
  const json level = FirstLevel(sums);
  EXPECT_EQ(level["spans"], LevelSums::kKeptNames + 101);
  EXPECT_EQ(level["names"][0]["name"], "layer0");
  EXPECT_EQ(level["names"][0]["time_ns"], 101);
  EXPECT_EQ(level["other_names"], LevelSums::kKeptNames - LevelSums::kShownNames + 1);
}

}  // namespace
}  // namespace xsp::live
