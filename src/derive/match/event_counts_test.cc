#include "derive/match/event_counts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "derive/match/match_testing.h"

namespace xsp::match {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Optional;

constexpr const char* kCounted = "measured:perf_event";

/// By layer (-1: the call) and name.
std::map<std::pair<std::int64_t, std::string>, store::EventCountRow> RowsOf(
    const std::vector<store::EventCountRow>& table) {
  std::map<std::pair<std::int64_t, std::string>, store::EventCountRow> rows;
  for (const store::EventCountRow& row : table)
    rows.emplace(std::pair(row.layer_index.value_or(-1), row.name), row);
  return rows;
}

/// Three calls with a layer each of conv and relu.
void Fill(Recording& recording, bool counted) {
  for (std::int64_t i = 0; i < 3; ++i) {
    const auto call = recording.Call(i, i * 1000, 900);
    const auto conv = recording.Layer(call, "conv", i * 1000, 500);
    const auto relu = recording.Layer(call, "relu", i * 1000 + 500, 100);
    if (!counted) continue;
    recording.Metric(call, "task_clock_ns", 900 + static_cast<double>(i), kCounted);
    recording.Metric(conv, "task_clock_ns", 400 + static_cast<double>(i), kCounted);
    recording.Metric(conv, "cycles", 2000, "measured:perf_event_user");
    if (i == 0) recording.Metric(conv, "cycles.counted_share", 0.4, "measured:perf_event_user");
    recording.Metric(relu, "allocated_bytes", 5);
  }
}

TEST(EventCountsTest, AreOfTheCountersRunPerCallAndLayer) {
  TestExperiment experiment;
  Recording plain, counters;
  Fill(plain, false);
  Fill(counters, true);
  experiment.AddRun("layer", plain);
  experiment.AddRun("counters", counters);
  const ExperimentTables tables = experiment.Match();
  const auto rows = RowsOf(tables.event_count);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows.at({-1, "task_clock_ns"}).value, 901);
  EXPECT_EQ(rows.at({0, "task_clock_ns"}).value, 401);
  EXPECT_EQ(rows.at({0, "task_clock_ns"}).counted_share, 1);
  EXPECT_EQ(rows.at({0, "cycles"}).value, 2000);
  // 0.4 once, 1 twice.
  EXPECT_DOUBLE_EQ(rows.at({0, "cycles"}).counted_share, 0.8);
  // Layers and their times are of the other run.
  EXPECT_EQ(tables.layer.size(), 2u);
}

TEST(EventCountsTest, AreNoneWithoutACountersRun) {
  TestExperiment experiment;
  Recording counters;
  Fill(counters, true);
  experiment.AddRun("layer", counters);
  EXPECT_THAT(experiment.Match().event_count, IsEmpty());
}

TEST(EventCountsTest, SaysInTheRunWhatWasNotCounted) {
  TestExperiment experiment;
  Recording counters;
  Fill(counters, true);
  trace::TraceWriter(counters.trace()).SetFact("counters.refused", "cycles: hidden. Do this.");
  experiment.AddRun("counters", counters);
  const ExperimentTables tables = experiment.Match();
  EXPECT_THAT(tables.run.at(0).message,
              Optional(HasSubstr("Not counted: cycles: hidden. Do this.")));
}

}  // namespace
}  // namespace xsp::match
