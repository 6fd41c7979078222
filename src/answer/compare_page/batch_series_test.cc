#include "answer/compare_page/batch_series.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace xsp::compare_page {
namespace {

using nlohmann::json;

/// A point of a test: its processes have calls of about so many ns each.
struct TestPoint {
  std::int64_t batch = 1;
  std::string backend = "PyTorch";
  std::vector<double> process_ns;
};

store::Database ExperimentOf(const std::vector<TestPoint>& points) {
  store::Database database = store::Database::OpenEmpty().value();
  const auto run = [&](const std::string& sql) {
    const auto done = database.Query(sql);
    ASSERT_TRUE(done.ok()) << done.error().what;
  };
  int run_id = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const TestPoint& point = points[i];
    run(
        fmt::format("INSERT INTO point (point_id, model, backend, device, precision, batch, "
                    "settings, latency_ns, status) VALUES ({}, 'net', '{}', 'cpu', 'float32', {}, "
                    "'{{}}', {}, 'done')",
                    i + 1, point.backend, point.batch, point.process_ns.front()));
    for (const double mean_ns : point.process_ns) {
      run(
          fmt::format("INSERT INTO run (run_id, point_id, rung, status, path) VALUES ({}, {}, "
                      "'model', 'done', 'run-{}')",
                      ++run_id, i + 1, run_id));
      run(
          fmt::format("INSERT INTO sample (run_id, iteration, latency_ns, disturbed, rung, block) "
                      "SELECT {}, i, {} + i % 5, false, 'model', i // 8 FROM range(32) t(i)",
                      run_id, mean_ns));
    }
  }
  return database;
}

json SeriesOf(const std::vector<compare::SideSource>& sides,
              std::map<std::string, store::Database> databases) {
  Experiments experiments;
  for (auto& [name, database] : databases)
    experiments.emplace("/no/such/store/" + name, std::move(database));
  auto series = BatchSeries(sides, experiments);
  EXPECT_TRUE(series.ok()) << series.error().what;
  return series.ok() ? series.value() : json();
}

compare::SideSource SideOf(const std::string& experiment, std::int64_t point_id) {
  return {experiment, "/no/such/store/" + experiment, point_id, 1};
}

TEST(BatchSeries, OfAComparedPointAllBatchSizesAreThere) {
  std::map<std::string, store::Database> experiments;
  experiments.emplace("x", ExperimentOf({{1, "PyTorch", {1e6}},
                                         {1, "ONNX Runtime", {2e6}},
                                         {2, "PyTorch", {15e5}},
                                         {4, "Other", {5e6}}}));
  const json found = SeriesOf({SideOf("x", 1), SideOf("x", 2)}, std::move(experiments));
  ASSERT_EQ(found["series"].size(), 2U);
  EXPECT_EQ(found["series"][0]["backend"], "PyTorch");
  EXPECT_EQ(found["series"][0]["experiment"], "x");
  const json& points = found["series"][0]["points"];
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0]["batch"], 1);
  EXPECT_EQ(points[1]["latency_ns"], 15e5);
  EXPECT_EQ(points[0]["is_compared"], true);
  EXPECT_EQ(points[1]["is_compared"], false);
  EXPECT_EQ(points[0]["device_ns"], json());
}

TEST(BatchSeries, PointsWithoutASureDifferenceShareARank) {
  std::map<std::string, store::Database> experiments;
  experiments.emplace("x", ExperimentOf({{1, "A", {1000e3, 1020e3, 1010e3}},
                                         {1, "B", {1005e3, 1015e3, 1012e3}},
                                         {1, "C", {3000e3, 3030e3, 3010e3}}}));
  const json found =
      SeriesOf({SideOf("x", 1), SideOf("x", 2), SideOf("x", 3)}, std::move(experiments));
  ASSERT_EQ(found["ranks"].size(), 1U);
  const json& rows = found["ranks"][0]["rows"];
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0]["rank"], 1);
  EXPECT_EQ(rows[0]["tied_with"], json{1});
  EXPECT_EQ(rows[1]["rank"], 1);
  EXPECT_EQ(rows[2]["rank"], 3);
  EXPECT_EQ(rows[2]["tied_with"], json::array());
}

TEST(BatchSeries, APointOfOneProcessHasNoRank) {
  std::map<std::string, store::Database> experiments;
  experiments.emplace("x", ExperimentOf({{1, "A", {1e6, 1.01e6}}, {1, "B", {9e6}}}));
  const json found = SeriesOf({SideOf("x", 1), SideOf("x", 2)}, std::move(experiments));
  for (const json& row : found["ranks"][0]["rows"]) EXPECT_EQ(row["rank"], json());
}

TEST(BatchSeries, PointsOfTwoExperimentsAreRankedTogether) {
  std::map<std::string, store::Database> experiments;
  experiments.emplace("a", ExperimentOf({{1, "A", {5e6, 5.01e6, 5.02e6}}}));
  experiments.emplace("b", ExperimentOf({{1, "A", {1e6, 1.01e6, 1.02e6}}, {2, "A", {2e6}}}));
  const json found = SeriesOf({SideOf("a", 1), SideOf("b", 1)}, std::move(experiments));
  ASSERT_EQ(found["ranks"].size(), 1U);
  const json& rows = found["ranks"][0]["rows"];
  EXPECT_EQ(rows[0]["series"], 1);
  EXPECT_EQ(rows[0]["rank"], 1);
  EXPECT_EQ(rows[1]["series"], 0);
  EXPECT_EQ(rows[1]["rank"], 2);
}

}  // namespace
}  // namespace xsp::compare_page
