#include "store/compaction.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "store/database.h"
#include "store/duckdb_connection.h"
#include "store/experiment_changes.h"
#include "store/experiment_writer.h"
#include "store/mirrored_store.h"
#include "store/store_check.h"
#include "store/store_testing.h"

namespace xsp::store {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

class CompactionTest : public testing::Test {
 protected:
  CompactionTest() {
    ExperimentWriter writer = ExperimentWriter::Create(store(), "a").value();
    EXPECT_TRUE(writer.AddRun("r", RandomTrace(1, 20000), "{}").ok());
    EXPECT_TRUE(writer.Commit(R"({"kind": "run", "model": "m", "status": "done"})").ok());
  }
  const fs::path& store() const { return folder_.path(); }

  std::map<std::string, std::uintmax_t> Sizes() const {
    std::map<std::string, std::uintmax_t> sizes;
    for (const auto& entry : fs::recursive_directory_iterator(store()))
      if (entry.is_regular_file()) sizes[entry.path().string()] = entry.file_size();
    return sizes;
  }
  /// Every value of every table, in the order of its rows.
  std::string Rows() const {
    std::string rows;
    const DuckDb db = DuckDb::Open().value();
    for (const auto& [file, bytes] : Sizes()) {
      if (!file.ends_with(".parquet")) continue;
      const auto table = db.Query(
          "SELECT md5(coalesce(string_agg(t::VARCHAR, '|'), '')) FROM (FROM read_parquet('" + file +
          "')) AS t");
      rows += file + ": " + std::get<std::string>(table.value().rows[0][0]) + "\n";
    }
    return rows;
  }

  TestFolder folder_;
};

TEST_F(CompactionTest, TheSameRowsTakeLessRoom) {
  const auto before = Sizes();
  const std::string rows = Rows();
  const auto groups = [&] {
    const DuckDb db = DuckDb::Open().value();
    return db
        .Query("SELECT num_row_groups FROM parquet_file_metadata('" +
               (store() / "a/r/span.parquet").string() + "')")
        .value()
        .rows;
  };
  const auto groups_before = groups();
  const Compaction done = CompactExperiment(store(), "a").value();
  EXPECT_GT(done.rewritten, 2u);
  EXPECT_LE(done.rewritten, done.tables);
  EXPECT_GT(done.saved_bytes, done.bytes / 10);
  const auto after = Sizes();
  std::uintmax_t saved = 0;
  for (const auto& [file, bytes] : before) saved += bytes - after.at(file);
  EXPECT_EQ(saved, done.saved_bytes);
  EXPECT_EQ(after.size(), before.size());
  EXPECT_EQ(Rows(), rows);
  EXPECT_EQ(groups(), groups_before);
  core::NoProgress nobody;
  EXPECT_THAT(CheckStore(store(), {.all_data = true}, nobody).value(), IsEmpty());
}

TEST_F(CompactionTest, WhatIsCompactIsPassedBy) {
  const Compaction first = CompactExperiment(store(), "a").value();
  const auto before = Sizes();
  const Compaction again = CompactExperiment(store(), "a").value();
  EXPECT_EQ(again.tables, first.tables - first.rewritten);
  EXPECT_EQ(again.rewritten, 0u);
  EXPECT_EQ(Sizes(), before);
}

TEST_F(CompactionTest, APlanWritesNothing) {
  const auto before = Sizes();
  const Compaction plan = CompactExperiment(store(), "a", {.plan = true}).value();
  EXPECT_EQ(Sizes(), before);
  EXPECT_EQ(plan.rewritten, 0u);
  EXPECT_EQ(plan.tables, CompactExperiment(store(), "a").value().tables);
}

TEST_F(CompactionTest, EndsBetweenTablesWhenAsked) {
  int asked = 0;
  const Compaction some =
      CompactExperiment(store(), "a", {.stop = [&] { return ++asked > 2; }}).value();
  const Compaction rest = CompactExperiment(store(), "a").value();
  EXPECT_LE(some.tables, 2u);
  EXPECT_GT(rest.rewritten, 0u);
}

TEST_F(CompactionTest, AReaderKeepsWhatItOpened) {
  Database database = Database::Open({store() / "a"}).value();
  const auto count = [](const Database& db) {
    return db.Query("SELECT count(DISTINCT name), sum(duration_ns) FROM span").value().rows;
  };
  const auto before = count(database);
  ASSERT_TRUE(CompactExperiment(store(), "a").ok());
  EXPECT_EQ(count(database), before);
  EXPECT_EQ(count(Database::Open({store() / "a"}).value()), before);
}

TEST_F(CompactionTest, ADamagedTableIsLeftWithAnErrorThatNamesIt) {
  const fs::path table = store() / "a/r/span.parquet";
  const std::string damage(fs::file_size(table) / 2, 'x');
  std::fstream stream(table, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekp(100) << damage;
  stream.close();
  const auto size = fs::file_size(table);
  const auto done = CompactExperiment(store(), "a");
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(done.error().what, HasSubstr("span.parquet"));
  EXPECT_EQ(fs::file_size(table), size);
  for (const auto& entry : fs::directory_iterator(store())) EXPECT_EQ(entry.path().filename(), "a");
}

// A mirrored experiment without its sign is new to the push.
TEST_F(CompactionTest, WhatAServerHasIsForTheNextPush) {
  std::ofstream(store() / "a" / kMirroredFile) << "{}";
  ASSERT_TRUE(CompactExperiment(store(), "a", {.plan = true}).ok());
  EXPECT_THAT(UnpushedExperiments(store()), IsEmpty());
  ASSERT_TRUE(CompactExperiment(store(), "a").ok());
  EXPECT_THAT(UnpushedExperiments(store()), testing::ElementsAre("a"));
}

TEST_F(CompactionTest, AnExperimentThatIsNotThereIsBadInput) {
  EXPECT_EQ(CompactExperiment(store(), "b").error().kind, ErrorKind::kBadInput);
}

}  // namespace
}  // namespace xsp::store
