#include "store/rows_across.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "store/experiment_writer.h"
#include "store/rows/point_row.h"
#include "store/rows/run_row.h"
#include "store/store_testing.h"
#include "store/typed_table.h"

namespace xsp::store {
namespace {

namespace fs = std::filesystem;

PointRow PointOf(const std::string& model) {
  return {.point_id = 1,
          .model = model,
          .backend = "PyTorch 2.15",
          .device = "cpu",
          .precision = "float32",
          .settings = "{}",
          .status = "done"};
}

class RowsAcrossTest : public testing::Test {
 protected:
  fs::path Write(const std::string& name, const std::vector<PointRow>& points) {
    auto writer = ExperimentWriter::Create(folder_.path(), name).value();
    EXPECT_TRUE(writer.AddRows(points).ok());
    return writer.Commit("{}").value();
  }

  TestFolder folder_;
};

TEST_F(RowsAcrossTest, LeadsRowsByTheIndexOfTheirExperiment) {
  const std::vector<fs::path> all = {
      Write("a", {PointOf("x")}), Write("b '[1]*?", {PointOf("y"), PointOf("z")}), Write("c", {})};
  const auto read = ReadAcross(all, "point", "SELECT * FROM rows ORDER BY experiment, model");
  ASSERT_TRUE(read.ok()) << read.error().what;
  EXPECT_TRUE(read.value().unreadable.empty());
  const Table& rows = read.value().rows;
  ASSERT_EQ(rows.rows.size(), 3U);
  EXPECT_EQ(rows.columns.front(), "experiment");
  for (const auto& [row, experiment] : {std::pair(0U, 0), std::pair(1U, 1), std::pair(2U, 1)})
    EXPECT_EQ(std::get<std::int64_t>(rows.rows[row][0]), experiment);
  const auto points = ToRows<PointRow>(rows);
  ASSERT_TRUE(points.ok()) << points.error().what;
  EXPECT_EQ(points.value()[2], PointOf("z"));
}

TEST_F(RowsAcrossTest, ListsWhatIsDamagedAndReadsTheRest) {
  std::vector<fs::path> all;
  for (int i = 0; i < 9; ++i) all.push_back(Write("e" + std::to_string(i), {PointOf("x")}));
  std::ofstream(all[3] / "point.parquet") << "damaged";
  std::ofstream(all[8] / "point.parquet") << "";
  const auto read = ReadAcross(all, "point", "SELECT experiment FROM rows");
  ASSERT_TRUE(read.ok()) << read.error().what;
  EXPECT_EQ(read.value().rows.rows.size(), 7U);
  ASSERT_EQ(read.value().unreadable.size(), 2U);
  EXPECT_EQ(read.value().unreadable[0].experiment, 3U);
  EXPECT_EQ(read.value().unreadable[1].experiment, 8U);
  EXPECT_FALSE(read.value().unreadable[0].why.empty());
}

TEST_F(RowsAcrossTest, ExperimentsWithoutTheTableHaveNoRows) {
  const std::vector<fs::path> all = {Write("a", {PointOf("x")}), folder_.path() / "gone"};
  for (const char* table : {"run", "point"}) {
    const auto read = ReadAcross(all, table, "SELECT * FROM rows");
    ASSERT_TRUE(read.ok()) << read.error().what;
    EXPECT_TRUE(read.value().unreadable.empty());
    EXPECT_EQ(read.value().rows.rows.size(), std::string(table) == "run" ? 0U : 1U);
    EXPECT_EQ(read.value().rows.columns.front(), "experiment");
  }
  EXPECT_TRUE(ToRows<RunRow>(ReadAcross({}, "run", "SELECT * FROM rows").value().rows).ok());
}

TEST_F(RowsAcrossTest, RefusesWrongQuestions) {
  const std::vector<fs::path> all = {Write("a", {PointOf("x")})};
  EXPECT_EQ(ReadAcross(all, "point", "SELECT nothing FROM rows").error().kind,
            ErrorKind::kBadInput);
  EXPECT_EQ(ReadAcross(all, "span", "SELECT * FROM rows").error().kind, ErrorKind::kInternal);
  EXPECT_EQ(ReadAcross(all, "no_table", "SELECT * FROM rows").error().kind, ErrorKind::kInternal);
}

}  // namespace
}  // namespace xsp::store
