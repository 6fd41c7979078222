#include "derive/history/changes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "derive/history/analysed_history.h"

namespace xsp::history {
namespace {

const CollectorSpec kLoad = {"load", "", nullptr, "average"};
const CollectorSpec* const kCollectors[] = {&kLoad};

/// Values with what a machine's load and kernel were.
Series SeriesOf(const std::vector<double>& values) {
  Series series;
  for (const double value : values) {
    Entry& entry = series.entries.emplace_back();
    entry.experiment = "e" + std::to_string(series.entries.size());
    entry.value = value;
    entry.was_busy = false;
    entry.facts = {{"load.average", std::to_string(series.entries.size()), ""},
                   {"system.kernel", series.entries.size() <= 5 ? "old" : "new", ""}};
  }
  return series;
}

const std::vector<double> kStep = {100, 101, 99, 100, 102, 120, 121, 119, 122, 120};

TEST(HistoryChanges, ASegmentsLevelIsTheGeometricMean) {
  const Changes found = FindChanges(SeriesOf(kStep), {}, kCollectors);
  ASSERT_EQ(found.segments.size(), 2U);
  ASSERT_EQ(found.changes.size(), 1U);
  EXPECT_EQ(found.changes[0].at, 5U);
  EXPECT_NEAR(found.segments[0].level.centre, std::pow(100.0 * 101 * 99 * 100 * 102, 0.2), 1e-9);
  EXPECT_LT(found.segments[0].level.interval.low, found.segments[0].level.centre);
  EXPECT_NEAR(found.changes[0].ratio.centre,
              found.segments[1].level.centre / found.segments[0].level.centre, 1e-12);
  EXPECT_EQ(SegmentOf(found, 4), 0U);
  EXPECT_EQ(SegmentOf(found, 5), 1U);
}

TEST(HistoryChanges, TheMetricTellsWhatIsBetter) {
  const Series series = SeriesOf(kStep);
  EXPECT_EQ(FindChanges(series, {}, kCollectors).changes[0].verdict, ChangeVerdict::kWorse);
  EXPECT_EQ(FindChanges(series, {Metric::Kind::kThroughput}, kCollectors).changes[0].verdict,
            ChangeVerdict::kBetter);
}

TEST(HistoryChanges, MomentaryFactsAreLeftOut) {
  const Change change = FindChanges(SeriesOf(kStep), {}, kCollectors).changes[0];
  EXPECT_TRUE(change.knows_stack);
  ASSERT_EQ(change.stack.size(), 1U);
  EXPECT_EQ(change.stack[0].key, "system.kernel");
  EXPECT_TRUE(change.stack[0].lasts);
}

TEST(HistoryChanges, WithoutAStackNothingIsKnownOfIt) {
  Series series = SeriesOf(kStep);
  for (Entry& entry : series.entries) entry.facts.clear();
  EXPECT_FALSE(FindChanges(series, {}, kCollectors).changes[0].knows_stack);
}

TEST(HistoryChanges, AWiderSpreadAroundTheSameLevelIsNoChangeOfLevel) {
  std::vector<double> values;
  for (int i = 0; i < 40; ++i) values.push_back(100 + 0.01 * (i * 7 % 5 - 2));
  for (int i = 0; i < 40; ++i) values.push_back(100 + 10 * (i * 7 % 5 - 2));
  const Changes found = FindChanges(SeriesOf(values), {}, kCollectors);
  ASSERT_EQ(found.changes.size(), 1U);
  EXPECT_EQ(found.changes[0].verdict, ChangeVerdict::kSpread);
}

TEST(HistoryChanges, NothingIsClaimedOfASegmentOnABusyMachine) {
  for (const bool is_first : {true, false}) {
    Series series = SeriesOf(kStep);
    for (std::size_t i = 0; i < 10; ++i) series.entries[i].was_busy = (i < 5) == is_first;
    EXPECT_EQ(FindChanges(series, {}, kCollectors).changes[0].verdict, ChangeVerdict::kBusy);
    // One quiet experiment tells that the level does not come from it.
    series.entries[is_first ? 2 : 7].was_busy = false;
    EXPECT_EQ(FindChanges(series, {}, kCollectors).changes[0].verdict, ChangeVerdict::kWorse);
  }
}

TEST(HistoryChanges, OneExperimentIsOneSegment) {
  const Changes found = FindChanges(SeriesOf({5}), {}, kCollectors);
  ASSERT_EQ(found.segments.size(), 1U);
  EXPECT_NEAR(found.segments[0].level.centre, 5, 1e-12);
  EXPECT_TRUE(std::isnan(found.segments[0].level.interval.low));
}

TEST(HistoryTitle, LeavesOutDefaults) {
  const SeriesKey key{"net",     "PyTorch", "cpu",
                      "float32", 4,         R"({"graph":"default","threads":2,"worker":"torch"})",
                      "CPU"};
  EXPECT_EQ(TitleOf(key), "PyTorch, cpu, float32, batch 4, threads 2, CPU");
  const SeriesKey unknown{"net", "PyTorch", "cpu", "default", {}, "{}", "not known"};
  EXPECT_EQ(TitleOf(unknown), "PyTorch, cpu, machine not known");
}

TEST(HistoryCommand, NamesPointsOfExperimentsWithSeveral) {
  Entry one, other;
  one.experiment = "a";
  other.experiment = "b";
  other.point_id = 3;
  other.is_only_point = false;
  EXPECT_EQ(CompareCommand(one, other), "xsp compare a b#point=3");
}

}  // namespace
}  // namespace xsp::history
