#include "store/many_experiments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "store/experiment_writer.h"
#include "store/rows/point_row.h"
#include "store/rows/roof_row.h"
#include "store/store_testing.h"
#include "store/typed_table.h"

namespace xsp::store {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

class ManyExperimentsTest : public testing::Test {
 protected:
  fs::path Write(const std::string& name, const std::string& model, double roof = 0) const {
    auto writer = ExperimentWriter::Create(folder_.path(), name).value();
    EXPECT_TRUE(writer
                    .AddRows(std::vector<PointRow>{{.point_id = 1,
                                                    .model = model,
                                                    .backend = "b",
                                                    .device = "cpu",
                                                    .precision = "float32",
                                                    .settings = "{}",
                                                    .status = "done"}})
                    .ok());
    if (roof > 0) {
      EXPECT_TRUE(writer
                      .AddRows(std::vector<RoofRow>{{.kind = "flops",
                                                     .name = "float32 vector",
                                                     .value = roof,
                                                     .provenance = "data_sheet",
                                                     .how = "",
                                                     .used = true}})
                      .ok());
    }
    return writer.Commit("{}").value();
  }

  static std::vector<std::string> Models(ManyExperiments& all) {
    const auto rows = all.Query({"point"}, "SELECT * FROM point ORDER BY experiment");
    EXPECT_TRUE(rows.ok()) << rows.error().what;
    std::vector<std::string> models;
    const auto points = ToRows<PointRow>(rows.value());
    for (const PointRow& row : points.value()) models.push_back(row.model);
    return models;
  }

  TestFolder folder_;
};

TEST_F(ManyExperimentsTest, ReadRowsOfAllWithTheirIndices) {
  auto all = ManyExperiments::Open({Write("x", "first"), Write("y", "second")}).value();
  const auto rows =
      all.Query({"point"}, "SELECT experiment, model FROM point ORDER BY experiment DESC").value();
  ASSERT_EQ(rows.rows.size(), 2U);
  EXPECT_EQ(std::get<std::int64_t>(rows.rows[0][0]), 1);
  EXPECT_EQ(std::get<std::string>(rows.rows[0][1]), "second");
  EXPECT_TRUE(all.unread().empty());
}

TEST_F(ManyExperimentsTest, JoinTheTablesOfOneQuestion) {
  auto all =
      ManyExperiments::Open({Write("x", "first", 5), Write("y", "second"), Write("z", "third", 7)})
          .value();
  const auto rows = all.Query(
      {"point", "roof"},
      "WITH best AS (SELECT experiment, max(value) AS value FROM roof GROUP BY experiment) "
      "SELECT model, value FROM point JOIN best USING (experiment) ORDER BY experiment");
  ASSERT_TRUE(rows.ok()) << rows.error().what;
  ASSERT_EQ(rows.value().rows.size(), 2U);
  EXPECT_EQ(std::get<std::string>(rows.value().rows[0][0]), "first");
  EXPECT_EQ(std::get<double>(rows.value().rows[1][1]), 7);
}

TEST_F(ManyExperimentsTest, HaveNoRowsOfATableThatNoneHas) {
  auto all = ManyExperiments::Open({Write("x", "first")}).value();
  const auto rows = all.Query({"roof"}, "SELECT * FROM roof");
  ASSERT_TRUE(rows.ok()) << rows.error().what;
  EXPECT_TRUE(rows.value().rows.empty());
  EXPECT_TRUE(ToRows<RoofRow>(rows.value()).ok());
  auto none = ManyExperiments::Open({}).value();
  EXPECT_TRUE(none.Query({"point"}, "SELECT * FROM point").value().rows.empty());
}

TEST_F(ManyExperimentsTest, AreReadWhereOthersAreDamaged) {
  std::vector<fs::path> paths;
  for (int i = 0; i < 9; ++i)
    paths.push_back(Write("x" + std::to_string(i), "m" + std::to_string(i), 1 + i));
  std::ofstream(paths[3] / "point.parquet") << "no Parquet";
  fs::resize_file(paths[7] / "roof.parquet", fs::file_size(paths[7] / "roof.parquet") / 2);
  auto all = ManyExperiments::Open(paths).value();
  EXPECT_EQ(all.Query({"roof", "point"}, "SELECT * FROM roof JOIN point USING (experiment)")
                .value()
                .rows.size(),
            7U);
  std::set<std::size_t> unread;
  for (const auto& one : all.unread()) {
    unread.insert(one.experiment);
    EXPECT_FALSE(one.reason.empty());
  }
  EXPECT_THAT(unread, ElementsAre(3U, 7U));
  EXPECT_THAT(Models(all), ElementsAre("m0", "m1", "m2", "m4", "m5", "m6", "m8"));
  EXPECT_EQ(all.unread().size(), 2U) << "each is reported once";
}

TEST_F(ManyExperimentsTest, AreUnreadWhereATableIsLost) {
  const std::vector<fs::path> paths = {Write("x", "lost"), Write("y", "kept")};
  fs::remove(paths[0] / "point.parquet");
  auto all = ManyExperiments::Open(paths).value();
  EXPECT_THAT(Models(all), ElementsAre("kept"));
  ASSERT_EQ(all.unread().size(), 1U);
  EXPECT_EQ(all.unread()[0].experiment, 0U);
  EXPECT_EQ(all.unread()[0].reason, "point.parquet is missing (1 row)");
}

TEST_F(ManyExperimentsTest, PassOverOneThatWasRemovedMeanwhile) {
  const fs::path removed = Write("x", "removed");
  auto all = ManyExperiments::Open({removed, Write("y", "kept")}).value();
  fs::remove_all(removed);
  EXPECT_THAT(Models(all), ElementsAre("kept"));
}

TEST_F(ManyExperimentsTest, MayHaveWildcardsAndQuotesInTheirNames) {
  auto all = ManyExperiments::Open({Write("a[1]*", "first"), Write("it's", "second")}).value();
  EXPECT_THAT(Models(all), ElementsAre("first", "second"));
}

TEST_F(ManyExperimentsTest, RefuseAWrongQuestion) {
  auto all = ManyExperiments::Open({Write("x", "first")}).value();
  const auto rows = all.Query({"point"}, "SELECT colour FROM point");
  ASSERT_FALSE(rows.ok());
  EXPECT_TRUE(all.unread().empty());
}

}  // namespace
}  // namespace xsp::store
