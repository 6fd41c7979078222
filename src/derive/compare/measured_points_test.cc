#include "derive/compare/measured_points.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "derive/compare/latency.h"
#include "derive/compare/layer_alignment.h"
#include "derive/compare/measured_tables_testing.h"
#include "store/store_testing.h"

namespace xsp::compare {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

MeasuredTables TablesWith(const std::vector<TestPoint>& points) {
  MeasuredTables tables;
  for (const TestPoint& point : points) AddTestPoint(tables, point);
  return tables;
}

/// The tables after they were stored and read again.
MeasuredTables StoredAndRead(const MeasuredTables& tables) {
  const store::TestFolder store;
  const auto path = WriteTestTables(tables, store.path()).Commit("{}").value();
  return ReadMeasuredTables(store::Database::Open({path}).value()).value();
}

std::vector<std::vector<std::int64_t>> IdsOf(const std::vector<Group>& groups) {
  std::vector<std::vector<std::int64_t>> ids;
  for (const Group& group : groups) {
    auto& of_group = ids.emplace_back();
    for (const MeasuredPoint& point : group) of_group.push_back(point.point_id);
  }
  return ids;
}

TEST(ComparableGroups, AreOfOneModelAndBatchSize) {
  const MeasuredTables tables = TablesWith({{.backend = "A", .batch = 1},
                                            {.backend = "A", .batch = 2},
                                            {.backend = "B", .batch = 1},
                                            {.model = "other", .backend = "B", .batch = 1},
                                            {.backend = "B", .batch = 2, .processes = 0},
                                            {.backend = "C", .precision = "float16", .batch = 1}});
  EXPECT_THAT(IdsOf(ComparableGroups(tables)), ElementsAre(ElementsAre(1, 3, 6)));
}

TEST(ComparableGroups, HoldOnlyCallsWithoutProfilingThatFollowedEachOther) {
  MeasuredTables tables = TablesWith({{.seed = 1}});
  std::mt19937 random(7);
  AddTestRun(tables, "model", 1, 1e6, random).process_pair = 1;
  AddTestRun(tables, "model", 1, 5e6, random);
  tables.sample[tables.sample.size() - 1].queue_ns = 10;
  tables.sample[tables.sample.size() - 2].rung = "baseline";
  AddTestPoint(tables, {.seed = 2});
  const std::vector<Group> groups = ComparableGroups(tables);
  ASSERT_EQ(groups.size(), 1U);
  const MeasuredPoint& point = groups[0][0];
  ASSERT_EQ(point.processes.size(), 4U);
  EXPECT_EQ(point.processes[0].size(), 4U);
  ASSERT_EQ(point.processes[3].size(), 1U);
  EXPECT_EQ(point.processes[3][0].size(), 6U);
  EXPECT_GE(point.processes[3][0][0], 5e6) << "a disturbed call counts";
}

TEST(ComparableGroups, HaveTheLayersOfTheirPoints) {
  MeasuredTables tables = TablesWith({{.seed = 1}, {.seed = 2}});
  tables.layer[10].latency_ns = std::nullopt;
  tables.layer[10].shape = std::nullopt;
  tables.layer[11].path = "a.b";
  const MeasuredPoint second = ComparableGroups(tables).at(0).at(1);
  ASSERT_EQ(second.layers.size(), 10U);
  EXPECT_TRUE(std::isnan(second.layers[0].latency_ns));
  EXPECT_EQ(second.layers[0].shape, "");
  EXPECT_EQ(second.layers[1].index, 1);
  EXPECT_EQ(second.layers[1].path, "a.b");
}

TEST(PairedPoints, HaveOneBatchSizePrecisionAndDevice) {
  const MeasuredTables a = TablesWith({{.batch = 4},
                                       {.batch = 2},
                                       {.precision = "float16", .batch = 2},
                                       {.device = "cuda:0", .batch = 2},
                                       {.batch = std::nullopt}});
  const MeasuredTables b = TablesWith({{.device = "cuda:0", .batch = 2},
                                       {.batch = std::nullopt},
                                       {.model = "changed", .backend = "other", .batch = 2},
                                       {.precision = "int8", .batch = 2},
                                       {.batch = 4, .processes = 0}});
  const std::vector<Group> pairs = PairedPoints(a, b);
  EXPECT_THAT(IdsOf(pairs), ElementsAre(ElementsAre(2, 3), ElementsAre(4, 1), ElementsAre(5, 2)));
  for (const Group& pair : pairs) {
    EXPECT_EQ(pair[0].experiment, 0U);
    EXPECT_EQ(pair[1].experiment, 1U);
  }
  EXPECT_THAT(PairedPoints(a, {}), IsEmpty());
}

TEST(PairedPoints, PrefersTheSameModelAndBackend) {
  const MeasuredTables a = TablesWith({{.backend = "A 1"}, {.backend = "B 1"}, {.backend = "C 1"}});
  const MeasuredTables b = TablesWith({{.backend = "B 1"}, {.backend = "A 2"}});
  EXPECT_THAT(IdsOf(PairedPoints(a, b)), ElementsAre(ElementsAre(1, 2), ElementsAre(2, 1)));
  EXPECT_THAT(IdsOf(PairedPoints(b, a)), ElementsAre(ElementsAre(1, 2), ElementsAre(2, 1)));
}

TEST(PairedPoints, OfTwoStoredExperimentsCompareAsPointsOfOne) {
  const TestPoint before = {.backend = "A", .seed = 3}, after = {.backend = "B", .seed = 4};
  const auto of_one = ComparableGroups(StoredAndRead(TablesWith({before, after})));
  const auto of_two =
      PairedPoints(StoredAndRead(TablesWith({before})), StoredAndRead(TablesWith({after})));
  ASSERT_EQ(of_one.size(), 1U);
  ASSERT_EQ(of_two.size(), 1U);

  // The point of the second experiment is the first there.
  auto latencies = CompareLatencies(of_two);
  ASSERT_EQ(latencies.size(), 2U);
  EXPECT_EQ(latencies[0].against_point_id, 1);
  latencies[0].against_point_id = 2;
  latencies[1].point_id = 2;
  EXPECT_EQ(latencies[0].verdict, "faster");
  EXPECT_EQ(latencies, CompareLatencies(of_one));

  auto layers = AlignPoints(of_two[0]);
  ASSERT_EQ(layers.size(), 2U);
  ASSERT_FALSE(layers[1].empty());
  for (store::AlignedLayerRow& row : layers[1]) row.point_id = 2;
  EXPECT_EQ(layers, AlignPoints(of_one[0]));
}

}  // namespace
}  // namespace xsp::compare
