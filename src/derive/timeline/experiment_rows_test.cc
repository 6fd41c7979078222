#include "derive/timeline/experiment_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "store/database.h"
#include "store/rows/concurrency_row.h"
#include "store/rows/stream_row.h"
#include "store/store_testing.h"
#include "store/typed_table.h"

namespace xsp::timeline {
namespace {

TEST(ExperimentRowsTest, WritesTheTablesThatHaveRows) {
  ExperimentRows rows;
  std::vector<store::ConcurrencyRow> expected;
  for (const std::int64_t run : {1, 2}) {
    rows.SetRun(run);
    expected.push_back(
        {.run_id = rows.run_id(), .rank = ApplicableOrNull(0), .streams = run, .duration_ns = 5});
    rows.Add(expected.back());
    rows.Add(store::StreamRow{.run_id = rows.run_id(),
                              .rank = ApplicableOrNull(trace::kNotApplicable),
                              .name = "stream 7",
                              .spans = 1,
                              .busy_ns = 1,
                              .alone_ns = 1,
                              .compute_ns = 1,
                              .communication_ns = 0,
                              .copy_ns = 0,
                              .start_ns = 0,
                              .end_ns = 1});
  }
  EXPECT_THAT(rows.tables(), testing::ElementsAre("concurrency", "stream"));
  const store::TestFolder store;
  auto writer = store::ExperimentWriter::Create(store.path(), "x");
  ASSERT_TRUE(writer.ok());
  const Status written = rows.Write(writer.value());
  ASSERT_TRUE(written.ok()) << written.error().what;
  const std::filesystem::path folder = writer.value().folder();
  EXPECT_TRUE(std::filesystem::exists(folder / "stream.parquet"));
  EXPECT_FALSE(std::filesystem::exists(folder / "step.parquet"));
  const auto db = store::Database::Open({folder});
  ASSERT_TRUE(db.ok()) << db.error().what;
  const auto table = db.value().Query("SELECT * FROM concurrency");
  ASSERT_TRUE(table.ok()) << table.error().what;
  const auto read = store::ToRows<store::ConcurrencyRow>(table.value());
  ASSERT_TRUE(read.ok()) << read.error().what;
  EXPECT_EQ(read.value(), expected);
  const auto ranks = db.value().Query("SELECT count(*), count(rank) FROM stream");
  ASSERT_TRUE(ranks.ok()) << ranks.error().what;
  EXPECT_EQ(ranks.value().rows.at(0), (std::vector<store::Cell>{std::int64_t{2}, std::int64_t{0}}));
}

}  // namespace
}  // namespace xsp::timeline
