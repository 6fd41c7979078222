#include "ingest/importers/sqlite_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "ingest/importers/container_testing.h"

namespace xsp::importers {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

class SqliteTablesTest : public testing::Test {
 protected:
  ~SqliteTablesTest() override { fs::remove(file_); }

  std::vector<std::string> Read(const std::string& bytes) {
    std::ofstream(file_, std::ios::binary) << bytes;
    return SqliteTables(file_);
  }

  const fs::path file_ = fs::path(testing::TempDir()) / "tables.sqlite";
};

TEST_F(SqliteTablesTest, NamesTablesAndViewsOfTheFirstPage) {
  EXPECT_THAT(
      Read(DatabasePage(
          true, true,
          {DatabaseCell("table", "StringIds", 1), DatabaseCell("index", "by_id", 2),
           DatabaseCell("view", "kernels", 3), DatabaseCell("table", "sqlite_sequence", 4)})),
      ElementsAre("StringIds", "kernels"));
}

TEST_F(SqliteTablesTest, FollowsPagesBelowTheFirst) {
  const std::string left = {0, 0, 0, 2, 1};  // Page 2, rows up to 1.
  EXPECT_THAT(Read(DatabasePage(true, false, {left}, 3) +
                   DatabasePage(false, true, {DatabaseCell("table", "a", 1)}) +
                   DatabasePage(false, true,
                                {DatabaseCell("table", "b", 2), DatabaseCell("table", "c", 3)})),
              ElementsAre("a", "b", "c"));
}

TEST_F(SqliteTablesTest, ALoopOfPagesEnds) {
  const std::string itself = {0, 0, 0, 1, 1};
  EXPECT_THAT(Read(DatabasePage(true, false, {itself, itself, itself}, 1)), IsEmpty());
}

TEST_F(SqliteTablesTest, OtherFilesHaveNone) {
  EXPECT_THAT(Read(""), IsEmpty());
  EXPECT_THAT(Read("SQLite format 3"), IsEmpty());
  EXPECT_THAT(Read(std::string(kTestPageBytes, 'x')), IsEmpty());
  EXPECT_THAT(SqliteTables("no such file"), IsEmpty());
}

TEST_F(SqliteTablesTest, DamageCostsNamesOnly) {
  const std::string left = {0, 0, 0, 2, 1};
  const std::string whole =
      DatabasePage(true, false, {left}, 3) +
      DatabasePage(false, true, {DatabaseCell("table", "a", 1), DatabaseCell("view", "b", 2)}) +
      DatabasePage(false, true, {DatabaseCell("table", "c", 3)});
  EXPECT_THAT(Read(whole.substr(0, whole.size() - 1)), ElementsAre("a", "b"));
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes = whole.substr(0, whole.size() - random() % 200);
    for (int hit = 0; hit < 8; ++hit) bytes[random() % bytes.size()] = static_cast<char>(random());
    EXPECT_LE(Read(bytes).size(), 4096u);
  }
}

}  // namespace
}  // namespace xsp::importers
