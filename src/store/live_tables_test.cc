#include "store/live_tables.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "os/scratch_folder.h"
#include "store/duckdb_connection.h"
#include "store/schema.h"

namespace xsp::store {
namespace {

namespace fs = std::filesystem;

class LiveTablesTest : public testing::Test {
 protected:
  LiveTablesTest() : scratch_(os::ScratchFolder::Create().value()), folder_(scratch_.path()) {}

  Table Query(const std::string& sql) const { return DuckDb::Open(1).value().Query(sql).value(); }
  std::string Glob(const std::string& table) const {
    return "read_parquet('" + (folder_ / table / "*.parquet").string() + "')";
  }

  os::ScratchFolder scratch_;
  const fs::path folder_;
};

template <typename Row>
std::vector<std::string> ColumnsOf() {
  std::vector<std::string> columns;
  Row::VisitColumns([&](const char* name, auto) { columns.emplace_back(name); });
  return columns;
}

TEST_F(LiveTablesTest, HasTheColumnsOfTheSchema) {
  const auto expect = [](const std::vector<std::string>& columns, const char* table) {
    std::vector<std::string> expected = {"experiment", "run"};
    for (const ColumnSchema& column : FindTable(table)->columns) expected.push_back(column.name);
    EXPECT_EQ(columns, expected) << table;
  };
  expect(ColumnsOf<LiveSpanRow>(), "span");
  expect(ColumnsOf<LiveTrackRow>(), "track");
  expect(ColumnsOf<LiveMetricRow>(), "metric");
  expect(ColumnsOf<LiveAttributeRow>(), "attribute");
}

TEST_F(LiveTablesTest, CanBeReadFromTheBeginning) {
  const LiveTables tables = LiveTables::Create(folder_, "a").value();
  for (const char* table : {"span", "track", "metric", "attribute"})
    EXPECT_TRUE(Query("SELECT * FROM " + Glob(table)).rows.empty()) << table;
}

TEST_F(LiveTablesTest, AppendsFilesThatOneGlobReads) {
  LiveTables tables = LiveTables::Create(folder_, "a").value();
  LiveTables other = LiveTables::Create(folder_, "b").value();
  std::vector<LiveSpanRow> spans(2);
  spans[0].id = 1;
  spans[0].name = "conv\xff";
  spans[0].duration_ns = 5;
  spans[1].id = 2;
  ASSERT_TRUE(tables.Append(spans).ok());
  ASSERT_TRUE(tables.Append(spans).ok());
  ASSERT_TRUE(other.Append(spans).ok());
  ASSERT_TRUE(tables.Append(std::vector<LiveSpanRow>()).ok());
  ASSERT_TRUE(
      tables.Append(std::vector<LiveMetricRow>{{"e", "r", 1, "flops", 2.5, "flop", "analytic"}})
          .ok());
  const Table read =
      Query("SELECT count(*), count(duration_ns), max(id), max(name) FROM " + Glob("span"));
  EXPECT_EQ(read.rows[0], (std::vector<Cell>{std::int64_t{6}, std::int64_t{3}, std::int64_t{2},
                                             "conv\xEF\xBF\xBD"}));
  EXPECT_EQ(Query("SELECT value FROM " + Glob("metric")).rows[0][0], Cell(2.5));
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(folder_ / "span")) {
    EXPECT_EQ(entry.path().extension(), ".parquet");
    ++files;
  }
  EXPECT_EQ(files, 5u);  // With the first of each, which has no rows.
}

TEST_F(LiveTablesTest, LeavesNothingOfAFileThatDoesNotFit) {
  LiveTables tables = LiveTables::Create(folder_, "a").value();
  const std::vector<LiveSpanRow> spans(1000);
  struct rlimit before = {};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small = {100, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const Status written = tables.Append(spans);
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().kind, ErrorKind::kEnvironment);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "span"), fs::directory_iterator()), 1)
      << "the first file, without rows";
  // There is room again.
  EXPECT_TRUE(tables.Append(spans).ok());
}

TEST_F(LiveTablesTest, NeedsAFolder) {
  std::ofstream(folder_ / "file") << "x";
  const auto tables = LiveTables::Create(folder_ / "file", "a");
  ASSERT_FALSE(tables.ok());
  EXPECT_EQ(tables.error().kind, ErrorKind::kEnvironment);
}

}  // namespace
}  // namespace xsp::store
