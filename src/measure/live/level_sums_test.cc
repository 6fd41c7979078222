#include "measure/live/level_sums.h"

#include <gtest/gtest.h>

#include <string>

namespace xsp::live {
namespace {

using nlohmann::json;

LiveSpan SpanOf(std::string run, std::string level, std::string name,
                std::optional<std::int64_t> duration_ns) {
  LiveSpan span;
  span.run = std::move(run);
  span.level = std::move(level);
  span.name = std::move(name);
  span.duration_ns = duration_ns;
  return span;
}

TEST(LevelSums, SumsByRunLevelAndName) {
  LevelSums sums;
  sums.Add(SpanOf("b1-layer", "layer", "relu", 2));
  sums.Add(SpanOf("b1-layer", "layer", "conv", 5));
  sums.Add(SpanOf("b1-layer", "layer", "relu", 4));
  sums.Add(SpanOf("b1-layer", "model", "predict", 20));
  sums.Add(SpanOf("b1-model", "model", "predict", 10));
  EXPECT_EQ(sums.ToJson(), json::parse(R"({"runs": [
      {"run": "b1-layer", "levels": [
        {"level": "model", "spans": 1, "other_names": 0,
         "names": [{"name": "predict", "spans": 1, "time_ns": 20}]},
        {"level": "layer", "spans": 3, "other_names": 0,
         "names": [{"name": "relu", "spans": 2, "time_ns": 6},
                   {"name": "conv", "spans": 1, "time_ns": 5}]}]},
      {"run": "b1-model", "levels": [
        {"level": "model", "spans": 1, "other_names": 0,
         "names": [{"name": "predict", "spans": 1, "time_ns": 10}]}]}]})"));
}

TEST(LevelSums, ASpanThatNeverEndedHasNoTime) {
  LevelSums sums;
  sums.Add(SpanOf("r", "kernel", "gemm", std::nullopt));
  const json level = sums.ToJson()["runs"][0]["levels"][0];
  EXPECT_EQ(level["spans"], 1);
  EXPECT_EQ(level["names"][0]["time_ns"], 0);
}

TEST(LevelSums, ListsTheNamesOfTheMostTimeAndCountsTheOthers) {
  LevelSums sums;
  for (int i = 0; i < 20; ++i) sums.Add(SpanOf("r", "layer", "layer" + std::to_string(i), i));
  const json level = sums.ToJson()["runs"][0]["levels"][0];
  ASSERT_EQ(level["names"].size(), LevelSums::kShownNames);
  EXPECT_EQ(level["names"][0]["name"], "layer19");
  EXPECT_EQ(level["names"][7]["name"], "layer12");
  EXPECT_EQ(level["other_names"], 12);
}

TEST(LevelSums, KeepsSoManyNamesAndGoesOnWithThose) {
  LevelSums sums;
  for (std::size_t i = 0; i < LevelSums::kKeptNames + 100; ++i)
    sums.Add(SpanOf("r", "layer", "layer" + std::to_string(i), 1));
  sums.Add(SpanOf("r", "layer", "layer0", 100));
  const json level = sums.ToJson()["runs"][0]["levels"][0];
  EXPECT_EQ(level["spans"], LevelSums::kKeptNames + 101);
  EXPECT_EQ(level["names"][0]["name"], "layer0");
  EXPECT_EQ(level["names"][0]["time_ns"], 101);
  EXPECT_EQ(level["other_names"], LevelSums::kKeptNames - LevelSums::kShownNames + 1);
}

}  // namespace
}  // namespace xsp::live
