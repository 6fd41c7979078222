#include "store/experiment_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "store/experiment_writer.h"
#include "store/rows/point_row.h"
#include "store/rows/roof_row.h"
#include "store/store_testing.h"
#include "store/typed_table.h"

namespace xsp::store {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

class ExperimentTablesTest : public testing::Test {
 protected:
  fs::path Write(const std::string& name, const std::string& model) const {
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
    return writer.Commit("{}").value();
  }

  static std::vector<std::string> Models(ExperimentTables& tables) {
    const auto rows = tables.Query("point", "SELECT * FROM point ORDER BY experiment");
    EXPECT_TRUE(rows.ok()) << rows.error().what;
    std::vector<std::string> models;
    const auto points = ToRows<PointRow>(rows.value());
    for (const PointRow& row : points.value()) models.push_back(row.model);
    return models;
  }

  TestFolder folder_;
};

TEST_F(ExperimentTablesTest, ReadsRowsOfAllExperimentsWithTheirIndices) {
  auto tables = ExperimentTables::Open({Write("x", "first"), Write("y", "second")}).value();
  const auto rows =
      tables.Query("point", "SELECT experiment, model FROM point ORDER BY experiment DESC").value();
  ASSERT_EQ(rows.rows.size(), 2U);
  EXPECT_EQ(std::get<std::int64_t>(rows.rows[0][0]), 1);
  EXPECT_EQ(std::get<std::string>(rows.rows[0][1]), "second");
  EXPECT_TRUE(tables.unread().empty());
}

TEST_F(ExperimentTablesTest, HasNoRowsOfATableThatNoExperimentHas) {
  auto tables = ExperimentTables::Open({Write("x", "first")}).value();
  const auto rows = tables.Query("roof", "SELECT * FROM roof");
  ASSERT_TRUE(rows.ok()) << rows.error().what;
  EXPECT_TRUE(rows.value().rows.empty());
  EXPECT_TRUE(ToRows<RoofRow>(rows.value()).ok());
  auto none = ExperimentTables::Open({}).value();
  EXPECT_TRUE(none.Query("point", "SELECT * FROM point").value().rows.empty());
}

TEST_F(ExperimentTablesTest, ReadsTheOthersWhereExperimentsAreDamaged) {
  std::vector<fs::path> paths;
  for (int i = 0; i < 9; ++i)
    paths.push_back(Write("x" + std::to_string(i), "m" + std::to_string(i)));
  std::ofstream(paths[3] / "point.parquet") << "no Parquet";
  fs::resize_file(paths[7] / "point.parquet", fs::file_size(paths[7] / "point.parquet") / 2);
  auto tables = ExperimentTables::Open(paths).value();
  EXPECT_THAT(Models(tables), ElementsAre("m0", "m1", "m2", "m4", "m5", "m6", "m8"));
  ASSERT_EQ(tables.unread().size(), 2U);
  EXPECT_EQ(tables.unread()[0].experiment, 3U);
  EXPECT_EQ(tables.unread()[1].experiment, 7U);
  EXPECT_FALSE(tables.unread()[0].reason.empty());
  Models(tables);
  EXPECT_EQ(tables.unread().size(), 2U) << "each is reported once";
}

TEST_F(ExperimentTablesTest, PassesOverAnExperimentThatWasRemovedMeanwhile) {
  const fs::path removed = Write("x", "removed");
  auto tables = ExperimentTables::Open({removed, Write("y", "kept")}).value();
  fs::remove_all(removed);
  EXPECT_THAT(Models(tables), ElementsAre("kept"));
}

TEST_F(ExperimentTablesTest, ReadsFoldersWhoseNamesHoldWildcardsAndQuotes) {
  auto tables = ExperimentTables::Open({Write("a[1]*", "first"), Write("it's", "second")}).value();
  EXPECT_THAT(Models(tables), ElementsAre("first", "second"));
}

}  // namespace
}  // namespace xsp::store
